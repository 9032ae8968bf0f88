/* The reuse-frequency table that holds confidences (ABYP), by hand from docs/mechanisms/rft.md. */
#define RIG rft
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

static void build_confidence(void) {
  struct hd_config c = defaults();
  c.rft.form = HD_RFT_CONFIDENCE;
  c.rft.entries = 8;
  c.gpu.sms = 1;
  build(c);
}

/* A line of the entry is evicted, re-referenced or not. The update arrives, is chosen and done. */
static void leaves(unsigned entry, bool used) {
  rig.in.up_valid = 1;
  rig.in.up_hpc[0] = entry;
  rig.in.up_count[0] = used;
  step();
  rig.in.up_valid = 0;
  step();
  step();
  look();
}

static void doubt_rises_and_falls(void **state) {
  (void)state;
  build_confidence();
  for (unsigned n = 1; n <= 17; n++) {
    leaves(5, false);
    assert_int_equal(rig.m->s.doubt[5], n < 15 ? n : 15);
    assert_int_equal(rig.out.bypass, n < 8 ? 0 : hd_bit(5));
  }
  assert_int_equal(EVENTS(first), 1);
  assert_int_equal(EVENTS(update), 16);
  assert_int_equal(EVENTS(closes), 1);
  for (unsigned n = 1; n <= 17; n++) {
    leaves(5, true);
    assert_int_equal(rig.m->s.doubt[5], n < 15 ? 15 - n : 0);
    assert_int_equal(rig.out.bypass, n < 8 ? hd_bit(5) : 0);
  }
  assert_int_equal(EVENTS(opens), 1);
  for (unsigned e = 0; e < 8; e++)
    assert_int_equal(rig.m->s.doubt[e], 0);
  wreck();
}

static void a_kernel_begins(void **state) {
  (void)state;
  build_confidence();
  for (unsigned n = 0; n < 9; n++)
    leaves(2, false);
  assert_int_equal(rig.out.bypass, hd_bit(2));
  rig.in.clear = 1;
  step();
  rig.in.clear = 0;
  look();
  assert_int_equal(rig.out.bypass, 0);
  assert_int_equal(rig.m->s.known, 0);
  assert_int_equal(rig.m->s.doubt[2], 0);
  for (unsigned n = 0; n < 7; n++)
    leaves(2, false);
  assert_int_equal(rig.out.bypass, 0);
  leaves(2, false);
  assert_int_equal(rig.out.bypass, hd_bit(2));
  hd_model_reset(rig.m);
  look();
  assert_int_equal(rig.out.bypass, 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubt_rises_and_falls),
      cmocka_unit_test(a_kernel_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
