/* The outputs of casc (cmodel/sm/ports.h). Spec: docs/mechanisms/casc.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_CASC_PORTS_H
#define HEDDLE_CMODEL_CASC_PORTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* True if the request at the input is to be gathered. */
static inline bool casc_mine(const struct casc *m, const struct casc_in *in) {
  return in->in_valid && !in->in.write && in->in_many && (in->in.num ? m->s.mid : in->en);
}
static inline bool casc_idle(const struct casc *m) {
  return !(m->s.o_valid | m->s.full | m->s.mid);
}
static inline bool casc_in_ready(const struct casc *m, const struct casc_in *in) {
  return casc_mine(m, in) ? !hd_has(m->s.full, m->s.fill) : casc_idle(m) && in->out_ready;
}
static inline bool casc_out_valid(const struct casc *m, const struct casc_in *in) {
  return m->s.o_valid || (casc_idle(m) && in->in_valid && !casc_mine(m, in));
}
static inline uint64_t casc_busy(const struct casc *m) {
  const struct casc_st *s = &m->s;
  const uint64_t used = s->full | s->mid << s->fill;
  return (used & 1) << s->b_wid[0] | used >> 1 << s->b_wid[1];
}

#endif
