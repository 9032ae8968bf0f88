/* The workload `trace:PATH`: a trace of any format that Heddle reads; see trace_open.h. */
#include "workloads/trace_open.h"
#include "base/text.h"
#include "workloads/accelsim/accel.h"
#include "workloads/trace/trace_temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the kernelslist.g of a directory that Accel-Sim's tracer wrote. */
static struct wl_source *open_directory(const char *path, char *err, size_t errlen) {
  char *list = hd_try_format("%s/kernelslist.g", path);
  struct stat what;
  if (!list) {
    snprintf(err, errlen, "%s: out of memory", path);
    return NULL;
  }
  struct wl_source *source = NULL;
  if (stat(list, &what) == 0 && S_ISREG(what.st_mode))
    source = wl_trace_open(list, err, errlen);
  else
    snprintf(err, errlen, "%s: is a directory without a kernelslist.g", path);
  free(list);
  return source;
}

struct wl_source *wl_trace_open(const char *path, char *err, size_t errlen) {
  struct stat what;
  if (stat(path, &what) == 0 && S_ISDIR(what.st_mode))
    return open_directory(path, err, errlen);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  char magic[8] = "";
  if (fd < 0) {
    snprintf(err, errlen, "%s: cannot be read: %s", path, strerror(errno));
    return NULL;
  }
  if (pread(fd, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, WL_TRACE_MAGIC, sizeof magic) == 0)
    return wl_trace_read(fd, path, err, errlen);
  close(fd);
  const size_t n = strlen(path);
  if (n > 7 && !strcmp(path + n - 7, ".htrace")) {
    snprintf(err, errlen,
             "%s: offset 0: found no " WL_TRACE_MAGIC "; its writing was cut short, or it is something else",
             path);
    return NULL;
  }
  struct wl_trace_feed *feed = wl_accel_open(path, err, errlen);
  if (!feed)
    return NULL;
  const int temporary = wl_trace_temporary(err, errlen);
  if (temporary < 0) {
    feed->close(feed);
    return NULL;
  }
  struct wl_source *source = wl_trace_read_fed(temporary, path, feed);
  if (!source)
    snprintf(err, errlen, "%s: out of memory", path);
  return source;
}
