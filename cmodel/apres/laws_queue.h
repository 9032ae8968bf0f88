/* The scheduling queue of LAWS, an order of each scheduler's warps, as a matrix or as a list. Spec:
 * docs/mechanisms/laws.md; part of the model in cmodel/apres/laws.c.
 *
 * Invariant: for any value of the registers, nothing outside them is touched, and the warp found is one of the given
 * warps.
 *
 * Inlined: measured in cmodel/apres/laws_cycle.h. */
#ifndef HEDDLE_CMODEL_APRES_LAWS_QUEUE_H
#define HEDDLE_CMODEL_APRES_LAWS_QUEUE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { LAWS_NOBODY = 64 };

/* Returns the row in the upper part of element e. `places`: the places that every scheduler has. Element e holds row
 * e in its low bits and this row above it. */
static inline unsigned laws_upper_row(unsigned places, unsigned e) {
  return places - 1 - places % 2 - e;
}

/* Returns the places j > i of scheduler s, among those that every scheduler has, that are nearer to the head than
 * place i. */
static inline uint64_t laws_row(const struct laws *m, unsigned s, unsigned i) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t *before = &m->s.before[s * d->ORDER_N];
  const unsigned q = d->ORDER_Q;
  if (i + 1 >= q)
    return 0;
  if (i < d->ORDER_N)
    return (before[i] & hd_ones(q - 1 - i)) << (i + 1);
  const unsigned e = laws_upper_row(q, i); /* laws_upper_row is its own inverse */
  return before[e] >> (q - 1 - e) << (i + 1);
}

/* Returns every second bit of the set, from bit 0 on, packed. */
static inline uint64_t laws_every_second(uint64_t set) {
  static const uint64_t halves[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  set &= halves[0];
  for (unsigned k = 1; k < 6; k++)
    set = (set | set >> (1u << (k - 1))) & halves[k];
  return set;
}

/* Returns the warps of the set that belong to scheduler s, as places. There are 1, 2 or 4 schedulers. */
static inline uint64_t laws_places(const struct laws *m, unsigned s, uint64_t warps) {
  uint64_t places = warps >> s;
  for (unsigned schedulers = HD_IS(m, SCHEDS); schedulers > 1; schedulers /= 2)
    places = laws_every_second(places);
  return places;
}

/* Goes from the lowest place upwards. Each step keeps only the places that are nearer to the head than the best so
 * far. These are all above it, so its row holds them. */
static inline unsigned laws_first_of_matrix(const struct laws *m, uint64_t warps) {
  const struct hd_derived *d = &m->base.c->d;
  if (!(warps & (warps - 1)))
    return hd_lowest(warps);
  const unsigned s = hd_lowest(warps) % HD_IS(m, SCHEDS), q = d->ORDER_Q;
  const uint64_t all = laws_places(m, s, warps);
  uint64_t places = all & hd_ones(q);
  unsigned best = q;
  while (places) {
    best = hd_lowest(places);
    places &= laws_row(m, s, best);
  }
  if (s < d->ORDER_X && best < q && hd_has(all, q) && hd_has(m->s.before_last[s], best))
    best = q;
  return best * HD_IS(m, SCHEDS) + s;
}

static inline unsigned laws_first_of_list(const struct laws *m, uint64_t warps) {
  for (unsigned k = 0; k < m->base.c->d.WARPS; k++)
    if (hd_has(warps, m->s.order[k]))
      return (unsigned)m->s.order[k];
  return LAWS_NOBODY;
}

/* Returns the warp of `warps` that is nearest to the head. `warps` must be of one scheduler and not empty. Returns
 * LAWS_NOBODY if a fault has removed a warp from the list. */
static inline unsigned laws_first(const struct laws *m, uint64_t warps) {
  return HD_IS(m, MATRIX) ? laws_first_of_matrix(m, warps) : laws_first_of_list(m, warps);
}

/* Moves a set of one scheduler's places to the head: a place in the set is then nearer to the head than one outside
 * it. Each step updates one element, both its rows at once. */
static inline void laws_to_head_of_scheduler(struct laws *m, unsigned s, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  const unsigned q = d->ORDER_Q, elements = d->ORDER_N, f_of_0 = laws_upper_row(q, 0);
  const bool odd = s < d->ORDER_X && q < 64; /* q is always below 64 with more than one scheduler */
  uint64_t *const before = &m->s.before[s * elements];
  const uint64_t all = hd_ones(d->ORDER_C), most = set & hd_ones(q);
  if (!set || set == hd_ones(q + odd)) /* no warp moves */
    return;
  uint64_t lower = hd_ones(q) >> 1; /* bits of the lower row; each row has one bit less than the last */
  for (unsigned e = 0; e < elements && e + 1 < q; e++, lower >>= 1) { /* e + 1 < q always holds */
    const unsigned f = f_of_0 - e, length = q - 1 - e;
    const uint64_t upper = all & ~lower;
    const uint64_t j_in = (set >> e >> 1 & lower) | (most >> f >> 1 << length);
    const uint64_t i_in = (-(set >> e & 1) & lower) | (-(set >> f & 1) & upper);
    before[e] = (i_in & before[e] & j_in) | (~i_in & (before[e] | j_in) & all);
  }
  if (odd) {
    uint64_t *const last = &m->s.before_last[s];
    *last = hd_has(set, q) ? *last | (~set & hd_ones(q)) : *last & ~set;
  }
}

static inline void laws_to_head_of_matrix(struct laws *m, uint64_t set) {
  for (unsigned s = 0; s < HD_IS(m, SCHEDS); s++)
    laws_to_head_of_scheduler(m, s, laws_places(m, s, set));
}

static inline void laws_to_head_of_list(struct laws *m, uint64_t set) {
  const unsigned n = m->base.c->d.WARPS;
  uint64_t rest[HD_MOST(sm, warps)];
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

/* laws_to_head: all warps of the set come before all others, each part in the order it had. laws_to_tail: behind them. */
static inline void laws_to_head(struct laws *m, uint64_t set) {
  if (HD_IS(m, MATRIX))
    laws_to_head_of_matrix(m, set);
  else
    laws_to_head_of_list(m, set);
}

static inline void laws_to_tail(struct laws *m, uint64_t set) {
  laws_to_head(m, hd_ones(m->base.c->d.WARPS) & ~set);
}

#endif
