/* The protection distance at the L1D, by hand from docs/mechanisms/rivals.md: two sets of two ways, distance 2. */
#define RIG pd
#include "tests/unit/rig.h"

/* All four lines are too old to be pinned. */
static void start(enum hd_allocate allocate, enum hd_apcm manage) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = 2;
  c.l1d.distance = 2;
  c.l1d.allocate = allocate;
  c.apcm.manage = manage;
  build(c);
  for (unsigned i = 0; i < 4; i++)
    rig.m->s.aged[i] = 2;
  rig.in.look_valid = 1;
}

static void reported(unsigned set, unsigned at, bool load, bool write) {
  rig.in.outcome_set = set;
  rig.in.outcome_at = at;
  rig.in.outcome_load = load;
  rig.in.outcome_write = write;
  look();
}
static void pinned(unsigned ways) {
  look();
  assert_int_equal(rig.out.pins, ways);
  assert_int_equal(rig.out.pin_new, 1);
}

/* A report counts in its own cycle and afterwards. */
static void ages(void **state) {
  (void)state;
  start(HD_ON_MISS, HD_APCM_OFF);
  pinned(0);
  reported(0, 1, true, true); /* a miss takes way 0 */
  pinned(1);
  edge();
  reported(0, 0, false, false);
  pinned(1);
  reported(0, 2, true, false); /* hit of way 1: way 0 has age 1 */
  pinned(3);
  edge();
  reported(1, 1, true, false); /* another set */
  pinned(3);
  edge();
  reported(0, 0, true, false); /* a bypass: ages 2 and 1 */
  pinned(2);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2);
  assert_int_equal(rig.m->s.aged[1], 1);
  reported(0, 0, true, false);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2); /* saturated */
  reported(0, 0, false, false);
  pinned(0);
  rig.in.look_set = 1;
  pinned(1);
  rig.in.look_valid = 0;
  pinned(0);
  wreck();
}

/* A prefetched line is not pinned. */
static void prefetched(void **state) {
  (void)state;
  start(HD_ON_MISS, HD_APCM_OFF);
  rig.m->s.aged[0] = rig.m->s.aged[1] = 0;
  pinned(3);
  reported(0, 1, false, true);
  pinned(2);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2);
  assert_int_equal(rig.m->s.aged[1], 0);
  wreck();
}

/* With on_fill a line is new when its fill enters for a load. The pins for a fill follow the same rules as those for a load. */
static void filled(void **state) {
  (void)state;
  start(HD_ON_FILL, HD_APCM_OFF);
  rig.in.fill_set = 1;
  rig.in.outcome_take = 1;
  reported(1, 2, false, true); /* into way 1, for a load */
  assert_int_equal(rig.out.fill_pins, 2);
  edge();
  rig.in.outcome_take = 0;
  reported(1, 1, false, true); /* into way 0, for a prefetch */
  assert_int_equal(rig.out.fill_pins, 2);
  edge();
  reported(1, 0, true, false); /* a miss, before its fill */
  edge();
  reported(1, 0, true, false);
  assert_int_equal(rig.out.fill_pins, 0);
  rig.in.fill_set = 0;
  edge();
  reported(0, 0, false, false);
  assert_int_equal(rig.out.fill_pins, 0);
  wreck();
}

/* APCM-pN: of the lines that are too young to be evicted, those that APCM protects are pinned. A hit marks a line again. */
static void marked(void **state) {
  (void)state;
  start(HD_ON_MISS, HD_APCM_BOTH);
  reported(0, 1, true, true);
  assert_int_equal(rig.out.pins, 0);
  assert_int_equal(rig.out.pin_new, 0); /* apcm_line gives it */
  edge();
  reported(0, 2, true, true);
  rig.in.marked = 2;
  look();
  assert_int_equal(rig.out.pins, 2);
  edge();
  for (unsigned age = 1; age <= 2; age++) { /* hits of way 0 */
    reported(0, 1, true, false);
    assert_int_equal(rig.out.pins, age < 2 ? 2 : 0);
    edge();
  }
  reported(0, 2, true, false);
  assert_int_equal(rig.out.pins, 2);
  wreck();
}

/* The same with on_fill, for a fill. */
static void marked_fill(void **state) {
  (void)state;
  start(HD_ON_FILL, HD_APCM_PROTECT);
  rig.in.outcome_take = 1;
  reported(0, 1, false, true);
  assert_int_equal(rig.out.fill_pins, 0);
  rig.in.fill_marked = 3;
  look();
  assert_int_equal(rig.out.fill_pins, 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ages), cmocka_unit_test(prefetched),
                                     cmocka_unit_test(filled), cmocka_unit_test(marked),
                                     cmocka_unit_test(marked_fill)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
