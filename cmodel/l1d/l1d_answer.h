/* How lines come into the L1D, and answers to the SM: replacement, the response register, the memory's answers in f.
 * Spec: docs/mechanisms/l1d.md; part of the model in cmodel/l1d/l1d.c.
 *
 * Invariant: a line is written to `data` only by its fill, and is valid only from then on. */
#ifndef HEDDLE_CMODEL_L1D_L1D_ANSWER_H
#define HEDDLE_CMODEL_L1D_L1D_ANSWER_H

#include "cmodel/l1d/l1d_prefetch.h"
#include "cmodel/l1d/l1d_sets.h"

/* Gives a way of the line's set to the line, for the load of warp `wid` (WARPS: for a prefetch): it is not valid
 * afterwards. */
void l1d_replace(struct l1d *m, uint64_t set, unsigned way, uint64_t line, uint64_t wid);

/* The response register must be free. */
void l1d_respond(struct l1d *m, struct resp r, bool fill);

/* The cycle in which a fill enters the cache. */
void l1d_fill(struct l1d *m);

/* f's answer goes, or one of the loads of its fill is answered. */
void l1d_answer(struct l1d *m);

void l1d_take_answer(struct l1d *m, const struct l1d_in *in);

#endif
