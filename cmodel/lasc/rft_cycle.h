/* One cycle of the golden model of the reuse-frequency table. Spec: docs/mechanisms/rft.md.
 *
 * Invariant: memo[RFT_FILLED] has the SMs with `q_count` > 0, memo[RFT_DOUBTED] the entries whose `doubt` closes
 * them. If a fault makes an index point outside its queue, nothing outside the queues is touched.
 *
 * Inlined: with calls instead, heddle sim executes 2.1 % more instructions: 1 header refers here (lasc on syrk:tiny and
 * gemm:ni=128,nj=128,nk=32). */
#ifndef HEDDLE_CMODEL_LASC_RFT_CYCLE_H
#define HEDDLE_CMODEL_LASC_RFT_CYCLE_H

#include "cmodel/lasc/ports.h"
#include "cmodel/model/bits.h"

enum { DOUBT_CLOSES = 8, DOUBT_MOST = 15 };

static inline void rft_show(struct rft *m, struct rft_out *out) {
  out->bypass = rft_bypass(m);
  out->lost = m->s.lose;
}

/* Step 1, for one SM. Returns false if the update is lost. */
static inline bool rft_push(struct rft *m, const struct rft_in *in, unsigned sm) {
  struct rft_st *s = &m->s;
  const uint64_t entry = hd_xor_fold(in->up_hpc[sm], m->base.c->d.RFT_W);
  const uint64_t reuse = HD_IS(m, RFT_AVG) ? in->up_count[sm] : in->up_count[sm] != 0;
  if (s->q_count[sm] == m->base.c->d.UQ) {
    if (!in->clear)
      HD_EV(m, rft_lost, sm, entry, 0, 0);
    return false;
  }
  if (!in->clear)
    HD_EV(m, rft_queue, sm, entry, reuse, 0);
  const uint64_t tail = m->base.c->d.UQ_W ? s->q_tail[sm] : 0;
  if (tail < m->base.c->d.UQ) {
    s->q_hpc[sm * m->base.c->d.UQ + tail] = entry;
    s->q_reuse[sm * m->base.c->d.UQ + tail] = reuse;
  }
  if (m->base.c->d.UQ_W)
    s->q_tail[sm] = hd_next(tail, m->base.c->d.UQ, m->base.c->d.UQ_W);
  s->q_count[sm] = (s->q_count[sm] + 1) & hd_ones(m->base.c->d.UQN_W);
  m->base.memo[RFT_FILLED] |= hd_bit(sm);
  return true;
}

/* Step 2: takes an update of the SM whose turn it is. `filled`: the SMs that had updates before this cycle. */
static inline void rft_pop(struct rft *m, uint64_t filled) {
  struct rft_st *s = &m->s;
  const unsigned sm = hd_after(filled, s->turn);
  const uint64_t head = m->base.c->d.UQ_W ? s->q_head[sm] : 0;
  if (m->base.c->d.SHARER_W)
    s->turn = sm;
  if (head < m->base.c->d.UQ) {
    s->u_entry = s->q_hpc[sm * m->base.c->d.UQ + head];
    s->u_reuse = s->q_reuse[sm * m->base.c->d.UQ + head];
  }
  if (m->base.c->d.UQ_W)
    s->q_head[sm] = hd_next(head, m->base.c->d.UQ, m->base.c->d.UQ_W);
  s->q_count[sm] = (s->q_count[sm] - 1) & hd_ones(m->base.c->d.UQN_W);
  if (!s->q_count[sm])
    m->base.memo[RFT_FILLED] &= ~hd_bit(sm);
}

/* Adds a line's references to the moving average of entry e. Returns true if the average is above the threshold. */
static inline bool rft_average(struct rft *m, uint64_t e, bool known, uint64_t threshold) {
  struct rft_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t value = 16 * (1 + s->u_reuse), old = s->average[e];
  if (!known)
    s->average[e] = value;
  else if (value >= old)
    s->average[e] += (value - old) >> d->FORGET;
  else /* rounded down: away from 0 */
    s->average[e] -= (old - value + hd_ones(d->FORGET)) >> d->FORGET;
  return s->average[e] > threshold;
}

/* Updates the doubt of entry e that its lines are used again. Returns true if the doubt closes the entry. */
static inline bool rft_doubt(struct rft *m, uint64_t e) {
  uint64_t *doubt = &m->s.doubt[e];
  if (m->s.u_reuse)
    *doubt -= *doubt > 0;
  else
    *doubt += *doubt < DOUBT_MOST;
  return *doubt >= DOUBT_CLOSES;
}

/* Step 3: updates the entry. */
static inline void rft_update(struct rft *m, const struct rft_in *in) {
  struct rft_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t threshold = d->APB && d->RFT_IN ? in->rft_threshold : d->THRESHOLD;
  const uint64_t e = s->u_entry, before = rft_bypass(m);
  const bool known = hd_has(s->known, e);
  if (HD_IS(m, RFT_AVG))
    s->above = hd_with(s->above, e, rft_average(m, e, known, threshold));
  else if (HD_IS(m, RFT_CONF))
    m->base.memo[RFT_DOUBTED] = hd_with(m->base.memo[RFT_DOUBTED], e, rft_doubt(m, e));
  else
    s->reused = hd_with(s->reused, e, s->u_reuse || (known && hd_has(s->reused, e)));
  s->known |= hd_bit(e);
  if (in->clear)
    return;
  if (known)
    HD_EV(m, rft_update, e, s->u_reuse, 0, 0);
  else
    HD_EV(m, rft_first, e, s->u_reuse, 0, 0);
  if (rft_bypass(m) & ~before)
    HD_EV(m, rft_closes, e, 0, 0, 0);
  if (before & ~rft_bypass(m))
    HD_EV(m, rft_opens, e, 0, 0, 0);
}

static inline void rft_clear(struct rft *m) {
  struct rft_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, rft_clear, 0, 0, 0, 0);
  s->known = s->u_valid = s->lose = m->base.memo[RFT_FILLED] = m->base.memo[RFT_DOUBTED] = 0;
  if (HD_IS(m, RFT_CONF))
    memset(s->doubt, 0, d->RFT * sizeof *s->doubt);
  memset(s->q_count, 0, m->base.c->d.SHARERS * sizeof *s->q_count);
  if (m->base.c->d.UQ_W) {
    memset(s->q_head, 0, m->base.c->d.SHARERS * sizeof *s->q_head);
    memset(s->q_tail, 0, m->base.c->d.SHARERS * sizeof *s->q_tail);
  }
}

static inline uint64_t rft_cycle(struct rft *m, const struct rft_in *in) {
  struct rft_st *s = &m->s;
  const uint64_t filled = m->base.memo[RFT_FILLED];
  if (s->u_valid)
    rft_update(m, in);
  s->lose = 0;
  for (uint64_t up = in->up_valid; up; up &= up - 1)
    s->lose |= (uint64_t)!rft_push(m, in, hd_lowest(up)) << hd_lowest(up);
  s->u_valid = filled != 0;
  if (filled) /* reads no place just written: the queue was not empty, and a full one takes nothing */
    rft_pop(m, filled);
  if (in->clear)
    rft_clear(m);
  return s->u_valid || s->lose || m->base.memo[RFT_FILLED] ? HD_MOVES : 0;
}

#endif
