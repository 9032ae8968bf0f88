/* The L2 slice with LoSCache, by hand from docs/mechanisms/l2.md: the tests say what gate_ctrl would.
 * Over 400 lines: all cases stand on one rig, whose macros are gate_ctrl. */
#include <stdint.h>

static uint64_t said_last;
#define RIG l2_slice
#define RIG_FOLLOWS                                                                                          \
  rig.in.predicted = rig.out.looked_pred != 0, rig.in.once = rig.out.looked_pred == 1,                       \
  rig.in.last = rig.in.predicted ? said_last : 0
#include "tests/unit/l2/l2_rig.h"

/* Sets gate_ctrl's answer for the set: `on`, and `last` for accesses with a prediction. */
static void gate_says(uint64_t on, uint64_t last) {
  rig.in.on = on;
  said_last = last;
}

/* Steps until the slice acts. Checks the act and its place. */
static void acts(uint64_t act, uint64_t set, uint64_t way) {
  look();
  for (unsigned i = 0; !rig.out.act; i++, look()) {
    assert_true(i < PATIENCE);
    assert_int_equal(rig.out.act_at, 0);
    edge();
  }
  assert_int_equal(rig.out.act, act);
  assert_int_equal(rig.out.act_set, set);
  assert_int_equal(rig.out.act_at, 1 << way);
  edge();
}
static void no_act(unsigned cycles) {
  while (cycles--) {
    look();
    assert_int_equal(rig.out.act, 0);
    edge();
  }
}

static struct hd_config gated(unsigned ways) {
  return small(HD_GATE_ADAPTIVE, ways);
}

static void looks_are_reported(void **state) {
  (void)state;
  build(gated(2));
  load_of(7, 1, 5);
  look();
  assert_int_equal(rig.out.look_valid, 0);
  edge();
  look();
  assert_int_equal(rig.out.look_valid, 1);
  assert_int_equal(rig.out.look_set, 1);
  edge();
  look();
  assert_int_equal(rig.out.looked_set, 1);
  assert_int_equal(rig.out.looked_pred, 5);
  assert_int_equal(rig.out.look_valid, 0);
  assert_int_equal(rig.out.look_set, 1); /* the port shows the set, valid or not */
  assert_int_equal(rig.out.act, HD_ACT_WAKE);
  assert_int_equal(rig.out.act_set, 1);
  edge();
  look();
  assert_int_equal(rig.out.act, 0);
  wreck();
}

/* Leaves line 6 in way 0 of set 0, awake. */
static void bring_awake(void) {
  load(6, 0);
  acts(HD_ACT_WAKE, 0, 0);
  fill(memory_reads(6), 6);
  loaded(0, 6, 0, 0);
  gate_says(1, 0);
}

static void the_last_access_of_a_clean_line(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  load_of(6, 1, 3);
  acts(HD_ACT_COUNT, 0, 0);
  loaded(1, 6, 0, 0);
  gate_says(1, 1);
  load(6, 2); /* no prediction */
  acts(HD_ACT_COUNT, 0, 0);
  loaded(2, 6, 0, 0);
  load_of(6, 3, 3);
  acts(HD_ACT_COUNT_SLEEP, 0, 0);
  loaded(3, 6, 0, 0);
  assert_int_equal(EVENTS(close_hit), 1);
  assert_int_equal(EVENTS(read_hit), 3);
  memory_is_asked_nothing();
  wreck();
}

static void the_last_access_of_a_dirty_line(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  store(6, 1, 6);
  acts(HD_ACT_COUNT, 0, 0);
  stored(1);
  gate_says(1, 1);
  load_of(6, 2, 3);
  acts(HD_ACT_COUNT_SLEEP, 0, 0);
  loaded(2, 6, 1, 6);
  memory_writes(6, 1, 6);
  assert_int_equal(EVENTS(close_dirty), 1);
  assert_int_equal(rig.m->s.dirty[0] & 1, 0);
  wreck();
}

/* D-LOS-2: the store goes to the memory with the line, and not to the data macro. */
static void a_store_that_is_last(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  gate_says(1, 1);
  store_of(6, 5, 3, 2);
  acts(HD_ACT_COUNT_SLEEP, 0, 0);
  stored(5);
  memory_writes(6, 5, 3);
  assert_int_equal(EVENTS(write_hit), 1);
  assert_int_equal(rig.m->s.data[0], 6000);
  assert_int_equal(rig.m->s.dirty[0] & 1, 0);
  wreck();
}

static void a_last_access_without_room(void **state) {
  (void)state;
  struct hd_config c = gated(4);
  c.l2.queue = 2;
  build(c);
  bring_awake();
  load(1, 1);
  load(3, 2);
  idle(10);
  gate_says(1, 1);
  store_of(6, 3, 1, 4);
  no_act(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_queue);
  assert_int_equal(EVENTS(write_hit), 0);
  memory_reads(1);
  acts(HD_ACT_COUNT_SLEEP, 0, 0);
  memory_reads(3);
  memory_writes(6, 3, 1);
  wreck();
}

/* D-LOS-3: the tag is there, but the line sleeps. */
static void gated_too_early(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  gate_says(0, 1);
  load_of(6, 1, 4);
  acts(HD_ACT_WAKE, 0, 0);
  assert_int_equal(EVENTS(early), 1);
  assert_int_equal(EVENTS(evict), 0);
  gate_says(1, 0);
  load_of(6, 2, 4);
  acts(HD_ACT_COUNT, 0, 0);
  fill(memory_reads(6), 6);
  answered(HD_FILL, 1, true);
  answered(HD_FILL, 2, false);
  wreck();
}

static void queries(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  load(4, 1);
  acts(HD_ACT_WAKE, 0, 1);
  rig.in.count[0] = 13;
  rig.in.count[1] = 9;
  gate_says(2, 3);
  query(6, 1);
  query(4, 2); /* in flight: answered at once */
  query(2, 3);
  no_act(12);
  static const unsigned counts[] = {13, 9, 0};
  for (unsigned n = 0; n < 3; n++) {
    answered(HD_QUERY, n + 1, false);
    assert_int_equal(rig.out.rsp.count, counts[n]);
  }
  assert_int_equal(EVENTS(query), 2);
  assert_int_equal(EVENTS(query_gone), 1);
  wreck();
}

/* Prediction 1: the load takes an MSHR, leaves its tag where there is room, and no line. */
static void a_load_that_is_the_only_one(void **state) {
  (void)state;
  build(gated(2));
  bring_awake();
  load_of(4, 1, 1);
  acts(HD_ACT_KEEP, 0, 1);
  const unsigned id = memory_reads(4);
  assert_int_equal(rig.m->s.valid[0], 3);
  assert_int_equal(rig.m->s.mshr_keep, 0);
  load(4, 2); /* the kept tag shows that the power-off was too early */
  acts(HD_ACT_COUNT, 0, 1);
  store(4, 3, 1); /* a store can't */
  idle(10);
  waits_with_one_look(rig.m, EV_l2_slice_fail_merge);
  gate_says(1, 0);
  fill(id, 4);
  no_act(6);
  answered(HD_FILL, 1, false);
  answered(HD_FILL, 2, true);
  assert_int_equal(EVENTS(no_store_fill), 1);
  assert_int_equal(EVENTS(early), 1); /* the store, looked up again */
  fill(memory_reads(4), 4);
  answered(HD_STORE, 3, true);
  wreck();
}

/* The least recently used line is evicted for a tag, awake or not, but a line in flight is not (D-L2-12). */
static void a_line_gives_way_for_a_tag(void **state) {
  (void)state;
  build(gated(1));
  bring_awake();
  load_of(4, 1, 1);
  acts(HD_ACT_KEEP, 0, 0);
  assert_int_equal(EVENTS(evict), 1);
  gate_says(0, 0);
  fill(memory_reads(4), 4);
  loaded(1, 4, 0, 0);
  load(6, 2);
  acts(HD_ACT_WAKE, 0, 0);
  gate_says(1, 0);
  load_of(8, 3, 1);
  idle(6);
  assert_int_equal(EVENTS(no_store_read), 2);
  assert_int_equal(EVENTS(keep_tag), 1);
  assert_int_equal(EVENTS(evict), 2);
  wreck();
}

/* A dirty line is first written back whole, even if a store's own bytes go to the memory next. */
static void a_dirty_line_gives_way_for_a_tag(void **state) {
  (void)state;
  build(gated(1));
  store(6, 0, 3);
  acts(HD_ACT_WAKE, 0, 0);
  fill(memory_reads(6), 6);
  stored(0);
  gate_says(1, 0);
  store_of(4, 1, 15, 1);
  acts(HD_ACT_KEEP, 0, 0);
  memory_writes(6, 0, 3);
  memory_writes(4, 1, 15);
  stored(1);
  assert_int_equal(EVENTS(write_back), 1);
  wreck();
}

static void a_store_that_is_the_only_one(void **state) {
  (void)state;
  build(gated(2));
  store_of(6, 3, 15, 1);
  acts(HD_ACT_KEEP, 0, 0);
  stored(3);
  memory_writes(6, 3, 15);
  assert_int_equal(EVENTS(no_store_write), 1);
  assert_int_equal(rig.m->s.mshr_used, 0);
  store_of(6, 4, 15, 1); /* again: the tag had stayed */
  acts(HD_ACT_KEEP, 0, 0);
  answered(HD_STORE, 4, true);
  memory_writes(6, 4, 15);
  store_of(4, 5, 7, 1); /* part of the line: it allocates, and closes when filled */
  acts(HD_ACT_WAKE, 0, 1);
  fill(memory_reads(4), 4);
  gate_says(2, 0);
  acts(HD_ACT_SLEEP, 0, 1);
  stored(5);
  memory_writes(4, 5, 7);
  assert_int_equal(EVENTS(close_fill), 1);
  assert_int_equal(EVENTS(store_fill), 0);
  wreck();
}

/* D-LOS-11: the latest prediction counts. */
static void the_last_access_merges(void **state) {
  (void)state;
  build(gated(2));
  load_of(7, 1, 3);
  acts(HD_ACT_WAKE, 1, 0);
  gate_says(1, 1);
  load_of(7, 2, 3);
  acts(HD_ACT_COUNT, 1, 0);
  assert_int_equal(rig.m->s.mshr_close & 1, 1);
  load(7, 3); /* has no prediction */
  acts(HD_ACT_COUNT, 1, 0);
  assert_int_equal(rig.m->s.mshr_close & 1, 1);
  fill(memory_reads(7), 7);
  acts(HD_ACT_SLEEP, 1, 0);
  for (unsigned n = 1; n <= 3; n++)
    loaded(n, 7, 0, 0);
  memory_is_asked_nothing();
  assert_int_equal(EVENTS(close_fill), 1);
  wreck();
}

static void a_later_access_keeps_it(void **state) {
  (void)state;
  build(gated(2));
  load_of(7, 1, 3);
  acts(HD_ACT_WAKE, 1, 0);
  gate_says(1, 1);
  load_of(7, 2, 3);
  acts(HD_ACT_COUNT, 1, 0);
  gate_says(1, 0);
  load_of(7, 3, 9);
  acts(HD_ACT_COUNT, 1, 0);
  fill(memory_reads(7), 7);
  no_act(20);
  assert_int_equal(EVENTS(store_fill), 1);
  wreck();
}

/* D-LOS-5: a sleeping line is no better victim than one that is awake (D-L2-12), and is not written back. */
static void victims_go_by_use(void **state) {
  (void)state;
  build(gated(3));
  for (unsigned n = 0; n < 3; n++) {
    store(2 * n, n, 1);
    acts(HD_ACT_WAKE, 0, n);
    fill(memory_reads(2 * n), 2 * n);
    stored(n);
    gate_says(hd_ones(n + 1), 0);
  }
  gate_says(5, 0); /* way 1 sleeps */
  load(6, 5);
  acts(HD_ACT_WAKE, 0, 0);
  memory_writes(0, 0, 1);
  fill(memory_reads(6), 6);
  loaded(5, 6, 0, 0);
  load(8, 6);
  acts(HD_ACT_WAKE, 0, 1);
  memory_reads(8);
  assert_int_equal(EVENTS(evict), 2);
  assert_int_equal(EVENTS(write_back), 1);
  wreck();
}

/* ---- Odd machines ---- */

static void one_sm_one_way(void **state) {
  (void)state;
  struct hd_config c = gated(1);
  c.gpu.sms = 1;
  build(c);
  set_request(HD_FILL, 6, 4);
  take();
  acts(HD_ACT_WAKE, 0, 0);
  fill(memory_reads(6), 6);
  answered(HD_FILL, 4, false);
  wreck();
}

/* D-L2-16: a set has one line awake and one asleep, both with dirty bits. The awake line is written back. Then it is put to sleep, a
 * cycle before the set becomes invalid. */
static void a_command(void **state) {
  (void)state;
  struct hd_config c = gated(2);
  c.l2.maintenance = true;
  build(c);
  bring_awake();
  store(6, 1, 6);
  acts(HD_ACT_COUNT, 0, 0);
  stored(1);
  rig.m->s.valid[0] = rig.m->s.dirty[0] = 3; /* way 1 slept after its last access: its bit has no meaning */
  rig.in.mt_valid = 1;
  rig.in.mt_op = 3;
  step();
  rig.in.mt_valid = 0;
  acts(HD_ACT_SLEEP, 0, 0);
  gate_says(0, 0);
  look();
  assert_int_equal(rig.m->s.valid[0], 3);
  edge();
  assert_int_equal(rig.m->s.valid[0], 0);
  memory_writes(6, 1, 6);
  while (look(), !rig.out.mt_done) {
    assert_int_equal(rig.out.act, 0);
    edge();
  }
  assert_int_equal(EVENTS(mt_back), 1);
  assert_int_equal(EVENTS(mt_sleep), 1);
  memory_is_asked_nothing();
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(looks_are_reported),
      cmocka_unit_test(the_last_access_of_a_clean_line),
      cmocka_unit_test(the_last_access_of_a_dirty_line),
      cmocka_unit_test(a_store_that_is_last),
      cmocka_unit_test(a_last_access_without_room),
      cmocka_unit_test(gated_too_early),
      cmocka_unit_test(queries),
      cmocka_unit_test(a_load_that_is_the_only_one),
      cmocka_unit_test(a_line_gives_way_for_a_tag),
      cmocka_unit_test(a_dirty_line_gives_way_for_a_tag),
      cmocka_unit_test(a_store_that_is_the_only_one),
      cmocka_unit_test(the_last_access_merges),
      cmocka_unit_test(a_later_access_keeps_it),
      cmocka_unit_test(victims_go_by_use),
      cmocka_unit_test(one_sm_one_way),
      cmocka_unit_test(a_command),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
