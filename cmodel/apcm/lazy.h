/* What the protection status board looks at when it runs lazily (SETS row of arch/apcm/wires.def). */
#ifndef HEDDLE_CMODEL_APCM_LAZY_H
#define HEDDLE_CMODEL_APCM_LAZY_H

#include "cmodel/sm/ports.h"

/* The load alias table is of a part that hears later. */
static inline void psb_asks(struct sm_mem *m) {
  m->u_psb_in.ask_pc = lat_ask_pc(m->u_lat, m->u_psb->s.l_id);
}

#endif
