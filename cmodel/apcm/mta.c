/* Golden model of the monitor tag array. Spec: docs/mechanisms/apcm.md. The behaviour of a cycle is in
 * cmodel/apcm/mta_cycle.h. */
#include "cmodel/apcm/mta_cycle.h"

void mta_moore(struct mta *m, struct mta_out *out) {
  const struct mta_st *s = &m->s;
  out->up_valid = s->u_valid;
  out->up_id = s->u_id;
  out->up_last = s->u_last;
  out->up_count = s->u_count;
  out->up_intra = s->u_intra;
}

uint64_t mta_tick(struct mta *m, const struct mta_in *in) {
  return mta_cycle(m, in);
}
