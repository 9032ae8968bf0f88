/* The run of a whole GPU and its statistics; see sim.h and docs/gpu.md.
 *
 * SMs are run apart, in turns, each as far as it can go without knowing of the others: what passes between them takes
 * time (cmodel/memsys.h, cmodel/grid.h). That keeps an SM's state in the host's cache, and what can change nothing is not
 * run at all (cmodel/lazy.h).
 *
 * Invariant: the figures are those of running every cycle of everything in step.
 */
#include "cmodel/sim.h"

#include <stdlib.h>
#include <time.h>

#include "cmodel/core.h"

enum {
  LOOK = 1 << 14,     /* cycles, of an SM alone, between looks at the clock and at the progress */
  DEADLOCK = 1000000, /* cycles without progress */
  PROGRESS_MS = 100,
};

struct sim {
  const struct hd_sim_job *job;
  const struct hd_config *c;
  struct hd_grid *grid;
  struct hd_memsys *memsys;  /* or NULL */
  struct hd_memory **memory; /* of each SM, if there is no memsys */
  struct hd_shared_rft *rft; /* or NULL */
  struct hd_core *core;
  unsigned cores; /* opened */
  uint64_t now;   /* cycles run */
};

/* How far the SMs are run at a time. */
static uint64_t window(const struct hd_config *c) {
  uint64_t cycles = LOOK;
  if (c->gpu.sms > 1 && c->gpu.dispatch_latency - 1 < cycles)
    cycles = c->gpu.dispatch_latency - 1;
  if (c->memory.kind == HD_MEM_L2 && 2 * c->icnt.latency < cycles)
    cycles = 2 * c->icnt.latency;
  if (c->d.RFT_OUT && c->rft.latency < cycles)
    cycles = c->rft.latency;
  return cycles;
}

static void close_sim(struct sim *sim) {
  for (unsigned i = 0; i < sim->cores; i++)
    hd_core_close(&sim->core[i]);
  hd_memsys_free(sim->memsys);
  hd_shared_rft_free(sim->rft);
  hd_grid_free(sim->grid);
  free(sim->memory);
  free(sim->core);
}

static struct hd_port *open_port(struct sim *sim, unsigned i) {
  if (sim->memsys)
    return hd_memsys_port(sim->memsys, i);
  sim->memory[i] = hd_memory_new(sim->c, &(struct hd_memory_options){0});
  return sim->memory[i] ? hd_memory_port(sim->memory[i]) : NULL;
}

static enum hd_rc open_sim(struct sim *sim, struct hd_why *why) {
  const unsigned n = sim->c->gpu.sms;
  const enum hd_rc rc = hd_grid_new(sim->c, sim->job->source, &sim->grid, why);
  if (rc != HD_OK)
    return rc;
  sim->core = calloc(n, sizeof *sim->core);
  sim->memory = calloc(n, sizeof(struct hd_memory *));
  bool good = sim->core && sim->memory;
  if (good && sim->c->memory.kind == HD_MEM_L2)
    good = (sim->memsys = hd_memsys_new(sim->c, sim->job->no_skip)) != NULL;
  if (good && sim->c->d.RFT_OUT)
    good = (sim->rft = hd_shared_rft_new(sim->job->design)) != NULL;
  while (good && sim->cores < n) {
    const unsigned i = sim->cores++;
    good = hd_core_open(&sim->core[i], sim->job->design, sim->grid, open_port(sim, i),
                        sim->rft ? hd_shared_rft_port(sim->rft, i) : NULL);
    if (good && sim->memsys)
      hd_sm_tell(sim->core[i].sm, hd_memsys_wanted(sim->memsys, i));
  }
  return good ? HD_OK : hd_because(why, HD_TOOL, "out of memory");
}

static uint64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Runs everything up to cycle `until`, at most a window away. */
static void run_window(struct sim *sim, uint64_t until) {
  if (sim->memsys)
    hd_memsys_run(sim->memsys, sim->now + sim->c->icnt.latency);
  if (sim->rft)
    hd_shared_rft_run(sim->rft, until);
  for (unsigned i = 0; i < sim->cores; i++)
    hd_core_run(&sim->core[i], until, sim->job->no_skip);
  sim->now = until;
  if (sim->cores > 1)
    hd_grid_settle(sim->grid);
}

/* Instructions issued, and a measure of everything else that SMs do. */
static uint64_t work_of(const struct sim *sim, uint64_t *instructions) {
  uint64_t answers = 0;
  *instructions = 0;
  for (unsigned i = 0; i < sim->cores; i++) {
    const struct hd_sm_stats *s = hd_sm_stats(sim->core[i].sm);
    *instructions += s->instructions;
    answers += s->load_requests + s->store_requests;
  }
  return *instructions + answers;
}

static const char *error_of(const struct sim *sim) {
  const char *error = NULL;
  for (unsigned i = 0; i < sim->cores && !error; i++)
    error = hd_sm_error(sim->core[i].sm);
  return error;
}

static enum hd_rc run(struct sim *sim, struct hd_why *why) {
  const struct hd_sim_job *job = sim->job;
  const uint64_t limit = job->max_cycles ? job->max_cycles : UINT64_MAX, cycles = window(sim->c);
  uint64_t told = milliseconds(), work = 0, work_at = 0, looked = 0;
  while (!hd_grid_done(sim->grid)) {
    if (sim->now >= limit)
      return hd_because(why, HD_CHECK, "the limit of %llu cycles is reached",
                        (unsigned long long)job->max_cycles);
    run_window(sim, limit - sim->now < cycles ? limit : sim->now + cycles);
    if (sim->now - looked < LOOK)
      continue;
    looked = sim->now;
    uint64_t instructions;
    const uint64_t done = work_of(sim, &instructions);
    if (done != work) {
      work = done;
      work_at = sim->now;
    }
    if (error_of(sim))
      break;
    if (sim->now - work_at > DEADLOCK)
      return hd_because(why, HD_CHECK, "deadlock: nothing has happened since about cycle %llu",
                        (unsigned long long)work_at);
    if (job->progress && milliseconds() - told >= PROGRESS_MS) {
      told = milliseconds();
      job->progress(job->user, sim->now, instructions);
    }
  }
  const char *error = error_of(sim);
  return error ? hd_because(why, HD_INPUT, "%s", error) : HD_OK;
}

static void add_table(struct hd_selective_stats *s, const uint64_t *ev) {
  s->updates += ev[EV_rft_queue];
  s->updates_lost += ev[EV_rft_lost];
}

static void add_selective(const struct hd_core *core, struct hd_selective_stats *s) {
  const uint64_t *ev = core->m->u_l1d->base.ev;
  s->bypassed += ev[EV_l1d_early];
  s->hits += ev[EV_l1d_early_hit];
  s->merges += ev[EV_l1d_early_merge];
  s->degree_room += ev[EV_l1d_degree_room];
  s->degree_better += ev[EV_l1d_degree_better];
  s->degree_bypass += ev[EV_l1d_degree_bypass];
  s->degree_full += ev[EV_l1d_degree_full];
  s->resampled += ev[EV_l1d_resample];
  if (core->m->u_rft)
    add_table(s, core->m->u_rft->base.ev);
}

static void add_memsched(const struct hd_core *core, struct hd_memsched_stats *s) {
  const uint64_t *ev = core->m->u_memsched->base.ev;
  s->served += ev[EV_memsched_served];
  s->again += ev[EV_memsched_again];
  s->probe_hits += ev[EV_memsched_probe_hit];
  s->probe_cans += ev[EV_memsched_probe_can];
  s->overtakes += ev[EV_memsched_overtake];
}

static void add_apcm(const struct hd_core *core, struct hd_apcm_stats *s) {
  const struct sm_mem *m = core->m;
  const uint64_t *l1d = m->u_l1d->base.ev, *cait = m->u_cait->base.ev;
  s->tracked += m->u_lat->base.ev[EV_lat_give];
  s->untracked += m->u_lat->base.ev[EV_lat_full];
  s->streaming += cait[EV_cait_stream];
  s->intra += cait[EV_cait_intra];
  s->inter += cait[EV_cait_inter];
  s->bypassed += l1d[EV_l1d_early_apcm];
  s->lines += l1d[EV_l1d_protect];
  s->stuck += l1d[EV_l1d_stuck];
  if (!m->u_psb)
    return;
  const uint64_t *psb = m->u_psb->base.ev;
  s->held += psb[EV_psb_set] + psb[EV_psb_set_loop];
  s->by_load += psb[EV_psb_release_load];
  s->by_loop += psb[EV_psb_release_loop];
  s->by_exit += psb[EV_psb_release_exit];
}

static void add_prediction(const uint64_t *ev, struct hd_prediction_stats *s) {
  s->phases += ev[EV_pred_table_kernel];
  s->by_accesses += ev[EV_pred_table_end_phase];
  s->by_cta += ev[EV_pred_table_end_cta];
  s->entries += ev[EV_pred_table_give];
  s->full += ev[EV_pred_table_table_full];
  s->queries += ev[EV_pred_table_query];
  s->answers += ev[EV_pred_table_answer];
  s->gone += ev[EV_pred_table_nothing];
  s->early += ev[EV_pred_table_early];
  s->early_most += ev[EV_pred_table_early_most];
}

static void add_core(const struct hd_core *core, struct hd_sim_result *r) {
  const struct hd_sm_stats *s = hd_sm_stats(core->sm);
  r->sm.instructions += s->instructions;
  r->sm.thread_instructions += s->thread_instructions;
  r->sm.loads += s->loads;
  r->sm.stores += s->stores;
  r->sm.barriers += s->barriers;
  r->sm.ctas += s->ctas;
  r->sm.load_latency_sum += s->load_latency_sum;
  r->sm.load_requests += s->load_requests;
  r->sm.store_requests += s->store_requests;
  r->sm.shared_conflicts += s->shared_conflicts;

  const uint64_t *ev = core->m->u_l1d->base.ev;
  r->hits += ev[EV_l1d_load_hit];
  r->hit_reserved += ev[EV_l1d_load_merge];
  r->misses += ev[EV_l1d_load_miss];
  r->bypasses += ev[EV_l1d_bypass];
  r->stores += ev[EV_l1d_store];
  r->evictions += ev[EV_l1d_evict];
  r->store_evicts += ev[EV_l1d_store_evict];
  r->fail_line_alloc += ev[EV_l1d_fail_line_alloc];
  r->fail_mshr += ev[EV_l1d_fail_mshr];
  r->fail_mshr_merge += ev[EV_l1d_fail_mshr_merge];
  r->fail_miss_queue += ev[EV_l1d_fail_miss_queue];
  r->fail_bypass_slots += ev[EV_l1d_fail_bypass_slots];

  r->hits_after_hits += core->hits_after_hits;
  r->evictions_unused += core->unused;
  add_selective(core, &r->selective);
  if (core->m->u_memsched)
    add_memsched(core, &r->memsched);
  if (core->m->u_lat)
    add_apcm(core, &r->apcm);
  if (core->m->u_pred)
    add_prediction(core->m->u_pred->base.ev, &r->prediction);

  struct hd_prefetch_stats *p = &r->prefetch;
  p->taken += ev[EV_l1d_pf_take];
  p->hit += ev[EV_l1d_pf_hit];
  p->merged += ev[EV_l1d_pf_merge];
  p->no_room += ev[EV_l1d_pf_fail];
  p->flushed += ev[EV_l1d_pf_flush];
  p->sent += ev[EV_l1d_pf_miss];
  p->useful += ev[EV_l1d_pf_useful];
  p->late += ev[EV_l1d_pf_late];
  p->lost += ev[EV_l1d_pf_lost];
  p->dead += ev[EV_l1d_pf_dead];
  if (core->m->u_sap) {
    p->events += core->m->u_sap->base.ev[EV_sap_take];
    p->dropped_events += core->m->u_sap->base.ev[EV_sap_drop_full];
  } else if (core->m->u_sld) {
    p->events += core->m->u_sld->base.ev[EV_sld_take];
  }

  const struct hd_miss_classes *m = hd_missclass_counts(core->classes);
  r->classes.compulsory += m->compulsory;
  r->classes.capacity += m->capacity;
  r->classes.conflict += m->conflict;
  r->classes.intra_warp += m->intra_warp;
  r->classes.cross_warp += m->cross_warp;
  r->classes.cross_block += m->cross_block;
  r->classes.write_evict += m->write_evict;
  r->classes.prefetch += m->prefetch;
  p->early += m->prefetch_early;
}

static void add_memory(const struct hd_memory *memory, struct hd_memory_stats *sum) {
  const struct hd_memory_stats *s = hd_memory_stats(memory);
  sum->reads += s->reads;
  sum->writes += s->writes;
  sum->read_bytes += s->read_bytes;
  sum->write_bytes += s->write_bytes;
}

static void collect(const struct sim *sim, struct hd_sim_result *r) {
  r->sms = sim->cores;
  for (unsigned i = 0; i < sim->cores; i++) {
    add_core(&sim->core[i], r);
    if (!sim->memsys)
      add_memory(sim->memory[i], &r->memory);
  }
  if (sim->rft) {
    uint64_t ev[EV_rft_count_] = {0};
    hd_shared_rft_events(sim->rft, ev);
    add_table(&r->selective, ev);
  }
  if (sim->memsys) {
    r->memsys = *hd_memsys_stats(sim->memsys);
    r->memory = (struct hd_memory_stats){r->memsys.reads, r->memsys.writes, r->memsys.read_bytes,
                                         r->memsys.write_bytes};
  }
  r->sm.launches = hd_grid_launches(sim->grid);
  r->sm.cycles = hd_grid_done(sim->grid) ? hd_grid_cycles(sim->grid) : sim->now;
  r->loads = r->hits + r->hit_reserved + r->misses + r->bypasses;
  r->accesses = r->loads + r->stores;
  r->ipc = r->sm.cycles ? (double)r->sm.instructions / (double)r->sm.cycles : 0;
  r->miss_rate = r->loads ? (double)(r->misses + r->bypasses + r->hit_reserved) / (double)r->loads : 0;
  r->miss_rate_gpgpusim =
      r->accesses ? (double)(r->misses + r->bypasses + r->stores) / (double)r->accesses : 0;
}

enum hd_rc hd_sim_run(const struct hd_sim_job *job, struct hd_sim_result *result, struct hd_why *why) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  struct sim sim = {.job = job, .c = job->design->c};
  *result = (struct hd_sim_result){0};
  enum hd_rc rc = open_sim(&sim, why);
  if (rc == HD_OK) {
    rc = run(&sim, why);
    for (unsigned i = 0; i < sim.cores && !job->no_skip; i++)
      hd_lazy_settle(&sim.core[i].lazy);
    collect(&sim, result);
    for (unsigned i = 0; i < sim.cores && job->finish; i++)
      job->finish(job->user, sim.core[i].m);
  }
  close_sim(&sim);
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  return rc;
}
