/* The prediction table of LoSCache: kernels and their predictors, entries and predictions, by hand (docs/mechanisms/loscache.md). */
#include "tests/unit/loscache/pred_table_rig.h"

/* ---- Kernels and predictors ---- */

static uint64_t lfsr_after(uint64_t lfsr) {
  for (unsigned n = 0; n < 8; n++) {
    const uint64_t bit = (lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5) & 1;
    lfsr = lfsr >> 1 | bit << 15;
  }
  return lfsr;
}

static void the_predictor_is_drawn(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 21, 100);
  uint64_t lfsr = 44257, seen = 0;
  for (unsigned n = 0; n < 60; n++) {
    const uint64_t x = lfsr ^ SEED, y = (x >> 8 ^ x) & 255, slot = y * 6 / 256;
    assert_int_equal(rig.m->s.lfsr, lfsr);
    set_kernel(6);
    pulse();
    assert_int_equal(rig.m->s.pick, slot);
    assert_int_equal(rig.m->s.state, 1);
    assert_int_equal(rig.m->s.seek, 1);
    seen |= hd_bit(slot);
    lfsr = lfsr_after(lfsr);
  }
  assert_int_equal(seen, 0x3f);
  assert_int_equal(EVENTS(kernel), 60);
  wreck();
}

/* The predictor starts in the cycle of the kernel or later. No other CTA counts, and no second one in its slot. */
static void it_starts_when_its_slot_does(void **state) {
  (void)state;
  start(HD_GATE_NAIVE, 21, 100);
  begin();
  assert_int_equal(rig.m->s.predictor, warps_of(0));
  assert_int_equal(rig.m->s.seek, 0);
  set_launch(0);
  rig.in.launch_warps = 1;
  pulse();
  assert_int_equal(rig.m->s.predictor, warps_of(0));

  set_kernel(6);
  pulse();
  assert_int_equal(rig.m->s.predictor, 0);
  const uint64_t slot = rig.m->s.pick;
  for (unsigned cta = 0; cta < 6; cta++)
    if (cta != slot) {
      set_launch(cta);
      pulse();
      assert_int_equal(rig.m->s.predictor, 0);
    }
  set_launch(slot);
  rig.in.exit = warps_of(slot); /* of the CTA before it */
  pulse();
  assert_int_equal(rig.m->s.predictor, warps_of(slot));
  assert_int_equal(rig.m->s.state, 1);
  assert_int_equal(EVENTS(begin), 2);
  wreck();
}

/* Checks the outputs. The predictor's warps are preferred while there are any, and go first in the prediction phase. */
static void prefers(uint64_t warps, unsigned boosting) {
  look();
  assert_int_equal(rig.out.prefer, warps);
  assert_int_equal(rig.out.boosting, boosting);
}

static void its_warps_go_first(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 21, 100);
  prefers(0, 0);
  set_kernel(1);
  prefers(0, 0); /* from the next cycle on */
  pulse();
  prefers(0, 1); /* it has not started */
  set_launch(0);
  pulse();
  prefers(0x3f, 1); /* warps 0 to 5 */
  rig.in.en = 0;
  prefers(0x3f, 0);
  pulse();
  rig.in.en = 1;
  rig.in.exit = hd_bit(1) | hd_bit(40);
  pulse();
  prefers(0x3d, 1);
  rig.in.exit = warps_of(0); /* the phase ends with it */
  pulse();
  prefers(0, 0);

  wreck();
  start(HD_GATE_ADAPTIVE, 21, 1);
  begin();
  request(1, 70, 0);
  prefers(0x3f, 0); /* the phase is over, it goes on */
  wreck();
}

/* ---- Entries ---- */

static void entries_are_given_to_the_predictor(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 3, 100);
  instruction(0, 0x40, true, 0); /* no kernel yet */
  begin();
  instruction(0, 0x40, false, 1); /* it would get one */
  instruction(6, 0x40, true, 0);  /* a warp of another CTA */
  instruction(0, 0x40, true, 1);
  instruction(6, 0x40, true, 0);
  instruction(5, 0x40, true, 1);
  instruction(5, 0, true, 2); /* an ordinary program counter */
  instruction(1, 0x48, true, 3);
  instruction(1, 0x50, true, 0);
  instruction(1, 0x50, false, 0);
  assert_int_equal(EVENTS(give), 3);
  assert_int_equal(EVENTS(table_full), 1);
  rig.in.exit = warps_of(0) & ~hd_bit(2);
  pulse();
  instruction(1, 0x40, true, 0); /* this warp has ended */
  instruction(2, 0x40, true, 1);
  rig.in.exit = hd_bit(2);
  pulse();
  instruction(40, 0x48, true, 3); /* now all warps count */
  instruction(40, 0x50, true, 0);
  rig.in.en = 0;
  instruction(40, 0x48, true, 0);
  wreck();
}

static void a_kernel_begins_with_an_empty_table(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 4, 100);
  begin();
  instruction(0, 0x40, true, 1);
  request(1, 77, 0);
  answer(1, 5);
  request(1, 77, 5);
  set_kernel(1); /* whatever else comes in the cycle */
  set_launch(0);
  set_request(1, 78);
  set_answer(1, 9);
  rig.in.ld_valid = 1;
  rig.in.ld_pc = 0x48;
  rig.in.early_valid = rig.in.early_pe = 1;
  rig.in.exit = hd_bit(0);
  pulse();
  assert_int_equal(rig.m->s.used, 0);
  assert_int_equal(rig.m->s.has, 0);
  assert_int_equal(rig.m->s.seen, 0);
  assert_int_equal(rig.m->s.count[0], 5);
  assert_int_equal(rig.m->s.predictor, warps_of(0));
  request(1, 77, 0);
  assert_int_equal(rig.m->s.seen, 1);
  instruction(0, 0x80, true, 1);
  request(1, 77, 0); /* 5 is gone */
  assert_int_equal(EVENTS(give), 2);
  assert_int_equal(EVENTS(answer), 1);
  assert_int_equal(EVENTS(early) + EVENTS(early_most), 0);
  wreck();
}

static void without_enable_nothing_begins(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 4, 100);
  begin();
  instruction(0, 0x40, true, 1);
  rig.in.en = 0;
  const uint64_t lfsr = rig.m->s.lfsr;
  begin();
  assert_int_equal(rig.m->s.lfsr, lfsr_after(lfsr));
  assert_int_equal(rig.m->s.state, 0);
  assert_int_equal(rig.m->s.predictor | rig.m->s.seek | rig.m->s.used, 0);
  rig.in.en = 1; /* too late for this kernel */
  set_launch(0);
  pulse();
  instruction(0, 0x40, true, 0);
  assert_int_equal(EVENTS(kernel), 1);
  assert_int_equal(EVENTS(begin), 1);
  wreck();
}

/* ---- Predictions ---- */

static void start_with(enum hd_gone gone) {
  struct hd_config c = machine(HD_GATE_NAIVE, 5, 4);
  c.loscache.gone = gone;
  build(c);
  rig.in.en = 1;
}

static void answers_become_predictions(void **state) {
  (void)state;
  start_with(HD_GONE_UNKNOWN);
  two_of_four();
  answer(2, 7);
  answer(4, 0);
  answer(5, 3); /* an unused entry */
  answer(0, 3); /* no entry */
  request(2, 80, 7);
  request(4, 80, 0);
  request(5, 80, 0);
  request(0, 80, 0);
  assert_int_equal(EVENTS(answer), 1);
  assert_int_equal(EVENTS(nothing), 1);
  rig.in.en = 0; /* the slices have an enable of their own */
  request(2, 80, 7);
  answer(2, 8);
  request(2, 80, 8);
  wreck();
}

/* A count that is reset to 0 with its line's data. An access that reads it as a prediction is the last access. */
static void a_line_that_is_gone_is_accessed_once(void **state) {
  (void)state;
  start_with(HD_GONE_ONCE);
  two_of_four();
  request(4, 80, 0); /* not asked yet */
  answer(4, 0);
  request(4, 80, 1);
  answer(2, 7);
  request(2, 80, 7);
  assert_int_equal(EVENTS(answer), 1);
  assert_int_equal(EVENTS(nothing), 1);
  wreck();
}

static void predictions_grow(void **state) {
  (void)state;
  struct hd_config c = machine(HD_GATE_ADAPTIVE, 5, 4);
  c.loscache.count_bits = 3;
  c.loscache.extra = 3;
  build(c);
  rig.in.en = 1;
  two_of_four();
  early(2); /* an unknown count does not grow */
  request(2, 80, 0);
  answer(2, 3);
  request(2, 80, 3);
  early(0);
  early(5);
  early(2);
  request(2, 80, 4);
  rig.in.early_valid = 1;
  rig.in.early_pe = 2;
  rig.in.early_count = 4; /* an access that was sent with prediction 3 */
  pulse();
  request(2, 80, 4);
  assert_int_equal(EVENTS(early_known), 1);
  early(2);
  early(2);
  request(2, 80, 6);
  early(2);
  assert_int_equal(rig.m->s.extra[1], 3);
  assert_int_equal(EVENTS(early), 3);
  assert_int_equal(EVENTS(early_most), 1);
  answer(2, 5); /* as of an older kernel's query: 5 + 3 does not fit */
  request(2, 80, 7);
  answer(2, 1);
  request(2, 80, 4);
  wreck();
}

/* The count from before decides whether a prediction was too low. */
static void an_answer_in_the_same_cycle_comes_after(void **state) {
  (void)state;
  start(HD_GATE_ADAPTIVE, 5, 4);
  two_of_four();
  set_answer(2, 7);
  early(2);
  request(2, 80, 7); /* nothing was known */
  set_answer(2, 63);
  early(2);
  request(2, 80, 63);
  assert_int_equal(rig.m->s.extra[1], 1);
  assert_int_equal(EVENTS(early), 1);
  assert_int_equal(EVENTS(early_known), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_predictor_is_drawn),
      cmocka_unit_test(it_starts_when_its_slot_does),
      cmocka_unit_test(its_warps_go_first),
      cmocka_unit_test(entries_are_given_to_the_predictor),
      cmocka_unit_test(a_kernel_begins_with_an_empty_table),
      cmocka_unit_test(without_enable_nothing_begins),
      cmocka_unit_test(answers_become_predictions),
      cmocka_unit_test(a_line_that_is_gone_is_accessed_once),
      cmocka_unit_test(predictions_grow),
      cmocka_unit_test(an_answer_in_the_same_cycle_comes_after),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
