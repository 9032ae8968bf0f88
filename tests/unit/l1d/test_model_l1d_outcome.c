/* The L1 data cache: the report of a load's request that is done (APCM), and the ages of lines (PD). By hand from
 * docs/mechanisms/l1d.md. Even lines are in set 0. */
#include "tests/unit/l1d/l1d_apcm_rig.h"

/* Reported once, in the cycle after the request was done. */
static void outcome_once(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  const struct req r = {.line = 9, .wid = B, .slot = 2, .num = 1, .last = 1, .trk = 1, .lid = INTRA};
  comes(r);
  cycles(3);
  assert_int_equal(EVENTS(load_miss), 1);
  assert_int_equal(seen.reported, 0);
  cycle();
  assert_int_equal(seen.reported, 1);
  is_reported(r, 0);
  answers();
  assert_int_equal(seen.reported, 1);
  const struct req third = {.line = 9, .wid = A, .num = 2, .trk = 0};
  ends(third);
  assert_int_equal(seen.reported, 2);
  is_reported(third, 1);
  ends(store_of(A, 9));
  assert_int_equal(seen.reported, 2);
  assert_int_equal(rig.out.outcome_load, 0);
  assert_int_equal(rig.out.outcome.line, 9); /* keeps its value */
  wreck();
}

/* A reset in the cycle after a miss: outcome_take is 0 although it has no register here (outcome_write also shows it). */
static void reset_takes_back(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  assert_false(rig.c.d.TOOK_ALONE);
  comes(of(B, INTRA, 9));
  while (!EVENTS(load_miss))
    cycle();
  look();
  assert_int_equal(rig.out.outcome_take, 1);
  hd_model_reset(rig.m);
  look();
  assert_int_equal(rig.out.outcome_take, 0);
  wreck();
}

/* The number of earlier accesses to the line, in two bits. */
static void counts(void **state) {
  (void)state;
  build_managed(managed(2, HD_APCM_PROTECT));
  asks(plain(A, 4));
  is_reported(plain(A, 4), 0);
  asks(plain(B, 4));
  assert_int_equal(EVENTS(load_merge), 1);
  is_reported(plain(B, 4), 1);
  answers();
  for (unsigned count = 2; count < 6; count++) {
    ends(plain(B, 4));
    is_reported(plain(B, 4), count < 3 ? count : 3);
  }
  ends(plain(A, 6));
  ends(plain(A, 8)); /* replaces line 4 */
  is_reported(plain(A, 8), 0);
  ends(plain(A, 8));
  is_reported(plain(A, 8), 1);
  wreck();
}

/* A bypassed load reports 0, even if its line is in flight. A forwarded hit counts. */
static void of_bypassed_loads(void **state) {
  (void)state;
  struct hd_config c = managed(2, HD_APCM_BYPASS);
  c.l1d.bypass_hit = HD_BYPASS_FORWARD;
  build_managed(c);
  asks(plain(A, 4));
  asks(of(A, STREAM, 4));
  assert_int_equal(EVENTS(early_merge), 1);
  is_reported(of(A, STREAM, 4), 1);
  asks(of(B, STREAM, 4)); /* the MSHR is full */
  assert_int_equal(EVENTS(early), 1);
  is_reported(of(B, STREAM, 4), 0);
  answers();
  ends(of(C, STREAM, 4));
  assert_int_equal(EVENTS(early_hit), 1);
  assert_int_equal(EVENTS(early), 2);
  is_reported(of(C, STREAM, 4), 2);
  ends(plain(C, 4));
  is_reported(plain(C, 4), 3);
  wreck();
}

static void of_stall_bypasses(void **state) {
  (void)state;
  struct hd_config c = managed(2, HD_APCM_BYPASS);
  c.request_buffer.bypass = HD_BYPASS_ALL;
  build_managed(c);
  asks(plain(A, 4));
  asks(plain(A, 4));
  asks(plain(B, 4));
  assert_int_equal(EVENTS(bypass), 1);
  assert_int_equal(EVENTS(early), 0);
  assert_int_equal(seen.reported, 3);
  is_reported(plain(B, 4), 0);
  wreck();
}

/* A load that comes again is reported when it is done. */
static void given_back(void **state) {
  (void)state;
  struct hd_config c = managed(1, HD_APCM_BYPASS);
  c.request_buffer.kind = HD_MEMSCHED;
  build_managed(c);
  ends(plain(A, 2));
  asks(plain(A, 4));
  asks(plain(A, 6));
  assert_int_equal(EVENTS(again), 1);
  assert_int_equal(seen.reported, 2);
  answers();
  ends(plain(A, 6));
  assert_int_equal(seen.reported, 3);
  is_reported(plain(A, 6), 0);
  wreck();
}

/* ---- With other attachments that look at the lines ---- */

/* CASC looks for the least used line that may be evicted. */
static void a_degree_without_pinned_ways(void **state) {
  (void)state;
  struct hd_config c = managed(2, HD_APCM_PROTECT);
  c.casc.scheme = HD_CASC_LOCALITY;
  build_managed(c);
  ends(of(A, INTRA, 0));
  ends(plain(B, 2));
  ends(plain(B, 2));
  struct req r = plain(C, 4);
  r.loc = 1;
  hung->u_degree_in.lk_known = hung->u_degree_in.lk_count = hung->u_degree_in.lk_sum = 1;
  ends(r); /* 1 is above line 0's counter */
  assert_int_equal(EVENTS_OF(u_degree, locality_degree, better), 1);
  assert_true(holds(2) && holds(4));
  ends(plain(C, 4)); /* both have counter 1 now */
  assert_int_equal(hung->u_degree->s.l_min, 0);
  wreck();
  build_managed(c);
  ends(of(A, INTRA, 0));
  ends(plain(B, 2));
  ends(plain(B, 2));
  hung->u_degree_in.lk_known = hung->u_degree_in.lk_count = hung->u_degree_in.lk_sum = 1;
  says->psb_on = hd_bit(A);
  ends(r); /* not above line 2's counter, and line 0 is pinned */
  assert_int_equal(EVENTS(refused), 1);
  assert_int_equal(hung->u_degree->s.l_min, 1);
  hung->u_degree_in.lk_sum = 2;
  ends(r);
  assert_true(holds(0) && holds(4));
  wreck();
}

/* ---- Protection distance ---- */

static struct hd_config with_distance(unsigned ways, unsigned distance) {
  struct hd_config c = small(ways);
  c.l1d.miss_queue = 8;
  c.l1d.distance = distance;
  return c;
}

static void ages(unsigned of_0, unsigned of_1) {
  assert_int_equal(hung->u_pd->s.aged[0], of_0);
  assert_int_equal(hung->u_pd->s.aged[1], of_1);
}

/* D-PD-1. */
static void pinned_for_a_distance(void **state) {
  (void)state;
  build_managed(with_distance(2, 3));
  ends(plain(A, 0));
  ages(0, 1);
  ends(plain(A, 2)); /* an empty way is taken at any age */
  ages(1, 0);
  ends(plain(A, 1)); /* another set */
  ages(1, 0);
  ends(plain(B, 4));
  assert_int_equal(EVENTS(stuck), 1);
  assert_int_equal(EVENTS(bypass), 1);
  ages(2, 1);
  ends(plain(B, 0)); /* used: its distance starts again */
  ages(0, 2);
  ends(plain(B, 4));
  ages(1, 3);
  assert_int_equal(EVENTS(stuck), 2);
  ends(plain(B, 4));
  assert_int_equal(EVENTS(stuck), 2);
  assert_true(holds(0) && holds(4));
  ages(2, 0);
  ends(store_of(B, 0));
  ages(2, 0); /* loads age lines */
  for (unsigned i = 0; i < 3; i++)
    ends(plain(C, 4));
  ages(3, 0); /* and no further */
  wreck();
}

static void merges_age(void **state) {
  (void)state;
  build_managed(with_distance(2, 9));
  asks(plain(A, 0));
  asks(plain(A, 2));
  asks(plain(B, 0));
  assert_int_equal(EVENTS(load_merge), 1);
  ages(0, 1);
  asks(plain(B, 4)); /* both are in flight, and protected */
  assert_int_equal(EVENTS(stuck), 1);
  ages(1, 2);
  answers();
  wreck();
}

/* Loads in the cycles after a load that takes a line see the line as young. */
static void young_at_once(void **state) {
  (void)state;
  build_managed(with_distance(1, 2));
  hung->u_pd->s.aged[0] = 2;
  for (unsigned i = 0; i < 3; i++)
    comes(plain(A, 2 * i));
  cycles(8);
  assert_int_equal(EVENTS(load_miss), 1);
  assert_int_equal(EVENTS(stuck), 2);
  ages(2, 0);
  answers();
  ends(plain(A, 8));
  assert_true(holds(8));
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outcome_once),
      cmocka_unit_test(reset_takes_back),
      cmocka_unit_test(counts),
      cmocka_unit_test(of_bypassed_loads),
      cmocka_unit_test(of_stall_bypasses),
      cmocka_unit_test(given_back),
      cmocka_unit_test(a_degree_without_pinned_ways),
      cmocka_unit_test(pinned_for_a_distance),
      cmocka_unit_test(merges_age),
      cmocka_unit_test(young_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
