/* The scheduling queue of LAWS, a total order of all warps, in either of its forms. Spec:
 * docs/mechanisms/laws.md; part of the model in cmodel/laws.c.
 *
 * Invariant: whatever the registers hold, nothing outside them is touched, and the warp found is one of
 * those asked for. */
#ifndef HEDDLE_CMODEL_LAWS_QUEUE_H
#define HEDDLE_CMODEL_LAWS_QUEUE_H

#include "cmodel/bits.h"
#include "cmodel/models.h"

enum { LAWS_NOBODY = 64 };

/* The row of the matrix that lies above row e in element e. */
static inline unsigned laws_upper_row(unsigned warps, unsigned e) {
  return warps - 1 - warps % 2 - e;
}

/* The warps above i that are nearer to the head than i. */
static inline uint64_t laws_before(const struct laws *m, unsigned i) {
  const struct hd_derived *d = &m->base.c->d;
  if (i + 1 == d->WARPS)
    return 0;
  uint64_t row;
  if (i < d->ORDER_N)
    row = m->s.before[i] & hd_below(d->WARPS - 1 - i);
  else {
    const unsigned e = laws_upper_row(d->WARPS, i); /* it is its own inverse */
    row = m->s.before[e] >> (d->WARPS - 1 - e);
  }
  return row << (i + 1);
}

/* Row by row: those nearer to the head than one who is are so themselves, and all that are nearer to it
 * than the lowest warp are above it. */
static inline unsigned laws_first_of_matrix(const struct laws *m, uint64_t warps) {
  unsigned best = hd_lowest(warps);
  while ((warps &= laws_before(m, best)) != 0)
    best = hd_lowest(warps);
  return best;
}

static inline unsigned laws_first_of_list(const struct laws *m, uint64_t warps) {
  for (unsigned k = 0; k < m->base.c->d.WARPS; k++)
    if (hd_has(warps, m->s.order[k]))
      return (unsigned)m->s.order[k];
  return LAWS_NOBODY;
}

/* The one of `warps`, not empty, that is nearest to the head. LAWS_NOBODY: a list that has lost a warp, to
 * a fault. */
static inline unsigned laws_first(const struct laws *m, uint64_t warps) {
  return m->base.c->d.MATRIX ? laws_first_of_matrix(m, warps) : laws_first_of_list(m, warps);
}

/* An element at a time, both its rows at once: a warp of the set is nearer to the head than one that is
 * not. */
static inline void laws_to_head_of_matrix(struct laws *m, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  const unsigned n = d->WARPS;
  for (unsigned e = 0; e < n / 2; e++) {
    const unsigned f = laws_upper_row(n, e), length = n - 1 - e; /* of the lower row */
    const uint64_t lower = hd_below(length), upper = hd_below(d->ORDER_C) & ~lower;
    const uint64_t j_in = (set >> e >> 1 & lower) | set >> f >> 1 << length;
    const uint64_t i_in = (hd_has(set, e) ? lower : 0) | (hd_has(set, f) ? upper : 0);
    const uint64_t pairs = m->s.before[e];
    m->s.before[e] = (i_in & pairs & j_in) | (~i_in & (pairs | j_in));
  }
}

static inline void laws_to_head_of_list(struct laws *m, uint64_t set) {
  const unsigned n = m->base.c->d.WARPS;
  uint64_t rest[64];
  unsigned head = 0, tail = 0;
  for (unsigned k = 0; k < n; k++) {
    const uint64_t w = m->s.order[k];
    if (hd_has(set, w))
      m->s.order[head++] = w; /* head <= k */
    else
      rest[tail++] = w;
  }
  hd_copy(m->s.order + head, rest, tail);
}

/* All warps of the set come before all others, each part in the order it had. */
static inline void laws_to_head(struct laws *m, uint64_t set) {
  if (m->base.c->d.MATRIX)
    laws_to_head_of_matrix(m, set);
  else
    laws_to_head_of_list(m, set);
}

static inline void laws_to_tail(struct laws *m, uint64_t set) {
  laws_to_head(m, hd_below(m->base.c->d.WARPS) & ~set);
}

#endif
