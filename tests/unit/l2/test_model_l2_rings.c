/* The queues of an L2 slice, with a wrong bit that makes a place outside the ring. It moves on as in the hardware. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"
#include "tests/unit/ring.h"

static void start(void) {
  struct hd_config c = small(HD_GATE_OFF, 4);
  c.l2.queue = c.l2.replies = c.l2.fills = 3;
  build(c);
  rig.in.out_ready = rig.in.rsp_ready = 1;
}

/* A load that misses is answered. It uses MSHR 0, even if its request is in a place outside the ring. */
static void misses(void) {
  load(0, 0);
  idle(20);
  fill(0, 0);
  idle(20);
}

static void places_that_are_not_there(void **state) {
  (void)state;
  static const char *const places[] = {"iq_head", "iq_tail", "iq_next", "oq_head", "oq_tail",
                                       "fq_head", "fq_tail", "rq_head", "rq_tail"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    place_moves_as_in_rtl(places[i], 0, 3, start, misses);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_that_are_not_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
