/* The run of a whole GPU and its statistics; see sim.h and docs/gpu.md.
 *
 * SMs are run apart, in turns, each as far as it can go without knowing of the others: what passes between them takes
 * time (cmodel/memory/memsys.h, cmodel/gpu/grid.h). That keeps an SM's state in the host's cache, and what can change nothing is not
 * run at all (cmodel/step/lazy.h).
 *
 * Invariant: the figures are those of running every cycle of everything in step.
 */
#include "cmodel/gpu/sim.h"

#include <stdlib.h>
#include <time.h>

#include "cmodel/gpu/gpu.h"

enum {
  LOOK = 1 << 14,     /* cycles between looks at the clock and at the progress */
  DEADLOCK = 1000000, /* cycles without progress */
  PROGRESS_MS = 100,
};

static uint64_t milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static enum hd_rc run(const struct hd_sim_job *job, struct hd_gpu *gpu, struct hd_why *why) {
  const uint64_t limit = job->max_cycles ? job->max_cycles : UINT64_MAX, cycles = hd_gpu_window(gpu->c);
  uint64_t told = milliseconds(), work = 0, work_at = 0, looked = 0;
  while (!hd_grid_done(gpu->grid)) {
    if (gpu->now >= limit)
      return hd_because(why, HD_CHECK, "the limit of %llu cycles is reached",
                        (unsigned long long)job->max_cycles);
    hd_gpu_run(gpu, limit - gpu->now < cycles ? limit : gpu->now + cycles);
    hd_gpu_settle(gpu);
    if (gpu->now - looked < LOOK)
      continue;
    looked = gpu->now;
    uint64_t instructions;
    const uint64_t done = hd_gpu_work(gpu, &instructions);
    if (done != work) {
      work = done;
      work_at = gpu->now;
    }
    if (hd_gpu_error(gpu))
      break;
    if (gpu->now - work_at > DEADLOCK)
      return hd_because(why, HD_CHECK, "deadlock: nothing has happened since about cycle %llu",
                        (unsigned long long)work_at);
    if (job->progress && milliseconds() - told >= PROGRESS_MS) {
      told = milliseconds();
      job->progress(job->user, gpu->now, instructions);
    }
  }
  const char *error = hd_gpu_error(gpu);
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
  s->degree_bypass += ev[EV_l1d_refused];
  s->degree_full += ev[EV_l1d_full_bypass];
  if (core->m->u_degree) {
    const uint64_t *degree = core->m->u_degree->base.ev;
    s->degree_room += degree[EV_locality_degree_room];
    s->degree_better += degree[EV_locality_degree_better];
  }
  if (core->m->u_rft_line)
    s->resampled += core->m->u_rft_line->base.ev[EV_rft_line_resample];
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
  const uint64_t *line = m->u_apcm_line->base.ev, *cait = m->u_cait->base.ev;
  s->tracked += m->u_lat->base.ev[EV_lat_give];
  s->untracked += m->u_lat->base.ev[EV_lat_full];
  s->streaming += cait[EV_cait_stream];
  s->intra += cait[EV_cait_intra];
  s->inter += cait[EV_cait_inter];
  s->bypassed += line[EV_apcm_line_advise];
  s->lines += line[EV_apcm_line_protect];
  s->stuck += m->u_l1d->base.ev[EV_l1d_stuck];
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

static void collect(const struct hd_gpu *gpu, struct hd_sim_result *r) {
  r->sms = gpu->cores;
  for (unsigned i = 0; i < gpu->cores; i++) {
    add_core(&gpu->core[i], r);
    if (!gpu->memsys)
      add_memory(gpu->memory[i], &r->memory);
  }
  if (gpu->rft) {
    uint64_t ev[EV_rft_count_] = {0};
    hd_shared_rft_events(gpu->rft, ev);
    add_table(&r->selective, ev);
  }
  if (gpu->memsys) {
    r->memsys = *hd_memsys_stats(gpu->memsys);
    r->memory = (struct hd_memory_stats){r->memsys.reads, r->memsys.writes, r->memsys.read_bytes,
                                         r->memsys.write_bytes};
  }
  r->sm.launches = hd_grid_launches(gpu->grid);
  r->sm.cycles = hd_grid_done(gpu->grid) ? hd_grid_cycles(gpu->grid) : gpu->now;
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
  struct hd_gpu gpu;
  *result = (struct hd_sim_result){0};
  enum hd_rc rc = hd_gpu_open(&gpu, job->design, job->source, job->no_skip, why);
  if (rc == HD_OK && !hd_gpu_cores(&gpu, 0))
    rc = hd_because(why, HD_TOOL, "out of memory");
  if (rc == HD_OK) {
    rc = run(job, &gpu, why);
    for (unsigned i = 0; i < gpu.cores && !job->no_skip; i++)
      hd_lazy_settle(&gpu.core[i].lazy);
    collect(&gpu, result);
    for (unsigned i = 0; i < gpu.cores && job->finish; i++)
      job->finish(job->user, gpu.core[i].m);
  }
  hd_gpu_close(&gpu);
  clock_gettime(CLOCK_MONOTONIC, &end);
  result->seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
  return rc;
}
