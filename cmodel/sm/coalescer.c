/* Golden model of the coalescer. Spec: docs/mechanisms/coalescer.md. What a cycle does is in cmodel/sm/coalescer_cycle.h. */
#include "cmodel/sm/coalescer_cycle.h"

void coalescer_moore(struct coalescer *m, struct coalescer_out *out) {
  const struct coalescer_st *s = &m->s;
  out->issue_ready = coalescer_issue_ready(m);
  out->req_valid = s->o_valid;
  out->req = s->o;
  out->req_sig = s->o_sig;
  out->req_lanes = s->o_lanes;
  out->req_many = s->o_many;
  out->busy = coalescer_busy(m);
}

uint64_t coalescer_tick(struct coalescer *m, const struct coalescer_in *in) {
  return coalescer_cycle(m, in, 0);
}
