/* For tests of modules that work on alone (docs/connections.md, ALONE): the stretches of cycles that one lets pass, and makes up for.
 *
 * Invariant: a stretch ends when it is told something, or where its last tick said. */
#ifndef HEDDLE_TESTS_UNIT_CCWS_ALONE_RIG_H
#define HEDDLE_TESTS_UNIT_CCWS_ALONE_RIG_H

#include "cmodel/model/models.h"

/* All 0 at first: it ticks in cycle 0. */
struct alone {
  uint64_t since, until,
      longest; /* the first cycle that has passed, the first in which it is to tick; cycles of the longest stretch */
};

/* Cycle `cycle` is to be made up for later. */
static inline bool alone_passes(const struct alone *a, bool told, uint64_t cycle) {
  return !told && cycle < a->until;
}

/* It is to tick in `cycle`: the cycles that it has to make up for before. */
static inline uint64_t alone_ends(struct alone *a, uint64_t cycle) {
  const uint64_t passed = cycle - a->since;
  a->longest = passed > a->longest ? passed : a->longest;
  return passed;
}

/* It has ticked in `cycle`, and answered `ahead`. */
static inline void alone_begins(struct alone *a, uint64_t cycle, uint64_t ahead) {
  a->since = cycle + 1;
  a->until = ahead & HD_ALONE ? a->since + (ahead & (HD_ALONE - 1)) : ahead ? a->since : UINT64_MAX;
}

#endif
