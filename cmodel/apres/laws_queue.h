/* The scheduling queue of LAWS, an order of each scheduler's warps, in either of its forms. Spec:
 * docs/mechanisms/laws.md; part of the model in cmodel/apres/laws.c.
 *
 * Invariant: whatever the registers hold, nothing outside them is touched, and the warp found is one of
 * those asked for. */
#ifndef HEDDLE_CMODEL_APRES_LAWS_QUEUE_H
#define HEDDLE_CMODEL_APRES_LAWS_QUEUE_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { LAWS_NOBODY = 64 };

/* The one of `warps`, of one scheduler and not empty, that is nearest to the head. LAWS_NOBODY: a list that has lost a warp, to
 * a fault. */
unsigned laws_first(const struct laws *m, uint64_t warps);

/* All warps of the set come before all others, each part in the order it had; or behind them. */
void laws_to_head(struct laws *m, uint64_t set);
void laws_to_tail(struct laws *m, uint64_t set);

#endif
