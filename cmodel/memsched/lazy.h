/* What the probe units look at when they run lazily (SETS row of arch/memsched/wires.def). */
#ifndef HEDDLE_CMODEL_MEMSCHED_LAZY_H
#define HEDDLE_CMODEL_MEMSCHED_LAZY_H

#include "cmodel/model/models.h"

/* The lines that probe, and of the L1D's lines the few sets that are looked at. */
void tag_probe_look(struct sm_mem *m);

#endif
