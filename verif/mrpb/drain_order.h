/* The queue whose request `mrpb` must offer in each cycle, by the drain policy and the flush rules.
 *
 * Invariant: it depends only on the requests taken and given at the ports.
 */
#ifndef HEDDLE_VERIF_MRPB_DRAIN_ORDER_H
#define HEDDLE_VERIF_MRPB_DRAIN_ORDER_H

#include <stdbool.h>

#include "arch/config/config.h"

struct hd_drain_order;
/* Returns NULL if out of memory. */
struct hd_drain_order *hd_drain_new(const struct hd_config *c);
void hd_drain_free(struct hd_drain_order *d);

/* Returns the queue whose request must be offered in this cycle; -1 if none. */
int hd_drain_offers(const struct hd_drain_order *d);
/* Returns true if a request can be taken in this cycle. `ready`: the offered request is taken. */
bool hd_drain_takes(const struct hd_drain_order *d, bool ready);
/* The end of the cycle. `take`: a request of queue q was taken. `straight`: it enters no queue. */
void hd_drain_clock(struct hd_drain_order *d, bool ready, bool take, unsigned q, bool straight);

#endif
