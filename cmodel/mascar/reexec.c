/* Golden model of MASCAR's re-execution queue. Spec: docs/mechanisms/mascar.md. The behaviour of a cycle is in
 * cmodel/mascar/reexec_cycle.h. */
#include "cmodel/mascar/reexec_cycle.h"

void reexec_moore(struct reexec *m, struct reexec_out *out) {
  const struct reexec_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->deq_valid = reexec_deq_valid(m);
  out->deq = reexec_deq(m);
  if (m->base.data) {
    hd_copy(out->deq_wdata, s->in_wdata, d->WORDS);
    hd_copy(out->deq_wmask, s->in_wmask, d->WORDS);
  }
  out->drained = reexec_drained(m);
}

void reexec_mealy(struct reexec *m, const struct reexec_in *in, struct reexec_out *out) {
  out->enq_ready = reexec_enq_ready(m, in->deq_ready);
}

uint64_t reexec_tick(struct reexec *m, const struct reexec_in *in) {
  return reexec_cycle(m, in);
}
