/* PCAL at the L1D, by hand from docs/mechanisms/rivals.md. */
#define RIG pcal
#include "tests/unit/rig.h"

enum { A = 3, B = 5 };

static void who_has_a_token(void **state) {
  (void)state;
  static const struct {
    unsigned valid, write, wid, moves, poor;
  } cases[] = {{1, 0, A, 1, 0}, {1, 0, B, 1, 1}, {1, 0, A, 0, 1},
               {1, 1, B, 1, 0}, {1, 0, B, 1, 1}, {0, 0, B, 1, 0}};
  struct hd_config c = defaults();
  c.scheduler.limit = 4;
  c.scheduler.tokens = 2;
  build(c);
  rig.in.token = 1 << A;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    rig.in.look_valid = cases[i].valid;
    rig.in.look_write = cases[i].write;
    rig.in.look_wid = cases[i].wid;
    rig.in.late_advance = cases[i].moves;
    step();
    look();
    assert_int_equal(rig.out.advice_bypass, cases[i].poor);
  }
  assert_int_equal(EVENTS(advise), 2);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(who_has_a_token)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
