/* APCM at the L1D, by hand from docs/mechanisms/apcm.md: two sets of two ways. test_model_l1d_apcm.c tests which loads bypass and
 * which protect. This file tests the protected lines, cycle by cycle. */
#define RIG apcm_line
#include "tests/unit/rig.h"

enum { A = 3, B = 5, OTHER = 6, LOAD = 2, AFTER = 4 };

static struct hd_config two_sets(void) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = 2;
  c.apcm.manage = HD_APCM_PROTECT;
  c.apcm.loads = 5;
  return c;
}
static void start_on(struct hd_config c) {
  build(c);
  rig.in.apcm_en = 1;
  rig.in.m_protect = 1 << LOAD;
  rig.in.m_last[LOAD] = AFTER;
}
static void start_with(enum hd_seen seen, enum hd_full_set full_set) {
  struct hd_config c = two_sets();
  c.apcm.seen = seen;
  c.apcm.full_set = full_set;
  start_on(c);
}
static void start(void) {
  start_with(HD_SEEN_ANY, HD_FULL_PINNED);
}

/* A load moves into d. */
static void comes(unsigned wid, unsigned lid) {
  rig.in.look_valid = rig.in.look_trk = rig.in.late_advance = 1;
  rig.in.look_wid = wid;
  rig.in.look_lid = lid;
  step();
  rig.in.look_valid = rig.in.late_advance = 0;
}

/* The load takes a way of set 0 while set `next` is read for c. OUTCOME reports the take in the cycle after. */
static void takes(unsigned wid, unsigned lid, unsigned way, unsigned next) {
  rig.in.decide_set = 0;
  rig.in.decide_wid = wid;
  rig.in.late_take = 1u << way;
  rig.in.late_read = 1;
  rig.in.late_set = next;
  rig.in.late_advance = 1;
  step();
  rig.in.late_take = rig.in.late_advance = 0;
  rig.in.outcome_take = rig.in.outcome_write = 1;
  rig.in.outcome_set = 0;
  rig.in.outcome_at = 1u << way;
  rig.in.outcome_wid = wid;
  rig.in.outcome_lid = lid;
  rig.in.look_set = next;
  look();
}
static void no_more_is_reported(void) {
  edge();
  rig.in.outcome_take = rig.in.outcome_write = 0;
  look();
}

/* The line is pinned from the cycle of OUTCOME on: first by OUTCOME, then by `prot` and `owner`. */
static void a_line_is_kept(void **state) {
  (void)state;
  start();
  comes(A, LOAD);
  look();
  assert_int_equal(rig.out.advice_keep, 1);
  assert_int_equal(rig.out.pin_new, 1);
  takes(A, LOAD, 1, 0);
  assert_int_equal(rig.m->s.owner_q[1], ~A & 63); /* read in the cycle of its write: garbage */
  assert_int_equal(rig.out.pins, 2);
  assert_int_equal(rig.out.ps_valid, 1);
  assert_int_equal(rig.out.ps_wid, A);
  assert_int_equal(rig.out.ps_last, AFTER);
  assert_int_equal(rig.out.ps_loop, 0);
  rig.in.psb_on = 1 << A; /* the board has the warp from the next cycle on */
  no_more_is_reported();
  assert_int_equal(EVENTS(protect), 1);
  assert_int_equal(rig.m->s.prot[0], 2);
  assert_int_equal(rig.m->s.owner[0 * 2 + 1], A);
  assert_int_equal(rig.out.ps_valid, 0);
  assert_int_equal(rig.m->s.owner_q[1], A); /* c waits: its row was read again */
  assert_int_equal(rig.out.pins, 2);
  rig.in.psb_on = 1 << B;
  look();
  assert_int_equal(rig.out.pins, 0);
  rig.in.look_set = 1;
  rig.in.psb_on = 1 << A;
  look();
  assert_int_equal(rig.out.pins, 0);
  wreck();
}

/* A line is free at once if a load that is not to protect takes it, or if a prefetch takes its way. */
static void a_line_is_freed(void **state) {
  (void)state;
  for (unsigned prefetch = 0; prefetch < 2; prefetch++) {
    start();
    rig.in.psb_on = 1 << A;
    rig.in.psb_last[A] = AFTER;
    comes(A, LOAD);
    takes(A, LOAD, 0, 0);
    no_more_is_reported();
    assert_int_equal(rig.out.pins, 1);
    comes(B, LOAD + 1);
    rig.in.late_take = prefetch ? 0 : 1;
    step();
    rig.in.late_take = 0;
    rig.in.outcome_write = 1;
    rig.in.outcome_take = !prefetch;
    rig.in.outcome_at = 1;
    look();
    assert_int_equal(rig.out.pins, 0);
    assert_int_equal(rig.out.ps_valid, 0);
    no_more_is_reported();
    assert_int_equal(rig.m->s.prot[0], 0);
    assert_int_equal(rig.out.pins, 0);
    wreck();
  }
}

/* A hit of the line changes nothing. */
static void outcome_of_a_hit(void **state) {
  (void)state;
  start();
  rig.in.psb_on = 1 << A;
  rig.in.psb_last[A] = AFTER;
  comes(A, LOAD);
  takes(A, LOAD, 0, 0);
  no_more_is_reported();
  rig.in.outcome_at = 1;
  look();
  assert_int_equal(rig.out.pins, 1);
  edge();
  assert_int_equal(rig.m->s.prot[0], 1);
  wreck();
}

/* D-APCM-11: with `any` the output is set for every request that moves into d while APCM is enabled, with `pinned` for none. */
static void a_full_set(void **state) {
  (void)state;
  for (unsigned any = 0; any < 2; any++) {
    start_with(HD_SEEN_ANY, any ? HD_FULL_ANY : HD_FULL_PINNED);
    comes(A, LOAD + 1);
    look();
    assert_int_equal(rig.out.lack_line, any);
    rig.in.apcm_en = 0;
    step();
    look();
    assert_int_equal(rig.out.lack_line, any); /* the flag stays in d */
    comes(A, LOAD);
    look();
    assert_int_equal(rig.out.lack_line, 0);
    wreck();
  }
}

/* D-APCM-2: another warp takes way 0 of set 0, then A takes way 1. A load of `wid` finds the line `late` cycles later. Returns true
 * if the load counts the line as its own. */
static bool own_line(unsigned wid, unsigned late) {
  start_with(HD_SEEN_OTHERS, HD_FULL_PINNED);
  takes(OTHER, LOAD, 0, 0);
  no_more_is_reported();
  rig.in.look_wid =
      wid; /* behind A's load. late 0: in d when A is reported; 1: in c then; more: waits in c */
  if (late == 0) {
    rig.in.look_valid = 1;
    rig.in.late_read = 1;
    rig.in.late_advance = 1;
    step(); /* A's load goes to d, the load of wid to c */
  }
  takes(A, LOAD, 1, 0);
  if (late == 0) {
    rig.in.decide_wid = wid; /* moved into d as A's load left it; decided at once */
    rig.in.late_advance = 1;
    no_more_is_reported();
  } else {
    for (unsigned i = 1; i < late; i++) /* the row is read again */
      no_more_is_reported();
    rig.in.late_advance = 1;
    no_more_is_reported(); /* into d */
    rig.in.decide_wid = wid;
    no_more_is_reported(); /* and out of d */
  }
  rig.in.outcome_at = 2;
  look();
  const bool own = rig.out.own;
  rig.in.outcome_at = 1;
  look();
  assert_int_equal(rig.out.own, 0);
  rig.in.outcome_at = 0;
  look();
  assert_int_equal(rig.out.own, 0);
  wreck();
  return own;
}
static void whose_line(void **state) {
  (void)state;
  for (unsigned late = 0; late < 4; late++) {
    assert_true(own_line(A, late));
    assert_false(own_line(B, late));
  }
}

/* D-APCM-12: the load protects as soon as it misses. Its line is pinned from the fill on, for the request in c and for the next
 * fill. */
static void on_fill(void **state) {
  (void)state;
  struct hd_config c = two_sets();
  c.l1d.allocate = HD_ON_FILL;
  start_on(c);
  comes(A, LOAD);
  no_more_is_reported(); /* the load is decided */
  rig.in.outcome_load = 1;
  rig.in.outcome_wid = A;
  rig.in.outcome_lid = LOAD;
  look();
  assert_int_equal(rig.out.ps_valid, 1);
  rig.in.outcome_nth = 1; /* the load merges with another */
  look();
  assert_int_equal(rig.out.ps_valid, 0);
  rig.in.outcome_nth = 0;
  rig.in.outcome_past = 1;
  look();
  assert_int_equal(rig.out.ps_valid, 0);
  rig.in.outcome_past = rig.in.outcome_load = 0;
  rig.in.psb_on = 1 << A;
  rig.in.outcome_wid = B; /* its fill, while a load of B is in d; set 0 is read for c and for the next fill */
  rig.in.took_wid = A;
  rig.in.took_pin = 1;
  rig.in.outcome_take = rig.in.outcome_write = 1;
  rig.in.outcome_set = 0;
  rig.in.outcome_at = 2;
  rig.in.late_read = rig.in.late_fill = 1;
  rig.in.late_set = rig.in.late_fill_set = 0;
  look();
  assert_int_equal(rig.out.pins, 2);
  assert_int_equal(rig.out.fill_pins, 2);
  no_more_is_reported();
  assert_int_equal(rig.m->s.owner_q[1], ~A & 63); /* read in the cycle of its write: garbage */
  assert_int_equal(rig.m->s.owner_fill_q[1], ~A & 63);
  assert_int_equal(rig.out.pins, 2);
  assert_int_equal(rig.out.fill_pins, 2);
  no_more_is_reported();
  assert_int_equal(rig.m->s.owner_fill_q[1], A);
  assert_int_equal(rig.out.pins, 2);
  assert_int_equal(rig.out.fill_pins, 2);
  rig.in.fill_set = 1;
  rig.in.psb_on = 1 << B;
  look();
  assert_int_equal(rig.out.pins, 0);
  assert_int_equal(rig.out.fill_pins, 0);
  wreck();
}

/* APCM-pN (D-PD-2): pd hears which lines are to be kept, as OUTCOME leaves them. The board hears nothing. */
static void by_distance(void **state) {
  (void)state;
  for (unsigned fill = 0; fill < 2; fill++) {
    struct hd_config c = two_sets();
    c.l1d.distance = 4;
    c.l1d.allocate = fill ? HD_ON_FILL : HD_ON_MISS;
    start_on(c);
    comes(A, LOAD);
    look();
    assert_int_equal(rig.out.advice_keep, 1);
    assert_int_equal(rig.out.pin_new, 1);
    rig.in.took_pin = fill;
    takes(A, LOAD, 1, 0);
    for (unsigned later = 0; later < 2; later++) {
      assert_int_equal(rig.out.marked, 2);
      assert_int_equal(rig.out.fill_marked, fill * 2);
      assert_int_equal(rig.out.ps_valid, 0);
      assert_int_equal(rig.out.pins, 0);
      no_more_is_reported();
    }
    rig.in.outcome_write = 1; /* a prefetch takes the way */
    rig.in.outcome_take = fill;
    rig.in.took_pin = 0;
    look();
    assert_int_equal(rig.out.marked, 0);
    no_more_is_reported();
    assert_int_equal(rig.out.marked, 0);
    rig.in.look_set = 1;
    look();
    assert_int_equal(rig.out.marked, 0);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_is_kept), cmocka_unit_test(a_line_is_freed), cmocka_unit_test(outcome_of_a_hit),
      cmocka_unit_test(a_full_set),     cmocka_unit_test(whose_line),      cmocka_unit_test(on_fill),
      cmocka_unit_test(by_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
