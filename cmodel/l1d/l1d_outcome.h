/* What the L1D tells of a request that was decided, and at the edge: OUTCOME, LATE, and what it makes of PINS. Spec:
 * docs/mechanisms/hooks.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: what was done is read off the memories that were written: a miss writes `merged` and `mq`, a merge `merged`
 * alone, a load that goes on uncached `mq` alone. l1d_replace has left the way in outcome_at, and the rest of an eviction
 * in `late`.
 *
 * Inlined: with calls instead, heddle sim executes 0.4 % more instructions (apcm on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_OUTCOME_H
#define HEDDLE_CMODEL_L1D_L1D_OUTCOME_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* What became in this cycle of the request in d. */
enum l1d_fate {
  L1D_WAITS,          /* or none was there, or it was flushed */
  L1D_WAITS_FOR_FILL, /* a fill has entered */
  L1D_DONE,
  L1D_LEFT /* it lacked something, and is to come again */
};

/* memo[L1D_WAITED]: the request in d has waited, and OUTCOME says nothing of it. As long as it waits, there is nothing to tell. With
 * on_fill what is told follows the fills too. */
enum { L1D_WAITED };
static inline bool l1d_waited(const struct l1d *m) {
  return m->base.memo[L1D_WAITED] & m->s.d_valid;
}

/* Before anything is decided: the tag that is written in this cycle, or would be. */
void l1d_late_tag(struct l1d *m);

/* After the decision or the fill, before d moves on, and while `late` is still of the last cycle. `there`: d_valid at the start of
 * the cycle. True: OUTCOME reports it in the next cycle. */
bool l1d_report_outcome(struct l1d *m, bool there, enum l1d_fate fate);

/* Before c moves into d: its pinned ways, as what d does in this cycle leaves them. */
uint64_t l1d_learn_pins(const struct l1d *m, const struct l1d_in *in);

/* No way of d's set can be had, and waiting would not help. Without a d there is no d_pin. */
bool l1d_stuck(const struct l1d *m);

#endif
