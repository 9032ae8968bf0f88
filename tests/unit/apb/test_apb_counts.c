/* The counts of an SM's control registers against the figures of the same run of heddle sim, in which every cycle is simulated. The
 * machines hit, merge, bypass and prefetch. The wires to the counters come from rows that both floors share, so lockstep does not
 * check them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/gpu/sim.h"
#include "verif/apb/apb_requester.h"
#include "workloads/workloads.h"

struct counted {
  uint64_t count[HD_APB_COUNTERS], instructions, stores, taken, useful, late, unused, lost;
};

/* Counters by their places in the map. */
static void note(void *user, const struct sm_mem *m) {
  struct counted *n = user;
  const uint64_t there = m->base.c->d.COUNTERS_THERE;
  for (unsigned i = 0, place = 0; i < HD_APB_COUNTERS; i++)
    if (there >> i & 1)
      n->count[i] = m->u_apb->s.count[place++];
  const uint64_t *ev = m->u_l1d->base.ev;
  n->instructions = m->u_coalescer->base.ev[EV_coalescer_take];
  n->stores = ev[EV_l1d_store];
  n->taken = ev[EV_l1d_pf_take];
  n->useful = ev[EV_l1d_pf_useful];
  n->late = ev[EV_l1d_pf_late];
  n->unused = ev[EV_l1d_pf_lost];
  if (m->base.c->d.RFT_IN)
    n->lost = m->u_line_uses->base.ev[EV_line_uses_evict_unused] +
              m->u_line_uses->base.ev[EV_line_uses_evict_used] - m->u_rft->base.ev[EV_rft_queue];
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

/* Without flushes an unused prefetched line leaves only by an eviction or by a store. These runs have no such store. */
static struct counted check(struct hd_config c, const char *spec) {
  struct hd_sim_result r;
  c.gpu.flush = false;
  const struct counted n = counts(c, spec, &r);
  assert_in_range(n.count[HD_APB_cycles], r.sm.cycles - 2, r.sm.cycles + 2);
  assert_int_equal(n.count[HD_APB_instructions], r.sm.instructions);
  assert_true(r.loads > 1000 && n.instructions > 100);
  assert_int_equal(n.count[HD_APB_issues], n.instructions);
  /* an instruction either comes or waits in a cycle; a request either goes to the memory or waits */
  assert_in_range(n.count[HD_APB_issue_waits], 1, n.count[HD_APB_cycles] - n.instructions);
  assert_in_range(n.count[HD_APB_memory_waits], 1, n.count[HD_APB_cycles] - r.memory.reads - r.memory.writes);
  assert_int_equal(n.count[HD_APB_loads], r.loads);
  assert_int_equal(n.count[HD_APB_hits], r.hits);
  assert_int_equal(n.count[HD_APB_merges], r.hit_reserved);
  assert_int_equal(n.count[HD_APB_misses], r.misses);
  assert_int_equal(n.count[HD_APB_bypasses], r.bypasses);
  assert_int_equal(n.count[HD_APB_reads], r.memory.reads);
  assert_int_equal(n.count[HD_APB_writes], r.memory.writes);
  assert_int_equal(n.count[HD_APB_writes], n.stores);
  assert_int_equal(n.count[HD_APB_prefetches], n.taken);
  assert_int_equal(n.count[HD_APB_prefetch_hits], n.useful);
  assert_int_equal(n.count[HD_APB_prefetch_merges], n.late);
  assert_int_equal(n.count[HD_APB_evictions], r.evictions - n.unused);
  return n;
}

/* Compares the count of queries with the slices' count of the queries that arrive. */
static void test_queries(void **state) {
  (void)state;
  struct hd_config c;
  struct hd_sim_result r;
  assert_int_equal(hd_config_load(&c, "configs/loscache.yaml", stderr), 0);
  const struct counted n = counts(c, "bfs", &r);
  assert_true(n.count[HD_APB_queries] > 10);
  assert_int_equal(n.count[HD_APB_queries], r.memsys.l2.queries);
}

/* Lost updates of the reuse-frequency table: the updates that evicted lines report, less those that the table takes. */
static void test_lost_updates(void **state) {
  (void)state;
  struct hd_config c;
  struct hd_sim_result r;
  assert_int_equal(hd_config_load(&c, "configs/lasc.yaml", stderr), 0);
  c.rft.queue = 1;
  const struct counted n = counts(c, "bfs", &r);
  assert_true(n.lost > 10);
  assert_int_equal(n.count[HD_APB_lost_updates], n.lost);
}

static void test_counts(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  struct counted n = check(c, "atax:n=64");
  assert_true(n.count[HD_APB_hits] > 0 && n.count[HD_APB_merges] > 0 && n.count[HD_APB_writes] > 0 &&
              n.count[HD_APB_evictions] > 0);
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  n = check(c, "atax:n=64");
  assert_true(n.count[HD_APB_bypasses] > 0);
  hd_config_default(&c);
  c.scheduler.policy = HD_LAWS;
  c.prefetch.kind = HD_PF_SAP;
  n = check(c, "srad2:tiny");
  assert_true(n.count[HD_APB_prefetches] > 100 && n.count[HD_APB_prefetch_hits] > 0 &&
              n.count[HD_APB_prefetch_merges] > 0 && n.unused > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_queries),
                                     cmocka_unit_test(test_lost_updates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
