/* Golden model of the protection distance at the L1D. Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: an age is at most DISTANCE; a line of that age is not pinned. With APCM a line that APCM does not
 * protect is not pinned either. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

void pd_moore(struct pd *m, struct pd_out *out) {
  out->pin_new = !m->base.c->d.APCM_PN;
}

/* Returns the new age of way w of the reported set. */
static inline uint64_t older(const struct pd *m, const struct pd_in *in, unsigned w) {
  const unsigned distance = m->base.c->d.DISTANCE;
  const uint64_t age = m->s.aged[in->outcome_set * m->base.c->d.WAYS + w];
  if (in->outcome_load)
    return hd_has(in->outcome_at, w) ? 0 : age + (age < distance);
  if (!in->outcome_write || !hd_has(in->outcome_at, w))
    return age;
  return !m->base.c->d.ON_MISS && in->outcome_take ? 0 : distance; /* 0: a fill for a load */
}

/* Returns the pinned ways of the set, updated by OUTCOME. */
static uint64_t pinned(const struct pd *m, const struct pd_in *in, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t *aged = m->s.aged + set * d->WAYS;
  const bool reported = in->outcome_set == set;
  uint64_t pins = 0;
  for (unsigned w = 0; w < d->WAYS; w++)
    pins |= (uint64_t)((reported ? older(m, in, w) : aged[w]) < d->DISTANCE) << w;
  return pins;
}

void pd_mealy(struct pd *m, const struct pd_in *in, struct pd_out *out) {
  const struct hd_derived *d = &m->base.c->d;
  out->pins = in->look_valid ? pinned(m, in, in->look_set) : 0;
  if (d->APCM_PN)
    out->pins &= in->marked;
  if (!d->ON_MISS)
    out->fill_pins = pinned(m, in, in->fill_set) & (d->APCM_PN ? in->fill_marked : hd_ones(d->WAYS));
}

uint64_t pd_tick(struct pd *m, const struct pd_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  if (!(in->outcome_load | in->outcome_write))
    return 0;
  for (unsigned w = 0; w < d->WAYS; w++)
    m->s.aged[in->outcome_set * d->WAYS + w] = older(m, in, w);
  return 0;
}
