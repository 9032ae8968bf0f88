/* Golden model of the protection distance at the L1D. Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: an age is at most DISTANCE; a line of that age is pinned no more. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

void pd_moore(struct pd *m, struct pd_out *out) {
  (void)m;
  out->pin_new = 1;
}

/* The age of way w of the set that is reported, as it is after that. */
static inline uint64_t older(const struct pd *m, const struct pd_in *in, unsigned w) {
  const unsigned distance = m->base.c->d.DISTANCE;
  const uint64_t age = m->s.aged[in->outcome_set * m->base.c->d.WAYS + w];
  if (in->outcome_load)
    return hd_has(in->outcome_at, w) ? 0 : age + (age < distance);
  return in->outcome_write && hd_has(in->outcome_at, w) ? distance : age;
}

void pd_mealy(struct pd *m, const struct pd_in *in, struct pd_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t *aged = m->s.aged + in->look_set * d->WAYS;
  const bool reported = in->outcome_set == in->look_set;
  out->pins = 0;
  for (unsigned w = 0; in->look_valid && w < d->WAYS; w++)
    out->pins |= (uint64_t)((reported ? older(m, in, w) : aged[w]) < d->DISTANCE) << w;
}

uint64_t pd_tick(struct pd *m, const struct pd_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  if (!(in->outcome_load | in->outcome_write))
    return 0;
  for (unsigned w = 0; w < d->WAYS; w++)
    m->s.aged[in->outcome_set * d->WAYS + w] = older(m, in, w);
  return 0;
}
