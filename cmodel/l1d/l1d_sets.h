/* Where a line goes in the L1D: set index, tag, recency and victim. Spec: docs/mechanisms/l1d.md; part of the
 * model in cmodel/l1d/l1d.c.
 *
 * Invariant: the recency bits of a set are a total order of its ways, from reset on.
 *
 * Inlined: with calls instead, heddle sim executes 2.1 % more instructions (gpu/apres on syr2k:tiny). */
#ifndef HEDDLE_CMODEL_L1D_L1D_SETS_H
#define HEDDLE_CMODEL_L1D_L1D_SETS_H

#include "cmodel/l1d/l1d_one_set.h"
#include "cmodel/l1d/l1d_sectors.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"

static inline uint64_t l1d_set_of(const struct hd_config *c, uint64_t line) {
  switch (c->l1d.set_index) {
  case HD_INDEX_XOR:
    line ^= line >> c->d.SET_W;
    break;
  case HD_INDEX_FERMI: /* bits 6, 7, 8, 10, 12 are XORed into bits 0 to 4 */
    line ^= (line >> 6 & 7) | (line >> 7 & 8) | (line >> 8 & 16);
    break;
  case HD_INDEX_FULL: /* any value: l1d_row_of finds the line's row of the one set */
  case HD_INDEX_LINEAR:
    break;
  }
  return line & (c->d.SETS - 1);
}

static inline uint64_t l1d_tag_of(const struct hd_config *c, uint64_t line) {
  return c->l1d.set_index == HD_INDEX_LINEAR ? line >> c->d.SET_W : line;
}

/* (i, j) = way i of the set was used after way j. */
static inline struct hd_pairs l1d_recency(const struct l1d *m, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  return (struct hd_pairs){&m->s.lru[set * d->LRU_N], d->LRU_N, d->LRU_C, d->WAYS};
}

static inline void l1d_touch(struct l1d *m, uint64_t set, unsigned way) {
  if (HD_IS(m, ONE_SET)) {
    l1d_use(m, set, way);
    return;
  }
  const struct hd_pairs recency = l1d_recency(m, set);
  hd_pairs_put(&recency, way, true);
}

/* The MSHRs that wait for their line, without the one whose fill has entered: its loads are being answered. */
static inline uint64_t l1d_lines_waiting(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  return s->mshr_wait & ~((s->f_valid & (s->f.kind == HD_FILL) & ((s->f_commit | s->f_ask) ^ 1)) << s->f.id);
}

static inline uint64_t l1d_all_ways(const struct l1d *m) {
  return hd_ones(m->base.c->d.WAYS);
}

/* Returns the way for a new line. Some way must be neither valid nor reserved, or one of `among` must be valid. */
static inline unsigned l1d_victim(const struct l1d *m, uint64_t set, uint64_t among) {
  const uint64_t may = l1d_all_ways(m) & ~l1d_reserved(m, set), valid = l1d_valid(m, set);
  if (may & ~valid)
    return hd_lowest(may & ~valid);
  if (HD_IS(m, ONE_SET))
    return l1d_unused_longest(m, set, may);
  const struct hd_pairs recency = l1d_recency(m, set);
  return hd_pairs_find(&recency, may & among, false);
}

#endif
