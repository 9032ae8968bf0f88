/* Counting requests as the hardware does; see gather.h. The lazy run does so only after a wrong bit, so speed does not matter here. */
#include "cmodel/casc/gather.h"
#include "cmodel/model/bits.h"

void casc_count_any(struct casc *m, uint64_t set, unsigned j) {
  const struct hd_derived *const d = &m->base.c->d;
  const unsigned lanes = d->LANES;
  uint64_t *later = m->s.later + m->s.fill * lanes;
  for (unsigned i = 0; i < lanes - 1 && i < j; i++)
    later[i] = (later[i] + (m->s.set[i] == set && later[i] != d->WAYS)) & hd_ones(d->LATER_W);
  if (j < lanes - 1)
    m->s.set[j] = set;
  if (j < lanes)
    later[j] = 0;
  casc_memo(m)->next = CASC_NO_ORDER;
}
