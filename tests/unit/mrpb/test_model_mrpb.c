/* The memory request prioritization buffer, against orders and cycles worked out by hand from MRPB §3.3 and docs/mechanisms/mrpb.md.
 * Queues are CTA slots 0..3 of four entries. A request's line identifies it: 0x20 is the first of queue 2, 0x21 the second.
 * Over 400 lines: the cases of one module share the functions that offer requests and check outputs. */
#define RIG mrpb
#include "tests/unit/rig.h"

#include "tests/unit/ring.h"

static struct hd_config four_queues(void) {
  struct hd_config c = defaults();
  c.sm.ctas = 4;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  c.request_buffer.depth = 4;
  c.request_buffer.latency = 3;
  return c;
}

static void start(struct hd_config c) {
  build(c);
  rig.in.en = 1;
}

static void offer(uint64_t line, bool write) {
  rig.in.enq_valid = 1;
  rig.in.enq = (struct req){.line = line, .write = write, .wid = line & 0xf, .num = 1};
  rig.in.enq_sig = line >> 4;
  rig.in.enq_wdata[0] = line * 3;
  rig.in.enq_wmask[0] = write ? 0xf0 : 0;
}

static void put(uint64_t line, bool write) {
  offer(line, write);
  for (look(); !rig.out.enq_ready; look())
    edge();
  edge();
  rig.in.enq_valid = 0;
}

static void idle(unsigned cycles) {
  while (cycles--)
    step();
}

/* With the L1D stopped, two loads of queue 3 fill the output and the choice behind it. So the policy sees the next requests as soon
 * as the L1D goes on. */
static void block(void) {
  rig.in.deq_ready = 0;
  put(0x30, false);
  put(0x31, false);
  idle(10);
  rig.m->base.ev[EV_mrpb_choose] = 0;
}

/* The L1D goes on. Checks that exactly these lines come out, one per cycle. */
static void comes_out(const uint64_t *lines, unsigned n) {
  idle(10);
  rig.in.deq_ready = 1;
  for (unsigned i = 0; i < n; i++) {
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.deq.line, lines[i]);
    edge();
    rig.in.enq_valid &= !rig.out.enq_ready;
  }
  idle(10);
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  assert_int_equal(rig.out.drained, (1 << rig.m->base.c->d.QUEUES) - 1);
}

/* Six loads: three of queue 2, one of queue 1, two of queue 0. All are old enough when the policy sees them. */
static void drains(enum hd_drain drain, bool greedy, const uint64_t order[6]) {
  struct hd_config c = four_queues();
  c.request_buffer.drain = drain;
  c.request_buffer.greedy = greedy;
  start(c);
  block();
  static const uint64_t in[] = {0x20, 0x10, 0x00, 0x21, 0x01, 0x22};
  for (unsigned i = 0; i < 6; i++)
    put(in[i], false);
  uint64_t all[8] = {0x30, 0x31};
  memcpy(all + 2, order, 6 * sizeof *order);
  comes_out(all, 8);
  assert_int_equal(EVENTS(choose), 6);
  wreck();
}

static void order_fixed(void **state) {
  (void)state;
  drains(HD_DRAIN_FIXED, false, (uint64_t[]){0x00, 0x01, 0x10, 0x20, 0x21, 0x22});
}

static void order_longest(void **state) {
  (void)state;
  /* lengths 2 1 3 -> 2: 2 1 2 -> 0: 1 1 2 -> 2: 1 1 1 -> 0, 1, 2 */
  drains(HD_DRAIN_LONGEST, false, (uint64_t[]){0x20, 0x00, 0x21, 0x01, 0x10, 0x22});
}

static void order_rr(void **state) {
  (void)state;
  drains(HD_DRAIN_RR, false, (uint64_t[]){0x00, 0x10, 0x20, 0x01, 0x21, 0x22});
}

static void order_greedy_longest(void **state) {
  (void)state;
  drains(HD_DRAIN_LONGEST, true, (uint64_t[]){0x20, 0x21, 0x22, 0x00, 0x01, 0x10});
}

static void order_greedy_rr(void **state) {
  (void)state;
  drains(HD_DRAIN_RR, true, (uint64_t[]){0x00, 0x01, 0x10, 0x20, 0x21, 0x22});
}

/* Queue 2 is being drained when queue 0 gets an entry. Fixed switches to queue 0; greedy-fixed first empties queue 2. */
static void order_greedy_fixed(void **state) {
  (void)state;
  for (int greedy = 0; greedy < 2; greedy++) {
    struct hd_config c = four_queues();
    c.request_buffer.greedy = greedy;
    start(c);
    rig.in.deq_ready = 0;
    put(0x20, false); /* to the output */
    put(0x21, false); /* chosen */
    put(0x22, false);
    put(0x23, false);
    idle(10);
    put(0x00, false);
    static const uint64_t order[2][5] = {{0x20, 0x21, 0x00, 0x22, 0x23}, {0x20, 0x21, 0x22, 0x23, 0x00}};
    comes_out(order[greedy], 5);
    assert_int_equal(EVENTS(stay), greedy ? 3 : 0);
    wreck();
  }
}

/* A request is written to its queue in cycle 1 and offered in cycle 1 + latency. Also with two stages of choice. */
static void latency(void **state) {
  (void)state;
  static const unsigned latencies[] = {3, 4, 5, 18, 5, 6, 18};
  for (unsigned i = 0; i < 7; i++) {
    struct hd_config c = four_queues();
    c.request_buffer.latency = latencies[i];
    c.request_buffer.stages = i < 4 ? 1 : 2;
    start(c);
    rig.in.deq_ready = 1;
    put(0x10, false);
    for (unsigned cycle = 1; cycle < 1 + latencies[i]; cycle++) {
      look();
      assert_int_equal(rig.out.deq_valid, 0);
      edge();
      assert_int_equal(EVENTS(enqueue), 1);
    }
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.deq.line, 0x10);
    wreck();
  }
}

static void one_a_cycle_at_any_latency(void **state) {
  (void)state;
  struct hd_config c = four_queues();
  c.request_buffer.latency = 18;
  c.request_buffer.depth = 32;
  start(c);
  rig.in.deq_ready = 1;
  for (unsigned cycle = 0; cycle < 100; cycle++) {
    offer(0x10, false);
    rig.in.enq.slot = cycle & 3;
    look();
    assert_int_equal(rig.out.enq_ready, 1);
    assert_int_equal(rig.out.deq_valid, cycle >= 19);
    if (cycle >= 19)
      assert_int_equal(rig.out.deq.slot, (cycle - 19) & 3);
    edge();
  }
  wreck();
}

/* Two stages, one queue per warp. While the L1D stands, 0x01 of queue 1 is at the output, 0x02 is chosen, and 0x03 is picked from
 * group 0. Then queues 9, 0 and 1 get requests. 0x09 is picked from group 1. 0x00 waits although it is lower than 0x03. When the L1D
 * goes on, 0x03 leaves, then group 0's next, 0x00 and 0x11 of queue 1, and only then 0x09. */
static void two_stages(void **state) {
  (void)state;
  struct hd_config c = four_queues();
  c.sm.warps = 12;
  c.request_buffer.signature = HD_SIG_WARP;
  c.request_buffer.latency = 5;
  c.request_buffer.stages = 2;
  start(c);
  rig.in.deq_ready = 0;
  for (uint64_t line = 1; line < 4; line++) {
    put(line, false);
    idle(10);
  }
  assert_int_equal(rig.m->s.sel_at, 1 << 2);
  assert_int_equal(rig.m->s.pick_at, 1 << 3);
  put(0x9, false);
  put(0x0, false);
  put(0x11, false);
  idle(10);
  assert_int_equal(rig.m->s.pick_at, 1 << 3 | 1 << 9);
  assert_int_equal(rig.m->s.pick_valid, 3);
  comes_out((const uint64_t[]){0x01, 0x02, 0x03, 0x00, 0x11, 0x09}, 6);
  wreck();
}

/* Two stages, and a store of queue 3 behind its load, which has not been picked yet. Queue 0 has loads for all cycles. The load of
 * queue 3 is chosen before the loads that are left in queue 0. */
static void two_stages_flush(void **state) {
  (void)state;
  struct hd_config c = four_queues();
  c.request_buffer.latency = 5;
  c.request_buffer.stages = 2;
  start(c);
  rig.in.deq_ready = 0;
  for (uint64_t line = 0; line < 4; line++)
    put(line, false); /* 0x00 at the output, 0x01 chosen, 0x02 picked, 0x03 behind */
  put(0x30, false);
  put(0x31, true);
  idle(10);
  assert_int_equal(rig.m->s.forced, 1);
  comes_out((const uint64_t[]){0x00, 0x01, 0x30, 0x31}, 4);
  assert_int_equal(EVENTS(forced_write), 1);
  wreck();
}

/* Flush rule 1. Queue 2 is full and 0x24 waits. The queue is forced in the first two cycles, since its length falls only when the
 * first request is read, a cycle after it was chosen. Then 0x24 enters and fixed order applies. */
static void flush_makes_room(void **state) {
  (void)state;
  start(four_queues());
  block();
  for (uint64_t line = 0x20; line < 0x24; line++)
    put(line, false);
  put(0x00, false);
  put(0x24, false);
  idle(1);
  offer(0x01, false);
  look();
  assert_int_equal(rig.out.enq_ready, 0);
  assert_true(EVENTS(full) > 0);
  rig.in.enq_valid = 0;
  comes_out((uint64_t[]){0x30, 0x31, 0x20, 0x21, 0x00, 0x22, 0x23, 0x24}, 8);
  assert_int_equal(EVENTS(forced_full), 2);
  assert_int_equal(EVENTS(choose), 4);
  wreck();
}

/* Two loads in queue 2 and one in queue 0. None leaves. */
static void start_with_three(void) {
  start(four_queues());
  block();
  for (unsigned k = 0; k < 3; k++)
    put((const uint64_t[]){0x20, 0x21, 0x00}[k], false);
}

/* Flush rule 2. A write to queue 2 leaves after the two loads before it and before queue 0's load, even if that load was chosen
 * meanwhile (D-MRPB-3). */
static void flush_before_write(void **state) {
  (void)state;
  start_with_three();
  put(0x22, true);
  idle(10);
  rig.in.deq_ready = 1;
  static const uint64_t order[] = {0x30, 0x31, 0x20, 0x21, 0x22, 0x00};
  for (unsigned i = 0; i < 6; i++) {
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.deq.line, order[i]);
    assert_int_equal(rig.out.deq.write, order[i] == 0x22);
    if (order[i] == 0x22) {
      assert_int_equal(rig.out.deq_wdata[0], 0x66);
      assert_int_equal(rig.out.deq_wmask[0], 0xf0);
    }
    edge();
  }
  assert_int_equal(EVENTS(forced_write), 2);
  assert_int_equal(EVENTS(straight_wait), 1);
  assert_int_equal(EVENTS(straight), 1);
  wreck();
}

/* The queue is empty. A write is offered in the cycle after it came, and the L1D's ready lets the next write in. */
static void write_goes_straight_on(void **state) {
  (void)state;
  start(four_queues());
  put(0x20, true);
  offer(0x21, true);
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.out.deq.line, 0x20);
  assert_int_equal(rig.out.enq_ready, 0);
  rig.in.deq_ready = 1;
  look();
  assert_int_equal(rig.out.enq_ready, 1);
  edge();
  look();
  assert_int_equal(rig.out.deq.line, 0x21);
  assert_int_equal(rig.out.drained, 0xf & ~0x4);
  wreck();
}

/* Flush off: writes queue like loads, in order, with their bytes. */
static void no_flush(void **state) {
  (void)state;
  struct hd_config c = four_queues();
  c.request_buffer.flush = false;
  start(c);
  block();
  put(0x20, false);
  put(0x21, true);
  put(0x22, true);
  put(0x00, false);
  idle(10);
  rig.in.deq_ready = 1;
  static const uint64_t order[] = {0x30, 0x31, 0x00, 0x20, 0x21, 0x22};
  for (unsigned i = 0; i < 6; i++) {
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.deq.line, order[i]);
    if (rig.out.deq.write) {
      assert_int_equal(rig.out.deq_wdata[0], order[i] * 3);
      assert_int_equal(rig.out.deq_wmask[0], 0xf0);
    }
    edge();
  }
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  wreck();
}

/* D-MRPB-1: not drained while in the input register, in the queue, chosen or at the output. Drained in the cycle after. */
static void drained_when_it_has_left(void **state) {
  (void)state;
  start(four_queues());
  look();
  assert_int_equal(rig.out.drained, 0xf);
  put(0x20, false);
  for (unsigned cycle = 1; cycle < 10; cycle++) {
    look();
    assert_int_equal(rig.out.drained, 0xf & ~0x4);
    edge();
  }
  rig.in.deq_ready = 1;
  look();
  assert_int_equal(rig.out.deq_valid, 1);
  assert_int_equal(rig.out.drained, 0xf & ~0x4);
  edge();
  look();
  assert_int_equal(rig.out.drained, 0xf);
  wreck();
}

/* D-MRPB-8. Not enabled from reset on: it is one register, as request_slot, and every CTA slot is drained. */
static void disabled_is_one_register(void **state) {
  (void)state;
  start(four_queues());
  rig.in.en = 0;
  put(0x20, false);
  for (unsigned cycle = 0; cycle < 20; cycle++) {
    offer(0x20 + (cycle & 1), cycle % 3 == 0);
    rig.in.deq_ready = cycle % 4 != 0;
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.enq_ready, rig.in.deq_ready);
    assert_int_equal(rig.out.drained, 0xf);
    edge();
  }
  assert_int_equal(EVENTS(enqueue), 0);
  wreck();
}

/* Switched off with loads of queues 2 and 0 inside: 0x23 forces its queue and leaves after it. Then switched on again. */
static void switched_off_in_flight(void **state) {
  (void)state;
  start_with_three();
  rig.in.en = 0;
  put(0x23, false);
  rig.in.en = 1;
  idle(10);
  rig.in.deq_ready = 1;
  offer(0x24, false);
  static const uint64_t order[] = {0x30, 0x31, 0x20, 0x21, 0x23, 0x00};
  for (unsigned i = 0; i < 6; i++) {
    look();
    assert_int_equal(rig.out.deq_valid, 1);
    assert_int_equal(rig.out.deq.line, order[i]);
    assert_int_equal(rig.out.enq_ready, i >= 4);
    edge();
    if (i == 4)
      rig.in.enq_valid = 0;
  }
  assert_int_equal(EVENTS(straight) + EVENTS(enqueue), 1 + 6);
  wreck();
}

static void warps_have_queues_of_their_own(void **state) {
  (void)state;
  struct hd_config c = four_queues();
  c.request_buffer.signature = HD_SIG_WARP;
  start(c);
  rig.in.enq_valid = 1;
  rig.in.enq.wid = 47;
  step();
  look();
  assert_int_equal(rig.out.drained, (UINT64_C(1) << 47) - 1);
  wreck();
}

static void reset_forgets(void **state) {
  (void)state;
  start(four_queues());
  block();
  put(0x20, false);
  idle(3);
  hd_model_reset(rig.m);
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  assert_int_equal(rig.out.drained, 0xf);
  idle(10);
  look();
  assert_int_equal(rig.out.deq_valid, 0);
  wreck();
}

static void start_with_five(void) {
  struct hd_config c = four_queues();
  c.request_buffer.depth = 5;
  start(c);
  rig.in.deq_ready = 1;
}
static void last_queue_is_used(void) {
  put(0x30, false);
  idle(10);
}

static void places_that_are_not_there(void **state) {
  (void)state;
  place_moves_as_in_rtl("tail", 3, 5, start_with_five, last_queue_is_used);
  place_moves_as_in_rtl("head", 3, 5, start_with_five, last_queue_is_used);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_fixed),
      cmocka_unit_test(order_longest),
      cmocka_unit_test(order_rr),
      cmocka_unit_test(order_greedy_fixed),
      cmocka_unit_test(order_greedy_longest),
      cmocka_unit_test(order_greedy_rr),
      cmocka_unit_test(latency),
      cmocka_unit_test(one_a_cycle_at_any_latency),
      cmocka_unit_test(two_stages),
      cmocka_unit_test(two_stages_flush),
      cmocka_unit_test(flush_makes_room),
      cmocka_unit_test(flush_before_write),
      cmocka_unit_test(write_goes_straight_on),
      cmocka_unit_test(no_flush),
      cmocka_unit_test(drained_when_it_has_left),
      cmocka_unit_test(disabled_is_one_register),
      cmocka_unit_test(switched_off_in_flight),
      cmocka_unit_test(warps_have_queues_of_their_own),
      cmocka_unit_test(reset_forgets),
      cmocka_unit_test(places_that_are_not_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
