/* What samples of a run tell of how far its estimated cycles may be off, beside how far they differ from their neighbours (spread.h):
 * whether the machine still changed while they were measured, and how surely they say when the last SM ends (docs/gpu/sampling.md, "How
 * sure").
 *
 * Invariant: depends on what SMs issue in samples alone, and on what these stand for.
 */
#ifndef HEDDLE_CMODEL_GPU_DOUBTS_H
#define HEDDLE_CMODEL_GPU_DOUBTS_H

#include "cmodel/sm/sm.h"

struct hd_doubts;
/* Of so many SMs, which must stay. NULL: out of memory. */
struct hd_doubts *hd_doubts_new(struct hd_sm *const *sm, unsigned sms);
void hd_doubts_free(struct hd_doubts *d);

/* A launch begins. */
void hd_doubts_launch(struct hd_doubts *d);
/* What is measured begins, in this cycle; then it is told of each one at which it is looked at, and of the last. */
void hd_doubts_measure(struct hd_doubts *d, uint64_t cycle);
void hd_doubts_look(struct hd_doubts *d, uint64_t cycle);
/* That stands for so many cycles that are passed. `last_wave`: in which SMs go on each by its own pace, and there are no more CTAs left
 * than they hold, so that none makes up for another. */
void hd_doubts_stand_for(struct hd_doubts *d, double cycles, bool last_wave);

/* Cycles by which the estimate would be longer, were only the second half of all instructions measured taken of each sample: < 0: shorter. */
double hd_doubts_drift(const struct hd_doubts *d);
/* Of the cycle in which the last SM ends, the standard deviation: over all launches. */
double hd_doubts_last_sm(const struct hd_doubts *d);
/* Half the width of the 95 % interval of all cycles, as a part of them: `chosen` is that of the choice of samples, and `ran` cycles are, by
 * the estimate, of launches that ran; those that were passed as a whole are as these. NAN if `chosen` is. */
double hd_doubts_margin(const struct hd_doubts *d, double chosen, double ran);

#endif
