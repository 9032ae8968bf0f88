/* The locality degree, by hand from docs/mechanisms/casc.md: four ways, counters of two bits. */
#define RIG locality_degree
#include "tests/unit/rig.h"

enum { HPC = 6 };

static void start(unsigned lines, unsigned reserved, unsigned pins) {
  static const uint64_t counters[] = {1, 2, 1, 3};
  struct hd_config c = defaults();
  c.l1d.ways = 4;
  c.l1d.count_bits = 2;
  c.casc.scheme = HD_CASC_LOCALITY;
  c.apcm.manage = HD_APCM_PROTECT; /* so that lines are pinned */
  c.apcm.threshold = 2;
  build(c);
  memcpy(rig.in.decide_counters, counters, sizeof counters);
  rig.in.decide_loc = 1;
  rig.in.decide_hpc = HPC;
  rig.in.decide_lines = lines;
  rig.in.decide_reserved = reserved;
  rig.in.decide_pins = pins;
}

/* Checks a hold of two cycles. In the second cycle the table gives these values. */
static void held(bool known, unsigned sum, unsigned count) {
  for (unsigned i = 0; i < 2; i++) {
    rig.in.late_held = 1;
    rig.in.lk_known = i && known;
    rig.in.lk_sum = i ? sum : 99;
    rig.in.lk_count = count;
    look();
    assert_int_equal(rig.out.hold, 1);
    assert_int_equal(rig.out.lack_line, 1);
    assert_int_equal(rig.out.lk_hpc, HPC);
    edge();
  }
  rig.in.late_held = 0;
  look();
  assert_int_equal(rig.out.hold, 0);
}

static void leaves(void) {
  rig.in.late_advance = 1;
  step();
  rig.in.late_advance = 0;
  look();
  assert_int_equal(rig.m->s.l_step, 0);
}

static void who_does_not_ask(void **state) {
  (void)state;
  start(15, 0, 0);
  rig.in.decide_loc = 0;
  look();
  assert_int_equal(rig.out.hold | rig.out.hold_refuse | rig.out.lack_line, 0);
  assert_int_equal(rig.out.hold_among, 15);
  leaves();
  assert_int_equal(EVENTS(room) + EVENTS(better) + EVENTS(refuse), 0);
  wreck();
}

/* 3 / 2 is above 1, the least counter, which ways 0 and 2 have. */
static void better(void **state) {
  (void)state;
  start(15, 0, 0);
  held(true, 3, 2);
  assert_int_equal(rig.out.hold_refuse, 0);
  assert_int_equal(rig.out.hold_among, 5);
  step(); /* it may wait for another reason */
  leaves();
  assert_int_equal(EVENTS(look), 1);
  assert_int_equal(EVENTS(better), 1);
  look();
  assert_int_equal(rig.out.hold, 1); /* the next load looks up again */
  wreck();
}

static void refused(void **state) {
  (void)state;
  start(15, 0, 0);
  held(true, 2, 2);
  assert_int_equal(rig.out.hold_refuse, 1);
  leaves();
  assert_int_equal(EVENTS(refuse), 1);
  wreck();
}

static void nothing_known(void **state) {
  (void)state;
  start(15, 0, 0);
  held(false, 0, 0);
  assert_int_equal(rig.out.hold_refuse, 0);
  assert_int_equal(rig.out.hold_among, 5);
  wreck();
}

/* D-CASC-2. */
static void room(void **state) {
  (void)state;
  start(11, 0, 0);
  held(true, 0, 1);
  assert_int_equal(rig.out.hold_refuse, 0);
  assert_int_equal(rig.out.hold_among, 15);
  leaves();
  assert_int_equal(EVENTS(room), 1);
  wreck();
}

/* Only ways that may be evicted count: 0 is pinned and 2 in flight, so way 1 with counter 2. */
static void pinned_and_reserved(void **state) {
  (void)state;
  start(11, 4, 1);
  held(true, 4, 2);
  assert_int_equal(rig.m->s.l_min, 2);
  assert_int_equal(rig.out.hold_among, 2);
  assert_int_equal(rig.out.hold_refuse, 1); /* 4 is not above 2 * 2 */
  wreck();
}

/* D-CASC-9: a fill may take each way of its own set that has the smallest counter. */
static void on_fill(void **state) {
  (void)state;
  static const uint64_t counters[4][4] = {{1, 2, 1, 3}, {3, 3, 3, 3}, {2, 1, 0, 1}, {0, 1, 0, 0}};
  static const unsigned among[] = {5, 15, 4, 13};
  struct hd_config c = defaults();
  c.l1d.ways = 4;
  c.l1d.count_bits = 2;
  c.l1d.allocate = HD_ON_FILL;
  c.casc.scheme = HD_CASC_LOCALITY;
  build(c);
  for (unsigned i = 0; i < 4; i++) {
    memcpy(rig.in.fill_counters, counters[i], sizeof counters[i]);
    rig.in.decide_loc = i & 1;
    look();
    assert_int_equal(rig.out.fill_among, among[i]);
    assert_int_equal(rig.out.hold_fill, i & 1);
  }
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_does_not_ask), cmocka_unit_test(better), cmocka_unit_test(refused),
      cmocka_unit_test(nothing_known),    cmocka_unit_test(room),   cmocka_unit_test(pinned_and_reserved),
      cmocka_unit_test(on_fill),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
