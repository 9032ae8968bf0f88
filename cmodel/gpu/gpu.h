/* A GPU in its parts: dispatcher, SMs, what is behind their memory ports; and how they are run apart, in windows (docs/gpu.md). Who
 * wants something else in an SM's place (verif/gpu/env_gpu.c) runs that one himself.
 *
 * Invariant: between two windows all SMs have been run up to cycle `now`; what happens does not depend on the number of threads.
 */
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
  struct hd_memory **memory;              /* of each SM, if there is no memsys */
  struct hd_shared_rft *rft;              /* or NULL */
  struct hd_sm **sm;                      /* of every SM; the caller's too */
  const struct hd_access_watch *accesses; /* or NULL */
  const struct hd_span_watch *spans;      /* or NULL; set before hd_gpu_cores, and it must stay */
  unsigned
      threads; /* that run it; 0 is 1; set before hd_gpu_cores. More than one: neither `accesses` nor `spans` */
  bool share_always; /* see hd_team_share_always; set before hd_gpu_cores */
  struct hd_team *team;
  struct hd_core *core;
  unsigned first, cores; /* cores from `first` to `cores` are opened; SMs before are the caller's */
  uint64_t now;
  uint64_t until, memsys_until; /* of the tasks that run */
};

/* All but the SMs. hd_gpu_close in any case. */
enum hd_rc hd_gpu_open(struct hd_gpu *gpu, const struct hd_design *design, struct wl_source *source,
                       bool no_skip, struct hd_why *why);
/* Before hd_gpu_cores: `accesses`, which must stay, hears of the requests that L1Ds and L2 decide. */
void hd_gpu_set_accesses(struct hd_gpu *gpu, const struct hd_access_watch *accesses);
/* The SMs from `first` on; the caller has made the others, and noted them in `sm`. The GPU must stay where it is. False: out of
 * memory. */
bool hd_gpu_cores(struct hd_gpu *gpu, unsigned first);
void hd_gpu_close(struct hd_gpu *gpu);

/* How far the SMs are run at a time. */
uint64_t hd_gpu_window(const struct hd_config *c);
/* A window, up to cycle `until`: the memory system, up to icnt.latency beyond its begin or more, and all SMs that are not the
 * caller's. */
void hd_gpu_run(struct hd_gpu *gpu, uint64_t until);
/* Before figures are asked for: the memory system is up to where the SMs are, or beyond, the same with any number of threads. */
void hd_gpu_catch_up(struct hd_gpu *gpu);
/* After each hd_gpu_run, when all SMs are there, the caller's too: the dispatcher of a GPU of several SMs hands out the CTAs that have
 * been asked for meanwhile. Without it no CTA begins. */
void hd_gpu_settle(struct hd_gpu *gpu);

/* What all SMs have done up to now: instructions issued, requests answered, of these loads, and what hd_sm_stats has of their latency;
 * and a measure of everything they do, which stands still if nothing happens. */
struct hd_gpu_counts {
  uint64_t cycle, instructions, requests, loads, load_latency, work;
};
struct hd_gpu_counts hd_gpu_count(const struct hd_gpu *gpu);
/* NULL, or what is wrong with the workload. */
const char *hd_gpu_error(const struct hd_gpu *gpu);
/* Memory has run out: the run is not what it should be. */
bool hd_gpu_no_memory(const struct hd_gpu *gpu);

#endif
