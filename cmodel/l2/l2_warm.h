/* A line into an L2 slice without time, for runs that simulate samples (docs/gpu/sampling.md). */
#ifndef HEDDLE_CMODEL_L2_L2_WARM_H
#define HEDDLE_CMODEL_L2_L2_WARM_H

#include "cmodel/model/models.h"

/* The line, or this sector of it (0 where lines come whole), is there as if it had been read or written in the cycle before, in the way of
 * the least recently used one; its bytes are not. A line in flight stays so. Nothing is counted. Lines of the slice do not sleep (no
 * LoSCache). */
void l2_warm(struct l2_slice *m, uint64_t line, unsigned sector, bool store);

#endif
