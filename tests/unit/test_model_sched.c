/* Warp schedulers: who is picked, against picks worked out by hand from docs/mechanisms/sched.md. */
#define RIG sched
#include "rig.h"

enum { NONE = -1 };

static void build_with(unsigned warps, unsigned ctas, unsigned scheds, enum hd_policy policy) {
  struct hd_config c = defaults();
  c.sm.warps = warps;
  c.sm.ctas = ctas;
  c.sm.schedulers = scheds;
  c.scheduler.policy = policy;
  build(c);
}

static void picks(uint64_t ready, unsigned s, int wid) {
  rig.in.ready = ready;
  look();
  assert_int_equal(rig.out.pick_valid[s], wid != NONE);
  assert_int_equal(rig.out.pick_wid[s], wid == NONE ? 0 : wid);
}

static void launch(unsigned cta, uint64_t warps) {
  rig.in.launch_valid = 1;
  rig.in.launch_cta = cta;
  rig.in.launch_warps = warps;
  rig.in.ready = 0;
  step();
  rig.in.launch_valid = 0;
}

static void lrr_goes_round(void **state) {
  (void)state;
  build_with(8, 8, 1, HD_LRR);
  static const int order[] = {0, 2, 5, 7, 0, 2}; /* reset leaves warp 7 as the last */
  for (unsigned i = 0; i < 6; i++) {
    picks(0xa5, 0, order[i]);
    edge();
  }
  picks(0x04, 0, 2); /* the last itself, if it is the only one */
  edge();
  picks(0, 0, NONE);
  edge();
  picks(0x06, 0, 1); /* an idle cycle changes nothing: after 2 come 3..7, 0, 1 */
  assert_int_equal(EVENTS(pick), 7);
  assert_int_equal(EVENTS(idle), 1);
  wreck();
}

static void warps_are_split_by_number(void **state) {
  (void)state;
  build_with(64, 8, 4, HD_LRR);
  picks(UINT64_MAX, 0, 0);
  picks(UINT64_MAX, 3, 3);
  picks(UINT64_C(1) << 63 | 1, 3, 63); /* 63 mod 4 = 3 */
  picks(UINT64_C(1) << 63 | 1, 0, 0);
  picks(UINT64_C(1) << 63 | 1, 1, NONE);
  rig.in.ready = UINT64_MAX;
  step();
  picks(UINT64_MAX, 2, 6);
  picks(0x4, 2, 2);
  assert_int_equal(EVENTS(pick), 4);
  wreck();
}

static void gto_stays_then_takes_the_oldest(void **state) {
  (void)state;
  build_with(16, 4, 2, HD_GTO);
  picks(0xffff, 0, NONE); /* no CTA is there */
  launch(2, 0x00f0);
  launch(0, 0x000f);
  launch(3, 0x0f00);
  picks(0xffff, 0, 4); /* slot 2 is the oldest: its warps 4..7 */
  picks(0xffff, 1, 5);
  edge();
  picks(0x0fdf, 0, 4); /* greedy */
  edge();
  assert_int_equal(EVENTS(greedy), 1); /* scheduler 1's warp 5 was not ready: it took 7 */
  picks(0x0fcf, 0, 6);                 /* 4 is not ready: next of slot 2 */
  picks(0x0f0f, 0, 0);                 /* slot 2 has none: slot 0 is older than slot 3 */
  picks(0x0f00, 0, 8);
  picks(0x0f0a, 1, 1); /* of slot 0, scheduler 1 has 1 and 3 */
  launch(2, 0x00f0);   /* a new CTA in slot 2 is now the youngest */
  picks(0x0fe0, 0, 8); /* slot 3 before slot 2; warp 4 is not ready */
  picks(0x0ff0, 0, 4); /* still greedy */
  wreck();
}

static void gto_launch_counts_from_the_next_cycle(void **state) {
  (void)state;
  build_with(16, 4, 1, HD_GTO);
  rig.in.launch_valid = 1;
  rig.in.launch_cta = 1;
  rig.in.launch_warps = 0x30;
  picks(0x30, 0, NONE);
  edge();
  rig.in.launch_valid = 0;
  picks(0x30, 0, 4);
  assert_int_equal(EVENTS(launch), 1);
  assert_int_equal(rig.m->s.older[1], 0x2);
  assert_int_equal(rig.m->s.older[0], 0x2); /* whoever comes later knows that slot 1 was before */
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lrr_goes_round),
      cmocka_unit_test(warps_are_split_by_number),
      cmocka_unit_test(gto_stays_then_takes_the_oldest),
      cmocka_unit_test(gto_launch_counts_from_the_next_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
