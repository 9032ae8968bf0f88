/* One cycle of an L2 slice. Spec: docs/mechanisms/l2.md. l2_slice_mealy, l2_slice_tick and a bank's cycle
 * (cmodel/memory/bank_cycle.c) call it. The bank's cycle is also compiled once more for each of some machines
 * (cmodel/model/specialized.h).
 *
 * The action for the slot in b is planned before the clock edge, because the output `act` is due in the same cycle.
 * An edge runs queues, slot, the next slot, requests, in this order. Each part updates the state in place. Invariant:
 * a line is valid in at most one way and in flight in at most one MSHR.
 *
 * Inlined: with calls instead, heddle sim executes 2.0 % more instructions (gpu/gtx480_bypass, a gather of 306 thousand
 * requests). */
#ifndef HEDDLE_CMODEL_L2_L2_CYCLE_H
#define HEDDLE_CMODEL_L2_L2_CYCLE_H

#include "cmodel/l2/l2_maintenance.h"
#include "cmodel/l2/l2_request.h"

/* ---- Steps ---- */

/* True if another MSHR waits for a sector of the same line. */
static inline bool l2_is_beside(const struct l2_slice *m, unsigned mshr) {
  for (uint64_t rest = m->s.mshr_used & ~hd_bit(mshr); rest; rest &= rest - 1)
    if (m->s.mshr_line[hd_lowest(rest)] == m->s.mshr_line[mshr])
      return true;
  return false;
}

/* Ends f's fill after all requests that waited for its line are answered. */
static inline void l2_finish(struct l2_slice *m, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned i = plan->mshr;
  const uint64_t set = l2_set_of(d, s->mshr_line[i]), store = s->mshr_store >> i & 1;
  s->mshr_used &= ~hd_bit(i);
  s->f_valid = 0;
  if (!l2_keeps(m, i)) {
    HD_EV(m, l2_slice_no_store_fill, i, 0, 0, 0);
    return;
  }
  if (plan->act == HD_ACT_SLEEP) {
    HD_EV(m, l2_slice_close_fill, i, s->mshr_line[i], store, 0);
    if (store)
      l2_to_memory(m, true, s->mshr_line[i], 0, 0);
    return;
  }
  HD_EV(m, l2_slice_store_fill, i, set, plan->way, store);
  if (HD_IS(m, L2_SECTOR_FILL) && l2_is_beside(m, i))
    HD_EV(m, l2_slice_fill_beside, i, s->mshr_line[i], set, plan->way);
  if (HD_WATCHED)
    s->data_n.writes++;
  if (HD_CARRIES(m)) {
    s->data_wr = (int64_t)l2_row_of(m, set, plan->way, l2_mshr_sector(m, i));
    hd_copy(l2_row(m, s->data, (uint64_t)s->data_wr), s->f_data, d->L2_WORDS);
  }
}

/* Answers the next request that waited for f's line. */
static inline void l2_step(struct l2_slice *m, const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const struct l2rsp *t = &s->waiting_q;
  const bool last = l2_last_step(m);
  if (HD_CARRIES(m)) {
    if (t->kind == HD_STORE)
      l2_patch(s->f_data, s->sb_q, s->sb_mask_q, d->L2_WORDS);
    hd_copy(s->c_data, s->f_data, d->L2_WORDS);
    l2_leave_bytes(m, L2_ALL_BYTES);
  }
  s->f_pos++;
  s->c_rsp = 1;
  s->c = *t;
  HD_EV(m, l2_slice_answer, t->sm, t->kind, plan->mshr, s->f_pos);
  if (last)
    l2_finish(m, plan);
}

/* ---- The next slot ---- */

static inline void l2_read_waiting(struct l2_slice *m, uint64_t pos) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (HD_WATCHED) {
    s->waiting_n.reads++;
    s->sb_n.reads++;
    s->sb_mask_n.reads++;
  }
  s->waiting_q = s->waiting[s->f_id * d->L2_MERGE + pos];
  if (HD_CARRIES(m)) {
    hd_copy(s->sb_q, l2_row(m, s->sb, s->f_id), d->L2_WORDS);
    hd_copy(s->sb_mask_q, l2_row(m, s->sb_mask, s->f_id), d->L2_WORDS);
  }
}

static inline void l2_look(struct l2_slice *m) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->b = s->iq_q;
  if (HD_WATCHED) {
    s->tags_n.reads += d->L2_WAYS;
    s->lru_n.reads++;
    s->dirty_n.reads++;
    s->present_n.reads++;
    s->iq_wdata_n.reads++;
    s->iq_wmask_n.reads++;
  }
  if (HD_CARRIES(m)) {
    hd_copy(s->iq_wdata_q, l2_row(m, s->iq_wdata, s->q_row), d->L2_WORDS);
    hd_copy(s->iq_wmask_q, l2_row(m, s->iq_wmask, s->q_row), d->L2_WORDS);
  }
  HD_EV(m, l2_slice_look, s->b.line, l2_slice_looked_set(m), 0, 0);
}

/* Updates `blocked`: whether the oldest request waits. */
static inline void l2_block(struct l2_slice *m, bool fails, bool wakes) {
  struct l2_slice_st *s = &m->s;
  if (!(s->blocked | fails))
    return;
  if (s->blocked && wakes)
    HD_EV(m, l2_slice_wake, 0, 0, 0, 0);
  s->blocked = (s->blocked | fails) && !wakes;
}

/* True if the next cycle would change the state even without a handshake at any port. */
static inline bool l2_moves(const struct l2_slice *m) {
  const struct l2_slice_st *s = &m->s;
  if (s->b_req | s->b_rep | s->c_rsp | s->c_out | s->w_valid | s->fill_wait | s->mt_phase | s->mt_done)
    return true;
  if ((s->rq_count && !s->ro_valid) || (s->oq_count && !s->oo_valid) || (s->fq_count && !s->fo_valid) ||
      (s->fo_valid && !s->f_valid))
    return true;
  const bool steps = l2_slice_steps(m), looks = l2_slice_looks(m, steps);
  return steps || looks || l2_slice_iq_reads(m, looks);
}

/* ---- A cycle ---- */

/* Marks all rows as not written. */
static inline void l2_unmark(struct l2_slice_st *s) {
  s->iq_wr = s->iq_wdata_wr = s->iq_wmask_wr = s->lru_wr = s->data_wr = s->present_wr = -1;
  s->waiting_wr = s->sb_wr = s->sb_mask_wr = s->fq_id_wr = s->fq_data_wr = -1;
  s->rq_wr = s->rq_data_wr = s->oq_wr = s->oq_data_wr = -1;
}

/* Returns the plan for the slot in b. */
static inline struct l2_plan l2_plan(const struct l2_slice *m, const struct l2_slice_in *in) {
  const struct l2_slice_st *s = &m->s;
  if (s->b_req)
    return l2_decide(m, in);
  if (s->b_rep)
    return l2_plan_step(m);
  if (HD_IS(m, L2_MAINT) && s->mt_phase) {
    const uint64_t sleeps = l2_maintenance_sleeps(m, in->on);
    if (sleeps)
      return (struct l2_plan){.what = L2_NOTHING, .act = HD_ACT_SLEEP, .way = (uint8_t)hd_lowest(sleeps)};
  }
  return (struct l2_plan){.what = L2_NOTHING};
}

/* The clock edge of l2_slice_tick. `plan`: what l2_plan returned in this cycle. `q`: the request at the port, read
 * only if it is valid. */
static inline uint64_t l2_cycle(struct l2_slice *m, const struct l2_slice_in *in, const struct l2req *q,
                                const struct l2_plan *plan) {
  struct l2_slice_st *s = &m->s;
  const bool steps = l2_slice_steps(m), looks = l2_slice_looks(m, steps), reads = l2_slice_iq_reads(m, looks);
  const bool takes = in->req_valid && l2_slice_req_ready(m), sends = s->oo_valid && in->out_ready;
  const uint64_t b_req = s->b_req, b_set = l2_slice_looked_set(m), pos = s->f_pos + s->b_rep;
  const uint64_t used = s->mshr_used;
  const struct l2_maintenance due = HD_IS(m, L2_MAINT) && s->mt_phase
                                        ? l2_maintenance_due(m)
                                        : (struct l2_maintenance){0}; /* most runs never ask */
  s->tags_wr = s->dirty_wr = -1;
  if (HD_WATCHED)
    l2_unmark(s);

  l2_replies(m, s->ro_valid && in->rsp_ready);
  l2_sends(m, sends);
  l2_fills(m, in, in->fill_valid && l2_slice_fill_ready(m));

  s->c_rsp = s->c_out = 0;
  if (b_req)
    l2_request(m, in, plan);
  else if (s->b_rep)
    l2_step(m, plan);
  if (HD_IS(m, L2_MAINT))
    l2_maintain(m, in, &due);
  if (HD_IS(m, L2_WAKES) && in->woken)
    s->mshr_wakes &= ~hd_bit(in->woken_mshr);
  const bool undone = b_req && plan->what >= L2_WRITES_BACK;

  s->w_valid = looks && s->dirty_wr >= 0 && b_set == l2_slice_look_set(m);
  s->w_tagged = s->w_valid && s->tags_wr >= 0;
  if (steps)
    l2_read_waiting(m, pos);
  if (looks)
    l2_look(m);
  s->b_rep = steps;
  s->b_req = looks && !undone;

  if (reads)
    l2_read_request(m);
  else if (looks)
    s->q_valid = 0;
  if (undone) {
    s->q_valid = 0;
    s->iq_next = s->iq_head;
  }
  if (takes)
    l2_take(m, in, q);
  const bool woken = HD_IS(m, L2_WAKE_LIMITED) && in->woken;
  l2_block(m, b_req && plan->what >= L2_FAILS, sends || woken || (used & ~s->mshr_used));
  return l2_moves(m) ? HD_MOVES : 0;
}

/* memo[L2_PLAN] holds the plan that l2_slice_say made, for l2_slice_cycle. The output `act` depends on the plan in
 * the same cycle. */
enum { L2_PLAN };
_Static_assert(sizeof(struct l2_plan) == sizeof(uint64_t), "a plan is a memo");

static inline void l2_slice_say(struct l2_slice *m, const struct l2_slice_in *in, struct l2_slice_out *out) {
  const struct l2_plan plan = l2_plan(m, in);
  memcpy(&m->base.memo[L2_PLAN], &plan, sizeof plan);
  out->act = plan.act;
  out->act_at = plan.act ? hd_bit(plan.way) : 0;
}

/* The clock edge, with the plan that l2_slice_say made of the same `in`. */
static inline uint64_t l2_slice_cycle(struct l2_slice *m, const struct l2_slice_in *in) {
  struct l2_plan plan;
  memcpy(&plan, &m->base.memo[L2_PLAN], sizeof plan);
  return l2_cycle(m, in, &in->req, &plan);
}

#endif
