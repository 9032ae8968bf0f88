/* The outputs of the SM's modules, one function for each signal. Each room has such a ports.h. X_moore and X_mealy set all outputs
 * through these functions; the lazy run (cmodel/step/lazy_parts.h) calls those that it needs. A payload is right only while its port is
 * valid.
 *
 * Invariant: nothing here changes anything; the same is true of ports.h of the other rooms.
 *
 * Inlined: with calls instead, heddle sim executes 1.9 % more instructions, those of all rooms together: 9 headers refer here
 * (gpu/apres on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_SM_PORTS_H
#define HEDDLE_CMODEL_SM_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* The warps that the static limit withholds. */
static inline uint64_t warp_limit_withhold(const struct warp_limit *m) {
  return hd_ones(m->base.c->d.WARPS) & ~m->s.active;
}

static inline bool coalescer_issue_ready(const struct coalescer *m) {
  return m->s.p_valid != 3;
}
static inline uint64_t coalescer_busy(const struct coalescer *m) {
  const struct coalescer_st *s = &m->s;
  return (s->p_valid & 1) << s->p_wid[0] | s->p_valid >> 1 << s->p_wid[1] | s->o_valid << s->o.wid;
}

static inline bool request_slot_enq_ready(const struct request_slot *m, bool deq_ready) {
  return !m->s.valid || deq_ready;
}

#endif
