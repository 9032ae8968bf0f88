/* The L1 data cache with `lack_again`: a load that lacks any resource is given back, and a load that only waits stays. */
#include "tests/unit/l1d/l1d_rig.h"

static struct hd_config with_queues(unsigned ways) {
  struct hd_config c = small(ways);
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = HD_DRAIN_RR;
  return c;
}

/* Checks that the load just sent is tried once, with this result. */
static void is_tried(bool ok) {
  look();
  for (unsigned i = 0; !rig.out.outcome_tried; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(rig.out.outcome.wid, WID);
  assert_int_equal(rig.out.outcome_load, ok);
  edge();
  look();
  assert_int_equal(rig.out.outcome_tried, 0);
}

static void cycles(void **state) {
  (void)state;
  build(with_queues(2));
  rig.in.lack_again = 1;
  load(5, 1);
  for (unsigned cycle = 1; cycle < 4; cycle++) {
    look();
    assert_int_equal(rig.out.outcome_tried, 0);
    edge();
  }
  look(); /* decided in 3 */
  assert_int_equal(rig.out.outcome_tried, 1);
  is_tried(true);
  wreck();
}

static void done(void **state) {
  (void)state;
  build(with_queues(2));
  rig.in.lack_again = 1;
  load(5, 1); /* a miss */
  is_tried(true);
  load(5, 2); /* a merge */
  is_tried(true);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 5, 1), 0, 5);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  load(5, 3); /* a hit */
  is_tried(true);
  sm_gets(false, 3, 5);
  store(5, 4); /* is not tried */
  memory_gets(HD_STORE, 5, 4);
  memory_gets_no_more();
  assert_int_equal(rig.out.outcome_tried, 0);
  assert_int_equal(EVENTS(again), 0);
  wreck();
}

/* Checks that the load lacks something once and that the pipeline is empty after it. */
static void comes_again(uint64_t line, unsigned num) {
  const uint64_t before = EVENTS(again);
  load(line, num);
  is_tried(false);
  assert_int_equal(rig.m->s.d_valid, 0);
  idle(PATIENCE);
  assert_int_equal(EVENTS(again), before + 1);
}

static void no_line(void **state) {
  (void)state;
  build(with_queues(1));
  rig.in.lack_again = 1;
  brings(1);
  load(0, 1);
  is_tried(true);
  comes_again(2, 2);
  assert_int_equal(EVENTS(fail_line_alloc), 1);
  hits(1); /* others overtake it */
  memory_answers(HD_FILL, memory_gets(HD_FILL, 0, 1), 0, 0);
  sm_gets(false, 1, 0);
  brings(2);
  wreck();
}

static void no_mshr(void **state) {
  (void)state;
  struct hd_config c = with_queues(2);
  c.l1d.mshrs = 1;
  build(c);
  rig.in.lack_again = 1;
  load(0, 1);
  is_tried(true);
  comes_again(1, 2);
  assert_int_equal(EVENTS(fail_mshr), 1);
  wreck();
}

/* No MSHR with a free merge place, or a dead MSHR. */
static void no_merge(void **state) {
  (void)state;
  build(with_queues(2));
  rig.in.lack_again = 1;
  load(0, 1);
  is_tried(true);
  load(0, 2);
  is_tried(true);
  comes_again(0, 3);
  load(1, 1);
  is_tried(true);
  store(1, 4);
  comes_again(1, 3);
  assert_int_equal(EVENTS(fail_mshr_merge), 2);
  wreck();
}

/* A load comes again. A store waits and holds up the requests behind it. */
static void no_queue_place(void **state) {
  (void)state;
  build(with_queues(4));
  rig.in.lack_again = 1;
  for (unsigned n = 0; n < 3; n++)
    store(1, n);
  comes_again(0, 3);
  assert_int_equal(EVENTS(fail_miss_queue), 1);
  store(1, 3);
  load(2, 4);
  idle(PATIENCE);
  assert_true(EVENTS(fail_miss_queue) >= PATIENCE - 4);
  assert_int_equal(EVENTS(again), 1);
  for (unsigned n = 0; n < 4; n++)
    memory_gets(HD_STORE, 1, n);
  memory_gets(HD_FILL, 2, 4);
  wreck();
}

static void no_bypass_slot(void **state) {
  (void)state;
  struct hd_config c = with_queues(1);
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.bypass_slots = 1;
  build(c);
  rig.in.lack_again = 1;
  load(0, 1);
  is_tried(true);
  load(2, 2); /* saved by the stall bypass: it is done */
  is_tried(true);
  comes_again(4, 3);
  assert_int_equal(EVENTS(bypass), 1);
  assert_int_equal(EVENTS(fail_bypass_slots), 1);
  wreck();
}

/* While the response port is busy or a fill enters, the load stays. It is tried afterwards. */
static void what_waits_stays(void **state) {
  (void)state;
  build(with_queues(2));
  rig.in.lack_again = 1;
  brings(5);
  load(5, 6);
  is_tried(true);
  load(5, 7);
  idle(PATIENCE);
  assert_true(EVENTS(hit_wait) > 10);
  assert_int_equal(rig.m->s.d_valid, 1);
  assert_int_equal(rig.out.outcome_tried, 0);
  sm_gets(false, 6, 5);
  is_tried(true);
  sm_gets(false, 7, 5);
  load(0, 1);
  is_tried(true);
  const unsigned id = memory_gets(HD_FILL, 0, 1);
  load(2, 1);
  step();
  memory_answers(HD_FILL, id, 0, 0); /* enters in the cycle in which the load would be decided */
  look();
  assert_int_equal(rig.m->s.d_valid, 1);
  edge();
  assert_int_equal(EVENTS(fill_wait), 1);
  look();
  assert_int_equal(rig.out.outcome_tried, 0);
  edge();
  is_tried(true);
  assert_int_equal(EVENTS(again), 0);
  wreck();
}

/* A hold is no lack. What the load lacks after the hold is one. */
static void what_is_held_stays(void **state) {
  (void)state;
  struct hd_config c = with_queues(2);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.l1d.mshrs = 1;
  build(c);
  rig.in.lack_again = 1;
  rig.in.hold_among = 3;
  load(0, 1);
  is_tried(true);
  for (unsigned times = 1; times < 3; times++) {
    rig.in.hold = 1;
    load(1, 3);
    for (unsigned i = 0; i < PATIENCE; i++) {
      look();
      assert_int_equal(rig.out.outcome_tried, 0);
      edge();
    }
    rig.in.hold = 0;
    is_tried(false);
    assert_true(EVENTS(held) >= times * (PATIENCE - 3));
    assert_int_equal(EVENTS(fail_mshr), times);
  }
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cycles),
      cmocka_unit_test(done),
      cmocka_unit_test(no_line),
      cmocka_unit_test(no_mshr),
      cmocka_unit_test(no_merge),
      cmocka_unit_test(no_queue_place),
      cmocka_unit_test(no_bypass_slot),
      cmocka_unit_test(what_waits_stays),
      cmocka_unit_test(what_is_held_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
