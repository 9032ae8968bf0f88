/* A GPU that runs a workload: the golden model as performance model. There are gpu.sms SMs, each with its memory path. Behind them is a
 * link and a latency for each (memory.kind: link), or interconnect, L2 and DRAM for all (l2).
 *
 * Invariant: the cycles counted are those of the hardware that lockstep checks, because this runs the same sm_mem model. Idle stretches
 * are skipped exactly: without skipping every figure is the same. */
#ifndef HEDDLE_CMODEL_GPU_SIM_H
#define HEDDLE_CMODEL_GPU_SIM_H

#include "cmodel/gpu/figures.h"
#include "cmodel/gpu/sampling.h"
#include "cmodel/gpu/spans.h"
#include "cmodel/l1d/missclass.h"
#include "cmodel/memory/memory.h"
#include "cmodel/memory/memsys.h"
#include "cmodel/sm/sm.h"

/* Why a run is over: its workload has ended; it reached max_cycles; a callback ended it; nothing happened for long; the workload does not
 * fit the machine; memory has run out. */
enum hd_sim_end {
  HD_SIM_ENDED,
  HD_SIM_LIMIT,
  HD_SIM_CANCELLED,
  HD_SIM_DEADLOCK,
  HD_SIM_WORKLOAD,
  HD_SIM_NO_MEMORY
};

/* Sums over all SMs, except the cycles. */
struct hd_sim_result {
  enum hd_sim_end end;
  unsigned sms;
  struct hd_sm_stats sm;
  struct hd_memory_stats memory;
  struct hd_memsys_stats memsys;    /* memory.kind: l2; else 0 */
  uint64_t accesses, loads, stores; /* L1D requests decided */
  uint64_t hits, hit_reserved, misses, bypasses, evictions, store_evicts;
  uint64_t evicted_uses[HD_USES]; /* of the evictions (Choo Figure 3.7; APCM Figure 4) */
  uint64_t hits_after_hits;       /* hits whose load before, on the same SM, was a hit too (APRES §V-C) */
  struct hd_figures figures;      /* of the mechanisms */
  struct hd_miss_classes classes;
  /* Cycles in which the request to be decided fails, by kind. */
  uint64_t fail_line_alloc, fail_mshr, fail_mshr_merge, fail_miss_queue, fail_bypass_slots;
  double ipc;            /* warp instructions per cycle, of the whole GPU */
  double resident_warps; /* in an SM, mean over all SMs and cycles */
  /* Ready warps in an SM, mean over the cycles in which its L1D fails (Choo Figure 3.9). */
  double ready_while_stalled;
  /* (misses + bypasses + hit_reserved) / loads: the loads that waited for a line. */
  double miss_rate;
  double miss_rate_gpgpusim; /* (misses + bypasses + stores) / accesses, as that simulator prints it */
  double seconds;            /* wall time of the run */
  /* With job->sampling: sm.cycles, sm.instructions and ipc are estimates for the whole workload. All else is of what was simulated. */
  struct hd_sampling_result sampling;
};

/* How far a run has come. `ended`, `ctas`: CTAs of the launch that runs. */
struct hd_sim_progress {
  uint64_t cycles, launches, instructions; /* of warps */
  uint32_t ended, ctas;
};

struct hd_sim_job {
  const struct hd_design *design;
  struct wl_source *source; /* stays the caller's; it is run to its end */
  uint64_t max_cycles;      /* 0: no limit. A run that reaches it returns HD_CHECK. */
  bool no_skip;             /* every cycle is simulated */
  unsigned threads;  /* the most threads that run it; 0 means 1. With `accesses` or `spans` it is always 1. */
  bool share_always; /* threads share every round, without measuring whether that is faster; for tests */
  /* Called at most every progress_ms milliseconds. If it returns false, the run ends with HD_CHECK. May be NULL. */
  bool (*progress)(void *user, const struct hd_sim_progress *at);
  unsigned progress_ms;
  /* Hears of the requests that L1Ds and L2 decide. `access` may be NULL; else the run is slower. */
  struct hd_access_watch accesses;
  struct hd_span_watch spans; /* `span` may be NULL; else the run is slower */
  /* For a machine whose L2 does not sleep; without accesses, spans and so_far. */
  struct hd_sampling_options sampling;
  /* Called with the result so far at the end of the first window after each `interval` cycles, and at the run's end. If memory.kind is
   * link, no window is longer than `interval`; with l2, windows are short anyway. May be NULL. */
  void (*so_far)(void *user, const struct hd_sim_result *result);
  uint64_t interval; /* >= 1 */
  /* Called for each SM at the end; its event counts are in hd_model.ev. May be NULL. */
  void (*finish)(void *user, const struct sm_mem *m);
  void *user;
};

/* Returns HD_INPUT if the workload does not fit the machine. Returns HD_CHECK if max_cycles was reached, a callback ended the run, or
 * there was no progress for a million cycles (a deadlock: a bug). Returns HD_TOOL if memory has run out. */
enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why);

#endif
