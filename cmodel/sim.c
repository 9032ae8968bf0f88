/* The simulation loop and its statistics; see sim.h.
 *
 * What can change nothing is not run (cmodel/lazy.h). Misses are classified from the L1D's events.
 *
 * Invariant: the figures are those of running every cycle.
 */
#include "cmodel/sim.h"

#include <stdlib.h>
#include <time.h>

#include "cmodel/lazy.h"
#include "cmodel/missclass.h"
#include "cmodel/models.h"

enum {
  LOOK = 1 << 14,     /* cycles run between looks at the clock and at the progress */
  DEADLOCK = 1000000, /* cycles without progress */
  MAX_WARPS = 64,     /* sm.warps */
  PROGRESS_MS = 100,
};

struct sim {
  const struct hd_sim_job *job;
  const struct hd_config *c;
  struct hd_log log;
  struct sm_mem *m;
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct hd_sm *sm;
  struct hd_memory *memory;
  struct hd_lazy lazy;
  struct hd_missclass *classes;
  uint64_t *held; /* line that was filled last into each way of each set */
  uint32_t launch, warps_per_cta;
  uint64_t warp[MAX_WARPS]; /* in each warp slot, as hd_missclass_warp numbers them */
};

static void on_launch(void *ctx, const struct wl_launch *launch, unsigned n) {
  struct sim *sim = ctx;
  sim->launch = n;
  sim->warps_per_cta = launch->warps_per_cta;
}

static void on_cta(void *ctx, unsigned slot, uint32_t cta) {
  struct sim *sim = ctx;
  for (uint32_t w = 0; w < sim->warps_per_cta; w++)
    sim->warp[slot * sim->warps_per_cta + w] = hd_missclass_warp(sim->launch, cta, w);
}

/* The L1D's events; a request's warp is there until it is answered. The old line's `evict` comes before the
 * `fill` that takes its place. */
static void on_event(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]) {
  (void)m;
  struct sim *sim = ctx;
  const unsigned ways = sim->c->d.WAYS;
  switch (event) {
  case EV_l1d_load_hit:
  case EV_l1d_load_merge:
    hd_missclass_load(sim->classes, arg[1], sim->warp[arg[0]], false);
    break;
  case EV_l1d_load_miss:
  case EV_l1d_bypass:
    hd_missclass_load(sim->classes, arg[1], sim->warp[arg[0]], true);
    break;
  case EV_l1d_evict:
    hd_missclass_replaced(sim->classes, sim->held[arg[0] * ways + arg[1]], sim->warp[arg[3]]);
    break;
  case EV_l1d_fill:
    sim->held[arg[2] * ways + arg[3]] = arg[1];
    break;
  case EV_l1d_store:
    hd_missclass_store(sim->classes, arg[1]);
    break;
  case EV_l1d_store_evict:
  case EV_l1d_store_dead:
    hd_missclass_written(sim->classes, arg[0]);
    break;
  default:
    break;
  }
}

enum {
  HEARD = 1 << EV_l1d_load_hit | 1 << EV_l1d_load_merge | 1 << EV_l1d_load_miss | 1 << EV_l1d_bypass |
          1 << EV_l1d_evict | 1 << EV_l1d_fill | 1 << EV_l1d_store | 1 << EV_l1d_store_evict |
          1 << EV_l1d_store_dead
};

static void close_sim(struct sim *sim) {
  const struct hd_decl *d = hd_design_find(sim->job->design, "sm_mem");
  hd_sm_free(sim->sm);
  hd_memory_free(sim->memory);
  hd_missclass_free(sim->classes);
  hd_model_free(sim->m);
  hd_free_in(d, &sim->in);
  hd_free_out(d, &sim->out);
  free(sim->held);
}

static enum hd_rc open_sim(struct sim *sim, struct hd_why *why) {
  const struct hd_sim_job *job = sim->job;
  const struct hd_decl *d = hd_design_find(job->design, "sm_mem");
  sim->c = job->design->c;
  sim->memory = hd_memory_new(sim->c, &(struct hd_memory_options){0});
  sim->classes = hd_missclass_new(sim->c->d.SETS * sim->c->d.WAYS);
  sim->held = calloc(sim->c->d.SETS * sim->c->d.WAYS, sizeof *sim->held);
  sim->m = hd_model_new(job->design, "sm_mem", false, NULL);
  if (!sim->memory || !sim->classes || !sim->held || !sim->m || !hd_alloc_in(d, &sim->in) ||
      !hd_alloc_out(d, &sim->out))
    return hd_because(why, HD_TOOL, "out of memory");
  sim->log.hook = on_event;
  sim->log.ctx = sim;
  sim->m->u_l1d->base.log = &sim->log;
  sim->m->u_l1d->base.heard = HEARD; /* nobody else's events are */
  const struct hd_sm_watch watch = {.ctx = sim, .launch = on_launch, .cta_start = on_cta};
  const enum hd_rc rc = hd_sm_new(sim->c, job->source, &(struct hd_sm_options){0}, &watch, &sim->sm, why);
  if (rc == HD_OK)
    hd_lazy_init(&sim->lazy, sim->m, sim->sm, sim->memory, &sim->in, &sim->out);
  return rc;
}

static void cycle(struct sim *sim) {
  struct sm_mem_in *in = &sim->in;
  struct sm_mem_out *out = &sim->out;
  sm_mem_moore(sim->m, out);
  hd_sm_drive(sim->sm, out, in);
  hd_memory_drive(sim->memory, out, in);
  sm_mem_mealy(sim->m, in, out);
  hd_sm_clock(sim->sm, in, out);
  hd_memory_clock(sim->memory, in, out);
  sm_mem_tick(sim->m, in);
  sim->lazy.now++;
}

static uint64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static enum hd_rc run(struct sim *sim, struct hd_why *why) {
  const struct hd_sim_job *job = sim->job;
  const struct hd_sm_stats *sm = hd_sm_stats(sim->sm);
  const uint64_t limit = job->max_cycles ? job->max_cycles : UINT64_MAX, *now = &sim->lazy.now;
  uint64_t told = milliseconds(), work = 0, work_at = 0;
  while (!hd_sm_done(sim->sm)) {
    if (*now >= limit)
      return hd_because(why, HD_CHECK, "the limit of %llu cycles is reached",
                        (unsigned long long)job->max_cycles);
    bool alive = true;
    if (!job->no_skip)
      alive = hd_lazy_run(&sim->lazy, limit, LOOK);
    else
      for (unsigned i = 0; i < LOOK && *now < limit && !hd_sm_done(sim->sm); i++)
        cycle(sim);
    if (sm->instructions + sm->load_requests != work) {
      work = sm->instructions + sm->load_requests;
      work_at = *now;
    }
    if (!alive || *now - work_at > DEADLOCK)
      return hd_because(why, HD_CHECK, "deadlock: nothing has happened since about cycle %llu",
                        (unsigned long long)work_at);
    if (job->progress && milliseconds() - told >= PROGRESS_MS) {
      told = milliseconds();
      job->progress(job->user, *now, sm->instructions);
    }
  }
  const char *error = hd_sm_error(sim->sm);
  return error ? hd_because(why, HD_INPUT, "%s", error) : HD_OK;
}

static void collect(const struct sim *sim, struct hd_sim_result *r) {
  const uint64_t *ev = sim->m->u_l1d->base.ev;
  r->sm = *hd_sm_stats(sim->sm);
  r->memory = *hd_memory_stats(sim->memory);
  r->hits = ev[EV_l1d_load_hit];
  r->hit_reserved = ev[EV_l1d_load_merge];
  r->misses = ev[EV_l1d_load_miss];
  r->bypasses = ev[EV_l1d_bypass];
  r->loads = r->hits + r->hit_reserved + r->misses + r->bypasses;
  r->stores = ev[EV_l1d_store];
  r->accesses = r->loads + r->stores;
  r->evictions = ev[EV_l1d_evict];
  r->store_evicts = ev[EV_l1d_store_evict];
  r->classes = *hd_missclass_counts(sim->classes);
  r->fail_line_alloc = ev[EV_l1d_fail_line_alloc];
  r->fail_mshr = ev[EV_l1d_fail_mshr];
  r->fail_mshr_merge = ev[EV_l1d_fail_mshr_merge];
  r->fail_miss_queue = ev[EV_l1d_fail_miss_queue];
  r->fail_bypass_slots = ev[EV_l1d_fail_bypass_slots];
  r->ipc = r->sm.cycles ? (double)r->sm.instructions / (double)r->sm.cycles : 0;
  r->miss_rate = r->loads ? (double)(r->misses + r->bypasses + r->hit_reserved) / (double)r->loads : 0;
}

enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  struct sim sim = {.job = job};
  *result = (struct hd_sim_result){0};
  enum hd_rc rc = open_sim(&sim, why);
  if (rc == HD_OK) {
    rc = run(&sim, why);
    if (!job->no_skip)
      hd_lazy_settle(&sim.lazy);
    collect(&sim, result);
    if (job->finish)
      job->finish(job->user, sim.m);
  }
  close_sim(&sim);
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  return rc;
}
