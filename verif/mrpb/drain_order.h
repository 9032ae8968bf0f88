/* Which queue's request `mrpb` has to offer in a cycle: the drain policy and the flush rules, followed at the ports.
 *
 * Invariant: depends on what was taken and given alone.
 */
#ifndef HEDDLE_VERIF_MRPB_DRAIN_ORDER_H
#define HEDDLE_VERIF_MRPB_DRAIN_ORDER_H

#include <stdbool.h>

#include "arch/config/config.h"

struct hd_drain_order;
/* NULL: out of memory. */
struct hd_drain_order *hd_drain_new(const struct hd_config *c);
void hd_drain_free(struct hd_drain_order *d);

/* The queue whose request is offered in this cycle; -1: none is. */
int hd_drain_offers(const struct hd_drain_order *d);
/* A request can be taken, if the one that is offered is (`ready`). */
bool hd_drain_takes(const struct hd_drain_order *d, bool ready);
/* The end of the cycle: `take`: a request of queue q was taken, one that enters no queue or not. */
void hd_drain_clock(struct hd_drain_order *d, bool ready, bool take, unsigned q, bool straight);

#endif
