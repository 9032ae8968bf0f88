/* CCWS's modules work on while the rest of their parts sleeps (ALONE rows of arch/ccws/wires.def). */
#ifndef HEDDLE_CMODEL_CCWS_LAZY_H
#define HEDDLE_CMODEL_CCWS_LAZY_H

#include "cmodel/model/models.h"

void ccws_vta_alone(struct ccws_vta *m, const struct ccws_vta_in *in, uint64_t cycles);
void ccws_score_alone(struct ccws_score *m, const struct ccws_score_in *in, uint64_t cycles);

#endif
