/* One cycle of the golden model of MASCAR's re-execution queue. Spec: docs/mechanisms/mascar.md. Conditions that are
 * also outputs, and the elements of `memo`, are in cmodel/mascar/ports.h.
 *
 * Invariant: `inside` is the number of loads in `fifo`, at the output and on their way to the L1D, and the sum of `mine`.
 *
 * Inlined: with calls instead, heddle sim executes 2.5 % more instructions: 1 header refers here (mascar on syr2k, 1 million
 * cycles). */
#ifndef HEDDLE_CMODEL_MASCAR_REEXEC_CYCLE_H
#define HEDDLE_CMODEL_MASCAR_REEXEC_CYCLE_H

#include "cmodel/mascar/ports.h"
#include "cmodel/model/request.h"

/* ---- Offer ---- */

static inline void reexec_tell(struct reexec *m, bool first, bool goes) {
  const struct reexec_st *s = &m->s;
  const struct req *r = first ? &s->in : &s->fifo_q;
  if (!reexec_deq_valid(m))
    r = NULL;
  if (r && !goes)
    HD_EV(m, reexec_stall, r->line, r->wid, 0, 0);
  else if (r && first)
    HD_EV(m, reexec_deq, r->line, r->wid, 0, 0);
  else if (r)
    HD_EV(m, reexec_retry, r->line, r->wid, 0, 0);
  if (first || s->stays || !s->in_valid)
    return;
  if (s->in.write)
    HD_EV(m, reexec_wait, s->in.line, s->in.wid, 0, 0);
  else
    HD_EV(m, reexec_full, s->in.line, s->in.wid, 0, 0);
}

/* ---- The queue ---- */

/* `waiting`: the queue's entries at the start of the cycle. */
static inline void reexec_refill(struct reexec *m, uint64_t waiting, bool o_goes) {
  struct reexec_st *s = &m->s;
  if (s->o_valid && !o_goes)
    return;
  s->o_valid = waiting != 0;
  if (!waiting)
    return;
  hd_move_request(&s->fifo_q, &s->fifo[s->head]);
  HD_COUNT(s->fifo_n.reads, 1);
  s->head = hd_next(s->head, m->base.c->d.DEPTH, m->base.c->d.DEPTH_W);
  s->count--;
}

/* Writes the load that OUTCOME reports to `to`. The words of its fields have just been written one by one. */
static inline void reexec_put_reported(struct req *to, const struct reexec_in *in) {
#define FIELD(bundle, field, width, meaning) .field = in->outcome_##field,
  const struct req r = {.line = in->outcome_line,
                        .wid = in->outcome_wid,
                        .slot = in->outcome_slot,
                        .num = in->outcome_num,
                        .last = in->outcome_last,
                        .sectors = in->outcome_sectors,
                        HD_CARRIED(req) HD_DECIDED(req)};
#undef FIELD
  hd_move_request_words(to, &r);
}

static inline void reexec_come_back(struct reexec *m, const struct reexec_in *in) {
  struct reexec_st *s = &m->s;
  HD_EV(m, reexec_back, in->outcome_line, in->outcome_wid, 0, 0);
  reexec_put_reported(&s->fifo[s->tail], in);
  s->fifo_wr = (int64_t)s->tail;
  HD_COUNT(s->fifo_n.writes, 1);
  s->tail = hd_next(s->tail, m->base.c->d.DEPTH, m->base.c->d.DEPTH_W);
  s->count++;
}

/* ---- Places ---- */

static inline void reexec_take_place(struct reexec *m, uint64_t wid) {
  m->s.inside++;
  m->s.mine[wid]++;
  m->base.memo[REEXEC_MINE] |= hd_bit(wid);
}

static inline void reexec_give_place(struct reexec *m, const struct reexec_in *in) {
  HD_EV(m, reexec_served, in->outcome_line, in->outcome_wid, 0, 0);
  m->s.inside--;
  if (--m->s.mine[in->outcome_wid] == 0)
    m->base.memo[REEXEC_MINE] &= ~hd_bit(in->outcome_wid);
}

/* ---- The tick ---- */

static inline void reexec_load_input(struct reexec *m, const struct reexec_in *in) {
  struct reexec_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_move_request_words(&s->in, &in->enq);
  s->in_valid = 1;
  if (in->enq.write && HD_CARRIES(m)) {
    hd_copy(s->in_wdata, in->enq_wdata, d->WORDS);
    hd_copy(s->in_wmask, in->enq_wmask, d->WORDS);
  }
}

/* Returns what a cycle without a handshake would do: HD_MOVES, or the events that it would count. */
static inline uint64_t reexec_ahead(const struct reexec *m) {
  const struct reexec_st *s = &m->s;
  const bool first = reexec_first(m), valid = reexec_deq_valid(m);
  if ((!s->o_valid && s->count) || (!first && s->o_valid && !s->stays))
    return HD_MOVES;
  uint64_t events = valid ? hd_bit(EV_reexec_stall) : 0;
  if (s->in_valid && !first && !s->stays)
    events |= hd_bit(s->in.write ? EV_reexec_wait : EV_reexec_full);
  return events;
}

static inline uint64_t reexec_cycle(struct reexec *m, const struct reexec_in *in) {
  struct reexec_st *s = &m->s;
  const bool first = reexec_first(m), goes = reexec_deq_valid(m) && in->deq_ready;
  const bool in_goes = first && goes, o_goes = !first && goes;
  const bool enq = in->enq_valid && reexec_enq_ready(m, in->deq_ready);
  const uint64_t waiting = s->count;
  reexec_tell(m, first, goes);
  s->fifo_wr = -1;
  s->stays = !first && s->o_valid && !in->deq_ready;
  reexec_refill(m, waiting, o_goes);
  if (in->reexec_en) {
    if (in->outcome_tried && !in->outcome_load)
      reexec_come_back(m, in);
    if (in->outcome_tried && in->outcome_load)
      reexec_give_place(m, in);
    if (in_goes && !s->in.write)
      reexec_take_place(m, s->in.wid);
  }
  if (enq)
    reexec_load_input(m, in);
  else if (in_goes)
    s->in_valid = 0;
  if (s->in_valid)
    s->in_may = s->in.write ? !hd_has(m->base.memo[REEXEC_MINE], s->in.wid) : s->inside != m->base.c->d.DEPTH;
  return reexec_ahead(m);
}

#endif
