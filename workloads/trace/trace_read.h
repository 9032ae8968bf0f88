/* Reading .htrace from a file that may be filled again and again: how foreign traces come in.
 *
 * Invariant: there is one reader. A foreign trace is translated launch by launch into a file of our own form.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_READ_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_READ_H

#include "workloads/trace/trace_file.h"

enum wl_trace_fed { WL_TRACE_FED, WL_TRACE_NO_MORE, WL_TRACE_BAD };

/* What fills the file. */
struct wl_trace_feed {
  /* Writes the next launch, as a whole .htrace file, to the empty fd. WL_TRACE_BAD: one line in err. */
  enum wl_trace_fed (*next)(struct wl_trace_feed *feed, int fd, char *err, size_t errlen);
  void (*close)(struct wl_trace_feed *feed);
};

/* A source that reads what `feed` writes to fd; both become its own, also if it fails: NULL, memory is out. */
struct wl_source *wl_trace_read_fed(int fd, const char *name, struct wl_trace_feed *feed);

#endif
