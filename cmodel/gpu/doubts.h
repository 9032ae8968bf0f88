/* What samples of a run tell of how far its estimated cycles may be off, beside how far they differ from their neighbours (spread.h):
 * whether the machine still changed while they were measured, and how surely they say when the last SM ends (docs/gpu/sampling.md, "How
 * sure").
 *
 * Invariant: depends on what SMs issue in samples alone, and on what these stand for.
 */
#ifndef HEDDLE_CMODEL_GPU_DOUBTS_H
#define HEDDLE_CMODEL_GPU_DOUBTS_H

#include "cmodel/sm/sm.h"

/* Of a launch's estimated cycles. */
struct hd_doubt {
  /* Cycles by which they would be more, were only the second half of all instructions measured taken of each sample; < 0: fewer. */
  double drift;
  double last_sm; /* variance of the cycle in which the last SM ends */
};

struct hd_doubts;
/* Of so many SMs, which must stay. NULL: out of memory. */
struct hd_doubts *hd_doubts_new(struct hd_sm *const *sm, unsigned sms);
void hd_doubts_free(struct hd_doubts *d);

/* What is measured begins, in this cycle, so many instructions having been issued by all SMs; then it is told of each cycle in which it is
 * looked at, and of the last. */
void hd_doubts_measure(struct hd_doubts *d, uint64_t cycle, uint64_t instructions);
void hd_doubts_look(struct hd_doubts *d, uint64_t cycle, uint64_t instructions);
/* That stands for so many cycles that are passed. `last_wave`: in which SMs go on each by its own pace, and there are no more CTAs left
 * than they hold, so that none makes up for another. */
void hd_doubts_stand_for(struct hd_doubts *d, double cycles, bool last_wave);
/* The last sample of the launch, if there was one, stands for so many more. */
void hd_doubts_extend(struct hd_doubts *d, double cycles);

/* The launch has ended: what is left in doubt of it. The next one begins. */
struct hd_doubt hd_doubts_end_launch(struct hd_doubts *d);

#endif
