/* MASCAR in the lazy run; see lazy.h.
 *
 * Loads that are tried in vain go round: what OUTCOME reports joins the queue's tail, behind it come d, c and a0 of the L1D, what the
 * queue has read, and the rest of the queue. In a cycle each takes the place of the one before it.
 *
 * Invariant: what passes here lacks a way or an MSHR, so nothing becomes of it but events. */
#include "cmodel/mascar/lazy.h"
#include "cmodel/l1d/l1d_outcome.h"
#include "cmodel/l1d/l1d_pipe.h"
#include "cmodel/mascar/ports.h"

bool reexec_may_pass(const struct sm_mem *m) {
  const struct hd_derived *d = &m->base.c->d;
  return m->u_reexec && d->ON_MISS && !d->ONE_SET && !d->SECTOR_FILL && !d->PROTECT && !d->PREF &&
         !d->EARLY && !d->HOLD && !d->PINS && !d->LACK_LINE && !d->PLACED &&
         m->base.c->request_buffer.bypass == HD_BYPASS_OFF;
}

/* d's load lacks a way or an MSHR. */
static bool lacks_something(const struct l1d *m) {
  return !(m->s.d_hit | m->s.d_mshr_eq) && (m->s.d_full || !m->s.m_free);
}

/* Only loads go round, all places are taken, and nothing else is under way. */
static bool goes_round(const struct reexec *m, const struct l1d *l1d) {
  const struct reexec_st *s = &m->s;
  const struct l1d_st *c = &l1d->s;
  const uint64_t queue_tells = hd_bit(EV_reexec_retry) | hd_bit(EV_reexec_back) | hd_bit(EV_reexec_full) |
                               hd_bit(EV_reexec_wait),
                 l1d_tells = hd_bit(EV_l1d_fail_line_alloc) | hd_bit(EV_l1d_fail_mshr) | hd_bit(EV_l1d_again);
  return s->o_valid && !s->stays && !reexec_first(m) && c->d_valid && !c->d.write && lacks_something(l1d) &&
         c->c_valid && !c->c.write && c->a_count == 1 && !c->a0.write && c->outcome_tried &&
         !c->outcome_load && !c->f_valid && !c->g_valid && !c->resp_v &&
         !((m->base.heard & queue_tells) | (l1d->base.heard & l1d_tells));
}

/* What stands n + 1 places behind OUTCOME's load, for the n below a number; OUTSIDE of these are not in the queue. */
enum { ROUND = 64, OUTSIDE = 4 };
struct round {
  const struct req *at[ROUND];
};
static void find_round(struct round *r, const struct reexec *m, const struct l1d *l1d, uint64_t number) {
  const struct req *const first[OUTSIDE] = {&l1d->s.d, &l1d->s.c, &l1d->s.a0, &m->s.fifo_q};
  memcpy(r->at, first, sizeof first);
  const struct req *row = &m->s.fifo[m->s.head], *const end = m->s.fifo + m->base.c->d.DEPTH;
  for (uint64_t n = OUTSIDE; n < number; n++) {
    r->at[n] = row++;
    row = row == end ? m->s.fifo : row;
  }
}

/* What a load of this line lacks when it is decided: a way, or an MSHR; or nothing, or it is not known. */
enum lack { LACKS_NOTHING, LACKS_WAY, LACKS_MSHR };
static enum lack lack_of(const struct l1d *m, uint64_t line) {
  const unsigned ways = (unsigned)m->base.c->d.WAYS;
  const uint64_t set = l1d_set_of(m->base.c, line), tag = l1d_tag_of(m->base.c, line);
  const uint64_t *const tags = &m->s.tags[set * ways];
  const bool full = m->s.reserved[set] == hd_ones(ways);
  if (!full && m->s.m_free)
    return LACKS_NOTHING;
  for (unsigned w = 0; w < ways; w++)
    if (tags[w] == tag) /* it may be there, or in flight */
      return LACKS_NOTHING;
  return full ? LACKS_WAY : LACKS_MSHR;
}

/* `n` loads join the tail. Where the queue is full with those that are at the L1D, a place is read and written. */
static void join(struct reexec *m, const struct outcome *o, const struct round *r, uint64_t n) {
  struct reexec_st *s = &m->s;
  const unsigned depth = m->base.c->d.DEPTH;
#define FIELD(f) .f = o->f,
  s->fifo[s->tail] = (struct req){REEXEC_REPORTED(FIELD)};
#undef FIELD
  s->tail = hd_next(s->tail, depth);
  for (uint64_t k = 0; k + 1 < n; k++, s->tail = hd_next(s->tail, depth))
    if (r->at[k] != &s->fifo[s->tail])
      hd_move_request(&s->fifo[s->tail], r->at[k]);
}

/* All move on by n places. */
static void move(struct reexec *m, struct l1d *l1d, const struct round *r, uint64_t n) {
  struct l1d_st *c = &l1d->s;
  join(m, &c->outcome, r, n);
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

uint64_t reexec_pass(struct sm_mem *m, uint64_t most) {
  struct reexec *queue = m->u_reexec;
  struct l1d *l1d = m->u_l1d;
  const struct reexec_st *s = &queue->s;
  uint64_t n = 1, of_way = l1d->s.d_full;
  if (!goes_round(queue, l1d) || !s->count || !most)
    return 0;
  most = most < s->count ? most : s->count;
  most = most < ROUND - OUTSIDE ? most : ROUND - OUTSIDE;
  struct round round;
  find_round(&round, queue, l1d, most + OUTSIDE);
  for (enum lack lack; n < most && (lack = lack_of(l1d, round.at[n]->line)); n++)
    of_way += lack == LACKS_WAY;
  l1d->base.ev[EV_l1d_fail_line_alloc] += of_way;
  l1d->base.ev[EV_l1d_fail_mshr] += n - of_way;
  l1d->base.ev[EV_l1d_again] += n;
  queue->base.ev[EV_reexec_retry] += n;
  queue->base.ev[EV_reexec_back] += n;
  if (s->in_valid)
    queue->base.ev[s->in.write ? EV_reexec_wait : EV_reexec_full] += n;
  move(queue, l1d, &round, n);
  return n;
}
