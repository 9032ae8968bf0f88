/* Where a line goes in an L2 slice, and the rows of its set: tags, recency, dirty bits. Spec: docs/mechanisms/l2.md; part
 * of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: what a set's macros read in the cycle before a decision, or w_* where they were written in that cycle, is
 * what they hold in the decision; so a decision looks at the macros themselves, and w_* is kept for its own sake.
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

/* Sectors that a line of the slice has bits of its own for: one, where lines come whole. */
static inline unsigned l2_sectors(const struct l2_slice *m) {
  return HD_IS(m, L2_SECTOR_FILL) ? m->base.c->d.SECTORS : 1;
}
/* Of a request, by what it asks for; 0 where lines come whole. */
static inline unsigned l2_sector_of(const struct l2_slice *m, uint64_t sectors) {
  return HD_IS(m, L2_SECTOR_FILL) ? hd_lowest(sectors) : 0;
}
/* The dirty bits of the ways of a set: of one sector, or of the lines. */
static inline uint64_t *l2_dirty(const struct l2_slice *m, uint64_t set, unsigned sector) {
  return m->s.dirty + (HD_IS(m, L2_SECTOR_FILL) ? set * m->base.c->d.SECTORS + sector : set);
}
/* The ways whose lines have some. */
static inline uint64_t l2_any_dirty(const struct l2_slice *m, uint64_t set) {
  uint64_t any = 0;
  for (unsigned t = 0; t < l2_sectors(m); t++)
    any |= *l2_dirty(m, set, t);
  return any;
}
/* The lowest sector of a dirty line that is dirty. */
static inline unsigned l2_first_dirty(const struct l2_slice *m, uint64_t set, unsigned way) {
  unsigned t = 0;
  while (t + 1 < l2_sectors(m) && !hd_has(*l2_dirty(m, set, t), way))
    t++;
  return t;
}
/* Row of the data macro. */
static inline uint64_t l2_row_of(const struct l2_slice *m, uint64_t set, unsigned way, unsigned sector) {
  return (set * m->base.c->d.L2_WAYS + way) * l2_sectors(m) + sector;
}

/* The way that has the line, as a set of one; or none. */
static inline uint64_t l2_match(const struct l2_slice *m, uint64_t line) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_set_of(d, line);
  return hd_places(&m->s.tags[set * d->L2_WAYS], d->L2_WAYS, l2_tag_of(d, line)) & m->s.valid[set];
}

/* The set is about to be looked at: its rows are fetched to the host's processor. Changes nothing. */
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
  const uint64_t row = d->L2_WAY_W ? set * d->L2_LRU_N : 0; /* a single way has none */
  return (struct hd_pairs){m->s.lru + row, d->L2_LRU_N, d->L2_LRU_C, d->L2_WAYS};
}

/* The one of these ways, which are some, that was used last the longest time ago. */
static inline unsigned l2_least_recent(const struct l2_slice *m, uint64_t set, uint64_t ways) {
  const struct hd_pairs recency = l2_recency(m, set);
  return hd_pairs_find(&recency, ways, false);
}

/* What was written of a set is kept beside. */
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

/* The rows of the set are written, with this dirty bit of a way, or of its sector; it becomes the way used last if it is touched. */
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

/* The way is the line's from now on; of its sectors this one is there. */
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
