/* Golden model of contention-aware selective caching. Spec: docs/mechanisms/casc.md. The behaviour of a cycle is in
 * cmodel/casc/casc_cycle.h. */
#include "cmodel/casc/casc_cycle.h"

void casc_count_any(struct casc *m, uint64_t set, unsigned j) {
  const unsigned lanes = m->base.c->d.LANES;
  uint64_t *later = m->s.later + m->s.fill * lanes;
  for (unsigned i = 0; i < lanes - 1 && i < j; i++)
    later[i] += m->s.set[i] == set && later[i] != m->base.c->d.WAYS;
  if (j < lanes - 1)
    m->s.set[j] = set;
  if (j < lanes)
    later[j] = 0;
  casc_memo(m)->next = CASC_NO_ORDER;
}

void casc_moore(struct casc *m, struct casc_out *out) {
  out->busy = casc_busy(m);
}

void casc_mealy(struct casc *m, const struct casc_in *in, struct casc_out *out) {
  casc_say(m, in, out);
}

uint64_t casc_tick(struct casc *m, const struct casc_in *in) {
  return casc_cycle(m, in);
}
