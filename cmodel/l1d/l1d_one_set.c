/* A fully associative L1D; see l1d_one_set.h. */
#include "cmodel/l1d/l1d_one_set.h"

#include "cmodel/model/bits.h"

void l1d_use(struct l1d *m, uint64_t set, unsigned way) {
  m->s.used[set * m->base.c->d.WAYS + way] = ++m->s.uses;
}

unsigned l1d_unused_longest(const struct l1d *m, uint64_t set, uint64_t ways) {
  const uint64_t *used = &m->s.used[set * m->base.c->d.WAYS];
  unsigned oldest = hd_lowest(ways);
  for (; ways; ways &= ways - 1)
    oldest = used[hd_lowest(ways)] < used[oldest] ? hd_lowest(ways) : oldest;
  return oldest;
}

uint64_t l1d_row_of(const struct l1d *m, uint64_t line) {
  const struct l1d_st *s = &m->s;
  const unsigned rows = m->base.c->d.SETS, ways = m->base.c->d.WAYS;
  const uint64_t all = hd_ones(ways);
  uint64_t row = 0, oldest = UINT64_MAX;
  for (uint64_t r = 0; r < rows; r++)
    if (hd_places(&s->tags[r * ways], ways, line) & (s->valid[r] | s->reserved[r]))
      return r;
  for (uint64_t r = 0; r < rows; r++)
    if ((s->valid[r] | s->reserved[r]) != all)
      return r;
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t may = all & ~s->reserved[r];
    const uint64_t used = may ? s->used[r * ways + l1d_unused_longest(m, r, may)] : UINT64_MAX;
    row = used < oldest ? r : row;
    oldest = used < oldest ? used : oldest;
  }
  return row;
}
