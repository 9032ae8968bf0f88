/* The protection distance at the L1D, by hand from docs/mechanisms/rivals.md: two sets of two ways, distance 2. */
#define RIG pd
#include "tests/unit/rig.h"

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

/* What is told counts in the cycle in which it is, as in the next. */
static void ages(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = 2;
  c.l1d.distance = 2;
  build(c);
  for (unsigned i = 0; i < 4; i++)
    rig.m->s.aged[i] = 2;
  rig.in.look_valid = 1;
  pinned(0);
  reported(0, 1, true, true); /* a miss takes way 0 */
  pinned(1);
  edge();
  reported(0, 0, false, false);
  pinned(1);
  reported(0, 2, true, false); /* a hit of way 1: way 0 is 1 old */
  pinned(3);
  edge();
  reported(1, 1, true, false); /* another set */
  pinned(3);
  edge();
  reported(0, 0, true, false); /* a bypass: 2 and 1 */
  pinned(2);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2);
  assert_int_equal(rig.m->s.aged[1], 1);
  reported(0, 0, true, false);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2); /* and no older */
  reported(0, 0, false, false);
  pinned(0);
  rig.in.look_set = 1;
  pinned(1);
  rig.in.look_valid = 0;
  pinned(0);
  wreck();
}

/* A prefetch's line is pinned for nobody. */
static void prefetched(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.l1d.ways = 2;
  c.l1d.distance = 2;
  build(c);
  rig.in.look_valid = 1;
  pinned(3);
  reported(0, 1, false, true);
  pinned(2);
  edge();
  assert_int_equal(rig.m->s.aged[0], 2);
  assert_int_equal(rig.m->s.aged[1], 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ages), cmocka_unit_test(prefetched)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
