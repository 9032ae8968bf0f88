/* Golden model of the memory request prioritization buffer. Spec: docs/mechanisms/mrpb.md.
 *
 * Invariant: memo[FILLED] and memo[READY] say which queues have `count` > 0 and `avail` > 0, so that a cycle
 * costs the same however many queues there are. */
#include "cmodel/bits.h"
#include "cmodel/models.h"

enum { FILLED, READY };

/* Whether the request in the input register is one that goes through its queue. */
static bool may_enter(const struct mrpb *m) {
  return m->s.in_valid && (m->base.c->d.WIDE || !m->s.in.write);
}

/* The named conditions of the spec. */
struct now {
  bool w_wait, w_leaves, enqueue, read, enq_ready, choose_free;
};

static struct now conditions(const struct mrpb *m, bool deq_ready) {
  const struct mrpb_st *s = &m->s;
  struct now n;
  bool o_free = !s->o_valid || deq_ready;
  n.w_wait = s->in_valid && !may_enter(m) && s->count[s->in_q] == 0;
  n.w_leaves = n.w_wait && !s->o_valid && deq_ready;
  n.enqueue = may_enter(m) && s->count[s->in_q] < m->base.c->d.DEPTH;
  n.read = s->sel_valid && o_free && (!n.w_wait || n.w_leaves);
  n.enq_ready = !s->in_valid || n.enqueue || n.w_leaves;
  n.choose_free = !s->sel_valid || n.read;
  return n;
}

void mrpb_moore(struct mrpb *m, struct mrpb_out *out) {
  const struct mrpb_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->deq_valid = s->o_valid || conditions(m, false).w_wait;
  out->deq = s->o_valid ? s->fifo_q : s->in;
  if (m->base.data) {
    hd_copy(out->deq_wdata, d->WIDE ? s->fifo_wdata_q : s->in_wdata, d->WORDS);
    hd_copy(out->deq_wmask, d->WIDE ? s->fifo_wmask_q : s->in_wmask, d->WORDS);
  }
  uint64_t inside = m->base.memo[FILLED] | s->o_valid << s->o_q | s->in_valid << s->in_q;
  out->drained = hd_below(d->QUEUES) & ~inside;
}

void mrpb_mealy(struct mrpb *m, const struct mrpb_in *in, struct mrpb_out *out) {
  out->enq_ready = conditions(m, in->deq_ready).enq_ready;
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
  if (d->WIDE || !s->in_valid || !hd_has(m->base.memo[READY], s->in_q))
    return false;
  if (s->in.write) { /* its count is not 0, for an entry that is ready is still in its queue */
    HD_EV(m, mrpb_forced_write, s->in_q, 0, 0, 0);
    return true;
  }
  if (s->count[s->in_q] < d->DEPTH)
    return false;
  HD_EV(m, mrpb_forced_full, s->in_q, 0, 0, 0);
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
    s->sel_q = s->in_q;
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
  uint64_t q = s->in_q, row = q * d->DEPTH + s->tail[q];
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
  uint64_t q = n ? s->age_q[n - 1] : s->in_q;
  for (unsigned i = n; i-- > 1;) {
    s->age_valid[i] = s->age_valid[i - 1];
    s->age_q[i] = s->age_q[i - 1];
  }
  if (n) {
    s->age_valid[0] = entered;
    s->age_q[0] = s->in_q;
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
  s->in_q = d->SIG_W ? in->enq_sig : in->enq.wid;
  s->in_valid = 1;
  if (in->enq.write && m->base.data) {
    hd_copy(s->in_wdata, in->enq_wdata, d->WORDS);
    hd_copy(s->in_wmask, in->enq_wmask, d->WORDS);
  }
}

static void count_events(struct mrpb *m, const struct now *now, bool deq_ready) {
  const struct mrpb_st *s = &m->s;
  if (may_enter(m) && !now->enqueue)
    HD_EV(m, mrpb_full, s->in_q, s->in.line, 0, 0);
  if (now->w_leaves)
    HD_EV(m, mrpb_write_through, s->in.line, s->in.wid, 0, 0);
  else if (now->w_wait)
    HD_EV(m, mrpb_write_wait, s->in.line, 0, 0, 0);
  if (!s->o_valid && !now->w_wait)
    return;
  const struct req *deq = s->o_valid ? &s->fifo_q : &s->in;
  if (deq_ready)
    HD_EV(m, mrpb_deq, deq->line, deq->wid, 0, 0);
  else
    HD_EV(m, mrpb_deq_stall, deq->line, deq->wid, 0, 0);
}

void mrpb_tick(struct mrpb *m, const struct mrpb_in *in) {
  struct mrpb_st *s = &m->s;
  struct now now = conditions(m, in->deq_ready);
  uint64_t sel_q = s->sel_q;
  count_events(m, &now, in->deq_ready);
  s->fifo_wr = s->fifo_wdata_wr = s->fifo_wmask_wr = -1;

  /* In this order each step finds what it looks at as it was before the edge: the choice looks at avail and
   * count, read, age line and write at their own counters and the input register. */
  if (now.choose_free)
    choose(m);
  if (now.read)
    read(m, sel_q);
  else if (in->deq_ready)
    s->o_valid = 0;
  age(m, now.enqueue);
  if (now.enqueue)
    write(m);
  if (in->enq_valid && now.enq_ready)
    load_input(m, in);
  else if (now.enqueue || now.w_leaves)
    s->in_valid = 0;
}
