/* The fill port of an L2 slice, by hand from docs/mechanisms/l2.md: how many cycles a line occupies it. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

static void ready_after(unsigned cycles) {
  for (look(); cycles--; look()) {
    assert_int_equal(rig.out.fill_ready, 0);
    edge();
  }
  assert_int_equal(rig.out.fill_ready, 1);
}

/* D-L2-15: a line occupies the port for its cycles. The port takes one line at a time, even if there is room for more. */
static void fills_take_their_time(void **state) {
  (void)state;
  static const unsigned cycles_of[] = {1, 2, 3, 4, 16};
  for (unsigned k = 0; k < sizeof cycles_of / sizeof *cycles_of; k++) {
    struct hd_config c = small(HD_GATE_OFF, 4);
    c.l2.fill_cycles = cycles_of[k];
    build(c);
    load(0, 0);
    load(2, 1);
    const unsigned first = memory_reads(0), second = memory_reads(2);
    fill(first, 0);
    rig.in.fill_valid = 1;
    rig.in.fill_id = second;
    ready_after(cycles_of[k] - 1);
    edge();
    rig.in.fill_valid = 0;
    ready_after(cycles_of[k] - 1);
    answered(HD_FILL, 0, false);
    answered(HD_FILL, 1, false);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fills_take_their_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
