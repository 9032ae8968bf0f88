/* See trace_temporary.h. */
#include "workloads/trace/trace_temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int wl_trace_temporary(char *err, size_t errlen) {
  const char *dir = getenv("TMPDIR");
  char path[512];
  if (!dir || !*dir)
    dir = "/tmp";
  int fd = -1;
  errno = ENAMETOOLONG;
  if (snprintf(path, sizeof path, "%s/heddle-XXXXXX", dir) < (int)sizeof path)
    fd = mkstemp(path);
  if (fd < 0)
    snprintf(err, errlen, "a temporary file in %s cannot be made: %s", dir, strerror(errno));
  else
    unlink(path);
  return fd;
}
