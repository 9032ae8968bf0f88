/* Golden model of the protection status board. Spec: docs/mechanisms/apcm.md. The behaviour of a cycle is in
 * cmodel/apcm/psb_cycle.h. */
#include "cmodel/apcm/psb_cycle.h"

void psb_moore(struct psb *m, struct psb_out *out) {
  const struct psb_st *s = &m->s;
  out->ask_id = s->l_id;
  out->psb_on = s->on;
  out->psb_loop = s->loop;
  hd_copy(out->psb_last, s->last, m->base.c->d.WARPS);
}

uint64_t psb_tick(struct psb *m, const struct psb_in *in) {
  return psb_cycle(m, in);
}
