/* A GPU on a workload: the golden model as performance model. gpu.sms SMs, each with its memory path, and what is behind:
 * a link and a latency each (memory.kind: link), or interconnect, L2 and DRAM together (l2).
 *
 * Invariant: the cycles counted are those of the hardware that lockstep checks: this runs the same sm_mem
 * model. Idle stretches are skipped exactly; with skipping off every figure is the same.
 */
#ifndef HEDDLE_CMODEL_GPU_SIM_H
#define HEDDLE_CMODEL_GPU_SIM_H

#include "cmodel/gpu/figures.h"
#include "cmodel/gpu/sampling.h"
#include "cmodel/gpu/spans.h"
#include "cmodel/l1d/missclass.h"
#include "cmodel/memory/memory.h"
#include "cmodel/memory/memsys.h"
#include "cmodel/sm/sm.h"

/* Why a run is over: its workload is; it had so many cycles; a callback wanted it; nothing happened for long; the workload does not
 * fit the machine; memory ran out. */
enum hd_sim_end {
  HD_SIM_ENDED,
  HD_SIM_LIMIT,
  HD_SIM_CANCELLED,
  HD_SIM_DEADLOCK,
  HD_SIM_WORKLOAD,
  HD_SIM_NO_MEMORY
};

/* All SMs added up, but the cycles. */
struct hd_sim_result {
  enum hd_sim_end end;
  unsigned sms;
  struct hd_sm_stats sm;
  struct hd_memory_stats memory;
  struct hd_memsys_stats memsys;    /* memory.kind: l2; else 0 */
  uint64_t accesses, loads, stores; /* L1D requests decided */
  uint64_t hits, hit_reserved, misses, bypasses, evictions, store_evicts;
  uint64_t evicted_uses[HD_USES]; /* of the evictions (Choo Figure 3.7; APCM Figure 4) */
  uint64_t hits_after_hits;       /* hits of an SM behind a hit of it (APRES §V-C) */
  struct hd_figures figures;      /* of the mechanisms */
  struct hd_miss_classes classes;
  /* cycles in which the request decided fails, by kind */
  uint64_t fail_line_alloc, fail_mshr, fail_mshr_merge, fail_miss_queue, fail_bypass_slots;
  double ipc;            /* warp instructions per cycle, of the whole GPU */
  double resident_warps; /* of an SM, mean over all SMs and cycles */
  double
      ready_while_stalled; /* warps that are ready, of an SM, mean over cycles in which its L1D fails (Choo Figure 3.9) */
  double miss_rate;          /* (misses + bypasses + hit_reserved) / loads: those that waited for a line */
  double miss_rate_gpgpusim; /* (misses + bypasses + stores) / accesses: what that simulator prints */
  double seconds;            /* wall time of the run */
  /* With job->sampling: sm.cycles, sm.instructions and ipc are estimates for the whole workload, all else is of what was simulated. */
  struct hd_sampling_result sampling;
};

/* How far a run has come: of the launch that runs, CTAs that have ended. */
struct hd_sim_progress {
  uint64_t cycles, launches, instructions; /* of warps */
  uint32_t ended, ctas;
};

struct hd_sim_job {
  const struct hd_design *design;
  struct wl_source *source; /* stays the caller's; run to its end */
  uint64_t max_cycles;      /* 0 = no limit; reaching it is HD_CHECK */
  bool no_skip;             /* every cycle is simulated */
  unsigned
      threads; /* that run it, at most; 0 is 1, and so is any number if `accesses` or `spans` is looked at */
  bool share_always; /* threads: without measuring whether it is faster, for tests */
  /* At most every progress_ms; false: the run is to end, which is HD_CHECK. May be NULL. */
  bool (*progress)(void *user, const struct hd_sim_progress *at);
  unsigned progress_ms;
  struct hd_access_watch
      accesses; /* of the requests that L1Ds and L2 decide; `access` may be NULL, else it costs time */
  struct hd_span_watch spans; /* `span` may be NULL, else it costs time */
  struct hd_sampling_options
      sampling; /* of a machine whose L2 does not sleep; without accesses, spans, so_far */
  /* At the end of the first window after each `interval` cycles, and at the run's end: the result up to there. Windows are no
   * longer than `interval` if memory.kind is link; with l2 they are short. May be NULL. */
  void (*so_far)(void *user, const struct hd_sim_result *result);
  uint64_t interval; /* >= 1 */
  /* Each SM at the end, with its event counts (hd_model.ev); may be NULL. */
  void (*finish)(void *user, const struct sm_mem *m);
  void *user;
};

/* HD_INPUT: the workload does not fit the machine. HD_CHECK: max_cycles reached, cancelled, or no progress for a million
 * cycles (a deadlock: a bug). HD_TOOL: out of memory. */
enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why);

#endif
