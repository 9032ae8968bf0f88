/* Inside MemSched's behaviour: what rtl_gen/memsched/memsched.c takes from memsched_queues.c.
 *
 * Invariant: the order in which memsched.c calls the parts declares every wire before it is used.
 */
#ifndef HEDDLE_RTL_GEN_MEMSCHED_MEMSCHED_H
#define HEDDLE_RTL_GEN_MEMSCHED_MEMSCHED_H

#include "rtl_gen/emit/emit.h"

/* Each puts its items of the module. */
void hd_memsched_put_look(FILE *f, const struct hd_config *c);   /* what can be said of each queue */
void hd_memsched_put_input(FILE *f, const struct hd_config *c);  /* requests come in */
void hd_memsched_put_fifo(FILE *f, const struct hd_config *c);   /* where they stand behind the heads */
void hd_memsched_put_queues(FILE *f, const struct hd_config *c); /* heads, counts */
void hd_memsched_put_output(FILE *f, const struct hd_config *c); /* requests leave */

#endif
