/* Any workload into a trace of our own form; into Accel-Sim's: workloads/accelsim/accel_write.h. docs/trace.md says what each carries.
 *
 * Invariant: what is written holds nothing that the source does not say, but for what `struct wl_trace_summary` counts.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_CONVERT_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_CONVERT_H

#include "workloads/stream.h"

#include <stddef.h>

/* What was written, and what Accel-Sim's form could not carry. */
struct wl_trace_summary {
  uint64_t launches, insts;
  uint64_t sources; /* instructions with more than four sources; the four lowest registers are written */
  uint64_t shared; /* shared-memory accesses without addresses, written with addresses that meet in no bank */
  uint64_t exits;  /* EXITs of other lanes than the warp has; written with all it has */
};

/* Called for each CTA that is begun. May be NULL. */
typedef void wl_trace_progress(void *user, const struct wl_launch *launch, uint64_t number, uint32_t cta);

struct wl_trace_how {
  unsigned version; /* Accel-Sim: binary version, 35 or 70 */
  bool xz;          /* Accel-Sim: kernels are compressed */
  wl_trace_progress *progress;
  void *user;
};

/* Writes the rest of the source as .htrace to the empty file of descriptor fd, which stays the caller's. False: one
 * line in err. */
bool wl_trace_to_htrace(struct wl_source *source, int fd, const struct wl_trace_how *how,
                        struct wl_trace_summary *summary, char *err, size_t errlen);

#endif
