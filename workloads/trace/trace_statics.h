/* The static instructions that the warps of a launch have in common. Warps run one kernel, so their blocks say the same ones, in the same
 * order; with a table for each warp, those of a machine would not fit the host's caches.
 *
 * Invariant: what is in the table stays until wl_trace_statics_begin; so what was found there may be read without a lock.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_STATICS_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_STATICS_H

#include "workloads/trace/trace_code.h"

#include <pthread.h>
#include <stdatomic.h>

struct wl_trace_statics {
  atomic_uint n;
  pthread_mutex_t mutex; /* for those that add to it */
  struct wl_trace_static known[WL_TRACE_STATICS];
};

/* Nothing is read of it meanwhile. The mutex is the caller's to make. */
void wl_trace_statics_begin(struct wl_trace_statics *t);

/* The i-th of a block; those before it are those of the table. True: so is this one, or it was added. Several threads may ask. */
bool wl_trace_statics_have(struct wl_trace_statics *t, uint32_t i, const struct wl_trace_static *s);

#endif
