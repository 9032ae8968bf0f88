/* Puts a line into an L2 slice without simulating time, for runs that simulate samples (docs/gpu/sampling.md). */
#ifndef HEDDLE_CMODEL_L2_L2_WARM_H
#define HEDDLE_CMODEL_L2_L2_WARM_H

#include "cmodel/model/models.h"

/* Makes the line, or this sector of it (0 if lines come whole), present as if it had been read or written in the
 * cycle before. The line takes the least recently used way; its bytes are not set. A line in flight stays in flight.
 * No event is counted. Lines of the slice must not sleep (no LoSCache). */
void l2_warm(struct l2_slice *m, uint64_t line, unsigned sector, bool store);

#endif
