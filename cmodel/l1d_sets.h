/* Where a line goes in the L1D: set index, tag, recency and victim. Spec: docs/mechanisms/l1d.md; part of the
 * model in cmodel/l1d.c.
 *
 * Invariant: the recency bits of a set are a total order of its ways, from reset on. */
#ifndef HEDDLE_CMODEL_L1D_SETS_H
#define HEDDLE_CMODEL_L1D_SETS_H

#include "cmodel/bits.h"
#include "cmodel/models.h"

static inline uint64_t l1d_set_of(const struct hd_config *c, uint64_t line) {
  switch (c->l1d.set_index) {
  case HD_INDEX_XOR:
    line ^= line >> c->d.SET_W;
    break;
  case HD_INDEX_FERMI: /* bits 6, 7, 8, 10, 12 are XORed into bits 0 to 4 */
    line ^= (line >> 6 & 7) | (line >> 7 & 8) | (line >> 8 & 16);
    break;
  case HD_INDEX_LINEAR:
    break;
  }
  return line & hd_below(c->d.SET_W);
}

static inline uint64_t l1d_tag_of(const struct hd_config *c, uint64_t line) {
  return c->l1d.set_index == HD_INDEX_LINEAR ? line >> c->d.SET_W : line;
}

/* The element of lru that holds the bit of pair i < j of a set, and the bit. */
static inline uint64_t *l1d_pair(const struct l1d *m, uint64_t set, unsigned i, unsigned j, unsigned *bit) {
  const struct hd_derived *d = &m->base.c->d;
  unsigned p = hd_pair(d->WAYS, i, j), element = 0;
  if (d->LRU_N > 1) { /* spares most configurations the division */
    element = p / d->LRU_C;
    p %= d->LRU_C;
  }
  *bit = p;
  return &m->s.lru[set * d->LRU_N + element];
}

static inline void l1d_touch(struct l1d *m, uint64_t set, unsigned way) {
  const struct hd_derived *d = &m->base.c->d;
  const unsigned ways = (unsigned)d->WAYS;
  unsigned bit;
  if (ways == 1)
    return;
  /* The usual one is quick: pairs (way, j) are neighbours; pair (i+1, way) is n-2-i after (i, way). */
  if (d->LRU_N == 1) {
    const uint64_t before = hd_below(ways - 1 - way) << hd_pair(ways, way, way + 1);
    uint64_t after = 0;
    for (unsigned i = 0, p = way - 1; i < way; p += ways - 2 - i++)
      after |= hd_bit(p);
    m->s.lru[set] = (m->s.lru[set] & ~after) | before;
    return;
  }
  for (unsigned i = 0; i < way; i++) {
    uint64_t *e = l1d_pair(m, set, i, way, &bit);
    *e &= ~hd_bit(bit);
  }
  for (unsigned j = way + 1; j < ways; j++) {
    uint64_t *e = l1d_pair(m, set, way, j, &bit);
    *e |= hd_bit(bit);
  }
}

static inline uint64_t l1d_reserved(const struct l1d *m, uint64_t set) {
  return m->base.c->d.ON_MISS ? m->s.reserved[set] : 0;
}

/* Some way must not be reserved. */
static inline unsigned l1d_victim(const struct l1d *m, uint64_t set) {
  uint64_t may = hd_below(m->base.c->d.WAYS) & ~l1d_reserved(m, set);
  if (may & ~m->s.valid[set])
    return hd_lowest(may & ~m->s.valid[set]);
  unsigned oldest = hd_lowest(may), bit; /* recency is a total order: one round finds the least */
  for (may &= may - 1; may; may &= may - 1) {
    uint64_t later_used = *l1d_pair(m, set, oldest, hd_lowest(may), &bit);
    if (hd_has(later_used, bit))
      oldest = hd_lowest(may);
  }
  return oldest;
}

#endif
