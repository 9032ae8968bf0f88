/* Traces as workloads: opening one of any form that is read (.htrace, or Accel-Sim's kernelslist.g and .traceg, plain
 * or xz). docs/trace.md says what each form carries.
 *
 * Invariant: a foreign trace is read by way of our own form, so there is one reader.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_OPEN_H
#define HEDDLE_WORKLOADS_TRACE_OPEN_H

#include "workloads/stream.h"

#include <stddef.h>

/* Opens the trace at `path`, whatever its form, which its first bytes tell; a directory means the kernelslist.g in it. NULL: one line in
 * err. A foreign one is read launch by launch, into a file in $TMPDIR (else /tmp) that has no name. */
struct wl_source *wl_trace_open(const char *path, char *err, size_t errlen);

#endif
