/* Golden model of APCM at the L1D. Spec: docs/mechanisms/apcm.md. The behaviour of a cycle is in
 * cmodel/apcm/apcm_line_cycle.h. */
#include "cmodel/apcm/apcm_line_cycle.h"

void apcm_line_moore(struct apcm_line *m, struct apcm_line_out *out) {
  const struct apcm_line_st *s = &m->s;
  out->advice_bypass = s->d_apb;
  out->advice_keep = out->pin_new = s->d_keep;
  out->lack_line = s->d_full;
  out->ps_last = s->e_final;
}

void apcm_line_mealy(struct apcm_line *m, const struct apcm_line_in *in, struct apcm_line_out *out) {
  apcm_line_say(m, in, out);
}

uint64_t apcm_line_tick(struct apcm_line *m, const struct apcm_line_in *in) {
  return apcm_line_cycle(m, in);
}
