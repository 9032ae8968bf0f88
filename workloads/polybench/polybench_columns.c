/* PolyBench/GPU 1.0: correlation, covariance and gramschmidt, whose loops run down columns. See
 * polybench.h.
 *
 * The arrays of correlation and covariance count from 1. They have n + 1 rows and columns, and thread x
 * works on column x + 1.
 */
#include "workloads/polybench/polybench.h"

/* mean[j]: the sum down column j of data, then the division. */
static void mean_launch(struct wl_plan *p, const char *name, int data, int mean) {
  const int64_t n = (int64_t)p->key[0], row = n + 1;
  const struct wl_at own = AT(.c = 1, .x = 1);
  const bool reload = p->key[1];
  pb_vector(p, name, p->key[0]);
  pb_prologue(p, false, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_store(p, WL_R(R_ACC), R_POS, mean, own);
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, data, AT(.c = row + 1, .x = 1, .k = {row}));
  if (reload)
    wl_load(p, R_ACC, R_POS, mean, own);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, mean, own);
  pb_advance(p);
  if (reload)
    wl_load(p, R_ACC, R_POS, mean, own);
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, mean, own);
  wl_end(p);
}

/* std[j]: the sum of squared differences down column j, then a division and a square root; each result is
 * stored. The source replaces very small deviations by 1; here no column has one. */
static void std_launch(struct wl_plan *p, int data, int mean, int std) {
  const int64_t n = (int64_t)p->key[0], row = n + 1;
  const struct wl_at own = AT(.c = 1, .x = 1);
  const bool reload = p->key[1];
  pb_vector(p, "correlation.std", p->key[0]);
  pb_prologue(p, false, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_store(p, WL_R(R_ACC), R_POS, std, own);
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, data, AT(.c = row + 1, .x = 1, .k = {row}));
  wl_load(p, R_B, R_POS, mean, own);
  if (reload)
    wl_load(p, R_ACC, R_POS, std, own);
  wl_inst(p, WL_ALU, R_T, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, std, own);
  pb_advance(p);
  for (int i = 0; i < 2; i++) { /* the division, then the square root */
    if (reload)
      wl_load(p, R_ACC, R_POS, std, own);
    wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC));
    wl_store(p, WL_R(R_ACC), R_POS, std, own);
  }
  if (reload)
    wl_load(p, R_ACC, R_POS, std, own);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_ACC));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_end(p);
}

/* Subtracts the column's mean from data[i][j], in `rows` rows. Leaves the block open. */
static void centre_begin(struct wl_plan *p, const char *name, int data, int mean, uint32_t rows) {
  const int64_t row = (int64_t)p->key[0] + 1;
  wl_grid(p, name, (uint32_t)p->key[0], rows, TILE_X, TILE_Y);
  pb_prologue(p, true, wl_lanes_inside);
  wl_load(p, R_ACC, R_INDEX, data, AT(.c = row + 1, .x = 1, .y = row));
  wl_load(p, R_A, R_INDEX, mean, AT(.c = 1, .x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_A));
  wl_store(p, WL_R(R_ACC), R_INDEX, data, AT(.c = row + 1, .x = 1, .y = row));
}

/* The same, then divides by the deviation times the square root of n. */
static void normalise(struct wl_plan *p, int data, int mean, int std) {
  const int64_t row = (int64_t)p->key[0] + 1;
  const struct wl_at own = AT(.c = row + 1, .x = 1, .y = row);
  centre_begin(p, "correlation.reduce", data, mean, (uint32_t)p->key[0]);
  wl_load(p, R_B, R_INDEX, std, AT(.c = 1, .x = 1));
  if (p->key[1])
    wl_load(p, R_ACC, R_INDEX, data, own);
  wl_inst(p, WL_SFU, R_T, 0);
  wl_inst(p, WL_ALU, R_T, WL_R(R_T) | WL_R(R_B));
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC) | WL_R(R_T));
  wl_store(p, WL_R(R_ACC), R_INDEX, data, own);
  wl_end(p);
}

/* Returns the lanes that have another column j2 = j1 + gap + k[0] to pair with their column j1. Before the
 * loop, k[0] is 0. */
static uint32_t pairs(const struct wl_warp *warp, uint32_t gap) {
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    lanes |= (uint32_t)(warp->x[l] + gap + warp->k[0] < warp->plan->nx) << l;
  return lanes;
}

static uint32_t pairs_with_self(const struct wl_warp *warp) {
  return pairs(warp, 0);
}

static uint32_t pairs_with_others(const struct wl_warp *warp) {
  return pairs(warp, 1);
}

/* symmat[j1][j2] = symmat[j2][j1] = the product of columns j1 and j2, for all j2 from j1 + gap on. With gap
 * 1, symmat[j1][j1] = 1. Lanes drop out of the loop one by one. */
static void all_pairs(struct wl_plan *p, const char *name, int data, int symmat, int64_t gap) {
  enum { R_J2 = R_POS_Y };
  const int64_t n = (int64_t)p->key[0], row = n + 1;
  const wl_lanes_fn lanes = gap ? pairs_with_others : pairs_with_self;
  const struct wl_at upper = AT(.c = row + 1 + gap, .x = row + 1, .k = {1}),
                     lower = AT(.c = row + 1 + gap * row, .x = row + 1, .k = {row});
  const bool reload = p->key[1];
  pb_vector(p, name, p->key[0]);
  pb_prologue(p, false, lanes);
  if (gap) {
    wl_inst(p, WL_ALU, R_ACC, 0);
    wl_store(p, WL_R(R_ACC), R_POS, symmat, AT(.c = row + 1, .x = row + 1));
  }
  wl_inst(p, WL_ALU, R_J2, WL_R(R_POS));
  wl_loop_while(p, lanes);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_store(p, WL_R(R_ACC), R_J2, symmat, upper);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_J2));
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, data, AT(.c = row + 1, .x = 1, .k = {0, row}));
  wl_load(p, R_B, R_INDEX, data, AT(.c = row + 1 + gap, .x = 1, .k = {1, row}));
  if (reload)
    wl_load(p, R_ACC, R_J2, symmat, upper);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_J2, symmat, upper);
  pb_advance(p);
  if (reload)
    wl_load(p, R_ACC, R_J2, symmat, upper);
  wl_store(p, WL_R(R_ACC), R_J2, symmat, lower);
  wl_inst(p, WL_ALU, R_J2, WL_R(R_J2));
  wl_end(p);
  wl_end(p);
}

bool pb_correlation(struct wl_plan *p, uint32_t launch) {
  const uint64_t row = p->key[0] + 1;
  const int data = wl_array(p, "data", row * row, FLOAT), mean = wl_array(p, "mean", row, FLOAT),
            std = wl_array(p, "std", row, FLOAT), symmat = wl_array(p, "symmat", row * row, FLOAT);
  if (launch == 0)
    mean_launch(p, "correlation.mean", data, mean);
  else if (launch == 1)
    std_launch(p, data, mean, std);
  else if (launch == 2)
    normalise(p, data, mean, std);
  else
    all_pairs(p, "correlation.corr", data, symmat, 1);
  return launch < 4;
}

bool pb_covariance(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0], row = n + 1;
  const int data = wl_array(p, "data", row * row, FLOAT), mean = wl_array(p, "mean", row, FLOAT),
            symmat = wl_array(p, "symmat", row * row, FLOAT);
  if (launch == 0) {
    mean_launch(p, "covariance.mean", data, mean);
  } else if (launch == 1) {
    /* A mistake of the source: it launches n/32 rows of CTAs, not n/8, so only a quarter of the rows is
     * done. */
    const uint64_t ctas = (n + TILE_X - 1) / TILE_X;
    centre_begin(p, "covariance.reduce", data, mean, (uint32_t)ctas * TILE_Y);
    wl_end(p);
  } else {
    all_pairs(p, "covariance.covar", data, symmat, 0);
  }
  return launch < 3;
}

/* gramschmidt computes column k of q and row k of r, then subtracts column k's part from the columns after
 * it. */
static uint32_t columns_after(const struct wl_warp *warp) {
  const uint32_t k = warp->plan->number / 3;
  uint32_t lanes = wl_lanes_inside(warp);
  for (int l = 0; l < WL_LANES; l++)
    lanes &= ~((uint32_t)(warp->x[l] <= k) << l);
  return lanes;
}

/* The norm of column k. Only one thread of the CTA works. */
static void norm(struct wl_plan *p, int a, int r, int64_t n, int64_t k) {
  pb_vector(p, "gramschmidt.k1", 1);
  pb_prologue(p, false, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, a, AT(.c = k, .k = {n}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  pb_advance(p);
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, r, AT(.c = k * n + k));
  wl_end(p);
}

/* Column k of q: column k of a, divided by the norm. */
static void scale(struct wl_plan *p, int a, int r, int q, int64_t n, int64_t k) {
  pb_vector(p, "gramschmidt.k2", (uint64_t)n);
  pb_prologue(p, false, wl_lanes_inside);
  wl_load(p, R_A, R_INDEX, a, AT(.c = k, .x = n));
  wl_load(p, R_B, R_INDEX, r, AT(.c = k * n + k));
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_ACC), R_INDEX, q, AT(.c = k, .x = n));
  wl_end(p);
}

/* Row k of r; then subtracts from the columns of a their part along column k of q. */
static void project(struct wl_plan *p, int a, int r, int q, int64_t n, int64_t k) {
  const struct wl_at own = AT(.c = k * n, .x = 1), column_k = AT(.c = k, .k = {n}),
                     column = AT(.x = 1, .k = {n});
  const bool reload = p->key[1];
  pb_vector(p, "gramschmidt.k3", (uint64_t)n);
  pb_prologue(p, false, columns_after);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_store(p, WL_R(R_ACC), R_POS, r, own);
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, q, column_k);
  wl_load(p, R_B, R_INDEX, a, column);
  if (reload)
    wl_load(p, R_ACC, R_POS, r, own);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, r, own);
  pb_advance(p);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop(p, (uint32_t)n);
  wl_load(p, R_A, R_INDEX, q, column_k);
  wl_load(p, R_B, R_POS, r, own); /* the store to a may alias it */
  wl_load(p, R_ACC, R_INDEX, a, column);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, a, column);
  pb_advance(p);
  wl_end(p);
}

/* Three launches per column. */
bool pb_gramschmidt(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int a = wl_array(p, "a", n * n, FLOAT), r = wl_array(p, "r", n * n, FLOAT),
            q = wl_array(p, "q", n * n, FLOAT);
  const int64_t k = launch / 3;
  if (launch % 3 == 0)
    norm(p, a, r, (int64_t)n, k);
  else if (launch % 3 == 1)
    scale(p, a, r, q, (int64_t)n, k);
  else
    project(p, a, r, q, (int64_t)n, k);
  return launch < 3 * n;
}
