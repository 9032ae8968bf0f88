/* One cycle of the golden model of memory request scheduling. Spec: docs/mechanisms/memsched.md. Conditions that are
 * also outputs, and the elements of `memo`, are in cmodel/memsched/ports.h.
 *
 * Invariant: a head is in at most one of g0, g1, g2, the output and the L1D. While it is in one of them, it is
 * `tried`.
 *
 * Inlined: with calls instead, heddle sim executes 9.7 % more instructions: 1 header refers here (memsched on atax:small, 400,000
 * cycles). */
#ifndef HEDDLE_CMODEL_MEMSCHED_MEMSCHED_CYCLE_H
#define HEDDLE_CMODEL_MEMSCHED_MEMSCHED_CYCLE_H

#include "cmodel/memsched/ports.h"
#include "cmodel/model/request.h"

/* ---- Heads ---- */

static inline struct queued memsched_head_of(const struct memsched *m, uint64_t w) {
  const struct memsched_st *s = &m->s;
  return (struct queued){.line = s->h_line[w],
                         .num = s->h_num[w],
                         .last = hd_has(s->h_last, w),
                         .sectors = HD_IS(m, SECTORED) ? s->h_sectors[w] : 0,
                         .pe = HD_SOME(m->base.c, LOS) ? s->h_pe[w] : 0,
                         .byp = hd_has(s->h_byp, w),
                         .loc = hd_has(s->h_loc, w)};
}

static inline void memsched_set_head(struct memsched *m, uint64_t w, struct queued e) {
  struct memsched_st *s = &m->s;
  s->h_valid |= hd_bit(w);
  m->base.memo[MEMSCHED_NEW] |= hd_bit(w);
  s->h_line[w] = e.line;
  s->h_num[w] = e.num;
  s->h_last = hd_with(s->h_last, w, e.last);
  if (HD_IS(m, SECTORED))
    s->h_sectors[w] = e.sectors;
  s->h_byp = hd_with(s->h_byp, w, e.byp);
  s->h_loc = hd_with(s->h_loc, w, e.loc);
  if (HD_SOME(m->base.c, LOS))
    s->h_pe[w] = e.pe;
}

/* Step 1: takes what the L1D says of a head, `served` or `again`. */
static inline void memsched_give_back(struct memsched *m, const struct memsched_in *in) {
  struct memsched_st *s = &m->s;
  const uint64_t w = in->back_wid, depth = m->base.c->d.DEPTH;
  s->r_valid = 0;
  if (!in->back_valid || !hd_has(s->tried, w))
    return;
  s->tried &= ~hd_bit(w);
  if (!in->back_ok) {
    HD_EV(m, memsched_again, w, 0, 0, 0);
    return;
  }
  HD_EV(m, memsched_served, w, 0, 0, 0);
  s->h_valid &= ~hd_bit(w);
  if (s->count[w] == 0)
    return;
  s->fifo_q = s->fifo[w * depth + s->head[w]];
  HD_COUNT(s->fifo_n.reads, 1);
  s->head[w] = hd_next(s->head[w], (unsigned)depth, m->base.c->d.DEPTH_W);
  if (--s->count[w] == 0)
    m->base.memo[MEMSCHED_FILLED] &= ~hd_bit(w);
  s->r_valid = 1;
  s->r_wid = w;
}

/* ---- Step 3: the request in the input register enters its queue ---- */

/* True if the request becomes its queue's head: the queue has nothing else in the next cycle. `gone`: the head that
 * is served in this cycle. */
static inline bool memsched_is_head(const struct memsched_st *s, uint64_t gone) {
  const uint64_t w = s->in.wid;
  return s->count[w] == 0 && !hd_has(s->r_valid << s->r_wid | (s->h_valid & ~gone), w);
}

/* Stores the fields that all requests of a load share. They come with the first one. */
static inline void memsched_begin_load(struct memsched *m) {
  struct memsched_st *s = &m->s;
  const uint64_t w = s->in.wid;
  s->l_slot[w] = s->in.slot;
  if (HD_SOME(m->base.c, GID_W))
    s->l_gid[w] = s->in.gid;
  if (HD_SOME(m->base.c, REQ_PC_W)) { /* and LOW_W */
    s->l_pc[w] = s->in.pc;
    s->l_low[w] = s->in.low;
  }
  if (HD_SOME(m->base.c, HPC_W))
    s->l_hpc[w] = s->in.hpc;
  if (HD_SOME(m->base.c, APCM)) {
    s->l_trk = hd_with(s->l_trk, w, s->in.trk);
    s->l_lid[w] = s->in.lid;
  }
}

static inline void memsched_enter(struct memsched *m, bool as_head) {
  struct memsched_st *s = &m->s;
  const uint64_t w = s->in.wid, depth = m->base.c->d.DEPTH;
  const struct queued e = {.line = s->in.line,
                           .num = s->in.num,
                           .last = s->in.last,
                           .sectors = s->in.sectors,
                           .pe = s->in.pe,
                           .byp = s->in.byp,
                           .loc = s->in.loc};
  if (s->in.num == 0)
    memsched_begin_load(m);
  if (as_head) {
    HD_EV(m, memsched_enter, e.line, w, 0, 0);
    memsched_set_head(m, w, e);
    return;
  }
  HD_EV(m, memsched_enqueue, e.line, w, s->count[w], 0);
  s->fifo_wr = (int64_t)(w * depth + s->tail[w]);
  HD_COUNT(s->fifo_n.writes, 1);
  s->fifo[s->fifo_wr] = e;
  s->tail[w] = hd_next(s->tail[w], (unsigned)depth, m->base.c->d.DEPTH_W);
  s->count[w]++;
  m->base.memo[MEMSCHED_FILLED] |= hd_bit(w);
}

/* Step 5: loads the input register. */
static inline void memsched_load_input(struct memsched *m, const struct memsched_in *in) {
  struct memsched_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  hd_move_request_words(&s->in, &in->enq);
  s->in_at = hd_bit(in->enq.wid) & hd_ones(d->WARPS);
  s->in_first = in->enq.num == 0;
  s->in_on = in->enq.write | !in->en;
  s->in_valid = 1;
  if (in->enq.write && HD_CARRIES(m)) {
    hd_copy(s->in_wdata, in->enq_wdata, d->WORDS);
    hd_copy(s->in_wmask, in->enq_wmask, d->WORDS);
  }
}

/* ---- Steps 6 to 8: from the heads to the output ---- */

/* Returns the queue that unit u chooses in `set`, which must not be empty. `units`: the machine's, as a constant if
 * there are four. */
static inline unsigned memsched_by_policy(const struct memsched *m, unsigned u, uint64_t set,
                                          unsigned units) {
  if (units > 1 || HD_IS(m, POINTED))
    return hd_after(set, m->s.g0_row[u] * units + u);
  return m->base.c->request_buffer.drain == HD_DRAIN_LONGEST ? hd_longest(set, m->s.count) : hd_lowest(set);
}

static inline void memsched_log_choices(const struct memsched *m) {
  for (uint64_t left = m->s.g0_valid; left; left &= left - 1) {
    const unsigned u = hd_lowest(left);
    const uint64_t w = memsched_queue(m, m->s.g0_row, u);
    hd_log_event(&m->base, EV_memsched_choose, u, w, m->s.h_line[w], 0);
  }
}

/* Each unit chooses one of its queues that are in `may`, if there is one, and tries its head. */
static inline void memsched_choose_of(struct memsched *m, uint64_t may, unsigned units) {
  struct memsched_st *s = &m->s;
  uint64_t valid = 0, chosen = 0, n = 0;
  for (unsigned u = 0; u < units; u++) {
    const uint64_t set = may & memsched_every[units] << u;
    if (!set)
      continue;
    const unsigned w = memsched_by_policy(m, u, set, units);
    valid |= hd_bit(u);
    chosen |= hd_bit(w);
    s->g0_row[u] = w / units;
    n++;
  }
  s->g0_valid = valid;
  s->tried |= chosen;
  m->base.memo[MEMSCHED_G0] = chosen;
  m->base.ev[EV_memsched_choose] += n;
  if (hd_has(m->base.heard, EV_memsched_choose))
    memsched_log_choices(m);
}

static inline void memsched_choose(struct memsched *m, uint64_t may) {
  const unsigned units = HD_IS(m, UNITS);
  if (units == 4) /* a constant divisor; a variable takes 3.5 % more instructions (memsched on atax:n=128) */
    memsched_choose_of(m, may, 4);
  else
    memsched_choose_of(m, may, units);
}

static inline void memsched_to_output(struct memsched *m, uint64_t w) {
  struct memsched_st *s = &m->s;
  s->o = memsched_head_of(m, w);
  s->o_wid = w;
  s->o_valid = 1;
}

/* Returns the first unit of the set, in the order of this group. The set must not be empty. */
static inline unsigned memsched_first_in_turn(const struct memsched_st *s, uint64_t set) {
  const uint64_t from = set & ~hd_ones(s->turn);
  return hd_lowest(from ? from : set);
}

/* Sends one head of a group to the output, or none, after the tags have answered; the others may be chosen again.
 * `group`, `row`, `queues`: the group, which must not be empty, its rows and its queues. Returns true if a head was
 * sent. */
static inline bool memsched_send_of_group(struct memsched *m, const struct memsched_in *in, bool o_ok,
                                          uint64_t group, const uint64_t *row, uint64_t queues) {
  struct memsched_st *s = &m->s;
  const uint64_t hits = group & in->pr_hit;
  uint64_t cans = group & in->pr_can;
  bool sent = false;
  for (uint64_t left = s->h_byp & queues ? group & ~cans : 0; left; left &= left - 1)
    cans |= (uint64_t)hd_has(s->h_byp, memsched_queue(m, row, hd_lowest(left))) << hd_lowest(left);
  if (!(hits | cans))
    HD_EV(m, memsched_idle_group, 0, 0, 0, 0);
  else {
    const unsigned u = memsched_first_in_turn(s, hits ? hits : cans);
    const uint64_t w = memsched_queue(m, row, u);
    if (!o_ok)
      HD_EV(m, memsched_no_room, w, 0, 0, 0);
    else {
      if (hits)
        HD_EV(m, memsched_probe_hit, w, s->h_line[w], 0, 0);
      else
        HD_EV(m, memsched_probe_can, w, s->h_line[w], 0, 0);
      if (memsched_first_in_turn(s, group) != u)
        HD_EV(m, memsched_overtake, w, 0, 0, 0);
      memsched_to_output(m, w);
      queues &= ~hd_bit(w);
      sent = true;
    }
  }
  s->tried &= ~queues;
  s->turn = hd_next(s->turn, HD_IS(m, PROBES), m->base.c->d.TURN_W);
  return sent;
}

/* Moves the groups that probe on by a cycle. */
static inline void memsched_move_groups(struct memsched *m) {
  struct memsched_st *s = &m->s;
  uint64_t *const memo = m->base.memo;
  const unsigned probes = HD_IS(m, PROBES);
  memo[MEMSCHED_G2] = memo[MEMSCHED_G1];
  memo[MEMSCHED_G1] = memo[MEMSCHED_G0];
  s->g2_valid = s->g1_valid;
  s->g1_valid = s->g0_valid;
  hd_copy(s->g2_row, s->g1_row, probes);
  hd_copy(s->g1_row, s->g0_row, probes);
}

/* `may`: the heads that may be chosen. */
static inline void memsched_try_heads(struct memsched *m, const struct memsched_in *in, bool o_ok,
                                      uint64_t may) {
  struct memsched_st *s = &m->s;
  const unsigned probes = HD_IS(m, PROBES);
  bool sent;
  if (probes) {
    const bool early = HD_IS(m, PROBE_EARLY);
    const uint64_t group = early ? s->g0_valid : s->g2_valid;
    sent = group && memsched_send_of_group(m, in, o_ok, group, early ? s->g0_row : s->g2_row,
                                           m->base.memo[early ? MEMSCHED_G0 : MEMSCHED_G2]);
    if (!early)
      memsched_move_groups(m);
    memsched_choose(m, may);
  } else {
    sent = s->g0_valid && o_ok;
    if (sent)
      memsched_to_output(m, s->g0_row[0]);
    if (sent || !s->g0_valid)
      memsched_choose(m, may);
  }
  if (!sent && in->deq_ready)
    s->o_valid = 0;
}

/* ---- The tick ---- */

/* Logs the events of the ports and the input register. */
static inline void memsched_tell(struct memsched *m, enum memsched_input input, bool w_leaves,
                                 bool deq_ready) {
  const struct memsched_st *s = &m->s;
  if (input == MEMSCHED_FULL)
    HD_EV(m, memsched_full, s->in.wid, s->in.line, 0, 0);
  else if (input == MEMSCHED_SECOND || input == MEMSCHED_W_SECOND)
    HD_EV(m, memsched_second, s->in.wid, s->in.line, 0, 0);
  else if (w_leaves)
    HD_EV(m, memsched_write_through, s->in.line, s->in.wid, 0, 0);
  else if (input == MEMSCHED_W_WAIT)
    HD_EV(m, memsched_write_wait, s->in.line, 0, 0, 0);
  if (!memsched_offers(m, input))
    return;
  const uint64_t line = s->o_valid ? s->o.line : s->in.line, wid = s->o_valid ? s->o_wid : s->in.wid;
  if (deq_ready)
    HD_EV(m, memsched_deq, line, wid, 0, 0);
  else
    HD_EV(m, memsched_deq_stall, line, wid, 0, 0);
}

/* Returns what becomes of the request that is in the input register now. */
static inline enum memsched_input memsched_find_input(const struct memsched *m) {
  const struct memsched_st *s = &m->s;
  if (!s->in_valid)
    return MEMSCHED_NONE;
  const bool occupied = hd_has(memsched_occupied(m), s->in.wid);
  if (s->in_on)
    return occupied ? MEMSCHED_W_SECOND : MEMSCHED_W_WAIT;
  if (s->in.num == 0 && occupied)
    return MEMSCHED_SECOND;
  return s->count[s->in.wid] < m->base.c->d.DEPTH ? MEMSCHED_ENTERS : MEMSCHED_FULL;
}

/* Returns the events of a cycle in which nothing moves, without a handshake. */
static inline uint64_t memsched_waits(const struct memsched *m) {
  static const uint64_t waits[] = {[MEMSCHED_FULL] = UINT64_C(1) << EV_memsched_full,
                                   [MEMSCHED_SECOND] = UINT64_C(1) << EV_memsched_second,
                                   [MEMSCHED_W_WAIT] = UINT64_C(1) << EV_memsched_write_wait,
                                   [MEMSCHED_W_SECOND] = UINT64_C(1) << EV_memsched_second};
  return waits[memsched_input(m)] | (uint64_t)memsched_deq_valid(m) << EV_memsched_deq_stall;
}

/* Returns what a cycle without a handshake would do: HD_MOVES, or the events that it would count. */
static inline uint64_t memsched_ahead(const struct memsched *m) {
  const struct memsched_st *s = &m->s;
  const enum memsched_input input = memsched_input(m);
  const uint64_t may = memsched_may(m);
  if (s->r_valid || input == MEMSCHED_ENTERS)
    return HD_MOVES;
  if (HD_IS(m, PROBES) ? s->g0_valid | s->g1_valid | s->g2_valid | may
      : s->g0_valid    ? !s->o_valid && input != MEMSCHED_W_WAIT
                       : may != 0)
    return HD_MOVES;
  return memsched_waits(m);
}

static inline uint64_t memsched_cycle(struct memsched *m, const struct memsched_in *in) {
  struct memsched_st *s = &m->s;
  const enum memsched_input input = memsched_input(m);
  const bool w_leaves = memsched_w_leaves(m, input, in->deq_ready), enters = input == MEMSCHED_ENTERS;
  const bool o_ok = (!s->o_valid || in->deq_ready) && (input != MEMSCHED_W_WAIT || w_leaves);
  const bool enq = in->enq_valid && memsched_takes(m, input, in->deq_ready);
  const bool as_head =
      enters && memsched_is_head(s, in->back_valid && in->back_ok ? hd_bit(in->back_wid) & s->tried : 0);
  const uint64_t may = memsched_may(m);
  memsched_tell(m, input, w_leaves, in->deq_ready);
  s->fifo_wr = -1;

  /* In this order each step reads its registers as they were before the edge. */
  memsched_try_heads(m, in, o_ok, may);
  if (s->r_valid) /* before another is read; this head has not been chosen, so it does not come back */
    memsched_set_head(m, s->r_wid, s->fifo_q);
  memsched_give_back(m, in);
  if (enters)
    memsched_enter(m, as_head);
  if (enq)
    memsched_load_input(m, in);
  else if (enters || w_leaves)
    s->in_valid = 0;
  m->base.memo[MEMSCHED_INPUT] = memsched_find_input(m);
  return memsched_ahead(m);
}

#endif
