/* One cycle of the golden model of the re-reference table. Spec: docs/mechanisms/casc.md.
 *
 * Invariant: the sum of a known entry is at most its count times the highest counter, and its count is not 0.
 *
 * Inlined: measured in cmodel/casc/casc_cycle.h. */
#ifndef HEDDLE_CMODEL_CASC_RRT_CYCLE_H
#define HEDDLE_CMODEL_CASC_RRT_CYCLE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* True if the entry's row was written after it was read, or while it was. */
static inline bool rrt_newer(const struct rrt *m, uint64_t entry) {
  return m->s.w_valid && m->s.w_entry == entry;
}

static inline void rrt_show(struct rrt *m, struct rrt_out *out) {
  const struct rrt_st *s = &m->s;
  const uint64_t count_w = m->base.c->d.SAMPLE_W;
  const bool w = rrt_newer(m, s->l_entry);
  out->lk_known = s->known[s->l_entry];
  out->lk_sum = w ? s->w_sum : s->lookup_q[0] >> count_w;
  out->lk_count = w ? s->w_count : s->lookup_q[0] & hd_ones(count_w);
}

/* The second cycle of an update: adds the line's counter to the entry. */
static inline void rrt_learn(struct rrt *m) {
  struct rrt_st *s = &m->s;
  const uint64_t e = s->u_entry;
  const bool forward = rrt_newer(m, e);
  uint64_t sum = forward ? s->w_sum : s->update_q[0] >> m->base.c->d.SAMPLE_W;
  uint64_t count = forward ? s->w_count : s->update_q[0] & hd_ones(m->base.c->d.SAMPLE_W);
  if (forward)
    HD_EV(m, rrt_forward, e, 0, 0, 0);
  if (!s->known[e]) {
    sum = s->u_count;
    count = 1;
    HD_EV(m, rrt_first, e, sum, 0, 0);
  } else {
    sum += s->u_count;
    count++;
    if (count >> m->base.c->d.SAMPLE_W) {
      sum >>= 1;
      count >>= 1;
      HD_EV(m, rrt_halve, e, sum, count, 0);
    } else
      HD_EV(m, rrt_add, e, sum, count, 0);
  }
  s->known[e] = 1;
  s->w_entry = e;
  s->w_sum = sum & hd_ones(m->base.c->d.RRSUM_W);
  s->w_count = count;
}

/* Reads a row of both copies, and writes one. A row that is being written reads as garbage, as in the hardware's
 * macros. Such garbage is shown only if the entry is not known. */
static inline void rrt_clock_copies(struct rrt *m, uint64_t evicted, uint64_t looked_up, bool writes) {
  struct rrt_st *s = &m->s;
  s->update_q[0] = s->update[evicted];
  s->lookup_q[0] = s->lookup[looked_up];
  if (HD_WATCHED)
    s->update_wr = s->lookup_wr = -1;
  HD_COUNT(s->update_n.reads, 1);
  HD_COUNT(s->lookup_n.reads, 1);
  HD_COUNT(s->update_n.writes, writes);
  HD_COUNT(s->lookup_n.writes, writes);
  if (!writes)
    return;
  const uint64_t row = s->w_entry, word = s->w_sum << m->base.c->d.SAMPLE_W | s->w_count;
  const uint64_t garbage = ~word & hd_ones(m->base.c->d.RRSUM_W + m->base.c->d.SAMPLE_W);
  if (row == evicted)
    s->update_q[0] = garbage;
  if (row == looked_up)
    s->lookup_q[0] = garbage;
  s->update[row] = s->lookup[row] = word;
  s->update_wr = s->lookup_wr = (int64_t)row;
}

static inline uint64_t rrt_cycle(struct rrt *m, const struct rrt_in *in) {
  struct rrt_st *s = &m->s;
  const unsigned bits = m->base.c->d.HASH_BITS;
  const uint64_t evicted = hd_xor_fold(in->ev_hpc, bits), looked_up = hd_xor_fold(in->lk_hpc, bits);
  const bool writes = s->u_valid;
  if (writes)
    rrt_learn(m);
  rrt_clock_copies(m, evicted, looked_up, writes);
  s->w_valid = writes && !in->clear;
  s->l_entry = looked_up;
  s->u_valid = in->ev_valid && !in->clear;
  s->u_entry = evicted;
  s->u_count = in->ev_count;
  if (in->clear) {
    HD_EV(m, rrt_clear, 0, 0, 0, 0);
    memset(s->known, 0, m->base.c->d.RRT * sizeof *s->known);
  }
  return writes || s->u_valid ? HD_MOVES : 0;
}

#endif
