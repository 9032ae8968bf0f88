/* The launches of an exclusive prefix sum of words, as a CTA-wise scan. Each CTA sums two words per thread
 * in shared memory and stores its total. The totals are summed in the same way, and then added.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_PREFIX_SUM_H
#define HEDDLE_WORKLOADS_PLAN_PREFIX_SUM_H

#include "workloads/plan/kernel_code.h"

enum { PREFIX_LEVELS = 4 };

struct prefix_sum {
  uint32_t n;     /* words, at least 1 */
  uint32_t block; /* threads a CTA, a power of two */
  uint32_t levels;
  int totals[PREFIX_LEVELS]; /* arrays; several sums of the same size may share them */
};

/* Lays out the arrays of totals. */
struct prefix_sum prefix_sum(struct wl_plan *p, uint32_t n, uint32_t block);

uint32_t prefix_sum_launches(const struct prefix_sum *s);

/* Describes launch number `step` of the sum of array `in` into array `out`. */
void prefix_sum_launch(struct wl_plan *p, const struct prefix_sum *s, uint32_t step, int in, int out);

#endif
