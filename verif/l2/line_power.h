/* Counts and power of an L2 slice's lines, by what the slice tells (docs/mechanisms/hooks.md, SLEEP): for who checks an
 * attachment that keeps them, and for who stands in for it.
 *
 * Invariant: `awake` is the number of bits in `power`.
 */
#ifndef HEDDLE_VERIF_L2_LINE_POWER_H
#define HEDDLE_VERIF_L2_LINE_POWER_H

#include "arch/declaration/modules.h"

struct hd_line_power {
  unsigned ways;
  uint64_t most; /* that a count can say */
  uint64_t
      *count; /* of each line; all 0 at first, and nothing is meant by it before its first wake or kept tag */
  uint64_t *power; /* of each set: bit w = way w is powered; none at first */
  uint64_t awake;
};

/* False: out of memory; what is there is freed by hd_line_power_free. */
bool hd_line_power_init(struct hd_line_power *g, const struct hd_derived *d);
void hd_line_power_free(struct hd_line_power *g);

/* Of the ways of a set. */
uint64_t *hd_line_power_counts(const struct hd_line_power *g, uint64_t set);

/* `act` is done to the set's way `at`, a bit; with HD_ACT_NONE there is none. */
void hd_line_power_act(struct hd_line_power *g, uint64_t act, uint64_t set, uint64_t at);

#endif
