/* The stride prefetchers: for which warps they prefetch, which entry of their table is replaced, and what a new kernel clears. By
 * hand from docs/mechanisms/sap.md. */
#include "tests/unit/apres/sap_events.h"

static void start_cta(unsigned slot, uint64_t warps) {
  rig.in.launch_valid = 1;
  rig.in.launch_cta = slot;
  rig.in.launch_warps = warps;
  cycle();
  rig.in.launch_valid = 0;
}

/* D-SAP-9: groups end at the CTA of the loading warp. Warps of two CTAs teach no stride. */
static void within_a_cta(void **state) {
  (void)state;
  build_grouped();
  start_cta(1, 0xff00);
  start_cta(2, 0xff0000);
  event(8, 200, 800, 0);
  event(9, 200, 900, 0);
  event(10, 200, 1000, hd_ones(24)); /* warps of CTA 1 except 10 */
  assert_int_equal(got.n, 7);
  for (unsigned i = 0; i < 7; i++)
    got_is(i, i < 2 ? 8 + i : 9 + i, 100 * (uint64_t)(i < 2 ? 8 + i : 9 + i));
  event(16, 200, 5, hd_ones(24)); /* of the next CTA: the stride stays */
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(other_cta), 1);
  assert_int_equal(rig.m->s.pt_known & 1, 1);
  event(17, 200, 105, hd_ones(24));
  assert_int_equal(got.n, 7);
  got_is(0, 16, 5);
  got_is(6, 23, 705);
  wreck();
}

/* APRES to the letter, prefetch.reach: sm. CTAs do not count. */
static void over_all_ctas(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.reach = HD_REACH_SM;
  build_idle(c);
  event(8, 200, 800, 0);
  event(16, 200, 1600, 0);
  event(17, 200, 1700, hd_bit(2) | hd_bit(47));
  assert_int_equal(got.n, 2);
  got_is(0, 2, 200);
  got_is(1, 47, 4700);
  wreck();
}

/* D-MIX-2. */
static void en_low_takes_nothing_and_goes_on(void **state) {
  (void)state;
  build_grouped();
  before_figure_9();
  set_event(2, 200, 2000, hd_bit(1));
  cycle();
  rig.in.en = 0;
  event(3, 204, 100, 0);
  assert_int_equal(EVENTS(take), 3);
  assert_int_equal(got.n, 1);
  got_is(0, 1, 1900);
  assert_int_equal(rig.m->s.pt_valid, 1);
  wreck();
}

static void the_least_recently_used_gives_way(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.table = 3;
  build_idle(c);
  for (unsigned i = 0; i < 3; i++)
    event(1, 200 + i, 100, 0);
  assert_int_equal(EVENTS(replace), 0);
  event(1, 200, 100, 0); /* a load of the same warp also counts as a use */
  event(2, 202, 200, 0);
  event(5, 300, 100, 0); /* in place of 201 */
  assert_int_equal(EVENTS(replace), 1);
  assert_int_equal(rig.m->s.pt_pc[1], 300);
  event(6, 301, 100, 0); /* replaces 200 */
  assert_int_equal(rig.m->s.pt_pc[0], 301);
  event(7, 302, 100, 0); /* replaces 202 and its stride */
  assert_int_equal(rig.m->s.pt_pc[2], 302);
  assert_int_equal(rig.m->s.pt_known & 7, 0);
  assert_int_equal(rig.m->s.pt_wid[2], 7);
  event(8, 303, 100, 0);
  assert_int_equal(rig.m->s.pt_pc[1], 303);
  assert_int_equal(EVENTS(replace), 4);
  assert_int_equal(EVENTS(learn), 7);
  wreck();
}

/* D-SAP-7, in each stage of an event that learns a stride and would prefetch, while more events wait. */
static void a_kernel_forgets(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, true);
  c.prefetch.queue = 8;
  build_idle(c);
  unsigned full = 0;
  for (unsigned after = 0; after < 60; after++) {
    before_figure_9();
    set_event(12, 200, after & 1 ? 3000 : 3007, 0xff00); /* as expected, or a new stride to divide for */
    for (unsigned i = 0; i < after; i++) {
      cycle();
      set_event(11, 204, 100 * i, 0); /* an event may come in this very cycle, too */
    }
    full += rig.m->s.drq_count == 8;
    rig.in.clear = 1;
    cycle();
    rig.in.clear = 0;
    const bool at_the_port = rig.m->s.pf_v;
    assert_int_equal(rig.m->s.pt_valid, 0);
    assert_int_equal(rig.m->s.drq_count, 0);
    assert_int_equal(rig.m->s.x_v | rig.m->s.turn | rig.m->s.g_v, 0);
    const unsigned taken = got.n;
    for (unsigned i = 0; i < 100; i++)
      cycle();
    assert_int_equal(got.n, taken + at_the_port);
    const uint64_t learnt = EVENTS(learn);
    event(13, 200, 3100, 0xff00);
    assert_int_equal(EVENTS(learn), learnt + 1);
    assert_int_equal(got.n, 0);
    rig.in.clear = 1;
    cycle();
    rig.in.clear = 0;
  }
  assert_int_equal(EVENTS(clear),
                   59); /* something was inside: not if the event came with it, nor at the end of a turn */
  assert_true(full > 10);
  assert_true(EVENTS(prefetch) > 0);
  wreck();
}

static void sap_without_laws(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_SAP, false);
  c.sm.warps = 9;
  build_idle(c);
  event(3, 200, 3000, 0);
  event(4, 200, 4000, 0);
  event(5, 200, 5000, 0); /* for all others */
  assert_int_equal(got.n, 8);
  for (unsigned i = 0; i < 8; i++)
    got_is(i, 0, 1000 * (i < 5 ? i : i + 1));
  wreck();
}

/* D-STR-1. */
static void str_runs_ahead(void **state) {
  (void)state;
  struct hd_config c = machine(HD_PF_STR, false);
  c.prefetch.degree = 3;
  build_idle(c);
  event(3, 200, 3000, 0);
  event(4, 200, 4000, 0);
  event(2, 200, 2000, 0);
  assert_int_equal(got.n, 3);
  for (unsigned i = 0; i < 3; i++)
    got_is(i, 0, 1000 * (3 + i));
  event(45, 200, 45000, 0); /* warps 46 and 47 exist, 48 does not */
  assert_int_equal(got.n, 2);
  event(47, 200, 47000, 0);
  assert_int_equal(got.n, 0);
  assert_int_equal(EVENTS(match), 3);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(within_a_cta),
      cmocka_unit_test(over_all_ctas),
      cmocka_unit_test(en_low_takes_nothing_and_goes_on),
      cmocka_unit_test(the_least_recently_used_gives_way),
      cmocka_unit_test(a_kernel_forgets),
      cmocka_unit_test(sap_without_laws),
      cmocka_unit_test(str_runs_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
