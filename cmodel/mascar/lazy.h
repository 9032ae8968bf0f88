/* MASCAR as it runs lazily.
 *
 * While the memory is saturated, most loads that are tried lack something, and go round through the re-execution queue and the L1D
 * until a line comes: half of all cycles on PolyBench's gesummv. Nobody else takes part in such cycles, and what they do is
 * done here, several at a time.
 *
 * Invariant: all registers are, after cycles that were passed, as if they had been run; _wr and counts of accesses aside, at which
 * nobody looks. Of `waiting_0` to `waiting_3` what counts alone: whether their sum says that the memory is saturated. */
#ifndef HEDDLE_CMODEL_MASCAR_LAZY_H
#define HEDDLE_CMODEL_MASCAR_LAZY_H

#include <stdbool.h>

#include "cmodel/model/models.h"

/* What MASCAR hears of the L1D says something else of saturation than what it heard last (NOTICES row of arch/mascar/wires.def). */
bool mascar_notices(const struct sm_mem *m);

/* Loads may be passed on this machine: nothing else is told of those that are tried. */
bool reexec_may_pass(const struct sm_mem *m);

/* Up to `most` cycles in which loads are tried in vain and nothing else happens: so many were passed, or 0. The next is one in which
 * of all ports only those between queue and L1D meet. */
uint64_t reexec_pass(struct sm_mem *m, uint64_t most);

#endif
