/* Inside the behaviour of laws: the two forms of the scheduling queue, rtl_gen/apres/laws_queue.c.
 *
 * Invariant: both forms find `up` of rtl_gen/apres/laws.c, the warps that go before all others in this cycle (all or
 * none: no move); with SAP the target at the ports goes before even these. The list moves once for all schedulers,
 * the matrix in each.
 */
#ifndef HEDDLE_RTL_GEN_APRES_LAWS_H
#define HEDDLE_RTL_GEN_APRES_LAWS_H

#include "rtl_gen/emit/emit.h"

/* Functions of the module. */
void hd_laws_put_queue_functions(FILE *f, const struct hd_config *c);
/* What the queue has for all schedulers: the list and its moves; the target of the matrix. */
void hd_laws_put_queue(FILE *f, const struct hd_config *c);
/* Inside scheduler s: the matrix and its moves. */
void hd_laws_put_order(FILE *f, const struct hd_config *c);
/* There too: what the queue picks from a set of rtl_gen/sm/sched.h. Returns the place picked, as an expression over that and
 * the set's `lrr_at`. */
const char *hd_laws_put_pick(FILE *f, const struct hd_config *c, unsigned set);

#endif
