/* The interval of a sampled run (cmodel/gpu/spread.h), by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "cmodel/gpu/spread.h"

/* Weights 10, 10, 20 and values 20, 40, 60. The mean is 3; residuals are -10, 10, 0; differences are 20, -10; the variance is 3 / (2
 * * 2) * 500 / 1600 = 0.234375. The samples are worth 1600 / 600 = 8 / 3 equal samples: 2 (5 / 3)^2 / (3 * 8 / 3 - 4) = 25 / 18
 * degrees of freedom, whose inverse is 0.72. Student's factors of 1 and 2 degrees are 12.706 and 4.303. */
static void an_interval_by_hand(void **state) {
  (void)state;
  struct hd_spread s = {0};
  assert_true(hd_spread_mean(&s) == 0 && isnan(hd_spread_margin(&s)));
  hd_spread_add(&s, 10, 20);
  assert_true(isnan(hd_spread_margin(&s)));
  hd_spread_add(&s, 10, 40);
  hd_spread_add(&s, 20, 60);
  const double student = 4.303 + (0.72 - 0.5) / (1 - 0.5) * (12.706 - 4.303);
  assert_true(hd_spread_mean(&s) == 3);
  assert_true(fabs(hd_spread_margin(&s) - student * sqrt(0.234375)) < 1e-9);
}

/* Neighbouring differences share samples. Four equal samples give 2 * 9 / 8 = 2.25 degrees of freedom, not 3; forty give 2 * 39^2 /
 * 116. The values go up and down by 1 around the mean. Each difference is 2, and the variance is n / (2 (n - 1)) * 4 (n - 1) / n^2. */
static void differences_of_neighbours_are_not_independent(void **state) {
  (void)state;
  static const unsigned samples[] = {4, 40};
  const double student[] = {4.303 + (0.5 - 1 / 2.25) * 6 * (3.182 - 4.303),
                            1.960 + 2.6 / (2 * 39.0 * 39.0 / 116)};
  for (unsigned k = 0; k < 2; k++) {
    struct hd_spread s = {0};
    for (unsigned i = 0; i < samples[k]; i++)
      hd_spread_add(&s, 1, 10 + (i % 2 ? 1 : -1));
    assert_true(fabs(hd_spread_margin(&s) - student[k] * sqrt(2.0 / samples[k])) < 1e-9);
  }
}

/* Weights of 1, 1, 8: 100 / 66, so they are worth two equal samples, and Student's factor is 12.706. If one sample outweighs all
 * others, the interval is unknown. Values 2, 2, 24: the mean is 2.8; residuals are -0.8, -0.8, 1.6; differences are 0, 2.4. */
static void unequal_weights_are_fewer(void **state) {
  (void)state;
  struct hd_spread s = {0};
  hd_spread_add(&s, 1, 2);
  hd_spread_add(&s, 1, 2);
  hd_spread_add(&s, 8, 24);
  assert_true(fabs(hd_spread_margin(&s) - 12.706 * sqrt(0.75 * 5.76) / 10) < 1e-9);
  hd_spread_add(&s, 80, 240);
  assert_true(isnan(hd_spread_margin(&s)));
}

/* All quotients are equal, so there is no spread. */
static void no_spread_no_width(void **state) {
  (void)state;
  struct hd_spread s = {0};
  for (unsigned i = 1; i < 40; i++)
    hd_spread_add(&s, i % 7 + 1, 3 * (i % 7 + 1));
  assert_true(hd_spread_mean(&s) == 3 && hd_spread_margin(&s) == 0);
}

/* A sample 10, 20 that later stands for 10 more at 2 each counts as 20, 40. */
static void a_sample_stands_for_more(void **state) {
  (void)state;
  for (unsigned before = 0; before < 3; before++) {
    struct hd_spread at_once = {0}, in_two = {0};
    for (unsigned i = 0; i < before; i++) {
      hd_spread_add(&at_once, 10 + i, 30 - i);
      hd_spread_add(&in_two, 10 + i, 30 - i);
    }
    hd_spread_add(&at_once, 20, 40);
    hd_spread_add(&in_two, 10, 20);
    assert_true(hd_spread_extend(&in_two, 4) == 8 && hd_spread_extend(&in_two, 6) == 12);
    for (unsigned i = 0; i < 2; i++) {
      assert_true(hd_spread_mean(&in_two) == hd_spread_mean(&at_once) && in_two.n == at_once.n);
      assert_true(isnan(hd_spread_margin(&at_once))
                      ? isnan(hd_spread_margin(&in_two))
                      : fabs(hd_spread_margin(&in_two) - hd_spread_margin(&at_once)) < 1e-9);
      hd_spread_add(&at_once, 15, 20);
      hd_spread_add(&in_two, 15, 20);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_interval_by_hand),
      cmocka_unit_test(differences_of_neighbours_are_not_independent),
      cmocka_unit_test(unequal_weights_are_fewer),
      cmocka_unit_test(no_spread_no_width),
      cmocka_unit_test(a_sample_stands_for_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
