/* A pass of CCWS over its list of warps: the step for the next warp in order, and many steps at a time. Spec:
 * docs/mechanisms/ccws.md; part of the model in cmodel/ccws/ccws_score.c.
 *
 * Invariant: many steps at a time leave the pass's registers as the same number of single steps does.
 *
 * Inlined: measured in cmodel/ccws/ccws_score_cycle.h. */
#ifndef HEDDLE_CMODEL_CCWS_PASS_H
#define HEDDLE_CMODEL_CCWS_PASS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* What the warps before, in a pass, leave of the cutoff. */
struct rest {
  uint64_t left;
  bool first, beyond;
};

/* Returns true if the next warp in order may load. `here`: the warp is present. `within`: the bits of the cutoff. */
static inline bool pass_may_load(struct rest *rest, bool here, uint64_t score, uint64_t within) {
  if (!here)
    return true;
  const bool fits = !rest->beyond && score <= rest->left, allow = fits || rest->first;
  rest->first = false;
  if (rest->beyond)
    return allow;
  rest->left = (rest->left - score) & within;
  rest->beyond = !fits;
  return allow;
}

/* Returns the warp's score after a pass. */
static inline uint64_t pass_fallen(bool here, uint64_t score, uint64_t base, uint64_t pass) {
  return !here || score < base + pass ? base : score - pass;
}

/* True if another pass must follow because of this warp. */
static inline bool pass_follows(bool here, bool allow, uint64_t score, uint64_t base) {
  return here & (score != base || !allow);
}

/* Writes row `at` of the list, and returns the value of list_wr. Only a flipped bit makes a row that the list does
 * not have; such a write is lost (-1). */
static inline int64_t pass_put(struct ccws_score *m, uint64_t at, uint64_t entry) {
  if (at >= m->base.c->d.WARPS)
    return -1;
  m->s.list[at] = entry;
  return (int64_t)at;
}

/* Returns the row of the running pass up to which `allowed` stays the same if no warp starts or ends. Returns PASS if
 * it stays to the end. Returns the present row if this is not known, because there is no list yet, or after a fault. */
uint64_t ccws_pass_stays(const struct ccws_score *m);

/* Runs `steps` steps of the running pass, one or more up to its end, in which `allowed` stays the same. The list must
 * have been made. */
void ccws_pass_on(struct ccws_score *m, unsigned steps);

#endif
