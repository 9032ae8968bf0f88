/* Where a line goes in an L2 slice, and the rows of its set: tags, recency, dirty bits. Spec: docs/mechanisms/l2.md; part
 * of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: in a decision the macros hold what they read in the cycle before, or w_* if they were written in that
 * cycle. So a decision reads the macros directly. The model keeps w_* only for the compare with the RTL.
 *
 * Inlined: with calls instead, heddle sim executes 0.4 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_L2_L2_SETS_H
#define HEDDLE_CMODEL_L2_L2_SETS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"
#include "cmodel/model/pairs.h"

static inline uint64_t l2_set_of(const struct hd_derived *d, uint64_t line) {
  return line & hd_ones(d->L2_SET_W);
}
static inline uint64_t l2_tag_of(const struct hd_derived *d, uint64_t line) {
  return line >> d->L2_SET_W;
}
static inline uint64_t l2_line_at(const struct l2_slice *m, uint64_t set, unsigned way) {
  const struct hd_derived *d = &m->base.c->d;
  return m->s.tags[set * d->L2_WAYS + way] << d->L2_SET_W | set;
}

/* The number of sectors for which a line of the slice has bits: one if lines come whole. */
static inline unsigned l2_sectors(const struct l2_slice *m) {
  return HD_IS(m, L2_SECTOR_FILL) ? m->base.c->d.SECTORS : 1;
}
/* The sector of a request with these `sectors`; 0 if lines come whole. */
static inline unsigned l2_sector_of(const struct l2_slice *m, uint64_t sectors) {
  return HD_IS(m, L2_SECTOR_FILL) ? hd_lowest(sectors) : 0;
}
/* The dirty bits of the ways of a set: for one sector, or for the lines. */
static inline uint64_t *l2_dirty(const struct l2_slice *m, uint64_t set, unsigned sector) {
  return m->s.dirty + (HD_IS(m, L2_SECTOR_FILL) ? set * m->base.c->d.SECTORS + sector : set);
}
/* The ways whose lines have a dirty bit. */
static inline uint64_t l2_any_dirty(const struct l2_slice *m, uint64_t set) {
  uint64_t any = 0;
  for (unsigned t = 0; t < l2_sectors(m); t++)
    any |= *l2_dirty(m, set, t);
  return any;
}
/* The lowest dirty sector of a dirty line. */
static inline unsigned l2_first_dirty(const struct l2_slice *m, uint64_t set, unsigned way) {
  unsigned t = 0;
  while (t + 1 < l2_sectors(m) && !hd_has(*l2_dirty(m, set, t), way))
    t++;
  return t;
}
/* The row of the data macro. */
static inline uint64_t l2_row_of(const struct l2_slice *m, uint64_t set, unsigned way, unsigned sector) {
  return (set * m->base.c->d.L2_WAYS + way) * l2_sectors(m) + sector;
}

/* Returns the way that has the line, as a set of one; 0 if none. */
static inline uint64_t l2_match(const struct l2_slice *m, uint64_t line) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_set_of(d, line);
  return hd_places(&m->s.tags[set * d->L2_WAYS], d->L2_WAYS, l2_tag_of(d, line)) & m->s.valid[set];
}

/* The host prefetches the rows of a set that is about to be looked up. Changes no state. */
static inline void l2_expect_set(const struct l2_slice *m, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  for (unsigned way = 0; way < d->L2_WAYS; way += 8)
    __builtin_prefetch(&m->s.tags[set * d->L2_WAYS + way]);
  for (unsigned i = 0; i < d->L2_LRU_N; i += 8)
    __builtin_prefetch(&m->s.lru[set * d->L2_LRU_N + i], 1);
  __builtin_prefetch(&m->s.valid[set]);
}

/* (i, j) = way i of the set was used after way j. */
static inline struct hd_pairs l2_recency(const struct l2_slice *m, uint64_t set) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t row = d->L2_WAY_W ? set * d->L2_LRU_N : 0; /* a single way has no recency */
  return (struct hd_pairs){m->s.lru + row, d->L2_LRU_N, d->L2_LRU_C, d->L2_WAYS};
}

/* Returns the least recently used of these ways. `ways` must not be 0. */
static inline unsigned l2_least_recent(const struct l2_slice *m, uint64_t set, uint64_t ways) {
  const struct hd_pairs recency = l2_recency(m, set);
  return hd_pairs_find(&recency, ways, false);
}

/* Keeps a copy of the written rows of a set in w_*. */
static inline void l2_keep_written(struct l2_slice *m, uint64_t set, const struct hd_pairs *recency) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (d->L2_WAY_W) {
    hd_copy(s->w_lru, recency->element, d->L2_LRU_N);
    s->lru_wr = (int64_t)set;
    s->lru_n.writes++;
  }
  s->dirty_n.writes++;
  if (!d->L2_SECTOR_FILL) {
    s->w_dirty[0] = s->dirty[set];
    return;
  }
  hd_copy(s->w_dirty, l2_dirty(m, set, 0), d->SECTORS);
  hd_copy(s->w_present, s->present + set * d->SECTORS, d->SECTORS);
  s->present_wr = (int64_t)set;
  s->present_n.writes++;
}

/* Writes the rows of the set, with this dirty bit of a way or of its sector. `touched`: the way becomes the most
 * recently used. */
static inline void l2_write_rows(struct l2_slice *m, uint64_t set, unsigned way, unsigned sector, bool dirty,
                                 bool touched) {
  const struct hd_pairs recency = l2_recency(m, set);
  if (touched)
    hd_pairs_put(&recency, way, true);
  uint64_t *bits = l2_dirty(m, set, sector);
  *bits = hd_with(*bits, way, dirty);
  m->s.dirty_wr = (int64_t)set;
  if (HD_WATCHED)
    l2_keep_written(m, set, &recency);
}

/* Gives the way to the line. Of the line's sectors only this one is present. */
static inline void l2_write_tag(struct l2_slice *m, uint64_t set, unsigned way, uint64_t line,
                                unsigned sector, bool dirty) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->w_way = way;
  s->w_tag = s->tags[set * d->L2_WAYS + way] = l2_tag_of(d, line);
  s->tags_wr = (int64_t)set;
  s->valid[set] |= hd_bit(way);
  if (HD_WATCHED)
    s->tags_n.writes++;
  for (unsigned t = 0; HD_IS(m, L2_SECTOR_FILL) && t < d->SECTORS; t++) {
    uint64_t *there = &s->present[set * d->SECTORS + t];
    *there = hd_with(*there, way, t == sector);
    *l2_dirty(m, set, t) &= ~hd_bit(way);
  }
  l2_write_rows(m, set, way, sector, dirty, true);
}

#endif
