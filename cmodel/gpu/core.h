/* One SM with its memory path and the classification of its misses, for performance runs. Code that runs several SMs (cmodel/gpu/sim.c)
 * holds one hd_core for each.
 *
 * Invariant: all figures are the same whether it runs lazily or cycle by cycle. */
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
  struct hd_port *port; /* the SM's memory port; the core frees it */
  /* The memory system sets it when it has news for this port; NULL: there is no such flag. */
  bool *news;
  struct hd_rft_port *rft; /* the port to a table that SMs share, or NULL */
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct hd_lazy lazy;
  struct hd_log log;
  struct hd_missclass *classes;
  uint64_t *held;                 /* the line that was filled last into each way of each set */
  uint32_t *uses;                 /* loads that have used that line, with the load that brought it */
  uint32_t *merged;               /* loads that have merged into each MSHR */
  uint64_t evicted_uses[HD_USES]; /* replaced lines, by their uses */
  bool was_hit;                   /* the load that was decided last was a hit */
  uint64_t hits_after_hits;
  uint64_t now;                           /* cycles run, if not lazily */
  bool skips;                             /* it runs lazily */
  unsigned number;                        /* of the SM */
  const struct hd_access_watch *accesses; /* hears of the requests of its L1D; or NULL */
  struct hd_spans *spans;                 /* or NULL */
  const char *kernel;                     /* name of the launch that runs */
  uint32_t launch, warps_per_cta;
  uint64_t warp[64 /* sm.warps */]; /* in each warp slot, as hd_missclass_warp numbers them */
};

/* Opens the next SM of the grid. `port` is its memory; the core owns it, also if this fails. `rft` is its port to a shared
 * reuse-frequency table, or NULL. `spans` hears of its spans, or is NULL. The core must stay where it is. Returns false if memory has run
 * out; hd_core_close must still be called. */
bool hd_core_open(struct hd_core *core, const struct hd_design *design, struct hd_grid *grid,
                  struct hd_port *port, struct hd_rft_port *rft, const struct hd_span_watch *spans);
void hd_core_close(struct hd_core *core);
/* True if memory has run out: the run's results are then wrong. */
bool hd_core_no_memory(const struct hd_core *core);

/* Runs up to cycle `until`, or to the end of the workload. `no_skip`: runs cycle by cycle. */
void hd_core_run(struct hd_core *core, uint64_t until, bool no_skip);

#endif
