/* Warp schedulers, against picks worked out by hand from docs/mechanisms/sched.md. */
#define RIG sched
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

enum { NONE = -1 };

static void build_with(unsigned warps, unsigned ctas, unsigned scheds, enum hd_policy policy) {
  struct hd_config c = defaults();
  c.sm.warps = warps;
  c.sm.ctas = ctas;
  c.sm.schedulers = scheds;
  c.scheduler.policy = policy;
  build(c);
}

/* With a module that withholds warps. */
static void build_withholding(unsigned warps, unsigned ctas, unsigned scheds, enum hd_policy policy,
                              enum hd_gate gate) {
  struct hd_config c = defaults();
  c.sm.warps = warps;
  c.sm.ctas = ctas;
  c.sm.schedulers = scheds;
  c.scheduler.policy = policy;
  c.scheduler.limit = 1;
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = gate;
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
  picks(0x04, 0, 2); /* the last warp itself, if no other is ready */
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

/* 10 warps: schedulers 0 and 1 have three, 2 and 3 have two. Reset leaves place 2 as the last of each. */
static void places_where_the_split_is_uneven(void **state) {
  (void)state;
  build_with(10, 8, 4, HD_LRR);
  static const int order[][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 2, 3}};
  for (unsigned s = 0; s < 4; s++)
    assert_int_equal(rig.m->s.last[s], 2);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned s = 0; s < 4; s++)
      picks(0x3ff, s, order[i][s]);
    edge();
    for (unsigned s = 0; s < 4; s++)
      assert_int_equal(rig.m->s.last[s], order[i][s] / 4);
  }
  wreck();
}

static void gto_stays_then_takes_the_oldest(void **state) {
  (void)state;
  build_with(16, 4, 2, HD_GTO);
  picks(0xffff, 0, NONE); /* no CTA has started */
  launch(2, 0x00f0);
  launch(0, 0x000f);
  launch(3, 0x0f00);
  picks(0xffff, 0, 4); /* slot 2 is the oldest: its warps 4..7 */
  picks(0xffff, 1, 5);
  edge();
  picks(0x0fdf, 0, 4); /* greedy */
  edge();
  assert_int_equal(EVENTS(greedy), 1); /* scheduler 1's warp 5 was not ready: it took 7 */
  picks(0x0fcf, 0, 6);                 /* 4 is not ready: the next of slot 2 */
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
  assert_int_equal(rig.m->s.older[0], 0x01); /* pairs 01 02 03 12 13 23: 0 was before 1, 1 not before 2, 3 */
  wreck();
}

/* 32 slots with a warp each; 496 pairs in 31 elements of 16 bits. The launch order has no pattern. The picks follow it, as each warp
 * is ready until it is picked. */
static void gto_remembers_the_order_of_many(void **state) {
  (void)state;
  build_with(32, 32, 1, HD_GTO);
  for (unsigned i = 0; i < 32; i++)
    launch(i, hd_bit(i)); /* only the second launch of each counts */
  for (unsigned i = 0; i < 32; i++)
    launch(i * 13 % 32, hd_bit(i * 13 % 32));
  assert_int_equal(hd_has(rig.m->s.older[1], 15), 1); /* pair (1, 2), number 31; 1 came 5th, 2 came 10th */
  uint64_t ready = 0xffffffff;
  for (unsigned i = 0; i < 32; i++) {
    picks(ready, 0, i * 13 % 32);
    edge();
    ready &= ~hd_bit(i * 13 % 32);
  }
  wreck();
}

static void gto_of_one_slot(void **state) {
  (void)state;
  build_with(8, 1, 1, HD_GTO);
  launch(0, 0xf0);
  picks(0xff, 0, 4);
  wreck();
}

/* ---- With LoSCache: preferred warps ---- */

static void build_preferring(unsigned warps, unsigned ctas, unsigned scheds, enum hd_policy policy) {
  struct hd_config c = defaults();
  c.sm.warps = warps;
  c.sm.ctas = ctas;
  c.sm.schedulers = scheds;
  c.scheduler.policy = policy;
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  build(c);
}

static void prefer(uint64_t warps, bool boosting) {
  rig.in.prefer = warps;
  rig.in.boosting = boosting;
}

static void a_preferred_warp_goes_first(void **state) {
  (void)state;
  build_preferring(8, 8, 1, HD_LRR);
  prefer(0x50, true); /* 4 and 6 */
  static const int order[] = {4, 6, 4};
  for (unsigned i = 0; i < 3; i++) {
    picks(0xff, 0, order[i]);
    edge();
  }
  assert_int_equal(EVENTS(boost), 3);
  picks(0xaf, 0, 5); /* neither is ready: all compete, after 4 as always */
  edge();
  picks(0x0f, 0, 0);
  edge();
  assert_int_equal(EVENTS(boost), 3);
  prefer(0x50, false); /* they no longer go first */
  picks(0xff, 0, 1);
  edge();
  prefer(0, true); /* no warp is preferred */
  picks(0xff, 0, 2);
  edge();
  prefer(0x50, true);
  picks(0x40, 0, 6);
  edge();
  picks(0, 0, NONE);
  edge();
  assert_int_equal(EVENTS(boost), 4);
  assert_int_equal(EVENTS(pick), 8);
  assert_int_equal(EVENTS(idle), 1);
  wreck();
}

/* If a scheduler has no preferred warp that is ready, its other warps do not wait. */
static void each_scheduler_prefers_for_itself(void **state) {
  (void)state;
  build_preferring(12, 4, 2, HD_LRR);
  prefer(0x3f, true);
  picks(0xfc1, 0, 0);
  picks(0xfc1, 1, 7);
  edge();
  assert_int_equal(rig.m->s.last[0], 0);
  assert_int_equal(rig.m->s.last[1], 3);
  assert_int_equal(EVENTS(boost), 1);
  picks(0xfff, 0, 2);
  picks(0xfff, 1, 1); /* after 7 comes 9, not preferred */
  edge();
  assert_int_equal(EVENTS(boost), 3);
  wreck();
}

static void gto_leaves_its_warp_for_a_preferred_one(void **state) {
  (void)state;
  build_preferring(16, 4, 1, HD_GTO);
  launch(2, 0x00f0);
  launch(0, 0x000f);
  launch(3, 0x0f00);
  picks(0xffff, 0, 4);
  edge();
  prefer(0xf00, true); /* the youngest */
  picks(0x0fff, 0, 8);
  edge();
  assert_int_equal(EVENTS(greedy), 0);
  picks(0x0fff, 0, 8); /* stays with it (greedy) */
  edge();
  assert_int_equal(EVENTS(greedy), 1);
  picks(0x0eff, 0, 9);
  edge();
  picks(0x00ff, 0, 4); /* none of that slot is ready: the oldest slot */
  edge();
  prefer(0x00c, true);
  picks(0x0fff, 0, 2);
  prefer(0x00c, false);
  picks(0x0fff, 0, 4);
  prefer(0xf004, true);
  picks(0xf0f0, 0, NONE); /* preferred, but of no CTA */
  picks(0xf004, 0, 2);
  wreck();
}

/* ---- Warps that a module withholds ---- */

static void who_is_withheld_is_not_ready(void **state) {
  (void)state;
  build_withholding(10, 4, 4, HD_LRR, HD_GATE_OFF);
  rig.in.withhold = 0x3f & ~0x10; /* 0 to 5 without 4 */
  picks(0x3ff, 0, 4);             /* not 0 */
  picks(0x3ff, 1, 9);             /* neither 1 nor 5 */
  picks(0x3ff, 2, 6);
  edge();
  assert_int_equal(EVENTS(held), 0);
  picks(0x023, 0, NONE); /* 0 is withheld; 1 and 5 too */
  picks(0x023, 1, NONE);
  edge();
  assert_int_equal(EVENTS(held), 2); /* the other two have no ready warp */
  assert_int_equal(EVENTS(idle), 4);
  rig.in.withhold = 0;
  picks(0x3ff, 0, 8);
  wreck();
}

static void gto_leaves_a_warp_that_is_withheld(void **state) {
  (void)state;
  build_withholding(8, 4, 1, HD_GTO, HD_GATE_OFF);
  launch(1, 0xc0);
  launch(0, 0x30);
  picks(0xf0, 0, 6); /* slot 1 is the older one */
  edge();
  rig.in.withhold = 0x40;
  picks(0xf0, 0, 7); /* not the last one again */
  edge();
  rig.in.withhold = 0xc0;
  picks(0xf0, 0, 4); /* nor the oldest CTA */
  edge();
  picks(0xc0, 0, NONE);
  edge();
  assert_int_equal(EVENTS(greedy), 0);
  assert_int_equal(EVENTS(held), 1);
  wreck();
}

/* A preferred warp that is withheld keeps no other warp from issuing. */
static void who_is_withheld_goes_before_none(void **state) {
  (void)state;
  build_withholding(8, 8, 1, HD_LRR, HD_GATE_ADAPTIVE);
  prefer(0x50, true);
  rig.in.withhold = 0x10;
  picks(0xff, 0, 6);
  edge();
  rig.in.withhold = 0x50;
  picks(0xff, 0, 7);
  edge();
  assert_int_equal(EVENTS(boost), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lrr_goes_round),
      cmocka_unit_test(warps_are_split_by_number),
      cmocka_unit_test(places_where_the_split_is_uneven),
      cmocka_unit_test(gto_stays_then_takes_the_oldest),
      cmocka_unit_test(gto_launch_counts_from_the_next_cycle),
      cmocka_unit_test(gto_remembers_the_order_of_many),
      cmocka_unit_test(gto_of_one_slot),
      cmocka_unit_test(a_preferred_warp_goes_first),
      cmocka_unit_test(each_scheduler_prefers_for_itself),
      cmocka_unit_test(gto_leaves_its_warp_for_a_preferred_one),
      cmocka_unit_test(who_is_withheld_is_not_ready),
      cmocka_unit_test(gto_leaves_a_warp_that_is_withheld),
      cmocka_unit_test(who_is_withheld_goes_before_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
