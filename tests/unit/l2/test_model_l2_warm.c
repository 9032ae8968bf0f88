/* Lines that enter an L2 slice without time (docs/gpu/sampling.md). They have no bytes. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

#include "cmodel/l2/l2_warm.h"

/* A load, and its outcome, with any bytes. */
static void loads(uint64_t line, unsigned num) {
  rig.in.rsp_ready = 1;
  load(line, num);
  idle(10);
}

/* Two ways, three lines of one set. A line that was put there hits. It is evicted, with its dirty bit, as if it had been accessed. */
static void recency(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  const uint64_t sets = (uint64_t)rig.m->base.c->l2.sets, line[] = {6, 6 + sets, 6 + 2 * sets};
  l2_warm(rig.m, line[0], 0, false);
  l2_warm(rig.m, line[1], 0, true);
  assert_int_equal(rig.m->s.dirty[6 % sets], 2);
  l2_warm(rig.m, line[0], 0, false);
  l2_warm(rig.m, line[2], 0, false);
  assert_int_equal(rig.m->s.dirty[6 % sets], 0);
  loads(line[0], 1);
  loads(line[2], 2);
  assert_int_equal(EVENTS(read_hit), 2);
  loads(line[1], 3);
  assert_int_equal(EVENTS(read_miss), 1);
  wreck();
}

/* A way that waits for its line is not taken. A line in flight stays in flight. */
static void in_flight(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  const uint64_t sets = (uint64_t)rig.m->base.c->l2.sets, line = 6;
  loads(line, 1);
  assert_int_equal(EVENTS(read_miss), 1);
  for (unsigned i = 0; i < 4; i++)
    l2_warm(rig.m, line + i * sets, 0, false);
  loads(line, 2);
  assert_int_equal(EVENTS(read_merge), 1);
  loads(line + 3 * sets, 3);
  assert_int_equal(EVENTS(read_hit), 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(recency), cmocka_unit_test(in_flight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
