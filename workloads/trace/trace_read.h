/* Reads .htrace from a file that may be filled again and again. Foreign traces come in this way.
 *
 * Invariant: there is one reader. A foreign trace is converted launch by launch into a file of our own
 * format.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_READ_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_READ_H

#include "workloads/trace/trace_file.h"

enum wl_trace_fed { WL_TRACE_FED, WL_TRACE_NO_MORE, WL_TRACE_BAD };

/* The object that fills the file. */
struct wl_trace_feed {
  /* Writes the next launch, as a whole .htrace file, to the empty file fd. WL_TRACE_BAD: one line in err. */
  enum wl_trace_fed (*next)(struct wl_trace_feed *feed, int fd, char *err, size_t errlen);
  void (*close)(struct wl_trace_feed *feed);
};

/* Returns a source that reads what `feed` writes to fd. It takes over both, also on failure: it returns
 * NULL if memory is out. */
struct wl_source *wl_trace_read_fed(int fd, const char *name, struct wl_trace_feed *feed);

#endif
