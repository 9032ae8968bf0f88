/* For tests of modules that work on alone (docs/connections.md, ALONE). The struct tracks the stretch of cycles that a module skips
 * and later makes up for.
 *
 * Invariant: a stretch ends when the module gets an input, or at the cycle that its last tick named. */
#ifndef HEDDLE_TESTS_UNIT_CCWS_ALONE_RIG_H
#define HEDDLE_TESTS_UNIT_CCWS_ALONE_RIG_H

#include "cmodel/model/models.h"

/* All fields are 0 at first: the module ticks in cycle 0. */
struct alone {
  uint64_t since, until,
      longest; /* first cycle of the stretch; cycle of the next tick; length of the longest stretch in cycles */
};

/* Returns true if the module skips cycle `cycle` and makes up for it later. */
static inline bool alone_passes(const struct alone *a, bool told, uint64_t cycle) {
  return !told && cycle < a->until;
}

/* Call it when the module ticks in `cycle`. Returns the number of skipped cycles that it has to make up for first. */
static inline uint64_t alone_ends(struct alone *a, uint64_t cycle) {
  const uint64_t passed = cycle - a->since;
  a->longest = passed > a->longest ? passed : a->longest;
  return passed;
}

/* Call it after the module has ticked in `cycle` and returned `ahead`. */
static inline void alone_begins(struct alone *a, uint64_t cycle, uint64_t ahead) {
  a->since = cycle + 1;
  a->until = ahead & HD_ALONE ? a->since + (ahead & (HD_ALONE - 1)) : ahead ? a->since : UINT64_MAX;
}

#endif
