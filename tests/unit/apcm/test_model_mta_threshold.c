/* The monitor tag array of a machine with control registers, where the threshold is an input (docs/mechanisms/apcm.md). */
#define RIG mta
#include "tests/unit/rig.h"

/* n accesses to the line by the warp's load 3, one per cycle. The last access is taken in the last of these cycles and looked up in
 * the next. */
static void accesses(unsigned n) {
  rig.in.acc = (struct access){.wid = 5, .trk = 1, .lid = 3, .two = 1, .line = 100};
  rig.in.acc_valid = 1;
  while (n--)
    step();
  rig.in.acc_valid = 0;
}

static void the_threshold_changes(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.apcm.manage = HD_APCM_BOTH;
  c.bus.control = HD_CONTROL_APB4;
  build(c);
  rig.in.apcm_threshold = 15;
  accesses(5);
  assert_int_equal(EVENTS(enough), 0);
  rig.in.apcm_threshold = 5; /* in the cycle that looks up the fifth access */
  step();
  look();
  assert_int_equal(rig.out.up_valid, 1);
  assert_int_equal(rig.out.up_count, 5);
  rig.in.apcm_threshold = 7;
  accesses(2);
  assert_int_equal(EVENTS(enough), 1);
  step();
  assert_int_equal(EVENTS(enough), 2);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_threshold_changes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
