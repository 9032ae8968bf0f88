/* The joining rule (docs/mechanisms/hooks.md): the possible outcomes of a load; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_JOINING_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_JOINING_H

#include "verif/l1d/l1d_checker_state.h"

/* The outcomes of a load; a set of them is a mask. */
enum load_outcome {
  SERVED = 1,
  FORWARDED = 2,
  MERGED = 4,
  MISSED = 8,
  PASSED = 16, /* it bypasses without a hit */
  LEFT = 32    /* it is given back */
};

/* Returns true if the load is told to bypass, and not to be kept (*early* in the joining rule). */
bool hd_l1d_is_early(const struct l1d_env *e, const struct req *r, const struct moment *m);

/* Returns the possible outcomes of a load with the hooks' answers in *m; 0: it waits. A load without room in the miss queue or without a
 * bypass slot may be given back. This function does not know whether there is room, so it allows both. */
unsigned hd_l1d_may_become(const struct l1d_env *e, const struct trial *t, const struct view *v,
                           const struct moment *m, uint64_t pins);

/* Checks the victim `at`; it must be one of the ways `free`. `some`: ways that may be pinned; `all`: ways that surely are. Returns NULL, or
 * the error. */
const char *hd_l1d_check_victim(const struct l1d_env *e, unsigned set, const struct view *v, uint64_t at,
                                uint64_t free, uint64_t some, uint64_t all);
/* Checks outcome_evict for the victim's line. Returns NULL, or the error. */
const char *hd_l1d_check_evict(const struct l1d_env *e, unsigned set, const struct view *v,
                               const struct l1d_out *out);

#endif
