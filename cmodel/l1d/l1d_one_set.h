/* A fully associative L1D (l1d.set_index: full): all its lines are one set. The state is stored as the SETS sets of
 * any other L1D; each is a row of the one set. d_set and f_set are the row of the request's or the fill's line. Spec:
 * docs/mechanisms/l1d.md, D-L1-23; part of the model in cmodel/l1d/l1d.c, called only in a machine with ONE_SET.
 *
 * Invariant: of two lines the one with the smaller `used` was used longer ago. */
#ifndef HEDDLE_CMODEL_L1D_L1D_ONE_SET_H
#define HEDDLE_CMODEL_L1D_L1D_ONE_SET_H

#include "cmodel/model/models.h"

/* Returns the row that has the line, valid or reserved. If no row has it: the row of its victim, which is the lowest
 * empty way, else the least recently used way that is not reserved. Returns row 0 if all ways are reserved. */
uint64_t l1d_row_of(const struct l1d *m, uint64_t line);

/* Marks the way of the row as used now. */
void l1d_use(struct l1d *m, uint64_t set, unsigned way);

/* Returns the least recently used of these ways of the row. `ways` must not be 0. */
unsigned l1d_unused_longest(const struct l1d *m, uint64_t set, uint64_t ways);

#endif
