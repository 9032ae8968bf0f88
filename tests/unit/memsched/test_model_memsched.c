/* Memory request scheduling, one head at a time, against orders and cycles worked out by hand from docs/mechanisms/memsched.md. The
 * first test is Choo's Figure 6.1. */
#include "tests/unit/memsched/memsched_rig.h"

#include "tests/unit/ring.h"

/* ---- One head at a time ---- */

/* Figure 6.1: the head of warp 0's queue lacks a resource. The head of warp 3, which hits, is served first. */
static void a_hit_goes_past_one_that_lacks_something(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  put(0x00);
  put(0x01);
  put(0x30);
  assert_int_equal(comes(), 0x00);
  back(0, false);
  assert_int_equal(comes(), 0x30);
  back(3, true);
  assert_int_equal(EVENTS(again), 1);
  for (uint64_t line = 0x00; line < 0x02; line++) {
    assert_int_equal(comes(), line);
    back(0, true);
  }
  nothing_comes();
  assert_int_equal(rig.out.drained, ALL);
  assert_int_equal(EVENTS(served), 3);
  wreck();
}

/* However often the head comes back, the requests behind it wait. */
static void a_queue_keeps_its_order(void **state) {
  (void)state;
  start(queues(HD_DRAIN_FIXED, 4, 8));
  for (uint64_t line = 0x20; line < 0x26; line++)
    put(line);
  for (uint64_t line = 0x20; line < 0x26; line++)
    for (unsigned n = 0; n < 3; n++) {
      assert_int_equal(comes(), line);
      idle(5);
      assert_int_equal(rig.m->s.o_valid, 0);
      back(2, n == 2);
    }
  nothing_comes();
  wreck();
}

/* The L1D is stopped at first: 2 is at the output, 5 is chosen. Every head comes back at once. */
static void order(enum hd_drain drain, const unsigned *wids, unsigned n) {
  start(queues(drain, 4, 8));
  hold();
  put(0x50);
  put(0x20);
  put(0xb0);
  put(0x90);
  idle(1);
  let_go();
  idle(4);
  while (n--) {
    assert_int_equal(comes(), *wids << 4);
    back(*wids++, false);
  }
  wreck();
}

static void order_fixed(void **state) {
  (void)state;
  order(HD_DRAIN_FIXED, (unsigned[]){2, 5, 9, 2, 5, 9, 2}, 7); /* D-MSCH: warp 11 never gets its try */
}

/* Warps 1, 4, 6, 7 have 1, 3, 2, 2 requests, and every head comes back at once. The longest queue whose head is not being tried goes
 * first, the lowest of equals (D-MSCH-9). Warp 1 never gets its try. */
static void order_longest(void **state) {
  (void)state;
  static const unsigned wids[] = {1, 4, 4, 4, 6, 6, 7, 7}, due[] = {4, 6, 7, 4, 6, 7};
  start(queues(HD_DRAIN_LONGEST, 4, 8));
  hold();
  for (unsigned i = 0; i < 8; i++)
    put(wids[i] << 4 | (i && wids[i] == wids[i - 1] ? 1 : 0));
  idle(1);
  let_go();
  idle(4);
  for (unsigned i = 0; i < 6; i++) {
    assert_int_equal(comes() >> 4, due[i]);
    back(due[i], false);
  }
  wreck();
}

static void order_rr(void **state) {
  (void)state;
  order(HD_DRAIN_RR, (unsigned[]){2, 5, 9, 11, 2, 5, 9, 11}, 8);
}

/* ---- Cycle by cycle ---- */

/* A request is taken in 0, head from 2 on, chosen in 2, at the output in 4. If it is served in t, the next is read in t, head from t
 * + 2 on, and at the output in t + 4. */
static void latency(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  put(0x20);
  put(0x21);
  for (unsigned n = 2; n < 4; n++) {
    look();
    assert_int_equal(rig.out.deq_valid, 0);
    assert_int_equal(rig.m->s.h_valid, 1 << 2);
    cycle();
  }
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.m->s.tried, 1 << 2);
  assert_int_equal(comes(), 0x20);
  idle(1);
  back(2, true);
  assert_int_equal(rig.m->s.r_valid, 1);
  assert_int_equal(rig.m->s.r_wid, 2);
  assert_int_equal(rig.m->s.h_valid, 0);
  assert_int_equal(rig.m->s.count[2], 0);
  cycle();
  assert_int_equal(rig.m->s.r_valid, 0);
  assert_int_equal(rig.m->s.h_valid, 1 << 2);
  assert_int_equal(rig.m->s.h_line[2], 0x21);
  cycle();
  cycle();
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.out.deq.line, 0x21);
  wreck();
}

/* The request behind comes in the very cycle in which the head is served. It is the head in the next cycle. */
static void the_next_enters_as_the_head_is_served(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  put(0x20);
  assert_int_equal(comes(), 0x20);
  put(0x21);
  back(2, true);
  assert_int_equal(rig.m->s.h_valid, 1 << 2);
  assert_int_equal(rig.m->s.h_line[2], 0x21);
  assert_int_equal(rig.m->s.count[2], 0);
  assert_int_equal(EVENTS(enter), 2);
  assert_int_equal(EVENTS(enqueue), 0);
  assert_int_equal(comes(), 0x21);
  wreck();
}

/* A request comes while the one before is on its way from the RAM to the head. It queues behind it. */
static void one_that_comes_during_a_refill_is_behind_it(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  put(0x20);
  put(0x21);
  assert_int_equal(comes(), 0x20);
  rig.in.enq_valid = 1;
  rig.in.enq = request(0x22, false);
  back(2, true); /* 0x21 is read */
  rig.in.enq_valid = 0;
  cycle();
  assert_int_equal(rig.m->s.h_line[2], 0x21);
  assert_int_equal(rig.m->s.count[2], 1);
  assert_int_equal(comes(), 0x21);
  back(2, true);
  assert_int_equal(comes(), 0x22);
  wreck();
}

/* A head and two requests behind it. The fourth waits, and so does a request of another warp behind the fourth. */
static void a_queue_of_two(void **state) {
  (void)state;
  start(queues(HD_DRAIN_FIXED, 4, 2));
  for (uint64_t line = 0x20; line < 0x24; line++)
    put(line);
  rig.in.enq_valid = 1;
  rig.in.enq = request(0x30, false);
  for (unsigned n = 0; n < 5; n++) {
    look();
    assert_int_equal(rig.out.enq_ready, 0);
    cycle();
  }
  assert_int_equal(EVENTS(full), 5);
  rig.in.enq_valid = 0;
  assert_int_equal(comes(), 0x20);
  rig.in.enq_valid = 1;
  back(2, true); /* 0x21 is read, 0x23 enters in the cycle after, and 0x30 comes */
  look();
  assert_int_equal(rig.out.enq_ready, 1);
  cycle();
  rig.in.enq_valid = 0;
  for (uint64_t line = 0x21; line < 0x24; line++) {
    assert_int_equal(comes(), line);
    back(2, true);
    if (line == 0x21)
      assert_int_equal(comes(), 0x30);
  }
  wreck();
}

/* The SM never does this: another load, or a store, of a warp whose queue is not empty. */
static void a_second_instruction_waits(void **state) {
  (void)state;
  for (int write = 0; write < 2; write++) {
    start(queues(HD_DRAIN_RR, 4, 8));
    put(0x20);
    put_request(request(0x20, write));
    assert_int_equal(comes(), 0x20);
    nothing_comes();
    assert_true(EVENTS(second) > PATIENCE);
    look();
    assert_int_equal(rig.out.enq_ready, 0);
    back(2, true);
    assert_int_equal(comes(), 0x20);
    assert_int_equal(EVENTS(write_through), write);
    wreck();
  }
}

/* ---- Writes ---- */

/* A write is offered with its bytes in the cycle after it came. The next write is let in as it leaves. */
static void a_write_goes_straight_on(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  put_request(request(0x20, true));
  rig.in.enq_valid = 1;
  rig.in.enq = request(0x21, true);
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.out.deq.line, 0x20);
  assert_int_equal(rig.out.deq.write, 1);
  assert_int_equal(rig.out.deq_wdata[0], 0x60);
  assert_int_equal(rig.out.deq_wmask[0], 0xf0);
  assert_int_equal(rig.out.enq_ready, 0);
  assert_int_equal(rig.out.drained, ALL & ~4);
  rig.in.deq_ready = 1;
  look();
  assert_int_equal(rig.out.enq_ready, 1);
  cycle();
  look();
  assert_int_equal(rig.out.deq.line, 0x21);
  rig.in.enq_valid = 0;
  cycle();
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  assert_int_equal(rig.out.drained, ALL);
  wreck();
}

/* A head that is only chosen when the write comes goes after it. A head that is already at the output goes before it. */
static void a_write_goes_first(void **state) {
  (void)state;
  for (unsigned at_output = 0; at_output < 2; at_output++) {
    start(queues(HD_DRAIN_RR, 4, 8));
    put(0x10);
    idle(1 + at_output);
    put_request(request(0x20, true));
    idle(5);
    assert_int_equal(EVENTS(write_wait), 5);
    assert_int_equal(comes(), at_output ? 0x10 : 0x20);
    assert_int_equal(comes(), at_output ? 0x20 : 0x10);
    wreck();
  }
}

/* With `en` low loads pass through too. Loads taken while it was high have left before. */
static void not_enabled_everything_goes_straight_on(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 4, 2));
  rig.in.en = 0;
  rig.in.deq_ready = 1;
  for (uint64_t n = 0; n < 20; n++) {
    rig.in.enq_valid = 1;
    rig.in.enq = request(0x20 + n % 3, n % 4 == 0);
    look();
    assert_int_equal(rig.out.enq_ready, 1);
    assert_int_equal(rig.out.deq_valid, n > 0);
    if (n)
      assert_int_equal(rig.out.deq.line, 0x20 + (n - 1) % 3);
    cycle();
  }
  rig.in.enq_valid = 0;
  cycle();
  look();
  assert_int_equal(rig.out.drained, ALL);
  assert_int_equal(EVENTS(write_through), 20);
  assert_int_equal(EVENTS(choose), 0);
  wreck();
}

/* D-MSCH-6: not drained while in the input register, in its queue, chosen, at the output or with the L1D. */
static void drained_when_it_is_served(void **state) {
  (void)state;
  start(queues(HD_DRAIN_RR, 4, 8));
  look();
  assert_int_equal(rig.out.drained, ALL);
  put(0x20);
  for (unsigned n = 0; n < 20; n++) {
    look();
    assert_int_equal(rig.out.drained, ALL & ~4);
    rig.in.deq_ready = n > 10;
    cycle();
  }
  assert_int_equal(EVENTS(deq), 1);
  rig.in.deq_ready = 0;
  back(2, false);
  look();
  assert_int_equal(rig.out.drained, ALL & ~4);
  comes();
  back(2, true);
  look();
  assert_int_equal(rig.out.drained, ALL);
  wreck();
}

static void reset_forgets(void **state) {
  (void)state;
  start(queues(HD_DRAIN_GRR, 3, 8));
  put(0x20);
  put(0x21);
  idle(5);
  hd_model_reset(rig.m);
  nothing_comes();
  assert_int_equal(rig.out.drained, ALL);
  wreck();
}

static void start_with_three(void) {
  start(queues(HD_DRAIN_FIXED, 1, 3));
}
/* The second request of a load follows the first. */
static void last_queue_is_used(void) {
  put(0xb0);
  put(0xb1);
  comes();
  back(0xb, true);
  idle(3);
}

static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("tail", 11, 3, start_with_three, last_queue_is_used);
  place_moves_as_in_rtl("head", 11, 3, start_with_three, last_queue_is_used);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hit_goes_past_one_that_lacks_something),
      cmocka_unit_test(a_queue_keeps_its_order),
      cmocka_unit_test(order_fixed),
      cmocka_unit_test(order_longest),
      cmocka_unit_test(order_rr),
      cmocka_unit_test(latency),
      cmocka_unit_test(the_next_enters_as_the_head_is_served),
      cmocka_unit_test(one_that_comes_during_a_refill_is_behind_it),
      cmocka_unit_test(a_queue_of_two),
      cmocka_unit_test(a_second_instruction_waits),
      cmocka_unit_test(a_write_goes_straight_on),
      cmocka_unit_test(a_write_goes_first),
      cmocka_unit_test(not_enabled_everything_goes_straight_on),
      cmocka_unit_test(drained_when_it_is_served),
      cmocka_unit_test(reset_forgets),
      cmocka_unit_test(places_that_are_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
