/* The input of the protection status board in a lazy run (SETS row of arch/apcm/wires.def). */
#ifndef HEDDLE_CMODEL_APCM_LAZY_H
#define HEDDLE_CMODEL_APCM_LAZY_H

#include "cmodel/model/models.h"

/* Sets ask_pc of u_psb. The load alias table belongs to a part that hears later. */
void psb_asks(struct sm_mem *m);

#endif
