/* The L2 slice whose rows take time to wake, by hand from docs/mechanisms/l2.md. The tests act as gate_ctrl. */
#include <stdint.h>

#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

static struct hd_config waking(unsigned cycles, unsigned limit) {
  struct hd_config c = small(HD_GATE_ADAPTIVE, 2);
  c.loscache.wake_cycles = cycles;
  c.loscache.wake_limit = limit;
  return c;
}

/* Steps until a line is allocated. Returns the MSHR of the line. */
static unsigned allocates(void) {
  look();
  for (unsigned i = 0; rig.out.act != HD_ACT_WAKE; i++, look()) {
    assert_true(i < PATIENCE);
    assert_int_equal(rig.out.act, 0);
    edge();
  }
  const unsigned mshr = (unsigned)rig.out.act_mshr;
  edge();
  return mshr;
}

/* The row of this MSHR is awake from the next cycle on. */
static void wakes(unsigned mshr) {
  rig.in.woken = 1;
  rig.in.woken_mshr = mshr;
  look();
  edge();
  rig.in.woken = 0;
}

static void no_answer(unsigned cycles) {
  while (cycles--) {
    look();
    assert_int_equal(rig.out.rsp_valid, 0);
    edge();
  }
}

static void a_line_waits_for_its_row(void **state) {
  (void)state;
  build(waking(9, 0));
  load(6, 1);
  const unsigned mshr = allocates();
  assert_int_equal(mshr, 0);
  assert_int_equal(rig.m->s.mshr_wakes, 1);
  fill(memory_reads(6), 6);
  no_answer(12);
  assert_int_equal(EVENTS(fill), 0);
  assert_true(EVENTS(fill_waits) >= 10);
  wakes(mshr);
  assert_int_equal(EVENTS(fill), 0);
  look();
  edge(); /* f loads in the cycle after woken */
  assert_int_equal(EVENTS(fill), 1);
  loaded(1, 6, 0, 0);
  wreck();
}

/* A `woken` of another MSHR is of another row. */
static void each_waits_for_its_own(void **state) {
  (void)state;
  build(waking(9, 0));
  load(6, 1);
  const unsigned first = allocates();
  load(9, 2);
  const unsigned second = allocates();
  assert_int_not_equal(first, second);
  const unsigned reads_first = memory_reads(6), reads_second = memory_reads(9);
  fill(reads_second, 9);
  fill(reads_first, 6);
  wakes(first);
  no_answer(8); /* lines enter in order of arrival */
  wakes(second);
  loaded(2, 9, 0, 0);
  loaded(1, 6, 0, 0);
  wreck();
}

/* A row that was on needs no wake, and neither does a line that is not stored. */
static void no_wait_without_a_wake(void **state) {
  (void)state;
  build(waking(9, 0));
  rig.in.on = 3;
  load(6, 1);
  allocates();
  assert_int_equal(rig.m->s.mshr_wakes & 1, 0);
  fill(memory_reads(6), 6);
  loaded(1, 6, 0, 0);
  rig.in.on = 0;
  rig.m->s.mshr_wakes = 7; /* as power-up may leave it */
  rig.in.once = rig.in.predicted = 1;
  load_of(9, 2, 1);
  fill(memory_reads(9), 9);
  loaded(2, 9, 0, 0);
  assert_int_equal(EVENTS(no_store_read), 1);
  wreck();
}

/* D-L2-18: a miss waits for room with one look. It is looked up again when a row is awake. */
static void a_miss_waits_for_room(void **state) {
  (void)state;
  build(waking(9, 1));
  rig.in.wake_room = 1;
  load(6, 1);
  const unsigned mshr = allocates();
  memory_reads(6);
  rig.in.wake_room = 0;
  load(9, 2);
  idle(8);
  waits_with_one_look(rig.m, EV_l2_slice_fail_wake);
  memory_is_asked_nothing();
  rig.in.wake_room = 1; /* this alone changes nothing */
  idle(5);
  assert_int_equal(rig.m->s.blocked, 1);
  wakes(mshr);
  assert_int_equal(EVENTS(wake), 1);
  assert_int_equal(allocates(), 1);
  memory_reads(9);
  assert_int_equal(EVENTS(fail_wake), 1);
  wreck();
}

/* A request that is not stored needs no room, nor does a hit. */
static void others_pass_without_room(void **state) {
  (void)state;
  build(waking(9, 1));
  rig.in.wake_room = 1;
  load(6, 1);
  const unsigned mshr = allocates();
  fill(memory_reads(6), 6);
  wakes(mshr);
  loaded(1, 6, 0, 0);
  rig.in.on = 1;
  rig.in.wake_room = 0;
  load(6, 2);
  loaded(2, 6, 0, 0);
  rig.in.once = rig.in.predicted = 1;
  load_of(9, 3, 1);
  fill(memory_reads(9), 9);
  loaded(3, 9, 0, 0);
  assert_int_equal(EVENTS(fail_wake), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_waits_for_its_row), cmocka_unit_test(each_waits_for_its_own),
      cmocka_unit_test(no_wait_without_a_wake),   cmocka_unit_test(a_miss_waits_for_room),
      cmocka_unit_test(others_pass_without_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
