/* Reading through a window; see file_window.h. */
#include "base/file_window.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reads up to n bytes, as far as the file goes. Returns -1 on an error. */
static ssize_t read_all(int fd, uint8_t *bytes, size_t n, uint64_t at) {
  size_t done = 0;
  while (done < n) {
    const ssize_t got = pread(fd, bytes + done, n - done, (off_t)(at + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

ssize_t hd_file_window_read(struct hd_file_window *w, int fd, void *bytes, size_t n, uint64_t at) {
  if (n > sizeof w->bytes)
    return read_all(fd, bytes, n, at);
  if (at < w->at || at - w->at > w->n || n > w->n - (at - w->at)) {
    const ssize_t got = read_all(fd, w->bytes, sizeof w->bytes, at);
    w->at = at;
    w->n = got < 0 ? 0 : (size_t)got;
    if (got < 0)
      return -1;
    n = n < w->n ? n : w->n;
  }
  memcpy(bytes, w->bytes + (at - w->at), n);
  return (ssize_t)n;
}

void hd_file_window_forget(struct hd_file_window *w) {
  w->n = 0;
}
