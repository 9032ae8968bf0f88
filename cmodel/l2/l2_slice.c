/* Golden model of an L2 slice. Spec: docs/mechanisms/l2.md. What a cycle does is in cmodel/l2/l2_cycle.h.
 *
 * Invariant: memo[L2_PLAN] holds what l2_slice_mealy found for l2_slice_tick: act depends on it in the same cycle. */
#include "cmodel/l2/l2_cycle.h"

enum { L2_PLAN };
_Static_assert(sizeof(struct l2_plan) == sizeof(uint64_t), "a plan is a memo");

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
  const struct l2_plan plan = l2_plan(m, in);
  memcpy(&m->base.memo[L2_PLAN], &plan, sizeof plan);
  out->act = plan.act;
  out->act_at = plan.act ? hd_bit(plan.way) : 0;
}

/* l2_slice_mealy has planned with the same `in`. */
uint64_t l2_slice_tick(struct l2_slice *m, const struct l2_slice_in *in) {
  struct l2_plan plan;
  memcpy(&plan, &m->base.memo[L2_PLAN], sizeof plan);
  return l2_cycle(m, in, &in->req, &plan);
}
