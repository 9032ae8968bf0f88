/* Instructions that an SM passes over (cmodel/sm/forward.h): how many, by goals worked out by hand. */
#include "tests/unit/sm/sm_rig.h"

#include <math.h>

#include "cmodel/sm/forward.h"

/* An SM with room for one CTA, run until `cta` has started. */
static void begin_at(struct wl_source *source, unsigned cta) {
  struct hd_config c = defaults();
  c.sm.ctas = 1;
  assert_int_equal(begin(c, source, NULL), HD_OK);
  while (b.started <= cta)
    cycle();
  for (unsigned i = 0; i < 60; i++) /* so that what ends at once has ended */
    cycle();
}

/* How many it has passed. */
static uint64_t forward(void) {
  uint64_t n = 0;
  hd_sms_forward(&b.sm, 1, 0, NULL, &n);
  return n;
}

static struct wl_inst work(uint32_t pc) {
  struct wl_inst i = plain(WL_ALU, R0, NOTHING);
  i.pc = pc;
  return i;
}

/* Warp 0 has no instructions, warp 1 a thousand. */
static struct wl_inst lame(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return warp && n < 1000 ? work(n) : leave();
}

/* A warp that has ended, and is to pass nothing, is not the one that the CTA ended with: the other one goes on in the CTAs that follow. */
static void who_passes_nothing_keeps_nobody(void **state) {
  (void)state;
  begin_at(new_script(1, 8, 2, lame), 0);
  hd_sm_set_goal(b.sm, 0, 0);
  hd_sm_set_goal(b.sm, 1, 2500);
  assert_int_equal(forward(), 2500);
  assert_false(hd_sm_starved(b.sm));
  end();
}

/* Warp 0 has 300 instructions, warp 1 a thousand. */
static struct wl_inst uneven(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)cta;
  return n < (warp ? 1000 : 300) ? work(n) : leave();
}

/* When both have ended in the first CTA, warp 0 has half of its goal left, and warp 1 a fifth: so long warp 0 has waited for it, and has a
 * fifth left too. */
static void warps_wait_for_the_last_one(void **state) {
  (void)state;
  begin_at(new_script(1, 8, 2, uneven), 0);
  const uint64_t gone[] = {hd_sm_went(b.sm, 0), hd_sm_went(b.sm, 1)};
  const double rest[] = {300 - (double)gone[0], 1000 - (double)gone[1]};
  hd_sm_set_goal(b.sm, 0, 2 * rest[0]);
  hd_sm_set_goal(b.sm, 1, 1.25 * rest[1]);
  forward();
  assert_true(fabs((double)(hd_sm_went(b.sm, 0) - gone[0]) - 1.4 * rest[0]) <= 1);
  assert_true(fabs((double)(hd_sm_went(b.sm, 1) - gone[1]) - 1.25 * rest[1]) <= 1);
  end();
}

/* The first CTA goes round a loop of ten instructions, 100 times; the others don't. */
static struct wl_inst loop_then_line(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)warp;
  return n >= 1000 ? leave() : work(cta ? n : n % 10);
}

/* A warp is to pass 13 instructions, ends after ten where it began, and passes three more the next time; if its CTA has ended by then, its
 * slot's next warp does not. */
static void debts_end_with_the_cta(void **state) {
  (void)state;
  begin_at(new_script(1, 2, 1, loop_then_line), 0);
  hd_sm_set_goal(b.sm, 0, 13);
  assert_int_equal(forward(), 10);
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 20); /* 18, and on to the end of the round */
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 10); /* 13 */
  hd_sm_forwarded(b.sm);
  while (b.started < 2)
    cycle();
  for (unsigned i = 0; i < 60; i++)
    cycle();
  hd_sm_set_goal(b.sm, 0, 15);
  assert_int_equal(forward(), 15);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_passes_nothing_keeps_nobody),
      cmocka_unit_test(warps_wait_for_the_last_one),
      cmocka_unit_test(debts_end_with_the_cta),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
