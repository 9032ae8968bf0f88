/* A GPU: dispatcher, SMs, and what is behind their memory ports. This file makes the parts and runs them apart, in windows (docs/gpu.md).
 * A caller that wants something else in an SM's place (verif/gpu/env_gpu.c) runs that SM itself.
 *
 * Invariant: between two windows all SMs have been run up to cycle `now`. What happens does not depend on the number of threads. */
#ifndef HEDDLE_CMODEL_GPU_GPU_H
#define HEDDLE_CMODEL_GPU_GPU_H

#include "cmodel/gpu/core.h"
#include "cmodel/gpu/team.h"
#include "cmodel/memory/memory.h"
#include "cmodel/memory/memsys.h"

struct hd_gpu {
  const struct hd_design *design;
  const struct hd_config *c;
  bool no_skip; /* every cycle of everything is run */
  struct hd_grid *grid;
  struct hd_memsys *memsys;               /* or NULL */
  struct hd_memory **memory;              /* of each SM, if memsys is NULL */
  struct hd_shared_rft *rft;              /* or NULL */
  struct hd_sm **sm;                      /* of every SM, also those that the caller runs */
  const struct hd_access_watch *accesses; /* or NULL */
  const struct hd_span_watch *spans;      /* or NULL; must be set before hd_gpu_cores, and must stay */
  /* Threads that run it; 0 means 1. Set before hd_gpu_cores. With more than one, `accesses` and `spans` must be NULL. */
  unsigned threads;
  bool share_always; /* see hd_team_share_always; set before hd_gpu_cores */
  struct hd_team *team;
  struct hd_core *core;
  unsigned first, cores; /* cores from `first` to `cores` are open; the SMs before `first` are the caller's */
  uint64_t now;
  uint64_t until, memsys_until; /* the cycles up to which the current tasks run */
};

/* Makes everything but the SMs. The caller must call hd_gpu_close in any case. */
enum hd_rc hd_gpu_open(struct hd_gpu *gpu, const struct hd_design *design, struct wl_source *source,
                       bool no_skip, struct hd_why *why);
/* Call it before hd_gpu_cores. `accesses`, which must stay, hears of the requests that L1Ds and L2 decide. */
void hd_gpu_set_accesses(struct hd_gpu *gpu, const struct hd_access_watch *accesses);
/* Makes the SMs from `first` on. The caller has made the others, and stored them in `sm`. The GPU must stay where it is. Returns false if
 * memory has run out. */
bool hd_gpu_cores(struct hd_gpu *gpu, unsigned first);
void hd_gpu_close(struct hd_gpu *gpu);

/* The longest window: how many cycles the SMs may be run at a time. */
uint64_t hd_gpu_window(const struct hd_config *c);
/* Runs a window, up to cycle `until`: all SMs that are not the caller's, and the memory system up to icnt.latency cycles after the
 * window's start, or further. */
void hd_gpu_run(struct hd_gpu *gpu, uint64_t until);
/* Call it before figures are read. It runs the memory system to where the SMs are, or beyond; how far does not depend on the number of
 * threads. */
void hd_gpu_catch_up(struct hd_gpu *gpu);
/* Call it after each hd_gpu_run, when all SMs are there, the caller's too. If the GPU has several SMs, the dispatcher hands out the CTAs
 * that have been asked for meanwhile. Without this call no CTA begins. */
void hd_gpu_settle(struct hd_gpu *gpu);

/* What all SMs have done up to now: instructions issued, requests answered, loads among these, and the sum of their latencies
 * (hd_sm_stats). `work` measures everything that they do; it stays the same if nothing happens. */
struct hd_gpu_counts {
  uint64_t cycle, instructions, requests, loads, load_latency, work;
};
struct hd_gpu_counts hd_gpu_count(const struct hd_gpu *gpu);
/* Returns NULL, or what is wrong with the workload. */
const char *hd_gpu_error(const struct hd_gpu *gpu);
/* True if memory has run out: the run's results are then wrong. */
bool hd_gpu_no_memory(const struct hd_gpu *gpu);

#endif
