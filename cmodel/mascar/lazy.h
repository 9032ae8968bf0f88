/* MASCAR as it runs lazily.
 *
 * While the memory is saturated, most loads that are tried lack something. They go round through the re-execution queue and
 * the L1D until a line comes: half of all cycles on PolyBench's gesummv. No other module takes part in such cycles. This
 * file does the work of several such cycles at once.
 *
 * Invariant: after cycles that were passed, all registers are as if the cycles had been run, except _wr and the counts of
 * accesses, which nothing reads. Of `waiting_0` to `waiting_3` only one thing need be right: whether their sum says that the
 * memory is saturated.
 *
 * Inlined: with calls instead, heddle sim executes 1.0 % more instructions (mascar on gesummv:n=256). */
#ifndef HEDDLE_CMODEL_MASCAR_LAZY_H
#define HEDDLE_CMODEL_MASCAR_LAZY_H

#include "cmodel/l1d/l1d_outcome.h"
#include "cmodel/l1d/l1d_pipe.h"
#include "cmodel/mascar/ports.h"

/* True if at most `few` of the `things` are not in the set. */
static inline bool mascar_nearly_all(uint64_t set, uint64_t things, uint64_t few) {
  uint64_t rest = hd_ones(things) & ~set;
  for (; rest && few; few--)
    rest &= rest - 1;
  return !rest;
}

/* True if what MASCAR now hears from the L1D says something else about saturation than what it heard last (NOTICES row of
 * arch/mascar/wires.def). */
static inline bool mascar_notices(const struct sm_mem *m) {
  const struct mascar *p = m->u_mascar;
  const struct l1d_st *l1d = &m->u_l1d->s;
  const struct hd_derived *d = &p->base.c->d;
  return mascar_nearly_all(l1d->lines_waiting, d->MSHRS, mascar_few_mshrs(p, &m->u_mascar_in)) !=
             mascar_lines_wait(p, &m->u_mascar_in) ||
         (l1d->mq_count + mascar_few_places(p, &m->u_mascar_in) >= d->MQ) != p->s.crowded;
}

/* True if MASCAR is to change the owner. It needs only this from the SM: while the memory is saturated, does the owner go
 * on, and if not, can another warp follow? */
static inline bool mascar_notices_warps(const struct sm_mem *m, const struct sm_mem_in *in) {
  const struct mascar_st *s = &m->u_mascar->s;
  const uint64_t own = hd_ones(m->base.c->d.WARPS) & ~s->barred;
  return s->tight && !(own & in->awake & ~in->wait_mem) && (own | (in->ready & in->next_mem));
}

/* ---- Loads that go round ----
 *
 * The load that OUTCOME reports joins the tail of the queue. Behind it come d, c and a0 of the L1D, then the row that the
 * queue has read, then the rest of the queue. In each cycle every load takes the place of the one before it. A load that
 * goes round lacks a way or an MSHR, so it causes nothing but events. */

/* True if this machine may pass cycles: nothing else is told of loads that are tried. */
static inline bool reexec_may_pass(const struct sm_mem *m) {
  const struct hd_derived *d = &m->base.c->d;
  return m->u_reexec && d->ON_MISS && !d->ONE_SET && !d->SECTOR_FILL && !d->PROTECT && !d->PREF &&
         !d->EARLY && !d->HOLD && !d->PINS && !d->LACK_LINE && !d->PLACED &&
         m->base.c->request_buffer.bypass == HD_BYPASS_OFF;
}

/* True if d's load lacks a way or an MSHR. */
static inline bool reexec_lacks(const struct l1d *m) {
  return !(m->s.d_hit | m->s.d_mshr_eq) && (m->s.d_full || !m->s.m_free);
}

/* The first REEXEC_OUTSIDE loads behind OUTCOME's are not in the queue. */
enum { REEXEC_ROUND = 64, REEXEC_OUTSIDE = 4 };

/* True if `tail` is `count` places after `head`, and so far from it that no row is written before it is read. Always so
 * without wrong bits. */
static inline bool reexec_places_agree(const struct reexec *m) {
  const struct reexec_st *s = &m->s;
  const uint64_t depth = m->base.c->d.DEPTH, tail = s->head + s->count;
  return s->head < depth && s->tail == (tail < depth ? tail : tail - depth) &&
         s->count + REEXEC_OUTSIDE < depth;
}

/* True if only loads go round, all places are taken, and nothing else is under way. */
static inline bool reexec_goes_round(const struct reexec *m, const struct l1d *l1d) {
  const struct reexec_st *s = &m->s;
  const struct l1d_st *c = &l1d->s;
  const uint64_t queue_tells = hd_bit(EV_reexec_retry) | hd_bit(EV_reexec_back) | hd_bit(EV_reexec_full) |
                               hd_bit(EV_reexec_wait),
                 l1d_tells = hd_bit(EV_l1d_fail_line_alloc) | hd_bit(EV_l1d_fail_mshr) | hd_bit(EV_l1d_again);
  return s->o_valid && !s->stays && !reexec_first(m) && c->d_valid && !c->d.write && reexec_lacks(l1d) &&
         c->c_valid && !c->c.write && c->a_count == 1 && !c->a0.write && c->outcome_tried &&
         !c->outcome_load && !c->f_valid && !c->g_valid && !c->resp_v &&
         !((m->base.heard & queue_tells) | (l1d->base.heard & l1d_tells)) && reexec_places_agree(m);
}

/* at[n] stands n + 1 places behind OUTCOME's load, for each n below `number`. */
struct reexec_round {
  const struct req *at[REEXEC_ROUND];
};
static inline void reexec_find_round(struct reexec_round *r, const struct reexec *m, const struct l1d *l1d,
                                     uint64_t number) {
  const struct req *const first[REEXEC_OUTSIDE] = {&l1d->s.d, &l1d->s.c, &l1d->s.a0, &m->s.fifo_q};
  memcpy(r->at, first, sizeof first);
  const struct req *row = &m->s.fifo[m->s.head], *const end = m->s.fifo + m->base.c->d.DEPTH;
  for (uint64_t n = REEXEC_OUTSIDE; n < number; n++) {
    r->at[n] = row++;
    row = row == end ? m->s.fifo : row;
  }
}

/* What a load of this line lacks when it is decided: a way, or an MSHR. REEXEC_LACKS_NOTHING: nothing, or it is not known. */
enum reexec_lack { REEXEC_LACKS_NOTHING, REEXEC_LACKS_WAY, REEXEC_LACKS_MSHR };
static inline enum reexec_lack reexec_lack_of(const struct l1d *m, uint64_t line) {
  const unsigned ways = (unsigned)m->base.c->d.WAYS;
  const uint64_t set = l1d_set_of(m->base.c, line), tag = l1d_tag_of(m->base.c, line);
  const uint64_t *const tags = &m->s.tags[set * ways];
  const bool full = m->s.reserved[set] == hd_ones(ways);
  if (!full && m->s.m_free)
    return REEXEC_LACKS_NOTHING;
  for (unsigned w = 0; w < ways; w++)
    if (tags[w] == tag) /* it may be there, or in flight */
      return REEXEC_LACKS_NOTHING;
  return full ? REEXEC_LACKS_WAY : REEXEC_LACKS_MSHR;
}

/* `n` loads join the tail. If queue and L1D together have as many loads as the queue has places, a load goes back to the
 * place from which it was read. */
static inline void reexec_join(struct reexec *m, const struct outcome *o, const struct reexec_round *r,
                               uint64_t n) {
  struct reexec_st *s = &m->s;
  const unsigned depth = m->base.c->d.DEPTH, width = m->base.c->d.DEPTH_W;
  hd_request_told(&s->fifo[s->tail], o);
  s->tail = hd_next(s->tail, depth, width);
  for (uint64_t k = 0; k + 1 < n; k++, s->tail = hd_next(s->tail, depth, width))
    if (r->at[k] != &s->fifo[s->tail])
      hd_move_request(&s->fifo[s->tail], r->at[k]);
}

/* All move on by n places. */
static inline void reexec_move_round(struct reexec *m, struct l1d *l1d, const struct reexec_round *r,
                                     uint64_t n) {
  struct l1d_st *c = &l1d->s;
  reexec_join(m, &c->outcome, r, n);
  hd_tell_request(&c->outcome, r->at[n - 1]);
  c->took_hpc = c->outcome.hpc;
  hd_move_request(&c->d, r->at[n]);
  hd_move_request(&c->c, r->at[n + 1]);
  hd_move_request(&c->a0, r->at[n + 2]);
  hd_move_request(&m->s.fifo_q, r->at[n + 3]);
  m->s.head = (m->s.head + n) % m->base.c->d.DEPTH;
  c->d_set = l1d_set_of(l1d->base.c, c->d.line);
  c->c_set = l1d_set_of(l1d->base.c, c->c.line);
  l1d_late_pipeline(l1d, true, false);
  l1d_look_up(l1d);
}

/* Passes up to `most` cycles in which loads are tried in vain and nothing else happens. Returns how many were
 * passed; 0: none. In the next cycle, only the ports between queue and L1D meet. */
static inline uint64_t reexec_pass(struct sm_mem *m, uint64_t most) {
  struct reexec *queue = m->u_reexec;
  struct l1d *l1d = m->u_l1d;
  const struct reexec_st *s = &queue->s;
  uint64_t n = 1, of_way = l1d->s.d_full;
  most = most < s->count ? most : s->count;
  if (!most || !reexec_goes_round(queue, l1d))
    return 0;
  most = most < REEXEC_ROUND - REEXEC_OUTSIDE ? most : REEXEC_ROUND - REEXEC_OUTSIDE;
  struct reexec_round round;
  reexec_find_round(&round, queue, l1d, most + REEXEC_OUTSIDE);
  for (enum reexec_lack lack; n < most && (lack = reexec_lack_of(l1d, round.at[n]->line)); n++)
    of_way += lack == REEXEC_LACKS_WAY;
  l1d->base.ev[EV_l1d_fail_line_alloc] += of_way;
  l1d->base.ev[EV_l1d_fail_mshr] += n - of_way;
  l1d->base.ev[EV_l1d_again] += n;
  queue->base.ev[EV_reexec_retry] += n;
  queue->base.ev[EV_reexec_back] += n;
  if (s->in_valid)
    queue->base.ev[s->in.write ? EV_reexec_wait : EV_reexec_full] += n;
  reexec_move_round(queue, l1d, &round, n);
  return n;
}

#endif
