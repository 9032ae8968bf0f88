/* Launches that are alike, and how far a sampled run's cycles may be off by all of them (cmodel/gpu/launch_classes.h), by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/launch_classes.h"

static void assert_near(double is, double wanted) {
  if (!(fabs(is - wanted) <= 1e-9 * fabs(wanted) + 1e-9))
    fail_msg("%f instead of %f", is, wanted);
}

/* The class of a kernel with this name, of which nothing has run yet, or has. */
static struct hd_launch_class *class_of(struct hd_launch_classes *all, const char *name) {
  struct wl_launch launch;
  memset(&launch, 0, sizeof launch);
  strcpy(launch.name, name);
  const int n = hd_launch_class_of(all, &launch, 0);
  assert_true(n >= 0);
  return &all->class[n];
}

static const struct hd_doubt sure;

/* 100 instructions in 1000 cycles; nothing of them is left to the choice of launches. */
static void ran(struct hd_launch_classes *all, const char *name, struct hd_doubt doubt, bool cold) {
  hd_launch_class_ran(class_of(all, name), 100, 1000, doubt, cold);
}

/* ---- One class ---- */

/* Samples of 10, 10, 20 instructions, 20, 40, 60 cycles: 4.303 * sqrt(0.234375) of a mean of 3, for 40 instructions
 * (test_sampling.c). And a last SM's variance of 100: two standard deviations are 20. Drift of 7, to both sides. */
static void parts_of_one_launch(void **state) {
  (void)state;
  for (int way = -1; way < 2; way += 2) {
    struct hd_launch_classes all = {0};
    struct hd_launch_class *c = class_of(&all, "a");
    hd_spread_add(&c->samples, 10, 20);
    hd_spread_add(&c->samples, 10, 40);
    hd_spread_add(&c->samples, 20, 60);
    const double within = 4.303 * sqrt(0.234375) * 40;
    assert_near(hd_launch_classes_margin(&all), within);
    ran(&all, "a", (struct hd_doubt){.drift = 7 * way, .last_sm = 100}, true);
    assert_near(hd_launch_classes_margin(&all), sqrt(within * within + 400) + 7);
    free(all.class);
  }
}

/* Of each launch that ran the last SM errs by itself: variances of 9 and 16 are 25, two standard deviations 10. */
static void launches_that_ran_err_by_themselves(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.last_sm = 9}, true);
  ran(&all, "a", (struct hd_doubt){.last_sm = 16}, false);
  assert_near(hd_launch_classes_margin(&all), 10);
  free(all.class);
}

/* Eight launches are passed as a whole, 800 instructions, two ran, 200, beside a cold one. So each of the two stands for five, and errs
 * for five: drift of 3 and 1 is 20; variances of 8 and 8, 16 as one, 400 as five times the error, so two standard deviations are 40. */
static void launches_passed_err_together(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", sure, true);
  ran(&all, "a", (struct hd_doubt){.drift = 3, .last_sm = 8}, false);
  ran(&all, "a", (struct hd_doubt){.drift = 1, .last_sm = 8}, false);
  assert_near(hd_launch_classes_margin(&all), 4 + 8);
  for (unsigned i = 0; i < 8; i++)
    hd_launch_class_passed(class_of(&all, "a"), 100);
  assert_near(hd_launch_class_cycles(&all.class[0]), 8000);
  assert_near(hd_launch_classes_margin(&all), 20 + 40);
  free(all.class);
}

/* Which stands for itself: drift of 3, a variance of 9, whatever is passed. */
static void a_cold_launch_errs_once(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 3, .last_sm = 9}, true);
  ran(&all, "a", sure, false);
  ran(&all, "a", sure, false);
  hd_launch_class_passed(class_of(&all, "a"), 100000);
  assert_near(hd_launch_classes_margin(&all), 3 + 6);
  free(all.class);
}

/* ---- Several ---- */

/* Drift of 30 here, of -10 in five launches there, of which three were passed: 80, not 20. Variances of the last SMs are 16 here,
 * 16 of 2.5 times the error there. */
static void drifts_do_not_make_up_for_each_other(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 30, .last_sm = 16}, true);
  ran(&all, "b", sure, true);
  ran(&all, "b", (struct hd_doubt){.drift = -10, .last_sm = 16}, false);
  ran(&all, "b", (struct hd_doubt){.drift = -10}, false);
  for (unsigned i = 0; i < 3; i++)
    hd_launch_class_passed(class_of(&all, "b"), 100);
  assert_near(hd_launch_classes_margin(&all), 30 + 2.5 * 20 + 2 * sqrt(16 + 6.25 * 16));
  free(all.class);
}

/* One class of which a single sample stands for something: nothing is known. */
static void one_class_that_is_not_known(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 30}, true);
  hd_spread_add(&class_of(&all, "b")->samples, 10, 20);
  assert_true(isnan(hd_launch_classes_margin(&all)));
  free(all.class);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_one_launch),
      cmocka_unit_test(launches_that_ran_err_by_themselves),
      cmocka_unit_test(launches_passed_err_together),
      cmocka_unit_test(a_cold_launch_errs_once),
      cmocka_unit_test(drifts_do_not_make_up_for_each_other),
      cmocka_unit_test(one_class_that_is_not_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
