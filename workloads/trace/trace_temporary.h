/* Where a trace is that is read once and goes. */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_TEMPORARY_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_TEMPORARY_H

#include <stddef.h>

/* A file without a name in $TMPDIR (else /tmp); -1: one line in err. */
int wl_trace_temporary(char *err, size_t errlen);

#endif
