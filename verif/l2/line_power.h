/* Counts and power of an L2 slice's lines, by the slice's `act` port (docs/mechanisms/hooks.md, SLEEP). An environment uses it to check an
 * attachment that keeps them, or to replace such an attachment.
 *
 * Invariant: `awake` is the number of bits that are 1 in `power`.
 */
#ifndef HEDDLE_VERIF_L2_LINE_POWER_H
#define HEDDLE_VERIF_L2_LINE_POWER_H

#include "arch/declaration/modules.h"

struct hd_line_power {
  unsigned ways;
  uint64_t most;   /* the largest count */
  uint64_t *count; /* for each line; 0 at first; it means nothing before the line's first wake or kept tag */
  uint64_t *power; /* for each set: bit w = way w is powered; 0 at first */
  uint64_t awake;
};

/* Returns false if out of memory. Call hd_line_power_free in any case. */
bool hd_line_power_init(struct hd_line_power *g, const struct hd_derived *d);
void hd_line_power_free(struct hd_line_power *g);

/* Returns the counts of the ways of a set. */
uint64_t *hd_line_power_counts(const struct hd_line_power *g, uint64_t set);

/* Applies `act` to a way of the set; `at` is a mask with the way's bit. HD_ACT_NONE has no way. */
void hd_line_power_act(struct hd_line_power *g, uint64_t act, uint64_t set, uint64_t at);

#endif
