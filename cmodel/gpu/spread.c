/* See spread.h. With weights w and values v, m the mean, r = v - m w: the variance of m is
 * n / (2 (n - 1)) * (sum of (r_i - r_i-1)^2) / (sum of w)^2: the estimator of successive differences (Wolter, Introduction to Variance
 * Estimation, 8.2) of a ratio. */
#include "cmodel/gpu/spread.h"

#include <math.h>

static const double FEWEST = 1.5; /* the least number of samples of equal weight that counts as two */

void hd_spread_add(struct hd_spread *s, double weight, double value) {
  const double dw = weight - s->last_weight, dv = value - s->last_value;
  if (s->n++) {
    s->weight_squares += dw * dw;
    s->value_squares += dv * dv;
    s->product += dw * dv;
  }
  s->squares += weight * weight;
  s->weight += weight;
  s->value += value;
  s->last_weight = weight;
  s->last_value = value;
  s->weight_step = dw;
  s->value_step = dv;
}

double hd_spread_extend(struct hd_spread *s, double weight) {
  const double value = weight * s->last_value / s->last_weight;
  if (s->n > 1) {
    s->weight_squares += weight * (2 * s->weight_step + weight);
    s->value_squares += value * (2 * s->value_step + value);
    s->product += weight * s->value_step + value * s->weight_step + weight * value;
  }
  s->squares += weight * (2 * s->last_weight + weight);
  s->weight += weight;
  s->value += value;
  s->last_weight += weight;
  s->last_value += value;
  s->weight_step += weight;
  s->value_step += value;
  return value;
}

double hd_spread_mean(const struct hd_spread *s) {
  return s->n ? s->value / s->weight : 0;
}

/* Returns the 0.975 quantile of Student's distribution, or a little more. Between two values of the table it is linear in 1 / freedom, in
 * which the quantile is convex. Above the table it is an upper bound. */
static double student(double freedom) {
  static const double t[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                             2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
  const unsigned whole = (unsigned)freedom;
  if (whole + 1 >= sizeof t / sizeof *t)
    return 1.960 + 2.6 / freedom;
  const double part = (1.0 / whole - 1 / freedom) * whole * (whole + 1);
  return t[whole] + part * (t[whole + 1] - t[whole]);
}

/* The degrees of freedom of the sum of n - 1 squared differences of neighbours, if the n values are independent. A variance has as many
 * as twice its squared mean divided by its own variance. Each difference has a value in common with the next one (von Neumann and others,
 * "The Mean Square Successive Difference", Annals of Mathematical Statistics 12, 1941). */
static double freedom(double n) {
  return 2 * (n - 1) * (n - 1) / (3 * n - 4);
}

double hd_spread_margin(const struct hd_spread *s) {
  const double m = hd_spread_mean(s), n = s->n;
  const double as_good_as = s->n ? s->weight * s->weight / s->squares : 0;
  if (as_good_as < FEWEST)
    return NAN;
  const double squares = s->value_squares - 2 * m * s->product + m * m * s->weight_squares;
  return student(freedom(as_good_as > 2 ? as_good_as : 2)) *
         sqrt((squares > 0 ? squares : 0) * n / (2 * (n - 1))) / s->weight;
}
