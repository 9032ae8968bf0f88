/* What gate_ctrl shows of its counts, for who wires it. Spec: docs/mechanisms/loscache.md.
 *
 * Invariant: nothing here changes anything; all of it follows from the registers. */
#ifndef HEDDLE_CMODEL_LOSCACHE_GATE_PORTS_H
#define HEDDLE_CMODEL_LOSCACHE_GATE_PORTS_H

#include "cmodel/model/models.h"

/* The counts of the set that was looked up last. */
const uint64_t *gate_ctrl_row(const struct gate_ctrl *m);

#endif
