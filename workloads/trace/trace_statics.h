/* The static instructions that the warps of a launch share. Warps run one kernel, so their blocks list the
 * same static instructions in the same order. With a table for each warp, the tables of a machine would not
 * fit the host's caches.
 *
 * Invariant: an entry of the table stays until wl_trace_statics_begin, so an entry that was found may be
 * read without a lock.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_STATICS_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_STATICS_H

#include "workloads/trace/trace_code.h"

#include <pthread.h>
#include <stdatomic.h>

struct wl_trace_statics {
  atomic_uint n;
  pthread_mutex_t mutex; /* for adding an entry */
  struct wl_trace_static known[WL_TRACE_STATICS];
};

/* Empties the table. No thread may read it meanwhile. The caller makes the mutex. */
void wl_trace_statics_begin(struct wl_trace_statics *t);

/* Compares the i-th static instruction of a block with the i-th of the table, or adds it if the table ends
 * there. All before it in the block must have been equal to the table's. Returns true if the table has it
 * now. Several threads may call this. */
bool wl_trace_statics_have(struct wl_trace_statics *t, uint32_t i, const struct wl_trace_static *s);

#endif
