/* Converts any workload into a trace of our own format. workloads/accelsim/accel_write.h does the same for
 * Accel-Sim's format. docs/trace.md says what each format holds.
 *
 * Invariant: the trace holds only what the source gives, except for the cases that `struct
 * wl_trace_summary` counts.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_CONVERT_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_CONVERT_H

#include "workloads/stream.h"

#include <stddef.h>

/* Counts of what was written, and of what Accel-Sim's format could not hold. */
struct wl_trace_summary {
  uint64_t launches, insts;
  uint64_t sources; /* instructions with more than four sources; only the four lowest registers are written */
  uint64_t shared;  /* shared-memory accesses without addresses; written as free of bank conflicts */
  uint64_t exits;   /* EXITs whose lanes are not all lanes of the warp; written with all of them */
};

/* Called at the begin of each CTA. May be NULL. */
typedef void wl_trace_progress(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta);

struct wl_trace_how {
  unsigned version; /* Accel-Sim: binary version, 35 or 70 */
  bool xz;          /* Accel-Sim: compress the kernels */
  wl_trace_progress *progress;
  void *user;
};

/* Writes the rest of the source as .htrace to the empty file fd, which the caller closes. Returns false
 * with one line in err. */
bool wl_trace_to_htrace(struct wl_source *source, int fd, const struct wl_trace_how *how,
                        struct wl_trace_summary *summary, char *err, size_t errlen);

#endif
