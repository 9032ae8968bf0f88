/* The joining rule (docs/mechanisms/hooks.md): what may become of a load; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_JOINING_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_JOINING_H

#include "verif/l1d/l1d_checker_state.h"

/* What may become of a load. */
enum load_outcome {
  SERVED = 1,
  FORWARDED = 2,
  MERGED = 4,
  MISSED = 8,
  PASSED = 16, /* it goes on uncached, and did not hit */
  LEFT = 32    /* it is to come again */
};

bool hd_l1d_is_early(const struct l1d_env *e, const struct req *r, const struct moment *m);

/* What may become of a load that is decided in a moment like that; 0: it waits. A load that lacks a place in the miss
 * queue or a bypass slot may leave; whether there is one is not known here. */
unsigned hd_l1d_may_become(const struct l1d_env *e, const struct trial *t, const struct view *v,
                           const struct moment *m, uint64_t pins);

/* The victim, of the ways that may give way: NULL, or what is wrong with it. `some`, `all`: those that may be pinned, and
 * those that are. */
const char *hd_l1d_check_victim(const struct l1d_env *e, unsigned set, const struct view *v, uint64_t at,
                                uint64_t free, uint64_t some, uint64_t all);
/* What is told of the line that gives way: NULL, or what is wrong with it. */
const char *hd_l1d_check_evict(const struct l1d_env *e, unsigned set, const struct view *v,
                               const struct l1d_out *out);

#endif
