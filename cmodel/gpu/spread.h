/* A quotient of two sums, estimated from samples in the order of time, and how sure it is (docs/gpu/sampling.md, "How sure"). */
#ifndef HEDDLE_CMODEL_GPU_SPREAD_H
#define HEDDLE_CMODEL_GPU_SPREAD_H

/* All 0: no sample yet. */
struct hd_spread {
  unsigned n;
  double weight, value, squares;                 /* sums; of the weights' squares */
  double last_weight, last_value;                /* of the last sample */
  double weight_step, value_step;                /* from the one before it; of the first they say nothing */
  double weight_squares, value_squares, product; /* sums over neighbours, of their differences */
};

/* A sample: `value` belongs to `weight`, > 0. */
void hd_spread_add(struct hd_spread *s, double weight, double value);

/* The last sample, of which there is one, stands for so much more, and is no other one for it. Returns the value that belongs to it. */
double hd_spread_extend(struct hd_spread *s, double weight);

/* The sum of the values by the sum of the weights; 0 without samples. */
double hd_spread_mean(const struct hd_spread *s);

/* Half the width of the 95 % confidence interval of that: from the differences of neighbours, since samples one after the other follow
 * slow changes; by Student's distribution, with as many degrees of freedom as these differences have of equal weights of the same
 * (sum of w)^2 / (sum of w^2). NAN: fewer than 1.5 such; up to 2 are taken for 2. */
double hd_spread_margin(const struct hd_spread *s);

#endif
