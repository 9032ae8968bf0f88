/* Golden model of the memory request prioritization buffer. Spec: docs/mechanisms/mrpb.md.
 *
 * Invariant: memo[FILLED] and memo[READY] say which queues have `count` > 0 and `avail` > 0, so that a cycle
 * costs the same however many queues there are. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

enum { FILLED, READY };

/* The queue of the request in the input register. */
static inline uint64_t in_q(const struct mrpb *m) {
  return m->base.c->d.SIG_W ? m->s.in_q : m->s.in.wid;
}

/* Whether the request in the input register is one that goes through its queue. */
static inline bool may_enter(const struct mrpb *m) {
  return m->s.in_valid && (m->base.c->d.WIDE || !m->s.in.write);
}

/* Named conditions of the spec. */
static inline bool is_w_wait(const struct mrpb *m) {
  return m->s.in_valid && !may_enter(m) && m->s.count[in_q(m)] == 0;
}
static inline bool is_enqueue(const struct mrpb *m) {
  return may_enter(m) && m->s.count[in_q(m)] < m->base.c->d.DEPTH;
}

void mrpb_moore(struct mrpb *m, struct mrpb_out *out) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->deq_valid = s->o_valid || is_w_wait(m);
  out->deq = s->o_valid ? s->fifo_q : s->in;
  if (m->base.data) {
    hd_copy(out->deq_wdata, d->WIDE ? s->fifo_wdata_q : s->in_wdata, d->WORDS);
    hd_copy(out->deq_wmask, d->WIDE ? s->fifo_wmask_q : s->in_wmask, d->WORDS);
  }
  uint64_t inside = m->base.memo[FILLED] | s->o_valid << s->o_q | s->in_valid << in_q(m);
  out->drained = hd_below(d->QUEUES) & ~inside;
}

void mrpb_mealy(struct mrpb *m, const struct mrpb_in *in, struct mrpb_out *out) {
  bool w_leaves = is_w_wait(m) && !m->s.o_valid && in->deq_ready;
  out->enq_ready = !m->s.in_valid || is_enqueue(m) || w_leaves;
}

static unsigned longest(const struct mrpb *m, uint64_t ready) {
  unsigned best = hd_lowest(ready);
  for (; ready; ready &= ready - 1)
    if (m->s.avail[hd_lowest(ready)] > m->s.avail[best])
      best = hd_lowest(ready);
  return best;
}

/* The queue that the drain policy picks among those of `ready`, not empty. */
static unsigned by_policy(const struct mrpb *m, uint64_t ready) {
  const struct hd_config *c = m->base.c;
  if (c->request_buffer.greedy && hd_has(ready, m->s.last))
    return (unsigned)m->s.last;
  switch (c->request_buffer.drain) {
  case HD_DRAIN_LONGEST:
    return longest(m, ready);
  case HD_DRAIN_RR:
    return hd_after(ready, m->s.last);
  case HD_DRAIN_FIXED:
    break;
  }
  return hd_lowest(ready);
}

/* Whether the flush rules pick the input's queue. */
static bool forced(struct mrpb *m) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (d->WIDE || !s->in_valid || !hd_has(m->base.memo[READY], in_q(m)))
    return false;
  if (s->in.write) { /* its count is not 0, for an entry that is ready is still in its queue */
    HD_EV(m, mrpb_forced_write, in_q(m), 0, 0, 0);
    return true;
  }
  if (s->count[in_q(m)] < d->DEPTH)
    return false;
  HD_EV(m, mrpb_forced_full, in_q(m), 0, 0, 0);
  return true;
}

/* Step 3. */
static void choose(struct mrpb *m) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t ready = m->base.memo[READY];
  s->sel_valid = ready != 0;
  if (!ready)
    return;
  if (forced(m))
    s->sel_q = in_q(m);
  else {
    s->sel_q = by_policy(m, ready);
    HD_EV(m, mrpb_choose, s->sel_q, s->avail[s->sel_q], 0, 0);
    if (d->POINTED) {
      if (s->sel_q == s->last)
        HD_EV(m, mrpb_stay, s->sel_q, 0, 0, 0);
      s->last = s->sel_q;
    }
  }
  if (--s->avail[s->sel_q] == 0)
    m->base.memo[READY] &= ~hd_bit(s->sel_q);
}

/* Step 4. */
static void read(struct mrpb *m, uint64_t q) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t row = q * d->DEPTH + s->head[q];
  s->fifo_q = s->fifo[row];
  if (d->WIDE && m->base.data) {
    hd_copy(s->fifo_wdata_q, s->fifo_wdata + row * d->WORDS, d->WORDS);
    hd_copy(s->fifo_wmask_q, s->fifo_wmask + row * d->WORDS, d->WORDS);
  }
  s->head[q] = hd_next(s->head[q], d->DEPTH);
  if (--s->count[q] == 0)
    m->base.memo[FILLED] &= ~hd_bit(q);
  s->o_valid = 1;
  s->o_q = q;
}

/* Step 2: the entry in the input register goes into the RAM. */
static void write(struct mrpb *m) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t q = in_q(m), row = q * d->DEPTH + s->tail[q];
  HD_EV(m, mrpb_enqueue, s->in.line, s->in.wid, q, 0);
  s->fifo[row] = s->in;
  s->fifo_wr = (int64_t)row;
  if (d->WIDE && m->base.data) {
    hd_copy(s->fifo_wdata + row * d->WORDS, s->in_wdata, d->WORDS);
    hd_copy(s->fifo_wmask + row * d->WORDS, s->in_wmask, d->WORDS);
    s->fifo_wdata_wr = s->fifo_wmask_wr = (int64_t)row;
  }
  s->tail[q] = hd_next(s->tail[q], d->DEPTH);
  s->count[q]++;
  m->base.memo[FILLED] |= hd_bit(q);
}

/* Step 2: time passes for the entries in the age line; the oldest becomes available. */
static void age(struct mrpb *m, bool entered) {
  struct mrpb_st *s = &m->s;
  unsigned n = m->base.c->d.DELAY;
  bool ripe = n ? s->age_valid[n - 1] : entered;
  uint64_t q = n ? s->age_q[n - 1] : in_q(m);
  for (unsigned i = n; i-- > 1;) {
    s->age_valid[i] = s->age_valid[i - 1];
    s->age_q[i] = s->age_q[i - 1];
  }
  if (n) {
    s->age_valid[0] = entered;
    s->age_q[0] = in_q(m);
  }
  if (ripe) {
    s->avail[q]++;
    m->base.memo[READY] |= hd_bit(q);
  }
}

/* Step 1. */
static void load_input(struct mrpb *m, const struct mrpb_in *in) {
  struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->in = in->enq;
  s->in_q = in->enq_sig;
  s->in_valid = 1;
  if (in->enq.write && m->base.data) {
    hd_copy(s->in_wdata, in->enq_wdata, d->WORDS);
    hd_copy(s->in_wmask, in->enq_wmask, d->WORDS);
  }
}

/* `leaves`: it goes to the output at once. */
static void count_write_events(struct mrpb *m, bool leaves) {
  if (leaves)
    HD_EV(m, mrpb_write_through, m->s.in.line, m->s.in.wid, 0, 0);
  else
    HD_EV(m, mrpb_write_wait, m->s.in.line, 0, 0, 0);
}

static void count_deq_events(struct mrpb *m, bool deq_ready) {
  const struct req *deq = m->s.o_valid ? &m->s.fifo_q : &m->s.in;
  if (deq_ready)
    HD_EV(m, mrpb_deq, deq->line, deq->wid, 0, 0);
  else
    HD_EV(m, mrpb_deq_stall, deq->line, deq->wid, 0, 0);
}

void mrpb_tick(struct mrpb *m, const struct mrpb_in *in) {
  struct mrpb_st *s = &m->s;
  const bool w_wait = is_w_wait(m), enqueue = is_enqueue(m);
  const bool w_leaves = w_wait && !s->o_valid && in->deq_ready;
  const bool o_free = !s->o_valid || in->deq_ready;
  const bool reads = s->sel_valid && o_free && (!w_wait || w_leaves);
  const bool enq_ready = !s->in_valid || enqueue || w_leaves;
  const uint64_t sel_q = s->sel_q;

  if (may_enter(m) && !enqueue)
    HD_EV(m, mrpb_full, in_q(m), s->in.line, 0, 0);
  if (w_wait)
    count_write_events(m, w_leaves);
  if (s->o_valid || w_wait)
    count_deq_events(m, in->deq_ready);
  s->fifo_wr = s->fifo_wdata_wr = s->fifo_wmask_wr = -1;

  /* In this order each step finds what it looks at as it was before the edge: the choice looks at avail and
   * count, read, age line and write at their own counters and the input register. */
  if (!s->sel_valid || reads)
    choose(m);
  if (reads)
    read(m, sel_q);
  else if (in->deq_ready)
    s->o_valid = 0;
  age(m, enqueue);
  if (enqueue)
    write(m);
  if (in->enq_valid && enq_ready)
    load_input(m, in);
  else if (enqueue || w_leaves)
    s->in_valid = 0;
}
