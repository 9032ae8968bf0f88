/* Golden model of PCAL at the L1D. Spec: docs/mechanisms/rivals.md.
 *
 * Invariant: a store never gets advice. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

void pcal_moore(struct pcal *m, struct pcal_out *out) {
  out->advice_bypass = m->s.d_poor;
}

uint64_t pcal_tick(struct pcal *m, const struct pcal_in *in) {
  if (!in->late_advance)
    return 0;
  m->s.d_poor = in->look_valid && !in->look_write && !hd_has(in->token, in->look_wid);
  if (m->s.d_poor)
    HD_EV(m, pcal_advise, in->look_wid, 0, 0, 0);
  return 0;
}
