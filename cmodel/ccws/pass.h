/* A pass of CCWS over its list of warps: what becomes of the next in order, and many steps at a time. Spec: docs/mechanisms/ccws.md; part
 * of the model in cmodel/ccws/ccws_score.c.
 *
 * Invariant: many steps leave the registers of the pass as so many single ones do.
 *
 * Inlined: measured in cmodel/ccws/ccws_score_cycle.h. */
#ifndef HEDDLE_CMODEL_CCWS_PASS_H
#define HEDDLE_CMODEL_CCWS_PASS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* What the warps that have come so far in a pass leave of the cutoff. */
struct rest {
  uint64_t left;
  bool first, beyond;
};

/* The next warp in order, `here` if it is there: whether it may load. `within`: the bits of the cutoff. */
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

/* What a pass leaves of its score. */
static inline uint64_t pass_fallen(bool here, uint64_t score, uint64_t base, uint64_t pass) {
  return !here || score < base + pass ? base : score - pass;
}

/* Because of it another pass follows. */
static inline bool pass_follows(bool here, bool allow, uint64_t score, uint64_t base) {
  return here & (score != base || !allow);
}

/* Row `at` of the list is written: what list_wr is. A place that the list does not have comes by a flipped bit alone. */
static inline int64_t pass_put(struct ccws_score *m, uint64_t at, uint64_t entry) {
  if (at >= m->base.c->d.WARPS)
    return -1;
  m->s.list[at] = entry;
  return (int64_t)at;
}

/* Until which row of the pass that goes on `allowed` stays as it is, if nobody starts or ends; PASS: until it is over. The row that it
 * is at: not known, since there is no list yet, or after a fault. */
uint64_t ccws_pass_stays(const struct ccws_score *m);

/* `steps` of the pass that goes on, one or more up to its end, in which `allowed` stays. There is a list. */
void ccws_pass_on(struct ccws_score *m, unsigned steps);

#endif
