/* The advice of the reuse-frequency table, by hand from docs/mechanisms/rft.md: four entries, every third load is cached as a
 * sample. */
#define RIG rft_line
#include "tests/unit/rig.h"

static void start(unsigned resample) {
  struct hd_config c = defaults();
  c.rft.form = HD_RFT_BIT;
  c.rft.entries = 4;
  c.rft.resample = resample;
  build(c);
  rig.in.rft_en = 1;
  rig.in.rft_bypass = 1 << 2;
}

/* A load of this hash moves into d. Returns true if it is to bypass. */
static bool advised(unsigned hpc) {
  rig.in.look_valid = rig.in.late_advance = 1;
  rig.in.look_hpc = hpc;
  step();
  rig.in.look_valid = rig.in.late_advance = 0;
  look();
  return rig.out.advice_bypass;
}
/* The load that was in d is reported. */
static void reported(unsigned hpc, bool past) {
  rig.in.outcome_load = 1;
  rig.in.outcome_past = past;
  rig.in.outcome_hpc = hpc;
  step();
  rig.in.outcome_load = rig.in.outcome_past = 0;
}

static void who_is_advised(void **state) {
  (void)state;
  start(0);
  assert_true(advised(2));
  step(); /* the advice stays while d stays */
  look();
  assert_int_equal(rig.out.advice_bypass, 1);
  assert_false(advised(1));
  assert_int_equal(EVENTS(advise), 1);
  rig.in.look_write = 1;
  assert_false(advised(2));
  rig.in.look_write = 0;
  rig.in.rft_en = 0;
  assert_false(advised(2));
  rig.in.rft_en = 1;
  rig.in.late_advance = 1; /* c is empty */
  rig.in.look_hpc = 2;
  step();
  assert_int_equal(rig.m->s.d_rft, 0);
  assert_int_equal(EVENTS(advise), 1);
  wreck();
}

/* D-RFT-3: of entry 2 two loads bypass and the third is cached. The reports count one load late (D-RFT-8). */
static void resampling(void **state) {
  (void)state;
  start(3);
  for (unsigned round = 1; round < 3; round++) {
    for (unsigned i = 0; i < 2; i++) {
      assert_true(advised(2));
      step(); /* done */
      reported(2, true);
    }
    assert_false(advised(2));
    assert_int_equal(rig.m->s.d_res, 1);
    step();
    reported(2, false);
    assert_int_equal(EVENTS(resample), round);
    assert_int_equal(rig.m->s.rs[2], 0);
  }
  wreck();
}

/* A load that moves into d while another is reported does not see that report yet. */
static void outcome_late(void **state) {
  (void)state;
  start(2);
  assert_true(advised(2));
  assert_true(advised(2)); /* the first is done at this edge */
  rig.in.outcome_load = rig.in.outcome_past = 1;
  rig.in.outcome_hpc = 2;
  assert_true(advised(2)); /* and reported here: rs is 1 from the next cycle on */
  rig.in.outcome_load = rig.in.outcome_past = 0;
  assert_false(advised(2));
  wreck();
}

/* A load that bypassed for another reason does not count, nor does a hit. */
static void others(void **state) {
  (void)state;
  start(2);
  assert_false(advised(1));
  step();
  reported(1, true);
  assert_int_equal(rig.m->s.rs[1], 0);
  assert_true(advised(2));
  step();
  reported(2, false);
  assert_int_equal(rig.m->s.rs[2], 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_is_advised),
      cmocka_unit_test(resampling),
      cmocka_unit_test(outcome_late),
      cmocka_unit_test(others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
