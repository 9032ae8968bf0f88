/* A lockstep run on two threads: the golden model and its environment run ahead; the RTL follows and is compared.
 *
 * Between two resets the model and the environment do not depend on the RTL, so they need not wait for it. The model's thread hands
 * over the changes of ports, registers and memory rows in batches of cycles. The RTL's thread applies them to a copy, and compares the
 * RTL with that copy. Four things happen on one thread, when both sides are in the same cycle: resets, the search for deadlocks, the
 * end of the run, and the compare of whole memories every HD_SWEEP cycles. That compare uses the model's own memories.
 * Invariant: a run that finds no difference ends as hd_run_go ends it, with the same counts. Of any other run this file says only that
 * something was found: hd_run_go, in a run of its own, says what.
 */
#ifndef HEDDLE_VERIF_HARNESS_AHEAD_H
#define HEDDLE_VERIF_HARNESS_AHEAD_H

#include "verif/harness/run.h"

/* Returns true if an open run can use two threads: its job allows two, and nothing observes the run cycle by cycle. */
bool hd_ahead_fits(const struct hd_run *run);
/* Replaces hd_run_go without a window. Returns false if something was found, in run->cycle or near it. If no second thread can be
 * started it calls hd_run_go. */
bool hd_ahead_go(struct hd_run *run);

#endif
