/* Which lines a store writes as a whole, for the slices of an L2 that powers lines off: the interconnect would see it in the byte mask,
 * which the performance model leaves out. Part of the SM's environment (cmodel/sm/issue.c).
 *
 * Invariant: requests are numbered as the coalescer does it: one for each line, in the order of the lanes. */
#ifndef HEDDLE_CMODEL_SM_FULL_STORES_H
#define HEDDLE_CMODEL_SM_FULL_STORES_H

#include "arch/config/config.h"
#include "workloads/stream.h"

/* Of each request of a store or an atomic, to `full`: 1 if it writes every byte of its line; an atomic, which reads it: 0. */
void sm_find_full(const struct hd_config *c, const struct wl_inst *i, uint8_t *full);

#endif
