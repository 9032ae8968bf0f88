/* What CASC's model keeps beside its registers of the load that is gathered (casc_cycle.h).
 *
 * Inlined: measured in cmodel/casc/casc_cycle.h. */
#ifndef HEDDLE_CMODEL_CASC_GATHER_H
#define HEDDLE_CMODEL_CASC_GATHER_H

#include "cmodel/model/models.h"

/* In `memo`: of the sets that are the same modulo CASC_CLASSES, the request that came last + 1, or 0; of each request likewise the one
 * of its class before it; and the number that comes next, as long as they come in order. */
enum { CASC_CLASSES = 32, CASC_NO_ORDER = 255 };
struct casc_memo {
  uint8_t last[CASC_CLASSES], before[HD_MOST(sm, lanes)], next;
};
_Static_assert(sizeof(struct casc_memo) <= sizeof((struct casc *)0)->base.memo, "");

static inline struct casc_memo *casc_memo(struct casc *m) {
  return (struct casc_memo *)m->base.memo;
}

/* Request j of the load goes to this set, too; not all before it have come in order. */
void casc_count_any(struct casc *m, uint64_t set, unsigned j);

#endif
