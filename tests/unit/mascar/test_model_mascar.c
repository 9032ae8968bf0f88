/* MASCAR's memory-access priority, by hand from docs/mechanisms/mascar.md: 8 warps, 4 MSHRs, a miss queue of 3. The memory is
 * saturated if at most one is free. */
#define RIG mascar
#include "tests/unit/rig.h"

static void start_with(enum hd_control control) {
  struct hd_config c = defaults();
  c.bus.control = control;
  c.sm.warps = 8;
  c.l1d.mshrs = 4;
  c.l1d.miss_queue = 3;
  c.mascar.priority = HD_MASCAR_ON;
  build(c);
  rig.in.mascar_en = 1;
  rig.in.awake = 0xff;
}

static void start(void) {
  start_with(HD_CONTROL_OFF);
}

static uint64_t withheld(void) {
  look();
  return rig.out.withhold;
}
static void steps(unsigned n) {
  while (n--)
    step();
}
/* All of these warps may issue an access. */
static void ready(unsigned warps) {
  rig.in.ready = rig.in.next_mem = warps;
}

/* Three of four MSHRs, or two of three places, are taken: saturated from the third cycle on. The end takes as long. */
static void saturated(void **state) {
  (void)state;
  for (unsigned by_queue = 0; by_queue < 2; by_queue++) {
    start();
    rig.in.next_mem = 0x0f; /* none of these warps is ready */
    rig.in.lines_waiting = 5;
    rig.in.lines_queue = 1;
    steps(8);
    assert_int_equal(withheld(), 0);
    if (by_queue)
      rig.in.lines_queue = 2;
    else
      rig.in.lines_waiting = 0xd;
    steps(2);
    assert_int_equal(withheld(), 0x0f);
    step();
    assert_int_equal(EVENTS(saturated), 1);
    assert_int_equal(EVENTS(relaxed), 0);
    rig.in.lines_queue = 1;
    rig.in.lines_waiting = 5;
    step();
    assert_int_equal(withheld(), 0x0f);
    step();
    assert_int_equal(withheld(), 0);
    assert_int_equal(EVENTS(relaxed), 1);
    assert_int_equal(EVENTS(nobody), 0);
    wreck();
  }
}

static void tight(void) {
  rig.in.lines_waiting = 0xf;
  steps(2);
}

/* The owner is the lowest warp that could access memory: 1. It stays owner until it waits for a load, sleeps or ends, even if it
 * computes and a lower warp could access memory. */
static void owners(void **state) {
  (void)state;
  start();
  tight();
  ready(0x52);
  assert_int_equal(withheld(), 0x52); /* one cycle without an owner */
  step();
  assert_int_equal(withheld(), 0x50);
  rig.in.ready = rig.in.next_mem = 0x51; /* the owner computes: no other warp may */
  steps(3);
  assert_int_equal(withheld(), 0x51);
  rig.in.wait_mem = 2;
  ready(0x50);
  step();
  assert_int_equal(withheld(), 0x40);
  rig.in.wait_mem = 0x10;
  ready(0x42); /* the first is back before the third was owner */
  step();
  assert_int_equal(withheld(), 0x40);
  rig.in.awake = 0xfd; /* warp 1 is at a barrier */
  ready(0x40);
  step();
  assert_int_equal(withheld(), 0);
  assert_int_equal(EVENTS(own), 4);
  rig.in.wait_mem = 0x50; /* and no owner follows */
  ready(0);
  step();
  assert_int_equal(EVENTS(nobody), 1);
  ready(0x12);
  rig.in.wait_mem = 0;
  assert_int_equal(withheld(), 0x12);
  step();
  assert_int_equal(withheld(), 0x10);
  wreck();
}

/* MSHRs are counted in quarters, also if their number is not a multiple of four. */
static void quarters(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.l1d.mshrs = 7;
  c.mascar.priority = HD_MASCAR_ON;
  c.mascar.mshrs = 2;
  build(c);
  rig.in.mascar_en = rig.in.next_mem = 1;
  rig.in.lines_waiting = 0x0b;
  steps(3);
  /* 0 00 10 11: the last quarter has one bit */
  assert_int_equal(rig.m->s.waiting_0, 2);
  assert_int_equal(rig.m->s.waiting_1, 1);
  assert_int_equal(rig.m->s.waiting_2, 0);
  assert_int_equal(rig.m->s.waiting_3, 0);
  assert_int_equal(withheld(), 0);
  rig.in.lines_waiting = 0x5b; /* 5 of 7 */
  steps(2);
  assert_int_equal(withheld(), 1);
  wreck();
}

static void relaxed_and_disabled(void **state) {
  (void)state;
  start();
  tight();
  ready(0x03);
  step();
  assert_int_equal(withheld(), 0x02);
  rig.in.mascar_en = 0;
  assert_int_equal(withheld(), 0);
  rig.in.mascar_en = 1;
  rig.in.lines_waiting = 0;
  steps(2);
  assert_int_equal(withheld(), 0);
  step();
  assert_int_equal(rig.m->s.barred, 0);
  tight();
  assert_int_equal(withheld(), 0x03); /* a new owner is chosen */
  step();
  assert_int_equal(withheld(), 0x02);
  wreck();
}

/* The tick says that it moves as long as a cycle with the same inputs would change something. */
static void at_rest(void **state) {
  (void)state;
  start();
  rig.in.lines_waiting = 7;
  ready(4);
  static const uint64_t moves[] = {HD_MOVES, HD_MOVES, HD_MOVES, 0, 0};
  for (unsigned i = 0; i < 5; i++) { /* waiting, tight, owner */
    look();
    assert_int_equal(mascar_tick(rig.m, &rig.in), moves[i]);
  }
  wreck();
}

/* With control registers the thresholds are inputs: two of four MSHRs wait, one of three places is taken. */
static void thresholds(void **state) {
  (void)state;
  start_with(HD_CONTROL_APB4);
  rig.in.next_mem = 0x0f;
  rig.in.lines_waiting = 5;
  rig.in.lines_queue = 1;
  rig.in.mascar_mshrs = rig.in.mascar_places = 1;
  steps(4);
  assert_int_equal(withheld(), 0);
  rig.in.mascar_mshrs = 2; /* compared with the count of the last cycle */
  step();
  assert_int_equal(withheld(), 0x0f);
  rig.in.mascar_mshrs = 0;
  step();
  assert_int_equal(withheld(), 0);
  rig.in.mascar_places = 2; /* compared with the input of this cycle */
  step();
  assert_int_equal(withheld(), 0);
  step();
  assert_int_equal(withheld(), 0x0f);
  assert_int_equal(EVENTS(saturated), 2);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(saturated), cmocka_unit_test(owners),
      cmocka_unit_test(quarters),  cmocka_unit_test(relaxed_and_disabled),
      cmocka_unit_test(at_rest),   cmocka_unit_test(thresholds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
