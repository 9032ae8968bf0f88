/* Golden model of memory request scheduling. Spec: docs/mechanisms/memsched.md. The behaviour of a cycle is in
 * cmodel/memsched/memsched_cycle.h. */
#include "cmodel/memsched/memsched_cycle.h"

void memsched_moore(struct memsched *m, struct memsched_out *out) {
  const struct memsched_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->deq_valid = memsched_deq_valid(m);
  out->deq = memsched_deq(m);
  if (m->base.data) {
    hd_copy(out->deq_wdata, s->in_wdata, d->WORDS);
    hd_copy(out->deq_wmask, s->in_wmask, d->WORDS);
  }
  for (unsigned u = 0; u < d->PROBES; u++)
    out->pr_line[u] = d->PROBE_EARLY ? memsched_early_line(m, u) : memsched_last_line(m, u);
  out->drained = memsched_drained(m);
}

void memsched_mealy(struct memsched *m, const struct memsched_in *in, struct memsched_out *out) {
  out->enq_ready = memsched_enq_ready(m, in->deq_ready);
}

uint64_t memsched_tick(struct memsched *m, const struct memsched_in *in) {
  return memsched_cycle(m, in);
}
