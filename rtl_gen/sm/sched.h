/* What all warp schedulers have in common, as Verilog: rtl_gen/sm/sched.c puts it, rtl_gen/apres/laws.c uses it too.
 *
 * Invariant: between hd_sched_put_mine and hd_sched_put_picked the text is inside scheduler s of a generate loop,
 * and finds the warps of s that are ready as `mine`, by their places, and the place issued last as `last`. With LoSCache it
 * finds those of them that are preferred as `mine_preferred`, and whether these go before the others as `boost`: then a
 * scheduler picks from both sets, by one text with either name behind its wires, and at last takes one of the picks.
 */
#ifndef HEDDLE_RTL_GEN_SM_SCHED_H
#define HEDDLE_RTL_GEN_SM_SCHED_H

#include "rtl_gen/emit/emit.h"

/* Opens the loop; the module has the genvars s, m, b and the localparam OWN_W. */
void hd_sched_put_mine(FILE *f, const struct hd_config *c);
/* What follows the names of what belongs to all that are ready, and to those that are preferred. */
extern const char *const hd_sched_sets[2];
/* `at`: the pick of lrr from one of the sets, alone among the places. */
void hd_sched_put_lrr(FILE *f, const char *at, const char *among);
/* Closes it, with the place that is picked from all (from those that are preferred; NULL without LoSCache), and whether
 * there is one, as expressions. */
void hd_sched_put_picked(FILE *f, const char *place, const char *preferred, const char *valid);

#endif
