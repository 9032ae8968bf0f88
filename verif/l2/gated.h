/* Counts and power of an L2 slice's lines, by what the slice tells (docs/mechanisms/hooks.md, SLEEP): for who checks an
 * attachment that keeps them, and for who stands in for it.
 *
 * Invariant: `awake` is the number of bits in `power`.
 */
#ifndef HEDDLE_VERIF_L2_GATED_H
#define HEDDLE_VERIF_L2_GATED_H

#include "verif/harness/bits.h"

#include "arch/declaration/modules.h"

#include <stdlib.h>

struct hd_gated {
  unsigned ways;
  uint64_t most; /* that a count can say */
  uint64_t
      *count; /* of each line; all 0 at first, and nothing is meant by it before its first wake or kept tag */
  uint64_t *power; /* of each set: bit w = way w is powered; none at first */
  uint64_t awake;
};

/* False: out of memory; what is there is freed by hd_gated_free. */
static inline bool hd_gated_init(struct hd_gated *g, const struct hd_derived *d) {
  g->ways = d->L2_WAYS;
  g->most = d->L2_SLEEPS ? hd_mask(d->CNT_W) : 0;
  g->count = calloc(d->L2_LINES, sizeof *g->count);
  g->power = calloc(d->L2_SETS, sizeof *g->power);
  return g->count && g->power;
}
static inline void hd_gated_free(struct hd_gated *g) {
  free(g->count);
  free(g->power);
}

/* Of the ways of a set. */
static inline uint64_t *hd_gated_counts(const struct hd_gated *g, uint64_t set) {
  return &g->count[set * g->ways];
}

/* `act` is done to the set's way `at`, a bit; with HD_ACT_NONE there is none. */
static inline void hd_gated_act(struct hd_gated *g, uint64_t act, uint64_t set, uint64_t at) {
  if (act == HD_ACT_NONE)
    return;
  uint64_t *count = &hd_gated_counts(g, set)[__builtin_ctzll(at)], *power = &g->power[set];
  const uint64_t was = *power;
  if (act == HD_ACT_COUNT || act == HD_ACT_COUNT_SLEEP)
    *count += *count < g->most;
  else if (act == HD_ACT_WAKE || act == HD_ACT_KEEP)
    *count = 1;
  if (act == HD_ACT_WAKE)
    *power |= at;
  else if (act >= HD_ACT_KEEP)
    *power &= ~at;
  g->awake = g->awake + (*power > was) - (*power < was);
}

#endif
