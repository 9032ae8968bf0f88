/* One cycle of the golden model of the memory request prioritization buffer. Spec: docs/mechanisms/mrpb.md.
 * Conditions that are also outputs, and the invariant, are in cmodel/mrpb/ports.h.
 *
 * Inlined: with calls instead, heddle sim executes 3.0 % more instructions (mrpb on syrk:tiny and gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_MRPB_MRPB_CYCLE_H
#define HEDDLE_CMODEL_MRPB_MRPB_CYCLE_H

#include "cmodel/model/request.h"
#include "cmodel/mrpb/ports.h"

static inline void mrpb_say(struct mrpb *m, const struct mrpb_in *in, struct mrpb_out *out) {
  out->enq_ready = mrpb_enq_ready(m, in->deq_ready);
}

/* Returns the queue that the drain policy picks. Some queue must be ready. */
static inline unsigned mrpb_by_policy(const struct mrpb *m) {
  const struct hd_config *c = m->base.c;
  const uint64_t ready = m->s.ready;
  if (c->request_buffer.greedy && hd_has(ready, m->s.last))
    return (unsigned)m->s.last;
  switch (c->request_buffer.drain) {
  case HD_DRAIN_LONGEST:
    return hd_longest(ready, m->s.avail);
  case HD_DRAIN_RR:
    return hd_after(ready, m->s.last);
  case HD_DRAIN_GRR: /* MemSched only */
  case HD_DRAIN_FIXED:
    break;
  }
  return hd_lowest(ready);
}

/* True if the flush rules pick the input's queue. */
static inline bool mrpb_forced(struct mrpb *m, enum mrpb_input input) {
  if ((input != MRPB_FULL && input != MRPB_W_BEHIND) || HD_IS(m, WIDE) || !hd_has(m->s.ready, mrpb_in_q(m)))
    return false;
  if (input == MRPB_FULL)
    HD_EV(m, mrpb_forced_full, mrpb_in_q(m), 0, 0, 0);
  else
    HD_EV(m, mrpb_forced_write, mrpb_in_q(m), 0, 0, 0);
  return true;
}

/* Step 3: chooses a queue. */
static inline void mrpb_choose(struct mrpb *m, enum mrpb_input input) {
  struct mrpb_st *s = &m->s;
  s->sel_valid = s->ready != 0;
  if (!s->ready)
    return;
  uint64_t q = mrpb_in_q(m);
  if (!mrpb_forced(m, input)) {
    q = mrpb_by_policy(m);
    HD_EV(m, mrpb_choose, q, s->avail[q], 0, 0);
    if (HD_IS(m, POINTED)) {
      if (q == s->last)
        HD_EV(m, mrpb_stay, q, 0, 0, 0);
      s->last = q;
    }
  }
  s->sel_at = hd_bit(q);
  if (--s->avail[q] == 0)
    s->ready &= ~s->sel_at;
}

/* Updates what is known of avail[q], for the choice in two stages. */
static inline void mrpb_note(struct mrpb *m, uint64_t q) {
  struct mrpb_st *s = &m->s;
  const uint64_t bit = hd_bit(q), avail = s->avail[q];
  s->ready = avail > 0 ? s->ready | bit : s->ready & ~bit;
  s->plenty = avail > 1 ? s->plenty | bit : s->plenty & ~bit;
  s->three = avail > 2 ? s->three | bit : s->three & ~bit;
}

/* Returns the number of entries of queue q that are old enough and not chosen. */
static inline uint64_t mrpb_left(const struct mrpb *m, uint64_t q) {
  return m->s.avail[q] - hd_has(m->s.gone_at, q);
}

/* Step 3 in two stages, second stage. Returns the chosen queue as a set; 0 if none. */
static inline uint64_t mrpb_choose_second(struct mrpb *m) {
  struct mrpb_st *s = &m->s;
  const uint64_t chosen = s->forced ? s->in_at : s->pick_at & -s->pick_at, q = chosen ? hd_lowest(chosen) : 0;
  s->sel_valid = chosen != 0;
  if (!chosen)
    return 0;
  if (!s->forced)
    HD_EV(m, mrpb_choose, q, mrpb_left(m, q), 0, 0);
  else if (mrpb_goes_on(m))
    HD_EV(m, mrpb_forced_write, q, 0, 0, 0);
  else
    HD_EV(m, mrpb_forced_full, q, 0, 0, 0);
  s->sel_at = chosen;
  return chosen;
}

/* Returns the lowest queue of group g that may be picked, as a set; 0 if none. */
static inline uint64_t mrpb_pick(const struct mrpb *m, uint64_t g) {
  for (uint64_t q = g * 8; q < g * 8 + 8 && q < m->base.c->d.QUEUES; q++)
    if (mrpb_left(m, q) > hd_has(m->s.pick_at, q))
      return hd_bit(q);
  return 0;
}

/* Step 3 in two stages. Returns true if anything changes. */
static inline bool mrpb_choose_in_two(struct mrpb *m, enum mrpb_input input, bool choose_free) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t was_forced = s->forced, was_picked = s->pick_at, was_gone = s->gone_at,
                 was_chosen = s->sel_valid;
  const uint64_t chosen = choose_free ? mrpb_choose_second(m) : 0;
  uint64_t picks = 0, valid = 0;
  for (uint64_t g = 0; g < d->GROUPS; g++) {
    uint64_t its = s->pick_at & (uint64_t)0xff << g * 8;
    if (its ? its & chosen : !s->forced)
      its = mrpb_pick(m, g);
    picks |= its;
    valid |= (uint64_t)(its != 0) << g;
  }
  const uint64_t q = mrpb_in_q(m);
  const bool kept_out = input == MRPB_FULL || input == MRPB_W_BEHIND;
  if (!HD_IS(m, WIDE))
    s->forced = kept_out && mrpb_left(m, q) > (choose_free && (was_forced || hd_has(was_picked, q)));
  s->pick_at = picks;
  s->pick_valid = valid;
  if (s->gone_at) {
    const uint64_t gone = hd_lowest(s->gone_at);
    s->avail[gone]--;
    mrpb_note(m, gone);
  }
  s->gone_at = chosen;
  return chosen || was_gone || was_picked != picks || was_forced != s->forced || was_chosen != s->sel_valid;
}

/* Step 4: reads an entry of queue q. */
static inline void mrpb_read(struct mrpb *m, uint64_t q) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t row = q * d->DEPTH + s->head[q];
  hd_move_request(&s->fifo_q, &s->fifo[row]);
  HD_COUNT(s->fifo_n.reads, 1);
  HD_COUNT(s->fifo_wdata_n.reads, 1);
  HD_COUNT(s->fifo_wmask_n.reads, 1);
  if (HD_IS(m, WIDE) && HD_CARRIES(m)) {
    hd_copy(s->fifo_wdata_q, s->fifo_wdata + row * d->WORDS, d->WORDS);
    hd_copy(s->fifo_wmask_q, s->fifo_wmask + row * d->WORDS, d->WORDS);
  }
  s->head[q] = hd_next(s->head[q], d->DEPTH, d->DEPTH_W);
  if (--s->count[q] == 0)
    m->base.memo[MRPB_FILLED] &= ~hd_bit(q);
  s->o_valid = 1;
  s->o_q = q;
}

/* Step 2: writes the request in the input register to the RAM. */
static inline void mrpb_write(struct mrpb *m) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t q = mrpb_in_q(m), row = q * d->DEPTH + s->tail[q];
  HD_EV(m, mrpb_enqueue, s->in.line, s->in.wid, q, 0);
  hd_move_request(&s->fifo[row], &s->in);
  if (HD_WATCHED)
    s->fifo_wr = (int64_t)row;
  HD_COUNT(s->fifo_n.writes, 1);
  HD_COUNT(s->fifo_wdata_n.writes, 1);
  HD_COUNT(s->fifo_wmask_n.writes, 1);
  if (HD_IS(m, WIDE) && HD_CARRIES(m)) {
    hd_copy(s->fifo_wdata + row * d->WORDS, s->in_wdata, d->WORDS);
    hd_copy(s->fifo_wmask + row * d->WORDS, s->in_wmask, d->WORDS);
    s->fifo_wdata_wr = s->fifo_wmask_wr = (int64_t)row;
  }
  s->tail[q] = hd_next(s->tail[q], d->DEPTH, d->DEPTH_W);
  s->count[q]++;
  m->base.memo[MRPB_FILLED] |= hd_bit(q);
}

/* Step 2: moves the age line on by a cycle; its last entry becomes available. Returns true if entries are left in it. */
static inline bool mrpb_age(struct mrpb *m, bool entered) {
  struct mrpb_st *s = &m->s;
  unsigned n = m->base.c->d.DELAY;
  bool ripe = entered, stay = false;
  uint64_t q = mrpb_in_q(m);
  for (unsigned i = 0; i < n; i++) {
    const uint64_t valid = s->age_valid[i], its_q = s->age_q[i];
    s->age_valid[i] = ripe;
    s->age_q[i] = q;
    stay |= ripe;
    ripe = valid;
    q = its_q;
  }
  if (HD_IS(m, PICK)) {
    if (s->ripe_at) {
      const uint64_t old = hd_lowest(s->ripe_at);
      s->avail[old]++;
      mrpb_note(m, old);
    }
    stay |= ripe || s->ripe_at;
    s->ripe_at = ripe ? hd_bit(q) : 0;
  } else if (ripe) {
    s->avail[q]++;
    s->ready |= hd_bit(q);
  }
  return stay;
}

/* Step 1: loads the input register. */
static inline void mrpb_load_input(struct mrpb *m, const struct mrpb_in *in) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_move_request_words(&s->in, &in->enq);
  s->in_valid = 1;
  s->in_on = !in->en;
  s->in_at = hd_bit(d->SIG_W ? in->enq_sig : in->enq.wid);
  if (in->enq.write && HD_CARRIES(m)) {
    hd_copy(s->in_wdata, in->enq_wdata, d->WORDS);
    hd_copy(s->in_wmask, in->enq_wmask, d->WORDS);
  }
}

/* Step 1: true if the request in the input register may go on, by the queues as they are after the cycle. */
static inline bool mrpb_may_pass(const struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const uint64_t count = s->count[mrpb_in_q(m)];
  return mrpb_goes_on(m) ? count == 0 : count != m->base.c->d.DEPTH;
}

/* Logs the events of the ports and the input register. */
static inline void mrpb_tell(struct mrpb *m, enum mrpb_input input, bool w_leaves, bool deq_ready) {
  const struct mrpb_st *s = &m->s;
  if (input == MRPB_FULL)
    HD_EV(m, mrpb_full, mrpb_in_q(m), s->in.line, 0, 0);
  else if (w_leaves)
    HD_EV(m, mrpb_straight, s->in.line, s->in.wid, 0, 0);
  else if (input == MRPB_W_WAIT)
    HD_EV(m, mrpb_straight_wait, s->in.line, 0, 0, 0);
  if (!mrpb_offers(m, input))
    return;
  const struct req deq = mrpb_deq(m);
  if (deq_ready)
    HD_EV(m, mrpb_deq, deq.line, deq.wid, 0, 0);
  else
    HD_EV(m, mrpb_deq_stall, deq.line, deq.wid, 0, 0);
}

/* Returns what a cycle without a handshake would do: HD_MOVES, or the events that it would count. `moving`: entries
 * age, or the choice goes on. */
static inline uint64_t mrpb_ahead(const struct mrpb *m, bool moving) {
  const struct mrpb_st *s = &m->s;
  const enum mrpb_input input = mrpb_input(m);
  if (moving || input == MRPB_ENTERS || (s->sel_valid ? !s->o_valid && input != MRPB_W_WAIT : s->ready))
    return HD_MOVES;
  const uint64_t waits = input == MRPB_FULL     ? hd_bit(EV_mrpb_full)
                         : input == MRPB_W_WAIT ? hd_bit(EV_mrpb_straight_wait)
                                                : 0;
  return mrpb_offers(m, input) ? waits | hd_bit(EV_mrpb_deq_stall) : waits;
}

static inline uint64_t mrpb_cycle(struct mrpb *m, const struct mrpb_in *in) {
  struct mrpb_st *s = &m->s;
  const enum mrpb_input input = mrpb_input(m);
  const bool w_leaves = mrpb_w_leaves(m, input, in->deq_ready), enqueue = input == MRPB_ENTERS;
  const bool o_free = !s->o_valid || in->deq_ready;
  const bool reads = s->sel_valid && o_free && (input != MRPB_W_WAIT || w_leaves);
  const bool enq = in->enq_valid && mrpb_takes(m, input, in->deq_ready);
  const uint64_t sel_at = s->sel_at;
  mrpb_tell(m, input, w_leaves, in->deq_ready);
  if (HD_WATCHED)
    s->fifo_wr = s->fifo_wdata_wr = s->fifo_wmask_wr = -1;

  /* In this order each step reads its registers as they were before the edge: the choice reads avail and count; read,
   * age line and write use their own counters and the input register. */
  const bool choose_free = !s->sel_valid || reads;
  bool changes = false;
  if (HD_IS(m, PICK))
    changes = mrpb_choose_in_two(m, input, choose_free);
  else if (choose_free)
    mrpb_choose(m, input);
  if (reads)
    mrpb_read(m, hd_lowest(sel_at));
  else if (in->deq_ready)
    s->o_valid = 0;
  s->o_empty = HD_IS(m, PICK) && !s->o_valid;
  const bool ageing = mrpb_age(m, enqueue);
  if (enqueue)
    mrpb_write(m);
  if (enq)
    mrpb_load_input(m, in);
  else if (enqueue || w_leaves)
    s->in_valid = 0;
  const uint64_t passed = s->in_pass | s->in_straight;
  if (HD_IS(m, PICK)) {
    const bool pass = s->in_valid && mrpb_may_pass(m);
    s->in_pass = pass && !mrpb_goes_on(m);
    s->in_straight = pass && mrpb_goes_on(m);
    changes |= enq || passed != (s->in_pass | s->in_straight);
  } else if (s->in_valid)
    s->in_pass = mrpb_may_pass(m);
  return mrpb_ahead(m, ageing || changes);
}

#endif
