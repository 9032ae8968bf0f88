/* The inputs of the locality degree in a lazy run (SETS row of arch/casc/wires.def).
 *
 * Inlined: measured in cmodel/casc/casc_cycle.h. */
#ifndef HEDDLE_CMODEL_CASC_LAZY_H
#define HEDDLE_CMODEL_CASC_LAZY_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* Sets the counters of a set. The module reads those of d's set only if d's load goes by the locality degree. */
static inline void locality_degree_counters(struct sm_mem *m) {
  const struct line_uses *u = m->u_line_uses;
  const unsigned ways = m->base.c->d.WAYS;
  if (m->u_degree_in.decide_loc)
    hd_copy(m->u_degree_in.decide_counters, u->s.rr + m->u_l1d->s.d_set * ways, ways);
  if (!HD_IS(m, ON_MISS))
    hd_copy(m->u_degree_in.fill_counters, u->s.rr + m->u_l1d->s.f_set * ways, ways);
}

#endif
