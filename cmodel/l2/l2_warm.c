/* See l2_warm.h. Invariant: a line is valid in at most one way, and a way that waits for its line is not taken. */
#include "cmodel/l2/l2_warm.h"

#include "cmodel/l2/l2_decide.h"

void l2_warm(struct l2_slice *m, uint64_t line, unsigned sector, bool store) {
  struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_set_of(d, line);
  uint64_t match = l2_match(m, line);
  if (!match) {
    const uint64_t empty = hd_ones(d->L2_WAYS) & ~s->valid[set];
    const uint64_t may = empty ? empty & -empty : hd_ones(d->L2_WAYS) & ~l2_busy(m, set);
    if (!may)
      return;
    const unsigned way = l2_least_recent(m, set, may);
    match = hd_bit(way);
    s->tags[set * d->L2_WAYS + way] = l2_tag_of(d, line);
    s->valid[set] |= match;
    for (unsigned t = 0; t < l2_sectors(m); t++)
      *l2_dirty(m, set, t) &= ~match;
    for (unsigned t = 0; d->L2_SECTOR_FILL && t < d->SECTORS; t++)
      s->present[set * d->SECTORS + t] &= ~match;
  }
  if (d->L2_SECTOR_FILL)
    s->present[set * d->SECTORS + sector] |= match;
  const struct hd_pairs recency = l2_recency(m, set);
  hd_pairs_put(&recency, hd_lowest(match), true);
  if (store)
    *l2_dirty(m, set, sector) |= match;
}
