/* Runs of the whole performance model: sums that must be equal, and lazy running, which must change nothing. */
#include "tests/unit/gpu/sim_try.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/workloads.h"

enum { EVENTS_OF_ALL = 1024 }; /* of all SMs */

/* Event counts of the machine at the end of a run. */
struct events {
  size_t n;
  uint64_t count[EVENTS_OF_ALL];
};

static void note(struct events *e, const struct hd_model *m) {
  if (!m)
    return;
  assert_true(e->n + m->decl->n_events <= EVENTS_OF_ALL);
  for (size_t i = 0; i < m->decl->n_events; i++)
    e->count[e->n++] = m->ev[i];
}

static void note_all(void *user, const struct sm_mem *m) {
  for (size_t i = 0; i < m->base.decl->n_insts; i++) {
    void *inner;
    memcpy(&inner, (const char *)m + m->base.decl->insts[i].offset, sizeof inner);
    note(user, inner);
  }
}

static struct hd_sim_result run(struct hd_config c, const char *spec, struct hd_sim_job job) {
  char err[256];
  struct hd_sim_result r;
  struct wl_source *source = wl_open(spec, err, sizeof err);
  assert_non_null(source);
  assert_int_equal(try_source(c, source, job, &r), HD_OK);
  source->ops->close(source);
  return r;
}

/* ---- Sums ---- */

static void assert_sums(const struct hd_config *c, const struct hd_sim_result *r) {
  const struct hd_miss_classes *n = &r->classes;
  assert_int_equal(r->accesses, r->loads + r->stores);
  assert_int_equal(r->loads, r->hits + r->hit_reserved + r->misses + r->bypasses);
  assert_int_equal(r->loads, r->sm.load_requests);
  assert_int_equal(r->misses + r->bypasses, n->compulsory + n->capacity + n->conflict);
  assert_int_equal(n->capacity + n->conflict,
                   n->intra_warp + n->cross_warp + n->cross_block + n->write_evict + n->prefetch);
  /* Prefetches may still be on their way to the memory at the end. */
  assert_in_range(r->memory.reads, r->misses + r->bypasses,
                  r->misses + r->bypasses + r->figures.prefetch.sent);
  const struct hd_prefetch_figures *p = &r->figures.prefetch;
  assert_true(p->hit + p->merged + p->no_room + p->flushed + p->sent <= p->taken);
  assert_true(p->useful + p->late + p->lost + p->dead <= p->sent);
  assert_int_equal(r->memory.writes, r->stores);
  assert_int_equal(r->memory.read_bytes, 128 * r->memory.reads);
  assert_int_equal(r->memory.write_bytes, 128 * r->memory.writes);
  assert_true(r->sm.instructions <= r->sm.cycles * c->sm.schedulers * c->gpu.sms);
  uint64_t evicted = 0;
  for (unsigned u = 0; u < HD_USES; u++)
    evicted += r->evicted_uses[u];
  assert_int_equal(evicted, r->evictions);
  assert_true(r->figures.selective.updates_lost <= r->evictions);
  if (c->request_buffer.bypass == HD_BYPASS_OFF && c->casc.scheme == HD_CASC_OFF &&
      c->rft.form == HD_RFT_OFF && c->apcm.manage == HD_APCM_OFF && !c->l1d.distance)
    assert_int_equal(r->bypasses + r->fail_bypass_slots, 0);
}

/* ---- Lazy running ---- */

/* Each machine runs every third kernel, the next machine starts at the next kernel. With EVERY=1, as in tests/every/long, all
 * machines run all kernels. */
static unsigned step(void) {
  return getenv("EVERY") ? 1 : 3;
}

/* Returns true if the machine is to run. With MODULE=NAME, as tests/mutants/score sets it, only machines with this module do. */
static bool wanted(struct hd_config c) {
  const char *module = getenv("MODULE");
  if (!module)
    return true;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const bool has = hd_design_find(design, module) != NULL;
  hd_design_free(design);
  return has;
}

/* Runs lazily and in every cycle, and fails unless both results are equal. */
static struct hd_sim_result both(struct hd_config c, const char *spec) {
  struct events lazy = {0}, all = {0};
  const struct hd_sim_result a = run(c, spec, (struct hd_sim_job){.finish = note_all, .user = &lazy});
  const struct hd_sim_result b =
      run(c, spec, (struct hd_sim_job){.finish = note_all, .user = &all, .no_skip = true});
  assert_true(a.sm.cycles > 1000 && lazy.n > 20);
  assert_memory_equal(&a, &b, sizeof a);
  assert_memory_equal(&lazy, &all, sizeof lazy);
  assert_sums(&c, &a);
  return a;
}

static void lazy_running_changes_nothing(void **state) {
  (void)state;
  for (unsigned i = 0; i < MACHINES; i++)
    for (unsigned k = wanted(built(machines[i])) ? i % step() : KERNELS; k < KERNELS; k += step())
      both(built(machines[i]), kernels[k]);
}

/* More loads go round in MASCAR's queue than the L1D holds. They lack ways in one cache and MSHRs in the other. Loads and stores
 * wait behind them. */
static void loads_tried_in_vain(void **state) {
  (void)state;
  for (unsigned ways = 0; ways < 2; ways++)
    for (unsigned k = 0; k < KERNELS; k++) {
      struct hd_config c = built(mascar);
      c.request_buffer.depth = 13;
      c.memory.latency = 60;
      c.l1d.sets = ways ? 2 : 64;
      c.l1d.mshrs = ways ? 20 : 4;
      const struct hd_sim_result r = both(c, kernels[k]);
      assert_true(r.figures.mascar.retries > 30);
      assert_true(k || (ways ? r.fail_line_alloc : r.fail_mshr) > 1000);
    }
}

/* ---- Over time ---- */

struct course {
  uint64_t interval, calls, cycles, hits, ended, spans;
  struct hd_sim_result last;
};

static void note_course(void *user, const struct hd_sim_result *so_far) {
  struct course *course = user;
  assert_true(so_far->sm.cycles > course->cycles && so_far->hits >= course->hits);
  course->cycles = so_far->sm.cycles;
  course->hits = so_far->hits;
  course->last = *so_far;
  course->calls++;
}

/* Counts the spans of one SM. */
static void note_span(void *user, const struct hd_span *span) {
  struct course *course = user;
  assert_true(span->from < span->to);
  if (span->sm == 0) {
    assert_true(span->to >= course->ended);
    course->ended = span->to;
  }
  course->spans++;
}

/* A watcher does not change a run. Its last call is at the end of the run. */
static void looking_changes_nothing(void **state) {
  (void)state;
  const uint64_t intervals[] = {40, 5000};
  for (unsigned i = 0; i < MACHINES; i++) /* one of them in turn; with EVERY=1 both */
    for (unsigned k = getenv("EVERY") ? 0 : i % 2; k < 2; k += getenv("EVERY") ? 1 : 2) {
      struct course course = {.interval = intervals[k]};
      const struct hd_sim_result alone = run(built(machines[i]), kernels[0], (struct hd_sim_job){0});
      const struct hd_sim_result seen = run(built(machines[i]), kernels[0],
                                            (struct hd_sim_job){.so_far = note_course,
                                                                .interval = course.interval,
                                                                .user = &course,
                                                                .spans = {note_span, &course}});
      assert_memory_equal(&alone, &seen, sizeof alone);
      assert_true(course.spans > seen.sm.ctas + seen.misses);
      assert_int_equal(course.last.sm.cycles, alone.sm.cycles);
      assert_memory_equal(&course.last.figures, &alone.figures, sizeof alone.figures);
      /* The SMs of a GPU meet some hundred cycles later. */
      assert_in_range(course.calls, alone.sm.cycles / (course.interval + 700),
                      alone.sm.cycles / course.interval + 1);
    }
}

static void the_limit_is_exact(void **state) {
  (void)state;
  const uint64_t limits[] = {1, 500, 1234, 20000};
  for (unsigned i = 0; i < 4; i++)
    for (int no_skip = 0; no_skip < 2; no_skip++) {
      char err[256];
      struct hd_sim_result r;
      struct wl_source *source = wl_open("atax:n=64", err, sizeof err);
      const struct hd_sim_job job = {.max_cycles = limits[i], .no_skip = no_skip};
      assert_int_equal(try_source(built(fermi), source, job, &r), HD_CHECK);
      assert_int_equal(r.sm.cycles, limits[i]);
      source->ops->close(source);
    }
}

/* A run of stores alone. They take longer than the limit after which a run without progress counts as a deadlock. */
static void a_long_drain_is_no_deadlock(void **state) {
  (void)state;
  struct hd_config c = built(fermi);
  c.memory.kind = HD_MEM_L2;
  c.sm.clock_mhz = 5000;
  c.dram.clock_mhz = 100;
  c.dram.bytes_per_cycle = 1;
  c.dram.channels = c.l2.banks = 1;
  c.sm.loads = 16;
  const char *stores =
      "random:ctas=1,warps=8,insts=16,mem=100,stores=100,barriers=0,lines=1048576,launches=1";
  const struct hd_sim_result r = run(c, stores, (struct hd_sim_job){0});
  assert_int_equal(r.sm.store_requests, r.stores);
  assert_true(r.sm.cycles > 1000000);
}

/* Sums over all SMs: how often each event of some modules happened. */
struct noted {
  uint64_t memsched[EV_memsched_count_], l1d[EV_l1d_count_], rft[EV_rft_count_];
};

static void note_three(void *user, const struct sm_mem *m) {
  struct noted *n = user;
  for (unsigned e = 0; e < EV_memsched_count_ && m->u_memsched; e++)
    n->memsched[e] += m->u_memsched->base.ev[e];
  for (unsigned e = 0; e < EV_l1d_count_; e++)
    n->l1d[e] += m->u_l1d->base.ev[e];
  for (unsigned e = 0; e < EV_rft_count_ && m->u_rft; e++)
    n->rft[e] += m->u_rft->base.ev[e];
}

static void figures_of_mechanisms_are_their_events(void **state) {
  (void)state;
  struct hd_config c = built(memsched_casc);
  many_sms(&c, 3);
  struct noted n = {0};
  struct hd_sim_result r = run(c, "atax:n=64", (struct hd_sim_job){.finish = note_three, .user = &n});
  assert_in_range(r.figures.memsched.served, 1, UINT64_MAX);
  assert_int_equal(r.figures.memsched.served, n.memsched[EV_memsched_served]);
  assert_int_equal(r.figures.memsched.probe_hits, n.memsched[EV_memsched_probe_hit]);
  assert_in_range(r.figures.selective.bypassed, 1, UINT64_MAX);
  assert_int_equal(r.figures.selective.bypassed, n.l1d[EV_l1d_early]);
  assert_int_equal(r.figures.apcm.tracked, 0); /* it is not in this machine */

  n = (struct noted){0};
  r = run(built(rft_bit), "atax:n=64", (struct hd_sim_job){.finish = note_three, .user = &n});
  assert_in_range(n.rft[EV_rft_queue], 1, UINT64_MAX);
  assert_int_equal(r.figures.selective.updates, n.rft[EV_rft_queue]);
  n = (struct noted){0};
  r = run(built(rft_shared), "atax:n=64", (struct hd_sim_job){.finish = note_three, .user = &n});
  assert_int_equal(n.rft[EV_rft_queue], 0); /* the SMs share a table outside */
  assert_in_range(r.figures.selective.updates, 1, r.evictions);
}

/* ---- What the mechanisms are for ---- */

static void mrpb_helps_divergent_kernels(void **state) {
  (void)state;
  const uint64_t slot = run(built(fermi), "atax:n=256", (struct hd_sim_job){0}).sm.cycles;
  const uint64_t buffer = run(built(mrpb), "atax:n=256", (struct hd_sim_job){0}).sm.cycles;
  assert_true(slot > buffer * 3 / 2);
}

static void latencies_and_bandwidth_matter(void **state) {
  (void)state;
  const char *spec = "random:tiny,mem=10";
  const uint64_t cycles = run(built(fermi), spec, (struct hd_sim_job){0}).sm.cycles;
  struct hd_config c = built(fermi);
  c.sm.shared_latency = 200;
  assert_true(run(c, spec, (struct hd_sim_job){0}).sm.cycles > cycles);
  c = built(fermi);
  c.sm.sfu_latency = 200;
  assert_true(run(c, spec, (struct hd_sim_job){0}).sm.cycles > cycles);
  c = built(fermi);
  c.memory.latency = 400;
  assert_true(run(c, spec, (struct hd_sim_job){0}).sm.cycles > cycles);
  c = built(fermi);
  c.memory.bytes_per_cycle = 4;
  assert_true(run(c, spec, (struct hd_sim_job){0}).sm.cycles > cycles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lazy_running_changes_nothing),
      cmocka_unit_test(loads_tried_in_vain),
      cmocka_unit_test(looking_changes_nothing),
      cmocka_unit_test(the_limit_is_exact),
      cmocka_unit_test(a_long_drain_is_no_deadlock),
      cmocka_unit_test(figures_of_mechanisms_are_their_events),
      cmocka_unit_test(mrpb_helps_divergent_kernels),
      cmocka_unit_test(latencies_and_bandwidth_matter),
  };
  if (getenv("MODULE"))
    cmocka_set_test_filter("lazy_*");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
