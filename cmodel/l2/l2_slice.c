/* Golden model of an L2 slice. Spec: docs/mechanisms/l2.md. The behaviour of a cycle is in cmodel/l2/l2_cycle.h. */
#include "cmodel/l2/l2_cycle.h"

void l2_slice_moore(struct l2_slice *m, struct l2_slice_out *out) {
  const struct l2_slice_st *s = &m->s;
  out->req_ready = l2_slice_req_ready(m);
  out->mt_ready = l2_slice_mt_ready(m);
  out->mt_done = s->mt_done;
  out->rsp_valid = l2_slice_rsp_valid(m);
  out->rsp = *l2_slice_rsp(m);
  out->out_valid = l2_slice_out_valid(m);
  out->out = *l2_slice_out(m);
  out->fill_ready = l2_slice_fill_ready(m);
  out->look_valid = l2_slice_look_valid(m);
  out->look_set = l2_slice_look_set(m);
  out->looked_set = l2_slice_looked_set(m);
  out->looked_pred = s->b.pred;
  out->act_set = l2_slice_act_set(m);
  out->act_mshr = l2_slice_act_mshr(m);
  if (m->base.data) {
    hd_copy(out->rsp_data, s->rq_data_q, m->base.c->d.L2_WORDS);
    hd_copy(out->out_data, s->oq_data_q, m->base.c->d.L2_WORDS);
  }
}

void l2_slice_mealy(struct l2_slice *m, const struct l2_slice_in *in, struct l2_slice_out *out) {
  l2_slice_say(m, in, out);
}

uint64_t l2_slice_tick(struct l2_slice *m, const struct l2_slice_in *in) {
  return l2_slice_cycle(m, in);
}
