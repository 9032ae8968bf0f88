/* The run of a whole GPU and its statistics; see sim.h and docs/gpu.md.
 *
 * SMs are run apart, in windows. Each goes as far as it can without news of the others, because what passes between them takes time
 * (cmodel/memory/memsys.h, cmodel/sm/grid.h). So an SM's state stays in the host's cache. What can change nothing is not run at all
 * (cmodel/step/lazy.h).
 *
 * Invariant: the figures are those of running every cycle of everything in step. */
#include "cmodel/gpu/sim.h"

#include <stdlib.h>
#include <time.h>

#include "cmodel/gpu/gpu.h"
#include "cmodel/model/counts.h"

enum {
  LOOK = 1 << 14,     /* cycles between looks at the clock and at the progress */
  DEADLOCK = 1000000, /* cycles without progress */
};

static uint64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void add_core(const struct hd_core *core, struct hd_sim_result *r) {
  hd_add_counts(&r->sm, hd_sm_stats(core->sm), sizeof r->sm);
  hd_add_counts(&r->classes, hd_missclass_counts(core->classes), sizeof r->classes);
  hd_add_counts(r->evicted_uses, core->evicted_uses, sizeof r->evicted_uses);
  r->hits_after_hits += core->hits_after_hits;

  const uint64_t *ev = core->m->u_l1d->base.ev;
  r->hits += ev[EV_l1d_load_hit];
  r->hit_reserved += ev[EV_l1d_load_merge];
  r->misses += ev[EV_l1d_load_miss];
  r->bypasses += ev[EV_l1d_bypass] + ev[EV_l1d_uncached];
  r->stores += ev[EV_l1d_store] + ev[EV_l1d_atomic];
  r->evictions += ev[EV_l1d_evict];
  r->store_evicts += ev[EV_l1d_store_evict];
  r->fail_line_alloc += ev[EV_l1d_fail_line_alloc];
  r->fail_mshr += ev[EV_l1d_fail_mshr];
  r->fail_mshr_merge += ev[EV_l1d_fail_mshr_merge];
  r->fail_miss_queue += ev[EV_l1d_fail_miss_queue];
  r->fail_bypass_slots += ev[EV_l1d_fail_bypass_slots];
}

/* Returns the figures up to now, without the time. */
static struct hd_sim_result collect(const struct hd_sim_job *job, struct hd_gpu *gpu) {
  struct hd_sim_result result = {.sms = gpu->cores}, *const r = &result;
  hd_gpu_catch_up(gpu);
  for (unsigned i = 0; i < gpu->cores; i++) {
    if (!job->no_skip)
      hd_lazy_settle(&gpu->core[i].lazy);
    add_core(&gpu->core[i], r);
    if (!gpu->memsys)
      hd_add_counts(&r->memory, hd_memory_stats(gpu->memory[i]), sizeof r->memory);
  }
  hd_figures_count(gpu, &r->figures);
  if (gpu->memsys) {
    r->memsys = *hd_memsys_stats(gpu->memsys);
    r->memory = (struct hd_memory_stats){r->memsys.reads, r->memsys.writes, r->memsys.read_bytes,
                                         r->memsys.write_bytes};
  }
  /* these two are not sums */
  r->sm.launches = hd_grid_launches(gpu->grid);
  r->sm.cycles = hd_grid_done(gpu->grid) ? hd_grid_cycles(gpu->grid) : gpu->now;
  r->loads = r->hits + r->hit_reserved + r->misses + r->bypasses;
  r->accesses = r->loads + r->stores;
  r->ipc = r->sm.cycles ? (double)r->sm.instructions / (double)r->sm.cycles : 0;
  r->resident_warps = hd_per((double)r->sm.warp_cycles, (double)r->sm.cycles * r->sms);
  r->ready_while_stalled =
      hd_per((double)r->sm.ready_in_fails, (double)(r->fail_line_alloc + r->fail_mshr + r->fail_mshr_merge +
                                                    r->fail_miss_queue + r->fail_bypass_slots));
  r->miss_rate = r->loads ? (double)(r->misses + r->bypasses + r->hit_reserved) / (double)r->loads : 0;
  r->miss_rate_gpgpusim =
      r->accesses ? (double)(r->misses + r->bypasses + r->stores) / (double)r->accesses : 0;
  return result;
}

/* The last looks at a run. `reported`: when progress was reported. */
struct run_look {
  uint64_t reported, looked; /* milliseconds; cycle */
  /* Work done at the last look; the cycle of the look that last found more of it. */
  uint64_t work, work_at;
};

static bool look(const struct hd_sim_job *job, const struct hd_gpu *gpu, struct run_look *at,
                 enum hd_sim_end *end) {
  at->looked = gpu->now;
  const struct hd_gpu_counts counts = hd_gpu_count(gpu);
  if (counts.work != at->work) {
    at->work = counts.work;
    at->work_at = gpu->now;
  }
  if (gpu->now - at->work_at > DEADLOCK)
    *end = HD_SIM_DEADLOCK;
  if (hd_gpu_no_memory(gpu) || hd_gpu_error(gpu))
    return false;
  if (!job->progress || milliseconds() - at->reported < job->progress_ms)
    return *end == HD_SIM_ENDED;
  at->reported = milliseconds();
  const struct hd_sim_progress progress = {gpu->now, hd_grid_launches(gpu->grid), counts.instructions,
                                           hd_grid_ended_ctas(gpu->grid), hd_grid_launch(gpu->grid)->ctas};
  if (!job->progress(job->user, &progress))
    *end = HD_SIM_CANCELLED;
  return *end == HD_SIM_ENDED;
}

/* Returns how far the SMs are run at a time. The figures of the memory system are those of the last window's end; so with a memory system
 * the windows stay as they are. */
static uint64_t window(const struct hd_sim_job *job, const struct hd_gpu *gpu) {
  uint64_t cycles = hd_gpu_window(gpu->c);
  if (job->sampling.one_in && hd_sampling_window(&job->sampling) < cycles)
    cycles = hd_sampling_window(&job->sampling);
  return job->so_far && !gpu->memsys && job->interval < cycles ? job->interval : cycles;
}

static enum hd_rc run(const struct hd_sim_job *job, struct hd_gpu *gpu, struct hd_sampling *sampling,
                      enum hd_sim_end *end, struct hd_why *why) {
  const uint64_t limit = job->max_cycles ? job->max_cycles : UINT64_MAX, cycles = window(job, gpu);
  uint64_t due = job->so_far ? job->interval : UINT64_MAX;
  struct run_look at = {.reported = milliseconds()};
  bool goes_on = true;
  while (goes_on && !hd_grid_done(gpu->grid)) {
    if (gpu->now >= limit) {
      *end = HD_SIM_LIMIT;
      break;
    }
    hd_gpu_run(gpu, limit - gpu->now < cycles ? limit : gpu->now + cycles);
    hd_gpu_settle(gpu);
    if (sampling && !hd_sampling_step(sampling)) {
      *end = HD_SIM_NO_MEMORY;
      break;
    }
    if (gpu->now >= due && gpu->now < limit && !hd_grid_done(gpu->grid)) {
      const struct hd_sim_result result = collect(job, gpu);
      job->so_far(job->user, &result);
      due = gpu->now - gpu->now % job->interval + job->interval;
    }
    if (gpu->now - at.looked >= LOOK)
      goes_on = look(job, gpu, &at, end);
  }
  const char *error = hd_gpu_error(gpu);
  if (*end == HD_SIM_NO_MEMORY || hd_gpu_no_memory(gpu))
    *end = HD_SIM_NO_MEMORY;
  else if (error)
    *end = HD_SIM_WORKLOAD;
  switch (*end) {
  case HD_SIM_NO_MEMORY:
    return hd_because(why, HD_TOOL, "out of memory");
  case HD_SIM_WORKLOAD:
    return hd_because(why, HD_INPUT, "%s", error);
  case HD_SIM_LIMIT:
    return hd_because(why, HD_CHECK, "the limit of %llu cycles is reached",
                      (unsigned long long)job->max_cycles);
  case HD_SIM_DEADLOCK:
    return hd_because(why, HD_CHECK, "deadlock: nothing has happened since about cycle %llu",
                      (unsigned long long)at.work_at);
  case HD_SIM_CANCELLED:
    return hd_because(why, HD_CHECK, "cancelled in cycle %llu", (unsigned long long)gpu->now);
  default:
    return HD_OK;
  }
}

/* Sets the estimates for the whole workload, in place of what was simulated. */
static void estimate(struct hd_sampling *sampling, struct hd_sim_result *r) {
  r->sampling = hd_sampling_end(sampling);
  r->sm.cycles = (uint64_t)(r->sampling.cycles + 0.5);
  r->sm.instructions = r->sampling.simulated + r->sampling.passed;
  r->ipc = hd_per((double)r->sm.instructions, r->sampling.cycles);
}

enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  struct hd_gpu gpu;
  *result = (struct hd_sim_result){0};
  enum hd_rc rc = hd_gpu_open(&gpu, job->design, job->source, job->no_skip, why);
  if (rc == HD_OK && job->accesses.access)
    hd_gpu_set_accesses(&gpu, &job->accesses);
  if (rc == HD_OK && job->spans.span)
    gpu.spans = &job->spans;
  if (rc == HD_OK && !job->accesses.access && !job->spans.span)
    gpu.threads = job->threads;
  gpu.share_always = rc == HD_OK && job->share_always;
  if (rc == HD_OK && !hd_gpu_cores(&gpu, 0))
    rc = hd_because(why, HD_TOOL, "out of memory");
  struct hd_sampling *sampling = NULL;
  if (rc == HD_OK && job->sampling.one_in && !(sampling = hd_sampling_new(&job->sampling, &gpu)))
    rc = hd_because(why, HD_TOOL, "out of memory");
  if (rc != HD_OK) {
    result->end = rc == HD_TOOL ? HD_SIM_NO_MEMORY : HD_SIM_WORKLOAD;
  } else {
    enum hd_sim_end ended = HD_SIM_ENDED;
    rc = run(job, &gpu, sampling, &ended, why);
    *result = collect(job, &gpu);
    if (sampling)
      estimate(sampling, result);
    result->end = ended;
    if (job->so_far)
      job->so_far(job->user, result);
    for (unsigned i = 0; i < gpu.cores && job->finish; i++)
      job->finish(job->user, gpu.core[i].m);
  }
  hd_sampling_free(sampling);
  hd_gpu_close(&gpu);
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  return rc;
}
