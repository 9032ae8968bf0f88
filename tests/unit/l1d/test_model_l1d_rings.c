/* The L1D's miss queue and store data, with a wrong bit that makes a place outside the ring. It moves on as in the hardware. */
#include "tests/unit/l1d/l1d_rig.h"
#include "tests/unit/ring.h"

static void start(void) {
  struct hd_config c = small(2);
  c.l1d.miss_queue = 3;
  build(c);
  rig.in.mreq_ready = 1;
}

static void stores(void) {
  store(1, 1);
  idle(10);
}

static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("mq_tail", 0, 3, start, stores);
  place_moves_as_in_rtl("mq_head", 0, 3, start, stores);
  place_moves_as_in_rtl("sd_tail", 0, 7, start, stores);
  place_moves_as_in_rtl("sd_head", 0, 7, start, stores);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_that_are_not_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
