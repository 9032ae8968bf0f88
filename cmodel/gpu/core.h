/* One SM with its memory path and what counts its misses, for performance runs; who runs several (cmodel/gpu/sim.c) holds
 * one of these for each.
 *
 * Invariant: run lazily or cycle by cycle, all figures are the same.
 */
#ifndef HEDDLE_CMODEL_GPU_CORE_H
#define HEDDLE_CMODEL_GPU_CORE_H

#include "cmodel/gpu/spans.h"
#include "cmodel/l1d/missclass.h"
#include "cmodel/lasc/shared_rft.h"
#include "cmodel/memory/access.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"
#include "cmodel/step/lazy.h"

struct hd_core {
  const struct hd_design *design;
  struct hd_sm *sm;
  struct sm_mem *m;
  struct hd_port *port;    /* its own */
  bool *news;              /* it has been told of what it will see at its port; NULL: it never is */
  struct hd_rft_port *rft; /* of a table that it shares, or NULL */
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct hd_lazy lazy;
  struct hd_log log;
  struct hd_missclass *classes;
  uint64_t *held;                 /* line that was filled last into each way of each set */
  uint32_t *uses;                 /* loads that have used it, with the one that brought it */
  uint32_t *merged;               /* loads that have merged into each MSHR */
  uint64_t evicted_uses[HD_USES]; /* lines that were replaced, by their uses */
  bool was_hit;                   /* the load decided last was a hit */
  uint64_t hits_after_hits;
  uint64_t now;                           /* cycles run, if not lazily */
  bool skips;                             /* it is run lazily */
  unsigned number;                        /* of the SM */
  const struct hd_access_watch *accesses; /* told of its L1D's requests; or NULL */
  struct hd_spans *spans;                 /* or NULL */
  const char *kernel;                     /* of the launch that runs */
  uint32_t launch, warps_per_cta;
  uint64_t warp[64 /* sm.warps */]; /* in each warp slot, as hd_missclass_warp numbers them */
};

/* The next SM of the grid, with `port` (then its own, also if this fails) as its memory, and `rft` as its end of a shared
 * reuse-frequency table, or NULL; `spans`, or NULL, hears of its spans. It must stay where it is.
 * False: out of memory; hd_core_close is still to be called. */
bool hd_core_open(struct hd_core *core, const struct hd_design *design, struct hd_grid *grid,
                  struct hd_port *port, struct hd_rft_port *rft, const struct hd_span_watch *spans);
void hd_core_close(struct hd_core *core);
/* Memory has run out: the run is not what it should be. */
bool hd_core_no_memory(const struct hd_core *core);

/* Runs up to cycle `until`, or the end of the workload; `no_skip`: cycle by cycle. */
void hd_core_run(struct hd_core *core, uint64_t until, bool no_skip);

#endif
