/* What the control registers of an SM count, against the figures of the same run of heddle sim, in which every cycle is simulated:
 * of machines that hit, merge, bypass, prefetch. The wires between are of rows that both floors share, so lockstep does not
 * check them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

enum {
  CYCLES,
  INSTRUCTIONS,
  ISSUES,
  ISSUE_WAITS,
  LOADS,
  HITS,
  MERGES,
  MISSES,
  BYPASSES,
  EVICTIONS,
  READS,
  WRITES,
  MEMORY_WAITS,
  PREFETCHES,
  PREFETCH_HITS,
  PREFETCH_MERGES,
  COUNTERS = 32
};

struct counted {
  uint64_t count[COUNTERS], loads, hits, merges, misses, bypasses, stores, taken, useful, late;
};

/* By their places in the map. */
static void note(void *user, const struct sm_mem *m) {
  struct counted *n = user;
  const uint64_t there = m->base.c->d.COUNTERS_THERE;
  for (unsigned i = 0, place = 0; i < COUNTERS; i++)
    if (there >> i & 1)
      n->count[i] = m->u_apb->s.count[place++];
  const uint64_t *ev = m->u_l1d->base.ev;
  n->stores = ev[EV_l1d_store];
  n->taken = ev[EV_l1d_pf_take];
  n->useful = ev[EV_l1d_pf_useful];
  n->late = ev[EV_l1d_pf_late];
}

static struct counted counts(struct hd_config c, const char *spec, struct hd_sim_result *r) {
  char err[256];
  struct hd_why why;
  struct counted n = {0};
  c.bus.control = HD_CONTROL_APB4;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  struct wl_source *source = wl_open(spec, err, sizeof err);
  assert_non_null(source);
  const struct hd_sim_job job = {
      .design = design, .source = source, .no_skip = true, .finish = note, .user = &n};
  assert_int_equal(hd_sim_run(&job, r, &why), HD_OK);
  source->ops->close(source);
  hd_design_free(design);
  return n;
}

static void check(struct hd_config c) {
  struct hd_sim_result r;
  const struct counted n = counts(c, "atax:n=64", &r);
  assert_in_range(n.count[CYCLES], r.sm.cycles - 2, r.sm.cycles + 2);
  assert_int_equal(n.count[INSTRUCTIONS], r.sm.instructions);
  assert_true(r.loads > 1000 && n.count[ISSUES] > 100 && n.count[MEMORY_WAITS] < n.count[CYCLES]);
  assert_int_equal(n.count[LOADS], r.loads);
  assert_int_equal(n.count[HITS], r.hits);
  assert_int_equal(n.count[MERGES], r.hit_reserved);
  assert_int_equal(n.count[MISSES], r.misses);
  assert_int_equal(n.count[BYPASSES], r.bypasses);
  assert_int_equal(n.count[READS], r.memory.reads);
  assert_int_equal(n.count[WRITES], r.memory.writes);
  assert_int_equal(n.count[WRITES], n.stores);
  assert_int_equal(n.count[PREFETCHES], n.taken);
  assert_int_equal(n.count[PREFETCH_HITS], n.useful);
  assert_int_equal(n.count[PREFETCH_MERGES], n.late);
  assert_true(n.count[EVICTIONS] <= r.evictions && (c.prefetch.kind || n.count[EVICTIONS] == r.evictions));
}

static void test_counts(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  check(c);
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  check(c);
  hd_config_default(&c);
  c.scheduler.policy = HD_LAWS;
  c.prefetch.kind = HD_PF_SAP;
  check(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
