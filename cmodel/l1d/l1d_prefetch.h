/* What prefetches add to the L1D's lines and decisions: the bits of prefetched lines that no load has used yet, and
 * flushes. Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: without a prefetcher c_pf, d_pf and mshr_pf stay 0, and `pf` does not exist. */
#ifndef HEDDLE_CMODEL_L1D_L1D_PREFETCH_H
#define HEDDLE_CMODEL_L1D_L1D_PREFETCH_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Called when a valid line leaves the cache, while its bits in the set are still as before. Returns true if the line
 * was prefetched and no load had hit it. */
bool l1d_line_goes(struct l1d *m, uint64_t set, unsigned way);

/* Called when d's load hits a line. */
void l1d_line_hit(struct l1d *m, uint64_t set, unsigned way);

/* Called when d's load merges into an MSHR. */
void l1d_mshr_hit(struct l1d *m, unsigned mshr);

/* Flushes the L1D, before anything else of the cycle. Only prefetches can be on their way to the decision. The
 * prefetch in p still moves into c; l1d_cycle drops it there. */
void l1d_flush(struct l1d *m);

#endif
