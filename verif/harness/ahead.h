/* A lockstep run on two threads: the golden model and its environment run ahead of the RTL, which follows and is compared.
 *
 * Neither hangs on the RTL from one reset to the next, so they need not wait for it. What a cycle changes in ports, registers and
 * memory rows of the model is handed over in batches of cycles, and made again in a copy beside the RTL, which is what the RTL is
 * compared with. Resets, the search for deadlocks, the end, and every HD_SWEEP cycles the compare of whole memories, which are the
 * model's own, are one thread's, when both are in the same cycle.
 * Invariant: an equal run ends as hd_run_go ends it, with the same counts. Of any other this says only that it is one: hd_run_go says
 * what it is, in a run of its own.
 */
#ifndef HEDDLE_VERIF_HARNESS_AHEAD_H
#define HEDDLE_VERIF_HARNESS_AHEAD_H

#include "verif/harness/run.h"

/* Whether a run that is open can be run so: its job has two threads, and nothing looks into it from outside, cycle by cycle. */
bool hd_ahead_fits(const struct hd_run *run);
/* In place of hd_run_go with no window. False: something was found, in run->cycle or near it. Without a second thread it is
 * hd_run_go. */
bool hd_ahead_go(struct hd_run *run);

#endif
