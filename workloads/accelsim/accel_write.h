/* Converts any workload into a trace in Accel-Sim's format, under the invariant of trace_convert.h. */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_WRITE_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_WRITE_H

#include "workloads/trace/trace_convert.h"

/* Writes the rest of the source as kernelslist.g and kernel-N.traceg, or .traceg.xz, into the existing
 * empty directory `dir`. Returns false with one line in err. */
bool wl_trace_to_accel(struct wl_source *source, const char *dir, const struct wl_trace_how *how,
                       struct wl_trace_summary *summary, char *err, size_t errlen);

#endif
