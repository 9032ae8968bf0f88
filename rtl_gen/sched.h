/* What all warp schedulers have in common, as Verilog: rtl_gen/sched.c puts it, rtl_gen/laws.c uses it too.
 *
 * Invariant: between hd_sched_put_mine and hd_sched_put_picked the text is inside scheduler s of a generate loop,
 * and finds the warps of s that are ready as `mine`, by their places, and the place issued last as `last`.
 */
#ifndef HEDDLE_RTL_GEN_SCHED_H
#define HEDDLE_RTL_GEN_SCHED_H

#include "rtl_gen/emit.h"

/* Opens the loop; the module has the genvars s, m, b and the localparam OWN_W. */
void hd_sched_put_mine(FILE *f);
/* `at`: the pick of lrr, alone among the places. */
void hd_sched_put_lrr(FILE *f, const char *at);
/* Closes it, with the place that is picked and whether there is one, as expressions. */
void hd_sched_put_picked(FILE *f, const char *place, const char *valid);

#endif
