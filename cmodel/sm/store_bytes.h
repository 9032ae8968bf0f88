/* The bytes that a store writes in each of its lines, for the interconnect. Hardware would see them in the byte mask, which the
 * performance model leaves out. This is part of the SM's environment (cmodel/sm/sm_issue.h).
 *
 * Invariant: requests are numbered as in the coalescer: one for each line (with sm.coalesce: sectors, one for each sector), in the order
 * of the lanes. */
#ifndef HEDDLE_CMODEL_SM_STORE_BYTES_H
#define HEDDLE_CMODEL_SM_STORE_BYTES_H

#include "arch/config/config.h"
#include "cmodel/memory/memsys.h"
#include "workloads/stream.h"

/* Sets `of`, which has room for WL_LANES, for each request of a store or an atomic. An atomic reads its line, so it is never `full`. */
void sm_find_store_bytes(const struct hd_config *c, const struct wl_inst *i, struct hd_store_bytes *of);

#endif
