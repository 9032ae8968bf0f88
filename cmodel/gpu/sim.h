/* A GPU on a workload: the golden model as performance model. gpu.sms SMs, each with its memory path, and what is behind:
 * a link and a latency each (memory.kind: link), or interconnect, L2 and DRAM together (l2).
 *
 * Invariant: the cycles counted are those of the hardware that lockstep checks: this runs the same sm_mem
 * model. Idle stretches are skipped exactly; with skipping off every figure is the same.
 */
#ifndef HEDDLE_CMODEL_GPU_SIM_H
#define HEDDLE_CMODEL_GPU_SIM_H

#include "cmodel/memory/memory.h"
#include "cmodel/memory/memsys.h"
#include "cmodel/sm/sm.h"

/* Loads that missed (allocated, or bypassed), by why and by who took the line away (Choo §3.2.1); the classes
 * are defined in docs/sm.md. compulsory + capacity + conflict = misses + bypasses, and intra_warp + cross_warp
 * + cross_block + write_evict + prefetch = capacity + conflict. */
struct hd_miss_classes {
  uint64_t compulsory, capacity, conflict;
  uint64_t intra_warp, cross_warp, cross_block, write_evict, prefetch;
  uint64_t prefetch_early; /* loads that asked for a line which had been prefetched and evicted unused */
};

/* What became of prefetches (docs/mechanisms/sap.md). taken = hit + merged + no_room + flushed + sent, those in the L1D's
 * pipeline at the end aside; sent = useful + late + lost + dead + what is unused in the cache or in flight at the end. */
struct hd_prefetch_stats {
  uint64_t events, dropped_events;        /* loads the prefetcher learnt from; and could not queue */
  uint64_t taken;                         /* by the L1D */
  uint64_t hit, merged, no_room, flushed; /* dropped there */
  uint64_t sent;                          /* to the memory */
  uint64_t useful, late;                  /* a load hit the line; merged while it was in flight */
  uint64_t lost, dead;                    /* evicted, freed or flushed unused; did not stay when they came */
  uint64_t early;                         /* of lost: a load asked for the line afterwards */
};

/* Loads that CASC, the reuse-frequency table or BypassAll had bypass, and what became of them (docs/mechanisms/casc.md, rft.md). */
struct hd_selective_stats {
  uint64_t bypassed, hits, merges; /* to bypass: did; hit all the same; merged into a line in flight */
  /* by locality degree: an empty way, a better line, bypassed (which `bypassed` has not), no way to give */
  uint64_t degree_room, degree_better, degree_bypass, degree_full;
  uint64_t resampled;
  uint64_t updates, updates_lost; /* of the reuse-frequency table */
};

/* MemSched (docs/mechanisms/memsched.md). */
struct hd_memsched_stats {
  uint64_t served, again;          /* loads; times that one was given back */
  uint64_t probe_hits, probe_cans; /* sent because it hit; because it could be sent as a miss */
  uint64_t overtakes;              /* sent before an earlier one of its group */
};

/* APCM (docs/mechanisms/apcm.md). */
struct hd_apcm_stats {
  uint64_t tracked;                 /* loads that got an id, once a kernel and SM */
  uint64_t untracked;               /* executions of loads without one */
  uint64_t streaming, intra, inter; /* times that a pattern became known */
  uint64_t bypassed;                /* requests, by pattern */
  uint64_t lines, stuck;            /* brought to be protected; requests that found no way and bypassed */
  uint64_t held, by_load, by_loop, by_exit; /* warps that began to protect; and what ended that */
};

/* LoSCache's prediction tables (docs/mechanisms/loscache.md); what the slices did is in hd_memsys_stats. */
struct hd_prediction_stats {
  uint64_t phases, by_accesses, by_cta; /* begun; ended by enough accesses, by the end of the predictor CTA */
  uint64_t entries, full;               /* given; executions of the predictor that found none */
  uint64_t queries, answers, gone;      /* sent; answered with a count, with 0 */
  uint64_t early, early_most;           /* predictions that grew; that had grown all they may */
};

/* All SMs added up, but the cycles. */
struct hd_sim_result {
  unsigned sms;
  struct hd_sm_stats sm;
  struct hd_memory_stats memory;
  struct hd_memsys_stats memsys;    /* memory.kind: l2; else 0 */
  uint64_t accesses, loads, stores; /* L1D requests decided */
  uint64_t hits, hit_reserved, misses, bypasses, evictions, store_evicts;
  uint64_t
      evictions_unused; /* of lines that no load has used, but for the one that brought them (Choo Figure 3.7) */
  uint64_t hits_after_hits; /* hits of an SM behind a hit of it (APRES §V-C) */
  struct hd_prefetch_stats prefetch;
  struct hd_selective_stats selective;
  struct hd_memsched_stats memsched;
  struct hd_apcm_stats apcm;
  struct hd_prediction_stats prediction;
  struct hd_miss_classes classes;
  /* cycles in which the request decided fails, by kind */
  uint64_t fail_line_alloc, fail_mshr, fail_mshr_merge, fail_miss_queue, fail_bypass_slots;
  double ipc;                /* warp instructions per cycle, of the whole GPU */
  double miss_rate;          /* (misses + bypasses + hit_reserved) / loads: those that waited for a line */
  double miss_rate_gpgpusim; /* (misses + bypasses + stores) / accesses: what that simulator prints */
  double seconds;            /* wall time of the run */
};

struct hd_sim_job {
  const struct hd_design *design;
  struct wl_source *source; /* stays the caller's; run to its end */
  uint64_t max_cycles;      /* 0 = no limit; reaching it is HD_CHECK */
  bool no_skip;             /* every cycle is simulated */
  void (*progress)(void *user, uint64_t cycles,
                   uint64_t instructions); /* about 10 times a second; may be NULL */
  /* Each SM at the end, with its event counts (hd_model.ev); may be NULL. */
  void (*finish)(void *user, const struct sm_mem *m);
  void *user;
};

/* HD_INPUT: the workload does not fit the machine. HD_CHECK: max_cycles reached, or no progress for a million
 * cycles (a deadlock: a bug). */
enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why);

#endif
