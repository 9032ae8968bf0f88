/* What a store writes of its lines, for the interconnect: it would see it in the byte mask, which the performance model leaves out.
 * Part of the SM's environment (cmodel/sm/sm_issue.h).
 *
 * Invariant: requests are numbered as the coalescer does it: one for each line (with sm.coalesce: sectors for each sector), in the
 * order of the lanes. */
#ifndef HEDDLE_CMODEL_SM_STORE_BYTES_H
#define HEDDLE_CMODEL_SM_STORE_BYTES_H

#include "arch/config/config.h"
#include "cmodel/memory/memsys.h"
#include "workloads/stream.h"

/* Of each request of a store or an atomic, to `of`, which has room for WL_LANES. An atomic, which reads its line, writes none whole. */
void sm_find_store_bytes(const struct hd_config *c, const struct wl_inst *i, struct hd_store_bytes *of);

#endif
