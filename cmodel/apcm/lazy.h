/* What the protection status board looks at when it runs lazily (SETS row of arch/apcm/wires.def). */
#ifndef HEDDLE_CMODEL_APCM_LAZY_H
#define HEDDLE_CMODEL_APCM_LAZY_H

#include "cmodel/model/models.h"

/* The load alias table is of a part that hears later. */
void psb_asks(struct sm_mem *m);

#endif
