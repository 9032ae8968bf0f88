/* What CASC's model keeps, besides its registers, about the load that is being gathered (casc_cycle.h).
 *
 * Inlined: measured in cmodel/casc/casc_cycle.h. */
#ifndef HEDDLE_CMODEL_CASC_GATHER_H
#define HEDDLE_CMODEL_CASC_GATHER_H

#include "cmodel/model/models.h"

/* In `memo`. Sets that are equal modulo CASC_CLASSES are one class. last: for each class, the number of its last request
 * + 1, or 0. before: for each request, the same of the request before it in its class. next: the number of the next
 * request, while they come in order; CASC_NO_ORDER after that. */
enum { CASC_CLASSES = 32, CASC_NO_ORDER = 255 };
struct casc_memo {
  uint8_t last[CASC_CLASSES], before[HD_MOST(sm, lanes)], next;
};
_Static_assert(sizeof(struct casc_memo) <= sizeof((struct casc *)0)->base.memo, "");

static inline struct casc_memo *casc_memo(struct casc *m) {
  return (struct casc_memo *)m->base.memo;
}

/* Counts request j of the load, which goes to `set`, as the hardware does: whatever came before it, and with wrong bits too. */
void casc_count_any(struct casc *m, uint64_t set, unsigned j);

#endif
