/* Launches of one kind, and how far the cycles of a sampled run may be off by all of them together (cmodel/gpu/launch_classes.h), by
 * hand. */
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

/* Returns the class of a kernel with this name. Makes it if nothing of it has run yet. */
static struct hd_launch_class *class_of(struct hd_launch_classes *all, const char *name) {
  struct wl_launch launch;
  memset(&launch, 0, sizeof launch);
  strcpy(launch.name, name);
  const int n = hd_launch_class_of(all, &launch, 0);
  assert_true(n >= 0);
  return &all->class[n];
}

static const struct hd_doubt sure;

/* A launch of 100 instructions in 1000 cycles ran. */
static void ran(struct hd_launch_classes *all, const char *name, struct hd_doubt doubt,
                enum hd_launch_way way) {
  hd_launch_class_ran(class_of(all, name), 100, 1000, doubt, way);
}

/* ---- One class ---- */

/* Samples of 10, 10, 20 instructions in 20, 40, 60 cycles: 8.00032 * sqrt(0.234375) of a mean of 3, for 40 instructions
 * (test_spread.c). The last SM adds a variance of 100: two standard deviations are 20. Drift is 7 in either direction. */
static void parts_of_one_launch(void **state) {
  (void)state;
  for (int way = -1; way < 2; way += 2) {
    struct hd_launch_classes all = {0};
    struct hd_launch_class *c = class_of(&all, "a");
    hd_spread_add(&c->samples, 10, 20);
    hd_spread_add(&c->samples, 10, 40);
    hd_spread_add(&c->samples, 20, 60);
    const double within = 8.00032 * sqrt(0.234375) * 40;
    assert_near(hd_launch_classes_margin(&all), within);
    ran(&all, "a", (struct hd_doubt){.drift = 7 * way, .last_sm = 100}, HD_LAUNCH_COLD);
    assert_near(hd_launch_classes_margin(&all), sqrt(within * within + 400) + 7);
    free(all.class);
  }
}

/* The last SMs of launches that ran err independently: variances of 9 and 16 add to 25, two standard deviations are 10. */
static void launches_that_ran_err_by_themselves(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.last_sm = 9}, HD_LAUNCH_COLD);
  ran(&all, "a", (struct hd_doubt){.last_sm = 16}, HD_LAUNCH_SAMPLED);
  assert_near(hd_launch_classes_margin(&all), 10);
  free(all.class);
}

/* In total eight launches (800 instructions) are passed; two launches (200) and a cold one ran. So each of the two stands for five,
 * and its error counts five times: drift of 3 and 1 gives 20. Variances are 8 and 8, 16 as one, 400 for five times the error, so two
 * standard deviations are 40. */
static void launches_passed_err_together(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", sure, HD_LAUNCH_COLD);
  ran(&all, "a", (struct hd_doubt){.drift = 3, .last_sm = 8}, HD_LAUNCH_SAMPLED);
  ran(&all, "a", (struct hd_doubt){.drift = 1, .last_sm = 8}, HD_LAUNCH_SAMPLED);
  assert_near(hd_launch_classes_margin(&all), 4 + 8);
  for (unsigned i = 0; i < 8; i++)
    hd_launch_class_passed(class_of(&all, "a"), 100);
  assert_near(hd_launch_class_cycles(&all.class[0]), 8000);
  assert_near(hd_launch_classes_margin(&all), 20 + 40);
  free(all.class);
}

/* A cold launch stands for itself alone: drift of 3, a variance of 9, however many launches are passed. */
static void a_cold_launch_errs_once(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 3, .last_sm = 9}, HD_LAUNCH_COLD);
  ran(&all, "a", sure, HD_LAUNCH_SAMPLED);
  ran(&all, "a", sure, HD_LAUNCH_SAMPLED);
  hd_launch_class_passed(class_of(&all, "a"), 100000);
  assert_near(hd_launch_classes_margin(&all), 3 + 6);
  free(all.class);
}

/* Samples of 100 instructions and 1000 cycles with drift, and one whole launch of 900 cycles. For the 300 instructions passed, each
 * ten instructions take as long as in that launch, 90 cycles, and drift counts once. Launches differ: for a mean of 9.5 the
 * residuals are 50 and -50, so the variance is 2 / 2 * 100^2 / 200^2. Student's factor is 12.706. The variance counts twice, since
 * the mean is of one launch instead of two. */
static void a_whole_launch_stands_for_those_passed(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", sure, HD_LAUNCH_COLD);
  ran(&all, "a", (struct hd_doubt){.drift = 7}, HD_LAUNCH_SAMPLED);
  hd_launch_class_ran(class_of(&all, "a"), 100, 900, sure, HD_LAUNCH_WHOLE);
  hd_launch_class_passed(class_of(&all, "a"), 300);
  assert_near(hd_launch_class_cycles(&all.class[0]), 2700);
  assert_near(hd_launch_classes_margin(&all), 12.706 * sqrt(2 * 0.25) * 300 + 7);
  free(all.class);
}

/* The instructions passed at the end of a run that is cut off: 10 instructions, guessed at 70 cycles. A sample of 20 instructions in
 * 60 cycles gives 30, and stands for them too. So the next sample is the second, not the third. */
static void a_rest_without_a_sample(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  assert_near(hd_launch_class_rest(class_of(&all, "b"), 10, 70), 70);
  struct hd_launch_class *c = class_of(&all, "a"); /* the last class: adding a class moves the others */
  assert_true(isnan(hd_launch_classes_margin(&all)));
  hd_spread_add(&c->samples, 20, 60);
  assert_near(hd_launch_class_rest(c, 10, 70), 30);
  assert_true(c->samples.n == 1 && c->samples.weight == 30 && c->samples.value == 90);
  free(all.class);
}

/* ---- Which run ---- */

/* After the first three launches, one in four runs as a whole: launches 4 and 8, counted from 0. If one launch was larger, all run
 * by samples. */
static void launches_that_run(void **state) {
  (void)state;
  struct hd_launch_class c = {.start = 1, .fewest = 100, .most = 105};
  static const enum hd_launch_way ways[] = {
      HD_LAUNCH_COLD,   HD_LAUNCH_SAMPLED, HD_LAUNCH_SAMPLED, HD_LAUNCH_PASSED, HD_LAUNCH_WHOLE,
      HD_LAUNCH_PASSED, HD_LAUNCH_PASSED,  HD_LAUNCH_PASSED,  HD_LAUNCH_WHOLE,  HD_LAUNCH_PASSED};
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
    assert_int_equal(hd_launch_class_way(&c, 4), ways[i]);
  c.most = 106;
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(hd_launch_class_way(&c, 4), HD_LAUNCH_SAMPLED);
}

/* ---- Several ---- */

/* Drift of 30 in one class, of -10 in five launches of another, three of which were passed: 80, not 20. The variances of the last
 * SMs are 16 in the first class, and 16 for 2.5 times the error in the second. */
static void drifts_do_not_make_up_for_each_other(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 30, .last_sm = 16}, HD_LAUNCH_COLD);
  ran(&all, "b", sure, HD_LAUNCH_COLD);
  ran(&all, "b", (struct hd_doubt){.drift = -10, .last_sm = 16}, HD_LAUNCH_SAMPLED);
  ran(&all, "b", (struct hd_doubt){.drift = -10}, HD_LAUNCH_SAMPLED);
  for (unsigned i = 0; i < 3; i++)
    hd_launch_class_passed(class_of(&all, "b"), 100);
  assert_near(hd_launch_classes_margin(&all), 30 + 2.5 * 20 + 2 * sqrt(16 + 6.25 * 16));
  free(all.class);
}

/* If a class has only a single sample that stands for some cycles, the margin is unknown. */
static void one_class_that_is_not_known(void **state) {
  (void)state;
  struct hd_launch_classes all = {0};
  ran(&all, "a", (struct hd_doubt){.drift = 30}, HD_LAUNCH_COLD);
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
      cmocka_unit_test(a_whole_launch_stands_for_those_passed),
      cmocka_unit_test(a_rest_without_a_sample),
      cmocka_unit_test(launches_that_run),
      cmocka_unit_test(drifts_do_not_make_up_for_each_other),
      cmocka_unit_test(one_class_that_is_not_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
