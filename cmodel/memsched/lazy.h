/* The probe units as they run lazily (LEADS row of arch/memsched/wires.def): nothing is wired to them, they look at the buffer and
 * the L1D in place, and at the L1D's own tags, which their copies repeat.
 *
 * Heads that probe in vain, all of them, go on so until the L1D says something else, or a port of the buffer meets. Then the buffer
 * sleeps, memo[MEMSCHED_VAIN] is 1, and what they do meanwhile is done later, all cycles at a time. */
#ifndef HEDDLE_CMODEL_MEMSCHED_LAZY_H
#define HEDDLE_CMODEL_MEMSCHED_LAZY_H

#include "cmodel/model/models.h"

/* A cycle of the probe units, after the ticks of the L1D and of the buffer, which has answered `ahead`: what it is to answer. */
uint64_t tag_probe_look(struct sm_mem *m, uint64_t ahead);

/* While heads probe in vain, after a tick of the L1D: in this cycle it may say something else of them. */
bool tag_probe_stirs(const struct sm_mem *m);

#endif
