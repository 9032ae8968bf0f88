/* Power control of an L2 slice's lines, by hand from docs/mechanisms/loscache.md, "gate_ctrl". */
#define RIG gate_ctrl
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

static struct hd_config machine(unsigned ways, unsigned count_bits) {
  struct hd_config c = defaults();
  c.memory.kind = HD_MEM_L2;
  c.l2.sets = 4;
  c.l2.ways = ways;
  c.loscache.gate = HD_GATE_NAIVE;
  c.loscache.count_bits = count_bits;
  return c;
}

/* The prediction that the next cycle gives. */
static uint64_t predicted;
static void set_look(uint64_t set, uint64_t pred) {
  rig.in.look_valid = 1;
  rig.in.look_set = set;
  predicted = pred;
}
static void set_act(uint64_t act, uint64_t set, uint64_t way) {
  rig.in.act = act;
  rig.in.act_set = set;
  rig.in.act_at = 1 << way;
}

/* Runs one step, then clears all inputs except the last lookup. */
static void pulse(void) {
  step();
  if (rig.in.look_valid) {
    rig.in.looked_set = rig.in.look_set;
    rig.in.looked_pred = predicted;
  }
  rig.in.look_valid = rig.in.act = rig.in.act_set = rig.in.act_at = 0;
}

/* Looks up a set, and acts there in the next cycle. */
static void looks_and_does(uint64_t set, uint64_t act, uint64_t way) {
  set_look(set, 0);
  pulse();
  set_act(act, set, way);
  pulse();
}

/* Checks the outputs for a set that is looked up with this prediction. */
static void looked_up(uint64_t set, uint64_t pred) {
  set_look(set, pred);
  pulse();
  look();
}

/* ---- Counts ---- */

static void counts_of_a_line(void **state) {
  (void)state;
  build(machine(3, 2));
  looks_and_does(2, HD_ACT_WAKE, 1);
  for (unsigned n = 1; n <= 5; n++) {
    looked_up(2, 0);
    assert_int_equal(rig.out.count[1], n < 3 ? n : 3);
    set_act(HD_ACT_COUNT, 2, 1);
    pulse();
  }
  assert_int_equal(EVENTS(count), 2);
  assert_int_equal(EVENTS(full), 3);
  looks_and_does(2, HD_ACT_KEEP, 1);
  looked_up(2, 0);
  assert_int_equal(rig.out.count[1], 1);
  assert_int_equal(EVENTS(keep), 1);
  looks_and_does(2, HD_ACT_COUNT_SLEEP, 1);
  looked_up(2, 0);
  assert_int_equal(rig.out.count[1], 2);
  wreck();
}

/* Other lines of the set, and other sets, keep their counts. */
static void counts_stay_apart(void **state) {
  (void)state;
  build(machine(4, 6));
  for (unsigned set = 0; set < 4; set++)
    for (unsigned way = 0; way < 4; way++) {
      looks_and_does(set, HD_ACT_WAKE, way);
      for (unsigned n = 0; n < set + way; n++)
        looks_and_does(set, HD_ACT_COUNT, way);
    }
  for (unsigned set = 0; set < 4; set++) {
    looked_up(set, 0);
    for (unsigned way = 0; way < 4; way++)
      assert_int_equal(rig.out.count[way], 1 + set + way);
  }
  wreck();
}

/* An access looks up the set in the cycle in which its counts are written. */
static void one_access_a_cycle(void **state) {
  (void)state;
  build(machine(2, 6));
  looks_and_does(3, HD_ACT_WAKE, 0);
  looks_and_does(3, HD_ACT_WAKE, 1);
  set_look(3, 0);
  pulse();
  for (unsigned n = 0; n < 8; n++) {
    set_look(3, 0);
    set_act(HD_ACT_COUNT, 3, n & 1);
    pulse();
    look();
    assert_int_equal(rig.m->s.w_hit, 1);
    assert_int_equal(rig.out.count[0], 1 + (n + 2) / 2);
    assert_int_equal(rig.out.count[1], 1 + (n + 1) / 2);
  }
  assert_int_equal(EVENTS(forward), 8);
  set_look(1, 0);
  set_act(HD_ACT_COUNT, 3, 0);
  pulse();
  assert_int_equal(rig.m->s.w_hit, 0);
  looked_up(3, 0);
  assert_int_equal(rig.out.count[0], 6);
  wreck();
}

/* In a cycle without a look nothing is read, whatever is at the port. The outputs stay. */
static void without_a_look(void **state) {
  (void)state;
  build(machine(2, 6));
  looks_and_does(1, HD_ACT_WAKE, 0);
  looked_up(1, 2);
  set_look(2, 9);
  rig.in.look_valid = 0;
  pulse();
  look();
  assert_int_equal(rig.out.on, 1);
  assert_int_equal(rig.out.last & 1, 1);
  assert_int_equal(rig.out.count[0], 1);
  wreck();
}

static void last_accesses(void **state) {
  (void)state;
  build(machine(3, 2));
  looks_and_does(0, HD_ACT_WAKE, 0);
  looks_and_does(0, HD_ACT_WAKE, 1);
  looks_and_does(0, HD_ACT_COUNT, 1);
  looks_and_does(0, HD_ACT_WAKE, 2);
  for (unsigned n = 0; n < 2; n++)
    looks_and_does(0, HD_ACT_COUNT, 2);
  static const unsigned last[] = {0, 7, 7, 6}; /* counts 1, 2, 3: the maximum, without overflow */
  for (unsigned pred = 0; pred < 4; pred++) {
    looked_up(0, pred);
    assert_int_equal(rig.out.last, last[pred]);
    assert_int_equal(rig.out.predicted, pred > 0);
    assert_int_equal(rig.out.once, pred == 1);
  }
  wreck();
}

/* ---- Power ---- */

static void who_is_awake(void **state) {
  (void)state;
  build(machine(3, 6));
  look();
  assert_int_equal(rig.out.awake, 0);
  for (unsigned set = 0; set < 4; set++)
    assert_int_equal(rig.out.sleep[set], 7);
  looks_and_does(2, HD_ACT_WAKE, 1);
  looks_and_does(2, HD_ACT_WAKE, 2);
  looks_and_does(0, HD_ACT_WAKE, 0);
  looks_and_does(2, HD_ACT_WAKE, 1);
  assert_int_equal(EVENTS(wake), 3);
  assert_int_equal(EVENTS(wake_again), 1);
  looked_up(2, 0);
  assert_int_equal(rig.out.on, 6);
  assert_int_equal(rig.out.awake, 3);
  assert_int_equal(rig.out.sleep[2], 1);
  assert_int_equal(rig.out.sleep[0], 6);
  set_act(HD_ACT_COUNT_SLEEP, 2, 2);
  look();
  assert_int_equal(rig.out.on, 6); /* from the next cycle on */
  pulse();
  look();
  assert_int_equal(rig.out.on, 2);
  assert_int_equal(rig.out.awake, 2);
  set_act(HD_ACT_SLEEP, 0, 0); /* not the set looked up */
  pulse();
  look();
  assert_int_equal(rig.out.on, 2);
  assert_int_equal(rig.out.awake, 1);
  assert_int_equal(rig.out.sleep[0], 7);
  set_act(HD_ACT_SLEEP, 0, 0);
  pulse();
  look();
  assert_int_equal(rig.out.awake, 1);
  assert_int_equal(EVENTS(sleep_last), 1);
  assert_int_equal(EVENTS(sleep_fill), 2);
  wreck();
}

/* A kept tag, and a line that goes to sleep while its waiting requests are answered, change no count or power of other lines. */
static void what_is_written(void **state) {
  (void)state;
  static const bool row[] = {false, true, true, true, true, false};
  build(machine(2, 6));
  for (unsigned act = 0; act <= HD_ACT_SLEEP; act++) {
    set_look(1, 0);
    pulse();
    set_act(act, act ? 1 : 0, 0);
    pulse();
    assert_int_equal(rig.m->s.counts_wr, row[act] ? 1 : -1);
  }
  wreck();
}

static void one_way(void **state) {
  (void)state;
  build(machine(1, 6));
  looks_and_does(1, HD_ACT_WAKE, 0);
  looked_up(1, 2);
  assert_int_equal(rig.out.on, 1);
  assert_int_equal(rig.out.last, 1);
  assert_int_equal(rig.out.sleep[1], 0);
  wreck();
}

static void what_repeats(void **state) {
  (void)state;
  build(machine(2, 6));
  set_look(1, 3);
  assert_int_equal(gate_ctrl_tick(rig.m, &rig.in), 0);
  set_act(HD_ACT_COUNT, 1, 0);
  assert_int_equal(gate_ctrl_tick(rig.m, &rig.in), HD_MOVES); /* what was forwarded goes */
  rig.in.look_valid = rig.in.act = 0;
  assert_int_equal(gate_ctrl_tick(rig.m, &rig.in), 0);
  wreck();
}

/* ---- Wake ---- */

static struct hd_config waking_machine(unsigned cycles, unsigned limit) {
  struct hd_config c = machine(3, 6);
  c.loscache.wake_cycles = cycles;
  c.loscache.wake_limit = limit;
  return c;
}

/* Act 2 of a way of set 1 for this MSHR, in one cycle. */
static void asks(unsigned way, unsigned mshr) {
  rig.in.looked_set = 1;
  rig.in.act_mshr = mshr;
  set_act(HD_ACT_WAKE, 1, way);
  pulse();
  look();
}

/* D-LOS-13: asked for in cycle t, the row wakes in t + 1 to t + W. `woken` is set in the last of these. */
static void a_row_takes_its_time(void **state) {
  (void)state;
  build(waking_machine(3, 0));
  asks(2, 5); /* t */
  assert_int_equal(rig.out.on, 4);
  assert_int_equal(rig.out.sleep[1], 3); /* its switch is closed */
  for (unsigned after = 1; after <= 5; after++) {
    look();
    assert_int_equal(rig.out.woken, after == 3);
    if (after == 3)
      assert_int_equal(rig.out.woken_mshr, 5);
    pulse();
  }
  assert_int_equal(EVENTS(woken), 1);
  asks(2, 6); /* already on: nothing wakes */
  for (unsigned i = 0; i < 5; i++) {
    look();
    assert_int_equal(rig.out.woken, 0);
    pulse();
  }
  assert_int_equal(EVENTS(wake_again), 1);
  assert_int_equal(EVENTS(woken), 1);
  wreck();
}

/* Rows wake one after the other, each with its own MSHR; and several at the same time. */
static void rows_wake_in_turn(void **state) {
  (void)state;
  build(waking_machine(2, 0));
  asks(0, 7);
  asks(1, 3);
  assert_int_equal(rig.out.woken, 1);
  assert_int_equal(rig.out.woken_mshr, 7);
  asks(2, 4);
  assert_int_equal(rig.out.woken, 1);
  assert_int_equal(rig.out.woken_mshr, 3);
  pulse();
  look();
  assert_int_equal(rig.out.woken_mshr, 4);
  wreck();
  build(waking_machine(1, 0));
  asks(0, 7);
  assert_int_equal(rig.out.woken, 1);
  assert_int_equal(rig.out.woken_mshr, 7);
  pulse();
  look();
  assert_int_equal(rig.out.woken, 0);
  wreck();
}

/* D-LOS-14: at most two at a time. In the last cycle of one wake another may begin. */
static void no_more_than_the_limit(void **state) {
  (void)state;
  build(waking_machine(4, 2));
  look();
  assert_int_equal(rig.out.wake_room, 1);
  asks(0, 1);
  assert_int_equal(rig.out.wake_room, 1); /* one wakes */
  asks(1, 2);
  assert_int_equal(rig.out.wake_room, 0); /* two, in their second and first cycle */
  pulse();
  look();
  assert_int_equal(rig.out.wake_room, 0);
  assert_int_equal(rig.out.woken, 0);
  pulse();
  look();
  assert_int_equal(rig.out.woken, 1); /* the first is in its fourth cycle: the next begins after it */
  assert_int_equal(rig.out.wake_room, 1);
  asks(2, 3);
  assert_int_equal(rig.out.woken_mshr, 2);
  assert_int_equal(rig.out.wake_room, 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_of_a_line),   cmocka_unit_test(counts_stay_apart),
      cmocka_unit_test(one_access_a_cycle), cmocka_unit_test(without_a_look),
      cmocka_unit_test(last_accesses),      cmocka_unit_test(who_is_awake),
      cmocka_unit_test(what_is_written),    cmocka_unit_test(one_way),
      cmocka_unit_test(what_repeats),       cmocka_unit_test(a_row_takes_its_time),
      cmocka_unit_test(rows_wake_in_turn),  cmocka_unit_test(no_more_than_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
