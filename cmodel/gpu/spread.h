/* A quotient of two sums, estimated from samples in the order of time, and its confidence interval (docs/gpu/sampling.md, "How sure"). */
#ifndef HEDDLE_CMODEL_GPU_SPREAD_H
#define HEDDLE_CMODEL_GPU_SPREAD_H

/* All 0: no sample yet. */
struct hd_spread {
  unsigned n;
  /* Sums of the weights, the values, and the squared weights. */
  double weight, value, squares;
  double last_weight, last_value; /* of the last sample */
  /* Differences to the sample before; of the first sample they have no meaning. */
  double weight_step, value_step;
  double weight_squares, value_squares, product; /* sums over neighbours: products of these differences */
};

/* Adds a sample. `value` belongs to `weight`, which is > 0. */
void hd_spread_add(struct hd_spread *s, double weight, double value);

/* The last sample stands for `weight` more; the number of samples stays. There must be a sample. Returns the value that belongs to
 * `weight`. */
double hd_spread_extend(struct hd_spread *s, double weight);

/* The sum of the values divided by the sum of the weights; 0 without samples. */
double hd_spread_mean(const struct hd_spread *s);

/* Half the width of the 95 % confidence interval of that mean. It comes from the differences of neighbours, because samples in a row
 * follow slow changes, and from Student's distribution. The degrees of freedom are those of n samples of equal weight with the same (sum
 * of w)^2 / (sum of w^2). NAN if n is less than 1.5; from 1.5 to 2 it counts as 2. */
double hd_spread_margin(const struct hd_spread *s);

#endif
