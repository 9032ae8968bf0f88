/* The temporary file of a trace that is read once and then dropped. */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_TEMPORARY_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_TEMPORARY_H

#include <stddef.h>

/* Returns the descriptor of a file without a name in $TMPDIR (else /tmp), or -1 with one line in err. */
int wl_trace_temporary(char *err, size_t errlen);

#endif
