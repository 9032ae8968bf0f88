/* Leads between warp slots, and how far each slot is to pass (cmodel/gpu/leads.h). Goals are worked out by hand. The SMs have
 * nothing but the progress of their warp slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "cmodel/gpu/leads.h"
#include "cmodel/sm/sm_state.h"

enum { SMS = 3, WARPS = 8 };

static struct wl_launch launch;
static struct hd_sm made[SMS], *const sm[SMS] = {&made[0], &made[1], &made[2]};
static double of_sm[SMS];

/* Makes SMs that hold this many CTAs each, with this many warps per CTA. */
static struct hd_leads *begin(unsigned sms, unsigned warps_per_cta, const unsigned *ctas) {
  memset(made, 0, sizeof made);
  launch = (struct wl_launch){.warps_per_cta = warps_per_cta};
  for (unsigned i = 0; i < sms; i++) {
    made[i].launch = &launch;
    made[i].used_ctas = (1U << ctas[i]) - 1;
    made[i].starting = SM_NONE;
  }
  struct hd_leads *l = hd_leads_new(sm, sms, WARPS);
  assert_non_null(l);
  hd_leads_launch(l, warps_per_cta);
  return l;
}

static void went(unsigned i, unsigned w, uint64_t n) {
  made[i].went[w] += n;
}

static void assert_goals(unsigned i, unsigned n, const int64_t *goals) {
  for (unsigned w = 0; w < n; w++)
    assert_int_equal(made[i].pass[w].goal, goals[w]);
}

/* Paces are 100, 103 and 50. The second is within 5 % of the median, so it gets the same goal. Then all goals are scaled by 506 /
 * 500, so that two warps of each SM keep the same sum. Progress from before the measurement does not count. */
static void those_near_the_median_pass_the_same(void **state) {
  (void)state;
  static const uint64_t pace[] = {103, 100, 50};
  struct hd_leads *l = begin(3, 2, (const unsigned[]){1, 1, 1});
  for (unsigned i = 0; i < 3; i++)
    went(i, 0, 7 * i);
  hd_leads_measure(l);
  for (unsigned i = 0; i < 3; i++)
    for (unsigned w = 0; w < 2; w++)
      went(i, w, pace[i]);
  assert_true(fabs(hd_leads_set_goals(l, 10, 1, of_sm) - 10 * 506) < 1e-6);
  assert_goals(0, 2, (const int64_t[]){1012, 1012});
  assert_goals(1, 2, (const int64_t[]){1012, 1012});
  assert_goals(2, 2, (const int64_t[]){506, 506});
  assert_true(fabs(of_sm[0] - 2024) < 1e-6 && fabs(of_sm[2] - 1012) < 1e-6);
  assert_false(hd_leads_walk(l));
  hd_leads_free(l);
}

/* Paces of 100 and 106 are more than 5 % apart, but within 5 % of the median between them, 103. An SM without CTAs does not count
 * for the median and passes nothing. */
static void the_median_of_two(void **state) {
  (void)state;
  struct hd_leads *l = begin(3, 1, (const unsigned[]){1, 1, 0});
  hd_leads_measure(l);
  went(0, 0, 100);
  went(1, 0, 106);
  assert_true(fabs(hd_leads_set_goals(l, 2, 1, of_sm) - 412) < 1e-6);
  assert_goals(0, 2, (const int64_t[]){206, 0});
  assert_goals(1, 2, (const int64_t[]){206, 0});
  assert_goals(2, 2, (const int64_t[]){0, 0});
  assert_true(of_sm[2] == 0);
  hd_leads_free(l);
}

/* Two CTAs of two warps, or two warps of one CTA. One leads by `all` over the mean of the launch, and by `measured` in a sample of
 * 50 instructions. Returns the goal of the one ahead, at `ratio` 9, less 9 * 50, and sets the same of the one behind. */
static double gained(bool ctas, unsigned all, unsigned measured, double share, double *behind) {
  const unsigned n = ctas ? 2 : 1;
  struct hd_leads *l = begin(1, 2, &n);
  for (unsigned w = 0; w < 2 * n; w++)
    went(0, w, w < n ? 2 * (all - measured) : 0);
  hd_leads_measure(l);
  for (unsigned w = 0; w < 2 * n; w++)
    went(0, w, w < n ? 50 + measured : 50 - measured);
  hd_leads_set_goals(l, 9, share, of_sm);
  const double ahead = (double)made[0].pass[0].goal - 450;
  *behind = (double)made[0].pass[n].goal - 450;
  assert_int_equal(hd_leads_walk(l), ahead != 0);
  for (unsigned w = 0; w < 2 * n; w++)
    assert_int_equal(made[0].pass[w].goal, made[0].pass[w < n ? 0 : n].goal);
  hd_leads_free(l);
  return ahead;
}

/* A lead of 100, of which 4 were gained in the sample, grows by sqrt(9) * 4. Its square is that of 625 such steps. A stretch that is
 * 1/100 of the launch can have at most 6.25 steps, so sqrt(6.25). */
static void leads_that_walk(void **state) {
  (void)state;
  double behind;
  for (int ctas = 0; ctas < 2; ctas++) {
    assert_true(gained(ctas, 100, 4, 1, &behind) == 12 && behind == -12);
    assert_true(gained(ctas, 100, 4, 0.01, &behind) == 10 && behind == -10);
    assert_true(gained(ctas, 20, 4, 1, &behind) == 12 && behind == -12);
  }
}

/* No growth for leads of not more than 16 samples' worth, of less than 16 instructions, or that the sample did not add to. */
static void leads_that_do_not(void **state) {
  (void)state;
  double behind;
  for (int ctas = 0; ctas < 2; ctas++) {
    assert_true(gained(ctas, 16, 4, 1, &behind) == 0 && behind == 0);
    assert_true(gained(ctas, 15, 1, 1, &behind) == 0 && behind == 0);
    assert_true(gained(ctas, 100, 0, 1, &behind) == 0 && behind == 0);
  }
}

/* A slot that is so far behind that its goal would be negative passes nothing: 10 instructions of a warp, less 3 * 5. */
static void nobody_goes_back(void **state) {
  (void)state;
  const unsigned n = 2;
  struct hd_leads *l = begin(1, 1, &n);
  went(0, 0, 190);
  hd_leads_measure(l);
  went(0, 0, 6);
  assert_true(fabs(hd_leads_set_goals(l, 1, 1, of_sm) - 6) < 1e-6);
  assert_goals(0, 2, (const int64_t[]){6, 0});
  went(0, 0, 90);
  hd_leads_measure(l);
  went(0, 0, 11);
  went(0, 1, 1);
  assert_true(fabs(hd_leads_set_goals(l, 9, 1, of_sm) - (54 + 15 + 54 - 15)) < 1e-6);
  went(0, 0, 1000);
  hd_leads_measure(l);
  went(0, 0, 10);
  assert_true(fabs(hd_leads_set_goals(l, 0.25, 1, of_sm) - (1.25 + 2.5)) < 1e-6);
  assert_goals(0, 2, (const int64_t[]){4, 0});
  hd_leads_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_near_the_median_pass_the_same),
      cmocka_unit_test(the_median_of_two),
      cmocka_unit_test(leads_that_walk),
      cmocka_unit_test(leads_that_do_not),
      cmocka_unit_test(nobody_goes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
