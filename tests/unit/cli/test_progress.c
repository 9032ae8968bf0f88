/* The text of the progress line for a given pace, by hand. */
#include "cli/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *said(struct hd_pace from, struct hd_pace at, struct hd_pace_times s) {
  static char text[128];
  const size_t n = hd_pace_text(text, sizeof text, &from, &at, &s);
  assert_int_equal(n, strlen(text));
  return text;
}

static void rate_and_time_left(void **state) {
  (void)state;
  const struct hd_pace begin = {0, 100, 0, "cycles"};
  assert_string_equal(said(begin, (struct hd_pace){25, 100, 50, "cycles"}, (struct hd_pace_times){10, 0, 10}),
                      ", 5.0 cycles/s; 10 s, about 30 s left");
  assert_string_equal(
      said(begin, (struct hd_pace){50, 100, 3e6, "cycles"}, (struct hd_pace_times){10, 0, 10}),
      ", 300 k cycles/s; 10 s, about 10 s left");
  assert_string_equal(
      said(begin, (struct hd_pace){100, 100, 3e7, "cycles"}, (struct hd_pace_times){10, 0, 10}),
      ", 3.0 M cycles/s; 10 s, about 0 s left");
}

/* The time left runs down while no work is done, and is never below 0. */
static void time_goes_on(void **state) {
  (void)state;
  const struct hd_pace from = {0, 4, 0, NULL}, at = {2, 4, 0, NULL};
  assert_string_equal(said(from, at, (struct hd_pace_times){20, 5, 25}), "; 25 s, about 15 s left");
  assert_string_equal(said(from, at, (struct hd_pace_times){20, 30, 50}), "; 50 s, about 0 s left");
}

/* The counts were not 0 when the line began, and one part began later than the others. */
static void what_was_before_does_not_count(void **state) {
  (void)state;
  const struct hd_pace from = {10, 20, 1000, "runs"};
  assert_string_equal(said(from, (struct hd_pace){15, 20, 1040, "runs"}, (struct hd_pace_times){5, 0, 20}),
                      ", 2.0 runs/s; 20 s, about 5 s left");
}

static void what_is_not_known_is_not_said(void **state) {
  (void)state;
  const struct hd_pace none = {0};
  assert_string_equal(said(none, none, (struct hd_pace_times){3, 0, 3}), "; 3 s");
  assert_string_equal(said(none, (struct hd_pace){.done = 0, .of = 7}, (struct hd_pace_times){3, 0, 3}),
                      "; 3 s");
  assert_string_equal(said(none, (struct hd_pace){.done = 8, .of = 7}, (struct hd_pace_times){3, 0, 3}),
                      "; 3 s"); /* more than the total */
  assert_string_equal(
      said(none, (struct hd_pace){.done = 1, .count = 6, .unit = "kernels"}, (struct hd_pace_times){3, 0, 3}),
      ", 2.0 kernels/s; 3 s");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rate_and_time_left), cmocka_unit_test(time_goes_on),
                                     cmocka_unit_test(what_was_before_does_not_count),
                                     cmocka_unit_test(what_is_not_known_is_not_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
