/* Maintenance commands of an L2 slice: all lines are written back, or invalidated, or both. Spec: docs/mechanisms/l2.md,
 * "Maintenance"; part of the model in cmodel/l2/l2_cycle.h.
 *
 * Invariant: while the command walks the sets, the slice holds nothing else but what leaves at rsp and out. */
#ifndef HEDDLE_CMODEL_L2_L2_MAINTENANCE_H
#define HEDDLE_CMODEL_L2_L2_MAINTENANCE_H

#include "cmodel/l2/ports.h"

/* The conditions that a command waits for, as of the start of the cycle. */
struct l2_maintenance {
  bool at_rest, room, has_left;
};
struct l2_maintenance l2_maintenance_due(const struct l2_slice *m);

/* Returns the way that the command puts to sleep in this cycle, as a set of one; 0 if none. `on`: the ways of the set
 * that hold their lines. */
uint64_t l2_maintenance_sleeps(const struct l2_slice *m, uint64_t on);

/* Runs a cycle of the command, or takes a new command. */
void l2_maintain(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_maintenance *due);

#endif
