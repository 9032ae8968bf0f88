/* The prediction table of LoSCache: the ends of phases, the walk that queries lines, what the table does without inputs, and wrong
 * bits. By hand (docs/mechanisms/loscache.md). */
#include "tests/unit/loscache/pred_table_rig.h"

/* ---- Phases and walks ---- */

static void a_phase_ends_after_enough_accesses(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  two_of_four();
  rig.in.exit = warps_of(0); /* in the same cycle */
  request(2, 74, 0);
  assert_int_equal(EVENTS(end_phase), 1);
  assert_int_equal(EVENTS(end_cta), 0);
  assert_int_equal(rig.m->s.state, 2);
  instruction(0, 0x900, true, 0); /* no more entries are given */
  assert_int_equal(EVENTS(give), 4);
  request(1, 76, 0); /* nor lines recorded */
  assert_int_equal(EVENTS(line), 2);
  assert_int_equal(rig.m->s.seen, 4);
  wreck();
}

/* With control registers the phase length is an input. A phase whose new length has already passed ends with the next access. */
static void the_length_changes(void **state) {
  (void)state;
  struct hd_config c = machine(HD_GATE_ADAPTIVE, 5, 100);
  c.bus.control = HD_CONTROL_APB4;
  build(c);
  rig.in.en = 1;
  rig.in.seed = SEED;
  rig.in.los_phase = 127;
  two_of_four();
  rig.in.los_phase = 2;
  pulse();
  assert_int_equal(rig.m->s.state, 1);
  request(2, 74, 0);
  assert_int_equal(EVENTS(end_phase), 1);
  assert_int_equal(rig.m->s.seen, 4);
  wreck();
}

static void the_lines_are_asked_for_in_turn(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  two_of_four();
  request(4, 75, 0);
  asks_nothing();
  assert_int_equal(rig.m->s.state, 2);
  pulse(); /* entry 0: skipped */
  asks_nothing();
  pulse(); /* entry 1 */
  for (unsigned n = 0; n < 3; n++) {
    look();
    assert_int_equal(rig.out.q_valid, 1);
    pulse();
  }
  asks(2, 70); /* and entry 2 is skipped */
  asks_nothing();
  pulse();
  asks(4, 71); /* and entry 4 is not used */
  asks_nothing();
  assert_int_equal(rig.m->s.state, 0);
  assert_int_equal(EVENTS(query), 2);
  assert_int_equal(EVENTS(skip), 2);
  wreck();
}

/* A request that the L1D offers at the port waits there until it is taken. No query goes before it, and no entry has its turn. */
static void a_query_waits_for_a_request_that_is_offered(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  two_of_four();
  request(4, 75, 0);
  rig.in.mq_waits = 1;
  for (unsigned n = 0; n < 3; n++) {
    pulse();
    asks_nothing();
    assert_int_equal(rig.m->s.walk, 0);
  }
  assert_int_equal(EVENTS(skip), 0);
  rig.in.mq_waits = 0;
  pulse(); /* entry 0: skipped */
  rig.in.mq_waits = 1;
  pulse();
  asks_nothing();
  assert_int_equal(EVENTS(skip), 1);
  assert_int_equal(EVENTS(query), 0);
  rig.in.mq_waits = 0;
  asks_nothing(); /* the query is sent by the registers of the next cycle */
  pulse();
  assert_int_equal(EVENTS(query), 1);
  rig.in.mq_waits = 1; /* once offered, the query stays */
  for (unsigned n = 0; n < 2; n++) {
    look();
    assert_int_equal(rig.out.q_valid, 1);
    pulse();
  }
  asks(2, 70); /* taken, and nothing follows */
  asks_nothing();
  assert_int_equal(rig.m->s.walk, 2);
  rig.in.mq_waits = 0;
  pulse(); /* entry 2: skipped */
  pulse();
  asks(4, 71);
  assert_int_equal(EVENTS(query), 2);
  wreck();
}

static void a_full_table_is_walked_to_its_end(void **state) {
  (void)state;
  for (unsigned table = 2; table <= 3; table++) {
    start(HD_GATE_NAIVE, table, table);
    begin();
    for (unsigned e = 0; e < table; e++)
      instruction(0, 8 * e, true, e + 1);
    for (unsigned e = 0; e < table; e++)
      request(e + 1, 100 + e, 0);
    pulse();
    for (unsigned e = 0; e < table; e++)
      asks(e + 1, 100 + e); /* one per cycle */
    asks_nothing();
    assert_int_equal(rig.m->s.state, 0);
    state_fits();
    wreck();
  }
}

static void a_phase_ends_with_its_cta(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 100);
  two_of_four();
  for (unsigned w = 0; w + 1 < SLOT_WARPS; w++) {
    rig.in.exit = hd_bit(w) | hd_bit(20);
    pulse();
  }
  assert_int_equal(rig.m->s.state, 1);
  set_launch(3); /* another CTA */
  rig.in.exit = hd_bit(SLOT_WARPS - 1);
  request(2, 74, 0);
  assert_int_equal(rig.m->s.state, 2);
  assert_int_equal(rig.m->s.predictor, 0);
  assert_int_equal(rig.m->s.seen, 4);
  assert_int_equal(EVENTS(end_cta), 1);
  wreck();
}

/* No CTA has started, so no CTA's end can end the phase. */
static void a_phase_waits_for_its_predictor(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 100);
  set_kernel(6);
  pulse();
  rig.in.exit = hd_ones(48);
  pulse();
  assert_int_equal(rig.m->s.state, 1);
  assert_int_equal(rig.m->s.seek, 1);
  wreck();
}

/* A new kernel stops the walk. A query that is offered stays, and its answer finds the entry unused. */
static void a_query_outlives_its_kernel(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  two_of_four();
  request(2, 75, 0);
  pulse();
  pulse();
  look();
  assert_int_equal(rig.out.q_valid, 1);
  begin();
  asks(2, 70);
  asks_nothing();
  answer(2, 9);
  instruction(0, 0x100, true, 1);
  set_answer(2, 9); /* in the cycle in which the entry is given */
  instruction(0, 0x108, true, 2);
  request(2, 70, 0);
  assert_int_equal(EVENTS(answer), 0);
  wreck();
}

/* ---- What repeats, and wrong bits ---- */

static uint64_t tick(void) {
  look();
  const uint64_t ahead = pred_table_tick(rig.m, &rig.in);
  rig.in.mq_taken = rig.in.q_ready = 0;
  return ahead;
}

static void it_moves_by_itself_on_its_walk(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  assert_int_equal(tick(), 0);
  two_of_four();
  assert_int_equal(tick(), 0);
  set_request(2, 75);
  assert_int_equal(tick(), HD_MOVES);
  assert_int_equal(tick(), HD_MOVES); /* entry 0 */
  assert_int_equal(tick(), 0);        /* entry 1, which waits */
  assert_int_equal(tick(), 0);
  rig.in.q_ready = 1;
  assert_int_equal(tick(), HD_MOVES); /* entry 2 */
  assert_int_equal(tick(), 0);        /* entry 3 */
  rig.in.q_ready = 1;
  assert_int_equal(tick(), 0); /* and that was the last */
  assert_int_equal(rig.m->s.state, 0);
  wreck();
}

static void random_inputs(void) {
  const struct hd_derived *d = &rig.c.d;
  rig.in.en = draw_below(50) != 0;
  rig.in.kernel = draw_below(300) == 0;
  rig.in.kernel_ctas = 1 + draw_below(d->CTAS);
  rig.in.launch_valid = draw_below(20) == 0;
  rig.in.launch_cta = draw_below(d->CTAS);
  rig.in.launch_warps = warps_of(rig.in.launch_cta);
  rig.in.exit = draw_below(50) ? 0 : draw() & hd_ones(d->WARPS);
  rig.in.ld_valid = draw_below(4) == 0;
  rig.in.ld_wid = draw_below(d->WARPS);
  rig.in.ld_pc = 8 * draw_below(d->LPT + 2);
  rig.in.mq_taken = draw_below(2);
  rig.in.mq_waits = !rig.in.mq_taken && draw_below(2);
  rig.in.mq_pe = draw() & hd_ones(d->PE_W);
  rig.in.mq_line = draw_below(1000);
  rig.in.q_ready = draw_below(2);
  rig.in.ans_valid = draw_below(4) == 0;
  rig.in.ans_pe = draw() & hd_ones(d->PE_W);
  rig.in.ans_count = draw() & hd_ones(d->CNT_W);
  rig.in.early_valid = draw_below(4) == 0;
  rig.in.early_pe = draw() & hd_ones(d->PE_W);
  rig.in.early_count = draw() & hd_ones(d->CNT_W);
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  static const unsigned tables[] = {2, 5, 16, 21, 63};
  for (uint64_t seed = 1; seed <= 10; seed++) {
    chance_state = seed;
    build(machine(seed % 2 ? HD_GATE_ADAPTIVE : HD_GATE_NAIVE, tables[seed % 5], 30));
    rig.in.seed = SEED + seed;
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      random_inputs();
      flip_a_bit();
      step();
      state_fits();
      assert_int_equal(rig.out.prefer & ~hd_ones(rig.c.d.WARPS), 0);
      assert_true(rig.out.ld_pe <= hd_ones(rig.c.d.PE_W) && rig.out.mq_pred <= hd_ones(rig.c.d.CNT_W));
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_phase_ends_after_enough_accesses),
      cmocka_unit_test(the_length_changes),
      cmocka_unit_test(the_lines_are_asked_for_in_turn),
      cmocka_unit_test(a_query_waits_for_a_request_that_is_offered),
      cmocka_unit_test(a_full_table_is_walked_to_its_end),
      cmocka_unit_test(a_phase_ends_with_its_cta),
      cmocka_unit_test(a_phase_waits_for_its_predictor),
      cmocka_unit_test(a_query_outlives_its_kernel),
      cmocka_unit_test(it_moves_by_itself_on_its_walk),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
