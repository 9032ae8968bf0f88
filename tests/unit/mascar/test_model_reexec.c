/* MASCAR's re-execution queue, by hand from docs/mechanisms/mascar.md: two places for loads. */
#define RIG reexec
#include "cmodel/model/bits.h"
#include "tests/unit/rig.h"

#include "tests/unit/ring.h"

enum { A = 1, B = 2, C = 3 };

static void start(void) {
  struct hd_config c = defaults();
  c.sm.warps = 8;
  c.request_buffer.kind = HD_REEXEC;
  c.request_buffer.depth = 2;
  build(c);
  rig.in.reexec_en = 1;
}

/* Offers a request, which is taken in this cycle. */
static void enters(unsigned wid, unsigned line, bool write) {
  rig.in.enq_valid = 1;
  rig.in.enq = (struct req){.line = line, .wid = wid, .write = write, .slot = 2, .num = 3, .last = 1};
  look();
  assert_int_equal(rig.out.enq_ready, 1);
  edge();
  rig.in.enq_valid = 0;
}
static bool ready(void) {
  rig.in.enq_valid = 0;
  look();
  return rig.out.enq_ready;
}

/* Returns the line that the output offers, 0 if none. */
static unsigned offered(void) {
  look();
  return rig.out.deq_valid ? (unsigned)rig.out.deq.line : 0;
}
static void taken(void) {
  rig.in.deq_ready = 1;
  step();
  rig.in.deq_ready = 0;
}
static void goes(unsigned line) {
  assert_int_equal(offered(), line);
  taken();
}

/* The L1D reports a load. */
static void reported(unsigned wid, unsigned line, bool served) {
  rig.in.outcome_tried = 1;
  rig.in.outcome_load = served;
  rig.in.outcome_wid = wid;
  rig.in.outcome_line = line;
  rig.in.outcome_slot = 2;
  rig.in.outcome_num = 3;
  rig.in.outcome_last = 1;
  step();
  rig.in.outcome_tried = rig.in.outcome_load = 0;
}
static bool drained(unsigned wid) {
  look();
  return rig.out.drained >> wid & 1;
}

/* A load that comes back is read in the next cycle and offered in the one after, with all its fields. Another load hits meanwhile. */
static void comes_again(void **state) {
  (void)state;
  start();
  assert_true(drained(A));
  enters(A, 10, false);
  assert_false(drained(A));
  goes(10);
  enters(B, 20, false);
  goes(20);
  reported(A, 10, false);
  assert_int_equal(offered(), 0);
  reported(B, 20, true);
  assert_true(drained(B));
  assert_false(drained(A));
  assert_int_equal(offered(), 10);
  assert_int_equal(rig.out.deq.wid, A);
  assert_int_equal(rig.out.deq.slot, 2);
  assert_int_equal(rig.out.deq.num, 3);
  assert_int_equal(rig.out.deq.last, 1);
  assert_int_equal(rig.out.deq.write, 0);
  taken();
  assert_int_equal(EVENTS(retry), 1);
  assert_int_equal(offered(), 0);
  reported(A, 10, true);
  assert_true(drained(A));
  assert_int_equal(EVENTS(back), 1);
  assert_int_equal(EVENTS(served), 2);
  wreck();
}

/* Two loads have places. A third waits until one is served, even if the queue is empty. A load that came back goes on meanwhile. */
static void places(void **state) {
  (void)state;
  start();
  enters(A, 10, false);
  goes(10);
  enters(B, 20, false);
  goes(20);
  enters(C, 30, false);
  assert_int_equal(offered(), 0);
  assert_false(ready());
  reported(A, 10, false);
  assert_true(EVENTS(full) > 0);
  step();
  goes(10);
  reported(B, 20, true);
  goes(30); /* B's place */
  reported(A, 10, true);
  reported(C, 30, true);
  assert_int_equal(rig.m->s.inside, 0);
  wreck();
}

/* New loads go first. A load that the queue offers stays until it is taken. */
static void who_goes_first(void **state) {
  (void)state;
  start();
  enters(A, 10, false);
  goes(10);
  reported(A, 10, false);
  step();
  assert_int_equal(offered(), 10);
  step();
  enters(B, 20, false);
  assert_int_equal(offered(), 10); /* was already offered */
  assert_false(ready());
  taken();
  goes(20);
  reported(A, 10, true);
  reported(B, 20, false);
  enters(B, 40, false); /* as 20 comes to the output */
  goes(40);
  assert_int_equal(offered(), 20);
  wreck();
}

/* A store waits for the loads of its own warp only. A load behind the store waits too. */
static void stores(void **state) {
  (void)state;
  start();
  enters(A, 10, false);
  goes(10);
  enters(B, 20, true);
  goes(20); /* takes no place */
  assert_true(drained(B));
  enters(A, 11, true);
  assert_int_equal(offered(), 0);
  assert_true(EVENTS(wait) == 0);
  step();
  assert_int_equal(EVENTS(wait), 1);
  assert_false(ready());
  reported(A, 10, false);
  step();
  goes(10);
  assert_int_equal(offered(), 0);
  reported(A, 10, true);
  assert_false(drained(A));
  goes(11);
  assert_true(drained(A));
  wreck();
}

/* If it is not enabled, it is one register that keeps the order, with any number of loads in flight. */
static void disabled(void **state) {
  (void)state;
  start();
  rig.in.reexec_en = 0;
  for (unsigned i = 0; i < 5; i++) {
    enters(A, 10 + i, i == 3);
    assert_int_equal(offered(), 10 + i);
    step();
    assert_int_equal(offered(), 10 + i);
    taken();
  }
  reported(A, 10, true);
  assert_int_equal(rig.m->s.inside, 0);
  assert_true(drained(A));
  wreck();
}

/* It sleeps until an input comes. Its forecast for the next cycle is right. */
static void at_rest(void **state) {
  (void)state;
  start();
  look();
  assert_int_equal(reexec_tick(rig.m, &rig.in), 0);
  enters(A, 10, false);
  look();
  assert_int_equal(reexec_tick(rig.m, &rig.in), hd_bit(EV_reexec_stall));
  goes(10);
  rig.in.outcome_tried = 1;
  rig.in.outcome_wid = A;
  rig.in.outcome_line = 10;
  look();
  assert_int_equal(reexec_tick(rig.m, &rig.in), HD_MOVES); /* to be read */
  rig.in.outcome_tried = 0;
  look();
  assert_int_equal(reexec_tick(rig.m, &rig.in), HD_MOVES); /* offered, and now stays */
  look();
  assert_int_equal(reexec_tick(rig.m, &rig.in), hd_bit(EV_reexec_stall));
  wreck();
}

/* A wrong bit makes a load's warp one that no register has an element for. The load takes a place and gives it back; it changes nothing
 * of the five warps. Without spare room (arch/declaration/declaration.c) the sanitizer finds an access outside `mine`. */
static void a_warp_that_is_not_there(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.sm.warps = c.sm.ctas = 5;
  c.request_buffer.kind = HD_REEXEC;
  build(c);
  rig.in.reexec_en = 1;
  enters(7, 10, false);
  goes(10);
  assert_int_equal(rig.m->s.inside, 1);
  reported(7, 10, true);
  assert_int_equal(rig.m->s.inside, 0);
  for (unsigned w = 0; w < 5; w++)
    assert_true(rig.m->s.mine[w] == 0 && drained(w));
  wreck();
}

static void start_with_three(void) {
  struct hd_config c = defaults();
  c.sm.warps = 8;
  c.request_buffer.kind = HD_REEXEC;
  c.request_buffer.depth = 3;
  build(c);
  rig.in.reexec_en = 1;
}
/* A load comes back and goes again. */
static void comes_back(void) {
  enters(A, 10, false);
  goes(10);
  reported(A, 10, false);
  while (!rig.out.deq_valid)
    step();
  taken();
}

static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("tail", 0, 3, start_with_three, comes_back);
  place_moves_as_in_rtl("head", 0, 3, start_with_three, comes_back);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_again),
      cmocka_unit_test(places),
      cmocka_unit_test(who_goes_first),
      cmocka_unit_test(stores),
      cmocka_unit_test(disabled),
      cmocka_unit_test(at_rest),
      cmocka_unit_test(a_warp_that_is_not_there),
      cmocka_unit_test(places_that_are_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
