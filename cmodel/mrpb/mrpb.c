/* Golden model of the memory request prioritization buffer. Spec: docs/mechanisms/mrpb.md. The behaviour of a cycle
 * is in cmodel/mrpb/mrpb_cycle.h. */
#include "cmodel/mrpb/mrpb_cycle.h"

void mrpb_moore(struct mrpb *m, struct mrpb_out *out) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->deq_valid = mrpb_deq_valid(m);
  out->deq = mrpb_deq(m);
  if (m->base.data) {
    const bool queued = HD_IS(m, WIDE) && s->o_valid;
    hd_copy(out->deq_wdata, queued ? s->fifo_wdata_q : s->in_wdata, d->WORDS);
    hd_copy(out->deq_wmask, queued ? s->fifo_wmask_q : s->in_wmask, d->WORDS);
  }
  out->drained = mrpb_drained(m);
}

void mrpb_mealy(struct mrpb *m, const struct mrpb_in *in, struct mrpb_out *out) {
  mrpb_say(m, in, out);
}

uint64_t mrpb_tick(struct mrpb *m, const struct mrpb_in *in) {
  return mrpb_cycle(m, in);
}
