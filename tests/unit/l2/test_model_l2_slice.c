/* The L2 slice without LoSCache, by hand from docs/mechanisms/l2.md: latencies, order, replacement, fails. */
#define RIG l2_slice
#include "tests/unit/l2/l2_rig.h"

#include "cmodel/l2/ports.h"

/* ---- Latencies ---- */

/* Checks that `valid` rises after this number of cycles. */
#define CYCLES_UNTIL(valid, cycles)                                                                          \
  do {                                                                                                       \
    for (unsigned cycle_ = 1; cycle_ < (cycles); cycle_++) {                                                 \
      look();                                                                                                \
      assert_int_equal(rig.out.valid, 0);                                                                    \
      edge();                                                                                                \
    }                                                                                                        \
    look();                                                                                                  \
    assert_int_equal(rig.out.valid, 1);                                                                      \
  } while (0)

static void cycles(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  load(6, 1);
  CYCLES_UNTIL(out_valid, 6);
  const unsigned id = memory_reads(6);
  assert_int_equal(id, 0);
  fill(id, 6);
  CYCLES_UNTIL(rsp_valid, 7);
  loaded(1, 6, 0, 0);
  load(6, 2);
  CYCLES_UNTIL(rsp_valid, 6);
  loaded(2, 6, 0, 0);
  assert_int_equal(EVENTS(read_miss), 1);
  assert_int_equal(EVENTS(read_hit), 1);
  assert_int_equal(EVENTS(store_fill), 1);
  assert_int_equal(EVENTS(look), 2);
  wreck();
}

/* An answer reserves its place from its look until rsp takes it, four cycles later. */
static void hits_flow(void **state) {
  (void)state;
  for (unsigned replies = 4; replies <= 5; replies++) {
    struct hd_config c = small(HD_GATE_OFF, 2);
    c.l2.replies = replies;
    build(c);
    brings(6);
    rig.in.rsp_ready = 1;
    unsigned answers = 0;
    for (unsigned cycle = 0; cycle < 56; cycle++) {
      set_request(HD_FILL, 6, cycle & 15);
      look();
      answers += rig.out.rsp_valid != 0;
      edge();
    }
    assert_int_equal(answers, replies == 5 ? 50 : 40);
    wreck();
  }
}

/* Five of a kind: the requests that wait while the interconnect takes nothing. */
static void answers_wait(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  brings(6);
  for (unsigned n = 1; n <= 8; n++)
    load(6, n);
  idle(20);
  assert_int_equal(rig.m->s.rq_count, 4);
  assert_int_equal(rig.m->s.iq_count, 4);
  look();
  assert_int_equal(rig.out.req_ready, 0);
  assert_int_equal(rig.out.rsp.num, 1);
  for (unsigned n = 1; n <= 8; n++)
    loaded(n, 6, 0, 0);
  wreck();
}

/* Fills arrive in any order. A line answers all requests that wait for it before the next line does. */
static void fills_queue(void **state) {
  (void)state;
  struct hd_config c = small(HD_GATE_OFF, 4);
  c.l2.fills = 2;
  build(c);
  for (unsigned n = 0; n < 3; n++)
    load(2 * n, n);
  for (unsigned n = 0; n < 3; n++)
    assert_int_equal(memory_reads(2 * n), n);
  load(4, 3);
  idle(6);
  fill(2, 4);
  fill(0, 0);
  fill(1, 2);
  loaded(2, 4, 0, 0);
  loaded(3, 4, 0, 0);
  loaded(0, 0, 0, 0);
  loaded(1, 2, 0, 0);
  assert_int_equal(rig.m->s.mshr_used, 0);
  wreck();
}

/* ---- Stores ---- */

static void a_store_that_hits(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  brings(6);
  store(6, 3, 5);
  load(6, 4);
  stored(3);
  loaded(4, 6, 3, 5);
  assert_int_equal(EVENTS(write_hit), 1);
  assert_int_equal(rig.m->s.dirty[0] & 1, 1);
  wreck();
}

static void a_store_that_misses(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  store(7, 3, 6);
  fill(memory_reads(7), 7);
  stored(3);
  load(7, 4);
  loaded(4, 7, 3, 6);
  assert_int_equal(EVENTS(write_miss), 1);
  assert_int_equal(rig.m->s.dirty[1] & 1, 1);
  wreck();
}

/* D-L2-7: a load sees the stores before it and none after. A request that does not fit this waits until the line has arrived. */
static void order_in_flight(void **state) {
  (void)state;
  struct hd_config c = small(HD_GATE_OFF, 2);
  c.l2.mshr_merge = 5;
  build(c);
  load(6, 1);
  store(6, 2, 1);
  store(6, 3, 2);
  load(6, 4);
  store(6, 5, 8);
  idle(20);
  assert_int_equal(EVENTS(fail_merge), 1);
  assert_int_equal(rig.m->s.mshr_count[0], 4);
  assert_int_equal(rig.m->s.mshr_after, 1);
  fill(memory_reads(6), 6);
  loaded(1, 6, 0, 0);
  stored(2);
  stored(3);
  answered(HD_FILL, 4, false);
  assert_int_equal(rig.out.rsp_data[0], 14000);
  assert_int_equal(rig.out.rsp_data[1], 21001);
  assert_int_equal(rig.out.rsp_data[2], 6002);
  assert_int_equal(rig.out.rsp_data[3], 6003);
  stored(5);
  assert_int_equal(EVENTS(read_merge) + EVENTS(write_merge), 3);
  assert_int_equal(EVENTS(write_hit), 1);
  assert_int_equal(EVENTS(wake), 2); /* also by the read that left */
  wreck();
}

/* The first store sets the row's mask, whatever the row held before. */
static void a_used_store_buffer(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  store(6, 2, 15);
  fill(memory_reads(6), 6);
  stored(2);
  load(4, 1);
  store(4, 3, 4);
  fill(memory_reads(4), 4);
  loaded(1, 4, 0, 0);
  stored(3);
  load(4, 5);
  loaded(5, 4, 3, 4);
  wreck();
}

/* Stores do not merge with a line that is answering. Loads do. */
static void merges_with_what_answers(void **state) {
  (void)state;
  for (unsigned kind = HD_FILL; kind <= HD_STORE; kind++) {
    struct hd_config c = small(HD_GATE_OFF, 2);
    c.l2.replies = 2;
    build(c);
    brings(4);
    load(4, 7);
    load(4, 8);
    idle(10);
    load(6, 1); /* it has to wait for a place */
    loaded(7, 4, 0, 0);
    const unsigned id = memory_reads(6);
    idle(6);
    fill(id, 6);
    idle(6);
    load(4, 9);
    idle(6);
    if (kind == HD_STORE)
      store(6, 2, 3);
    else
      load(6, 2);
    idle(12);
    loaded(8, 4, 0, 0);
    loaded(1, 6, 0, 0);
    loaded(9, 4, 0, 0);
    if (kind == HD_STORE)
      stored(2);
    else
      loaded(2, 6, 0, 0);
    wreck();
  }
}

/* ---- Replacement ---- */

static void least_recently_used(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 3));
  brings(0);
  brings(2);
  brings(4);
  load(2, 1); /* in consecutive cycles: recency is forwarded */
  load(0, 2);
  loaded(1, 2, 0, 0);
  loaded(2, 0, 0, 0);
  assert_int_equal(EVENTS(evict), 0);
  brings(6);
  assert_int_equal(EVENTS(evict), 1);
  load(2, 1);
  load(0, 2);
  loaded(1, 2, 0, 0);
  loaded(2, 0, 0, 0);
  assert_int_equal(EVENTS(read_hit), 4);
  wreck();
}

static void dirty_lines_are_written_back(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 1));
  brings(6);
  store(6, 3, 9);
  stored(3);
  load(4, 5);
  memory_writes(6, 3, 9);
  fill(memory_reads(4), 4);
  loaded(5, 4, 0, 0);
  assert_int_equal(EVENTS(write_back), 1);
  assert_int_equal(EVENTS(evict), 1);
  load(6, 6);
  fill(memory_reads(6), 6);
  loaded(6, 6, 0, 0);
  assert_int_equal(EVENTS(write_back), 1);
  wreck();
}

/* A set looked up in the cycle of its write: w_* holds it. */
static void a_set_just_written(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  set_request(HD_STORE, 6, 1);
  rig.in.req_wmask[0] = 1;
  step();
  set_request(HD_FILL, 6, 2);
  step();
  set_request(HD_FILL, 7, 3);
  step();
  rig.in.req_valid = 0;
  step(); /* the store is decided, the load looked up */
  assert_int_equal(rig.m->s.w_valid, 1);
  assert_int_equal(rig.m->s.w_tagged, 1);
  assert_int_equal(rig.m->s.w_way, 0);
  assert_int_equal(rig.m->s.w_tag, 3);
  assert_int_equal(rig.m->s.w_dirty[0] & 1, 1);
  step(); /* the load merges; the other request has another set */
  assert_int_equal(rig.m->s.w_valid, 0);
  assert_int_equal(EVENTS(write_miss), 1);
  assert_int_equal(EVENTS(read_merge), 1);
  wreck();
}

/* ---- Fails ---- */

static void every_way_in_flight(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  load(0, 0);
  load(2, 1);
  load(4, 2);
  idle(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_line);
  assert_int_equal(memory_reads(0), 0); /* not the line that it waits for */
  idle(3);
  assert_int_equal(EVENTS(fail_line), 2);
  assert_int_equal(memory_reads(2), 1);
  fill(1, 2);
  loaded(1, 2, 0, 0);
  assert_int_equal(memory_reads(4), 1);
  fill(0, 0);
  loaded(0, 0, 0, 0);
  fill(1, 4);
  loaded(2, 4, 0, 0);
  wreck();
}

static void no_mshr(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 4));
  for (unsigned n = 0; n < 4; n++)
    load(n, n);
  idle(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_mshr);
  for (unsigned n = 0; n < 3; n++)
    memory_reads(n);
  idle(5);
  const uint64_t wakes = EVENTS(wake);
  fill(2, 2);
  loaded(2, 2, 0, 0);
  assert_int_equal(EVENTS(wake), wakes + 1);
  assert_int_equal(memory_reads(3), 2);
  wreck();
}

static void no_room_to_merge(void **state) {
  (void)state;
  struct hd_config c = small(HD_GATE_OFF, 2);
  c.l2.mshr_merge = 1;
  build(c);
  load(6, 0);
  load(6, 1);
  idle(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_merge);
  fill(memory_reads(6), 6);
  loaded(0, 6, 0, 0);
  loaded(1, 6, 0, 0);
  assert_int_equal(EVENTS(read_hit), 1);
  wreck();
}

static void no_room_to_memory(void **state) {
  (void)state;
  struct hd_config c = small(HD_GATE_OFF, 4);
  c.l2.mshrs = 8;
  c.l2.queue = 3;
  build(c);
  for (unsigned n = 0; n < 6; n++)
    load(n, n);
  idle(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_queue);
  assert_int_equal(rig.m->s.oq_count, 3);
  for (unsigned n = 0; n < 6; n++)
    assert_int_equal(memory_reads(n), n);
  wreck();
}

/* ---- What a tick returns ---- */

static void what_a_tick_answers(void **state) {
  (void)state;
  build(small(HD_GATE_OFF, 2));
  step();
  assert_int_equal(l2_slice_tick(rig.m, &rig.in), 0);
  load(6, 0);
  unsigned busy = 1; /* the cycle that took the request */
  for (look(); l2_slice_tick(rig.m, &rig.in) == HD_MOVES; look())
    assert_true(++busy < PATIENCE);
  assert_int_equal(busy, 5); /* the read is at the port */
  look();
  assert_int_equal(rig.out.out_valid, 1);
  assert_int_equal(l2_slice_req_ready(rig.m), 1);
  assert_int_equal(l2_slice_out(rig.m)->line, 6);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cycles),
      cmocka_unit_test(hits_flow),
      cmocka_unit_test(answers_wait),
      cmocka_unit_test(fills_queue),
      cmocka_unit_test(a_store_that_hits),
      cmocka_unit_test(a_store_that_misses),
      cmocka_unit_test(order_in_flight),
      cmocka_unit_test(a_used_store_buffer),
      cmocka_unit_test(merges_with_what_answers),
      cmocka_unit_test(least_recently_used),
      cmocka_unit_test(dirty_lines_are_written_back),
      cmocka_unit_test(a_set_just_written),
      cmocka_unit_test(every_way_in_flight),
      cmocka_unit_test(no_mshr),
      cmocka_unit_test(no_room_to_merge),
      cmocka_unit_test(no_room_to_memory),
      cmocka_unit_test(what_a_tick_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
