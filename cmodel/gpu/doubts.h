/* Two errors of a run's estimated cycles that its samples reveal, besides the spread between neighbouring samples (spread.h): the machine
 * still changed while it was measured, and the samples do not tell exactly when the last SM ends (docs/gpu/sampling.md, "How sure").
 *
 * Invariant: the result depends only on what SMs issue in samples, and on what the samples stand for. */
#ifndef HEDDLE_CMODEL_GPU_DOUBTS_H
#define HEDDLE_CMODEL_GPU_DOUBTS_H

#include "cmodel/sm/sm.h"

/* The errors of a launch's estimated cycles. */
struct hd_doubt {
  /* By how many cycles the estimate would be longer if each sample counted only the second half of the instructions measured. < 0:
   * shorter. */
  double drift;
  double last_sm; /* variance of the cycle in which the last SM ends */
};

struct hd_doubts;
/* For `sms` SMs; the array `sm` must stay. Returns NULL if memory has run out. */
struct hd_doubts *hd_doubts_new(struct hd_sm *const *sm, unsigned sms);
void hd_doubts_free(struct hd_doubts *d);

/* hd_doubts_measure: measuring begins in this cycle; all SMs have issued `instructions` so far. Then call hd_doubts_look for each cycle
 * in which the sample is looked at, the last one included. */
void hd_doubts_measure(struct hd_doubts *d, uint64_t cycle, uint64_t instructions);
void hd_doubts_look(struct hd_doubts *d, uint64_t cycle, uint64_t instructions);
/* The sample stands for `cycles` cycles that are passed. `last_wave`: each SM goes on at its own pace, and no more CTAs are left than the
 * SMs hold, so no SM makes up for another. */
void hd_doubts_stand_for(struct hd_doubts *d, double cycles, bool last_wave);
/* The last sample of the launch, if there was one, stands for `cycles` more cycles. */
void hd_doubts_extend(struct hd_doubts *d, double cycles);

/* The launch has ended: returns its doubts. The next launch begins. */
struct hd_doubt hd_doubts_end_launch(struct hd_doubts *d);

#endif
