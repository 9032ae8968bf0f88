/* APCM at the L1D, by hand from docs/mechanisms/apcm.md: two sets of two ways. Who bypasses and who protects is
 * test_model_l1d_apcm.c's; here are the protected lines, cycle by cycle. */
#define RIG apcm_line
#include "tests/unit/rig.h"

enum { A = 3, B = 5, LOAD = 2, AFTER = 4 };

static void start(void) {
  struct hd_config c = defaults();
  c.l1d.sets = 2;
  c.l1d.ways = 2;
  c.apcm.manage = HD_APCM_PROTECT;
  c.apcm.loads = 5;
  build(c);
  rig.in.apcm_en = 1;
  rig.in.m_protect = 1 << LOAD;
  rig.in.m_last[LOAD] = AFTER;
}

/* A load moves into d. */
static void comes(unsigned wid, unsigned lid) {
  rig.in.look_valid = rig.in.look_trk = rig.in.late_advance = 1;
  rig.in.look_wid = wid;
  rig.in.look_lid = lid;
  step();
  rig.in.look_valid = rig.in.late_advance = 0;
}

/* It takes a way of set 0, while set `next` is read for c; in the cycle after, OUTCOME tells of it. */
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
static void no_more_is_told(void) {
  edge();
  rig.in.outcome_take = rig.in.outcome_write = 0;
  look();
}

/* It is pinned from the cycle of OUTCOME on: by that, then by `prot` and `owner`. */
static void a_line_is_kept(void **state) {
  (void)state;
  start();
  comes(A, LOAD);
  look();
  assert_int_equal(rig.out.advice_keep, 1);
  assert_int_equal(rig.out.pin_new, 1);
  takes(A, LOAD, 1, 0);
  assert_int_equal(rig.m->s.owner_q[1], ~A & 63); /* read as it was written: garbage */
  assert_int_equal(rig.out.pins, 2);
  assert_int_equal(rig.out.ps_valid, 1);
  assert_int_equal(rig.out.ps_wid, A);
  assert_int_equal(rig.out.ps_last, AFTER);
  assert_int_equal(rig.out.ps_loop, 0);
  rig.in.psb_on = 1 << A; /* the board has it from the next cycle on */
  no_more_is_told();
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

/* Who takes it and is not to protect, or a prefetch that has it, frees it at once. */
static void a_line_is_freed(void **state) {
  (void)state;
  for (unsigned prefetch = 0; prefetch < 2; prefetch++) {
    start();
    rig.in.psb_on = 1 << A;
    rig.in.psb_last[A] = AFTER;
    comes(A, LOAD);
    takes(A, LOAD, 0, 0);
    no_more_is_told();
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
    no_more_is_told();
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
  no_more_is_told();
  rig.in.outcome_at = 1;
  look();
  assert_int_equal(rig.out.pins, 1);
  edge();
  assert_int_equal(rig.m->s.prot[0], 1);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_is_kept),
      cmocka_unit_test(a_line_is_freed),
      cmocka_unit_test(outcome_of_a_hit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
