/* The L1 data cache: loads that bypass before they stall, because CASC or the machine says so. */
#include "tests/unit/l1d/l1d_rig.h"

static struct hd_config with_casc(unsigned ways) {
  struct hd_config c = small(ways);
  c.casc.scheme = HD_CASC_PER_SET;
  return c;
}

static void a_miss_bypasses(void **state) {
  (void)state;
  build(with_casc(2));
  load_to_bypass(5, 3);
  memory_gets(HD_BYPASSED, 5, 3);
  memory_answers(HD_BYPASSED, 0, 3, 5);
  sm_gets(false, 3, 5);
  assert_int_equal(EVENTS(early), 1);
  assert_int_equal(EVENTS(bypass), 1);
  assert_int_equal(EVENTS(load_miss) + EVENTS(early_hit) + EVENTS(early_merge), 0);
  assert_int_equal(rig.m->s.byp_count, 0);
  brings(5); /* the line did not stay */
  wreck();
}

/* One load merges. The next finds no merge place, and another, after a store, finds a dead MSHR. Both bypass. */
static void in_flight(void **state) {
  (void)state;
  build(with_casc(2));
  load(5, 1);
  load_to_bypass(5, 2);
  load_to_bypass(5, 3);
  const unsigned id = memory_gets(HD_FILL, 5, 1);
  memory_gets(HD_BYPASSED, 5, 3);
  assert_int_equal(EVENTS(load_merge), 1);
  assert_int_equal(EVENTS(early_merge), 1);
  load(4, 1);
  store(4, 2);
  load_to_bypass(4, 3);
  memory_gets(HD_FILL, 4, 1);
  memory_gets(HD_STORE, 4, 2);
  memory_gets(HD_BYPASSED, 4, 3);
  assert_int_equal(EVENTS(early), 2);
  assert_int_equal(EVENTS(early_merge), 1);
  assert_int_equal(EVENTS(fail_mshr_merge), 0);
  memory_answers(HD_FILL, id, 0, 5);
  sm_gets(false, 1, 5);
  sm_gets(false, 2, 5);
  wreck();
}

/* A load that may not bypass fails to merge, where a load that is to bypass goes on. */
static void others_wait_as_ever(void **state) {
  (void)state;
  build(with_casc(2));
  load(5, 1);
  load(5, 2);
  load(5, 3);
  memory_gets(HD_FILL, 5, 1);
  memory_gets_no_more();
  assert_true(EVENTS(fail_mshr_merge) > 0);
  assert_int_equal(EVENTS(early) + EVENTS(bypass), 0);
  wreck();
}

static void no_slot(void **state) {
  (void)state;
  struct hd_config c = with_casc(2);
  c.l1d.bypass_slots = 1;
  build(c);
  load_to_bypass(5, 3);
  load_to_bypass(4, 4);
  memory_gets(HD_BYPASSED, 5, 3);
  memory_gets_no_more();
  const uint64_t tries = EVENTS(fail_bypass_slots);
  assert_true(tries >= PATIENCE);
  idle(5);
  assert_int_equal(EVENTS(fail_bypass_slots), tries + 5);
  assert_int_equal(EVENTS(early), 1);
  memory_answers(HD_BYPASSED, 0, 3, 5);
  sm_gets(false, 3, 5);
  memory_gets(HD_BYPASSED, 4, 4);
  assert_int_equal(EVENTS(early), 2);
  wreck();
}

/* One load is at the memory port and two are in the queue. */
static void no_queue_place(void **state) {
  (void)state;
  build(with_casc(2));
  for (unsigned n = 0; n < 4; n++)
    load_to_bypass(n, n);
  idle(20);
  assert_int_equal(EVENTS(early), 3);
  const uint64_t tries = EVENTS(fail_miss_queue);
  idle(5);
  assert_int_equal(EVENTS(fail_miss_queue), tries + 5);
  for (unsigned n = 0; n < 4; n++)
    memory_gets(HD_BYPASSED, n, n);
  wreck();
}

/* A reserved line or a missing MSHR does not stop a load that bypasses: it needs neither. */
static void needs_no_line_and_no_mshr(void **state) {
  (void)state;
  struct hd_config c = with_casc(1);
  c.l1d.mshrs = 1;
  build(c);
  load(0, 1);
  load_to_bypass(2, 3);
  load_to_bypass(1, 4);
  memory_gets(HD_FILL, 0, 1);
  memory_gets(HD_BYPASSED, 2, 3);
  memory_gets(HD_BYPASSED, 1, 4);
  assert_int_equal(EVENTS(fail_line_alloc) + EVENTS(fail_mshr), 0);
  wreck();
}

/* D-RFT-2, D-CASC-8. */
static void a_hit_is_served_or_forwarded(void **state) {
  (void)state;
  for (int forward = 0; forward < 2; forward++) {
    struct hd_config c = with_casc(2);
    c.l1d.bypass_hit = forward ? HD_BYPASS_FORWARD : HD_BYPASS_SERVE;
    build(c);
    brings(5);
    load_to_bypass(5, 3);
    if (forward) {
      memory_gets(HD_BYPASSED, 5, 3);
      memory_answers(HD_BYPASSED, 0, 3, 5);
    }
    sm_gets(false, 3, 5);
    memory_gets_no_more();
    assert_int_equal(EVENTS(early_hit), 1);
    assert_int_equal(EVENTS(load_hit), !forward);
    assert_int_equal(EVENTS(early), forward);
    hits(5); /* the line stays */
    wreck();
  }
}

/* Lines 1 and 3 are in the cache, 1 is older. A served hit counts as a use, a forwarded hit does not. */
static void a_forwarded_hit_does_not_touch(void **state) {
  (void)state;
  for (int forward = 0; forward < 2; forward++) {
    struct hd_config c = with_casc(2);
    c.l1d.bypass_hit = forward ? HD_BYPASS_FORWARD : HD_BYPASS_SERVE;
    build(c);
    brings(1);
    brings(3);
    load_to_bypass(1, 3);
    if (forward) {
      memory_gets(HD_BYPASSED, 1, 3);
      memory_answers(HD_BYPASSED, 0, 3, 1);
    }
    sm_gets(false, 3, 1);
    brings(5);
    hits(forward ? 3 : 1);
    brings(forward ? 1 : 3);
    wreck();
  }
}

static void bypass_all(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.loads = HD_LOADS_BYPASSED;
  build(c);
  for (unsigned n = 0; n < 3; n++) {
    load(5, n);
    memory_gets(HD_BYPASSED, 5, n);
    memory_answers(HD_BYPASSED, 0, n, 5);
    sm_gets(false, n, 5);
  }
  store(5, 4);
  memory_gets(HD_STORE, 5, 4);
  assert_int_equal(EVENTS(early), 3);
  assert_int_equal(EVENTS(load_miss) + EVENTS(load_hit), 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_miss_bypasses),
      cmocka_unit_test(in_flight),
      cmocka_unit_test(others_wait_as_ever),
      cmocka_unit_test(no_slot),
      cmocka_unit_test(no_queue_place),
      cmocka_unit_test(needs_no_line_and_no_mshr),
      cmocka_unit_test(a_hit_is_served_or_forwarded),
      cmocka_unit_test(a_forwarded_hit_does_not_touch),
      cmocka_unit_test(bypass_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
