/* A fully associative L1D (l1d.set_index: full): all its lines are one set. Its state is that of the sets of any other L1D, which
 * are rows of the one; d_set and f_set are the row that the request or the fill has to do with. Spec: docs/mechanisms/l1d.md,
 * D-L1-23; part of the model in cmodel/l1d/l1d.c, called in a machine with ONE_SET alone.
 *
 * Invariant: of two lines the one with the smaller `used` was used longer ago. */
#ifndef HEDDLE_CMODEL_L1D_L1D_ONE_SET_H
#define HEDDLE_CMODEL_L1D_L1D_ONE_SET_H

#include "cmodel/model/models.h"

/* The row that has the line, valid or reserved; else that of the way which would give way to it: of the empty ones the lowest, else
 * of those that are not reserved the one used longest ago. All are reserved: row 0. */
uint64_t l1d_row_of(const struct l1d *m, uint64_t line);

/* The way of the row is used. */
void l1d_use(struct l1d *m, uint64_t set, unsigned way);

/* Of these ways of the row, some, the one used longest ago. */
unsigned l1d_unused_longest(const struct l1d *m, uint64_t set, uint64_t ways);

#endif
