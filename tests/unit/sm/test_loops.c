/* Loops: what the SM learns from program counters, which warps leave, and the order of the reports; and what the SM shows of loops,
 * ends and barriers. Rules: docs/sm.md. */
#include "tests/unit/sm/sm_rig.h"

#include "cmodel/sm/loops.h"

/* ---- Learning and leaving ---- */

static struct hd_loops *l;

static int fresh(void **state) {
  (void)state;
  return !(l = hd_loops_new());
}

static int gone(void **state) {
  (void)state;
  hd_loops_free(l);
  return 0;
}

static void nothing_reported(void) {
  assert_null(hd_loops_report(l));
}

static void reported(unsigned wid, uint32_t from, uint32_t to) {
  const struct hd_leave *leave = hd_loops_report(l);
  assert_non_null(leave);
  assert_int_equal(leave->wid, wid);
  assert_int_equal(leave->from, from);
  assert_int_equal(leave->to, to);
  hd_loops_reported(l);
}

static void a_loop_is_known_by_its_branch(void **state) {
  (void)state;
  hd_loops_go(l, 3, 40, 48); /* no warp has gone back yet */
  hd_loops_go(l, 3, 40, 16);
  hd_loops_go(l, 3, 16, 24);
  hd_loops_go(l, 3, 24, 40);
  nothing_reported();
  hd_loops_go(l, 5, 40, 48); /* whichever warp taught it */
  reported(5, 40, 16);
  hd_loops_go(l, 5, 24, 80); /* from the middle */
  reported(5, 40, 16);
  hd_loops_go(l, 5, 8, 80);  /* over it */
  hd_loops_go(l, 5, 8, 24);  /* into the loop */
  hd_loops_go(l, 5, 48, 56); /* beyond the loop */
  nothing_reported();
}

static void both_ends_are_inside(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 16);
  hd_loops_go(l, 0, 16, 40);
  nothing_reported();
  hd_loops_go(l, 0, 16, 41);
  reported(0, 40, 16);
  hd_loops_go(l, 0, 40, 15); /* a loop, 15 to 40, that is not left */
  reported(0, 40, 16);
}

/* A loop ends at the greatest program counter from which a warp has gone back to its start. */
static void the_branch_grows(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 16);
  hd_loops_go(l, 0, 64, 16);
  hd_loops_go(l, 0, 32, 16);
  hd_loops_go(l, 0, 40, 48);
  nothing_reported();
  hd_loops_go(l, 0, 48, 72);
  reported(0, 64, 16);
  nothing_reported();
}

static void an_instruction_that_repeats(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 40);
  hd_loops_go(l, 0, 40, 40);
  nothing_reported();
  hd_loops_go(l, 0, 40, 48);
  reported(0, 40, 40);
}

static void of_several_the_widest(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 32); /* inner */
  hd_loops_go(l, 0, 48, 16); /* outer, which leaves the inner one too */
  nothing_reported();        /* from beyond the loop */
  hd_loops_go(l, 0, 40, 48);
  reported(0, 40, 32);
  hd_loops_go(l, 0, 40, 56);
  reported(0, 48, 16);
  hd_loops_go(l, 0, 40, 16); /* continue: leaves only the inner loop */
  reported(0, 40, 32);
  hd_loops_go(l, 0, 36, 8); /* also makes a wider loop, which is not left */
  reported(0, 48, 16);
  nothing_reported();
}

/* Loops 16 to 40 and 24 to 48 are equally wide. */
static void of_equally_wide_ones_the_first(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 16);
  hd_loops_go(l, 0, 48, 24);
  hd_loops_go(l, 0, 32, 56);
  reported(0, 40, 16);
  nothing_reported();
}

static void who_ends_leaves_all(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 32);
  hd_loops_go(l, 0, 48, 16);
  hd_loops_end(l, 1, 36);
  reported(1, 48, 16);
  hd_loops_end(l, 1, 56);
  nothing_reported();
}

static void a_launch_forgets(void **state) {
  (void)state;
  hd_loops_go(l, 0, 40, 16);
  hd_loops_go(l, 0, 40, 48);
  hd_loops_forget(l);
  nothing_reported();
  hd_loops_go(l, 0, 40, 48);
  hd_loops_end(l, 0, 24);
  nothing_reported();
}

/* More loops and more reports than there is room for at first. The loops come in no order. */
static void many(void **state) {
  (void)state;
  enum { MANY = 1009 };
  for (uint32_t i = 0; i < MANY; i++) {
    const uint32_t n = i * 617 % MANY;
    hd_loops_go(l, 0, 100 * n + 50, 100 * n);
  }
  for (uint32_t i = 0; i < 2 * MANY; i++) {
    const uint32_t n = i % MANY;
    hd_loops_go(l, i % 48, 100 * n + 20, 100 * n + 51);
    if (i % 2)
      reported(i / 2 % 48, 100 * (i / 2) + 50, 100 * (i / 2));
  }
}

/* ---- What the SM shows ---- */

enum { SHOWN = 64 };
static struct {
  unsigned n;
  struct {
    uint64_t at;
    unsigned wid;
    uint64_t from, to;
  } leave[SHOWN];
  unsigned exits;
  struct {
    uint64_t at, wids;
  } exit[SHOWN];
  uint64_t awake[PATIENCE]; /* in each cycle */
} shown;

/* Records the values at the ports in the last cycle. */
static void look(void) {
  const uint64_t at = b.now - 1;
  if (b.in.leave_valid) {
    assert_true(shown.n < SHOWN);
    shown.leave[shown.n].at = at;
    shown.leave[shown.n].wid = (unsigned)b.in.leave_wid;
    shown.leave[shown.n].from = b.in.leave_from;
    shown.leave[shown.n++].to = b.in.leave_to;
  }
  if (b.in.exit) {
    assert_true(shown.exits < SHOWN);
    shown.exit[shown.exits].at = at;
    shown.exit[shown.exits++].wids = b.in.exit;
  }
  shown.awake[at] = b.in.awake;
}

static void watch(struct hd_config c, struct wl_source *source) {
  memset(&shown, 0, sizeof shown);
  assert_int_equal(begin(c, source, NULL), HD_OK);
  while (!hd_sm_done(b.sm)) {
    cycle();
    look();
  }
}

static struct hd_config apcm(enum hd_apcm manage) {
  struct hd_config c = defaults();
  c.apcm.manage = manage;
  c.sm.alu_latency = 1;
  c.sm.simd_width = 32; /* a warp issues in one cycle */
  return c;
}

static struct wl_inst at(uint32_t pc, struct wl_inst inst) {
  inst.pc = pc;
  return inst;
}

/* Three rounds of the loop 8 to 16, and the instructions after it. */
static struct wl_inst three_rounds(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  static const uint32_t pc[] = {0, 8, 16, 8, 16, 8, 16, 24, 32};
  return n < sizeof pc / sizeof *pc ? at(0x10000 + pc[n], plain(WL_ALU, 0, NOTHING)) : leave();
}

static void a_report_comes_after_the_branch(void **state) {
  (void)state;
  struct hd_config c = apcm(HD_APCM_BOTH);
  c.sm.pc_bits = 12;
  watch(c, new_script(1, 1, 1, three_rounds));
  assert_int_equal(b.n, 9);
  assert_int_equal(shown.n, 1);
  assert_int_equal(shown.leave[0].at, b.issue[6].at + 1);
  assert_int_equal(shown.leave[0].wid, 0);
  assert_int_equal(shown.leave[0].from, 16); /* of 12 bits */
  assert_int_equal(shown.leave[0].to, 8);
  end();
}

/* Two schedulers with one warp each. Both branch in the same cycle. */
static void two_leave_at_once(void **state) {
  (void)state;
  watch(apcm(HD_APCM_PROTECT), new_script(1, 1, 2, three_rounds));
  assert_int_equal(b.issue[12].at, b.issue[13].at);
  assert_int_equal(shown.n, 2);
  for (unsigned w = 0; w < 2; w++) {
    assert_int_equal(shown.leave[w].at, b.issue[12].at + 1 + w);
    assert_int_equal(shown.leave[w].wid, w);
  }
  end();
}

/* The last instruction is in the loop. */
static struct wl_inst ends_in_a_loop(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta, (void)warp;
  return n < 6 ? at(8 + n % 2 * 8, plain(WL_SFU, 0, R0)) : leave();
}

static void an_end_leaves_when_nothing_follows(void **state) {
  (void)state;
  watch(apcm(HD_APCM_PROTECT), new_script(1, 1, 1, ends_in_a_loop));
  assert_int_equal(shown.n, 1);
  assert_int_equal(shown.leave[0].at, b.issue[5].at + 1); /* although its result is still to come */
  assert_true(shown.leave[0].at < b.now - 1);
  end();
}

static struct wl_inst one_and_end(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n == 0 ? plain(warp ? WL_SFU : WL_ALU, 0, NOTHING) : leave();
}

/* The end is shown after the last instruction's result. The run is over before the end of the last warp is shown. */
static void an_end_is_shown_for_a_cycle(void **state) {
  (void)state;
  watch(apcm(HD_APCM_BYPASS), new_script(2, 1, 2, one_and_end));
  assert_int_equal(shown.exits, 3);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(shown.exit[i].wids, 1 + i % 2);
    assert_int_equal(shown.exit[i].at, b.issue[i].at + (i % 2 ? b.c.sm.sfu_latency : 1));
  }
  assert_int_equal(shown.n, 0);
  end();
}

static struct wl_inst meet(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  if (warp == 0)
    return n == 0 ? plain(WL_BARRIER, WL_NO_REG, NOTHING) : n < 4 ? plain(WL_ALU, 0, R0) : leave();
  const struct wl_inst of[] = {plain(WL_SFU, 0, NOTHING), plain(WL_BARRIER, WL_NO_REG, R0), leave()};
  return n < 2 ? of[n] : n < 40 ? plain(WL_ALU, 0, R0) : leave();
}

static void a_barrier_is_slept_at(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.scheduler.limit = 1;
  watch(c, new_script(1, 1, 2, meet));
  assert_int_equal(b.issue[0].wid, 0);
  const uint64_t first = b.issue[0].at;
  assert_int_equal(shown.awake[first] & 1, 1);
  assert_int_equal(shown.awake[first + 1] & 3, 2); /* at the barrier */
  unsigned i = 0;
  while (b.issue[i].wid != 0 || b.issue[i].at == first)
    i++;
  assert_int_equal(shown.awake[b.issue[i].at] & 3, 3); /* the barrier was open */
  assert_int_equal(shown.awake[b.now - 1] & 3, 2);     /* warp 0 has ended */
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_loop_is_known_by_its_branch, fresh, gone),
      cmocka_unit_test_setup_teardown(both_ends_are_inside, fresh, gone),
      cmocka_unit_test_setup_teardown(the_branch_grows, fresh, gone),
      cmocka_unit_test_setup_teardown(an_instruction_that_repeats, fresh, gone),
      cmocka_unit_test_setup_teardown(of_several_the_widest, fresh, gone),
      cmocka_unit_test_setup_teardown(of_equally_wide_ones_the_first, fresh, gone),
      cmocka_unit_test_setup_teardown(who_ends_leaves_all, fresh, gone),
      cmocka_unit_test_setup_teardown(a_launch_forgets, fresh, gone),
      cmocka_unit_test_setup_teardown(many, fresh, gone),
      cmocka_unit_test(a_report_comes_after_the_branch),
      cmocka_unit_test(two_leave_at_once),
      cmocka_unit_test(an_end_leaves_when_nothing_follows),
      cmocka_unit_test(an_end_is_shown_for_a_cycle),
      cmocka_unit_test(a_barrier_is_slept_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
