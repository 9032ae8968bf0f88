/* What prefetches add to the L1D's lines and decisions: the bits that say which lines were prefetched and are still of no
 * use, flushes. Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: without a prefetcher c_pf, d_pf and mshr_pf stay 0; `pf` is not there then. */
#ifndef HEDDLE_CMODEL_L1D_L1D_PREFETCH_H
#define HEDDLE_CMODEL_L1D_L1D_PREFETCH_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* A valid line goes; its set still says what it was. True: no load had hit it. */
bool l1d_line_goes(struct l1d *m, uint64_t set, unsigned way);

/* d's load hits a line. */
void l1d_line_hit(struct l1d *m, uint64_t set, unsigned way);

/* d's load merges into an MSHR. */
void l1d_mshr_hit(struct l1d *m, unsigned mshr);

/* Before anything else of the cycle. What is on its way to the decision is prefetches; the one in p is still to move
 * into c, and is gone then. */
void l1d_flush(struct l1d *m);

#endif
