/* Traces as workloads. Opens each format that Heddle reads: .htrace, and Accel-Sim's kernelslist.g and
 * .traceg, plain or xz. docs/trace.md says what each format holds.
 *
 * Invariant: a foreign trace is converted into our own format first, so there is one reader.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_OPEN_H
#define HEDDLE_WORKLOADS_TRACE_OPEN_H

#include "workloads/stream.h"

#include <stddef.h>

/* Opens the trace at `path`. The first bytes of the file tell its format; a directory stands for the
 * kernelslist.g in it. Returns NULL after writing one line to err. A foreign trace is converted launch by
 * launch, into a file without a name in $TMPDIR (else /tmp). */
struct wl_source *wl_trace_open(const char *path, char *err, size_t errlen);

#endif
