/* What the SM says of a memory instruction beside the ports (hd_sm_sectors): part of the SM's environment (cmodel/sm/issue.c), for what
 * is behind the memory port.
 *
 * Invariant: requests are numbered as the coalescer does it: one for each line, in the order of the lanes. */
#ifndef HEDDLE_CMODEL_SM_SECTORS_H
#define HEDDLE_CMODEL_SM_SECTORS_H

#include "arch/config/config.h"
#include "workloads/stream.h"

/* Of each request of a load or a store, to `sectors`. */
void sm_sectors(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors);

#endif
