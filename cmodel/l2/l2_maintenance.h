/* Maintenance commands of an L2 slice: all lines are written back, or invalidated, or both. Spec: docs/mechanisms/l2.md,
 * "Maintenance"; part of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: while sets are walked nothing else is inside the slice, but what leaves at rsp and out. */
#ifndef HEDDLE_CMODEL_L2_L2_MAINTENANCE_H
#define HEDDLE_CMODEL_L2_L2_MAINTENANCE_H

#include "cmodel/l2/ports.h"

/* What a command waits for, as of the start of the cycle. */
struct l2_maintenance {
  bool at_rest, room, has_left;
};
struct l2_maintenance l2_maintenance_due(const struct l2_slice *m);

/* The way that the command puts to sleep in this cycle, as a set of one; or none. `on`: the ways of the set that hold their
 * lines. */
uint64_t l2_maintenance_sleeps(const struct l2_slice *m, uint64_t on);

/* A cycle of the command, or one is taken. */
void l2_maintain(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_maintenance *due);

#endif
