/* Rodinia: srad_v1, with one thread per point of the image. See rodinia.h. Keys rows, cols, iters.
 *
 * The image is stored by columns. Index arrays of fixed content give the neighbours of a point; they
 * do not go past the border.
 */
#include "workloads/rodinia/rodinia.h"

enum { BLOCK = 512, LOG_BLOCK = 9, SUM = 0, SUM2 = BLOCK, REDUCE_WORDS = 2 * BLOCK };

static bool in_image(const struct wl_warp *w, unsigned l) {
  return w->x[l] < w->plan->nx;
}

static int64_t row_of(const struct wl_warp *w, unsigned l) {
  return w->x[l] % (int64_t)w->plan->key[0];
}

static int64_t col_of(const struct wl_warp *w, unsigned l) {
  return w->x[l] / (int64_t)w->plan->key[0];
}

static int64_t north(const struct wl_warp *w, unsigned l) {
  return w->x[l] - (row_of(w, l) > 0);
}

static int64_t south(const struct wl_warp *w, unsigned l) {
  return w->x[l] + (row_of(w, l) < (int64_t)w->plan->key[0] - 1);
}

static int64_t west(const struct wl_warp *w, unsigned l) {
  return w->x[l] - (col_of(w, l) > 0 ? (int64_t)w->plan->key[0] : 0);
}

static int64_t east(const struct wl_warp *w, unsigned l) {
  return w->x[l] + (col_of(w, l) < (int64_t)w->plan->key[1] - 1 ? (int64_t)w->plan->key[0] : 0);
}

struct arrays {
  int image, north, south, west, east, d_north, d_south, d_west, d_east, c, sums, sums2;
};

static const struct wl_at own = {.x = 1};

/* Adds the launch over `count` points and its prologue. Opens the block of the threads that have a point. */
static void points(struct wl_plan *p, const char *name, uint32_t count) {
  wl_grid(p, name, count, 1, BLOCK, 1);
  code_position(p, 6);
  rod_if(p, in_image);
}

/* The kernels extract and compress: the exponential of a quotient, and the logarithm that reverses it. */
static void convert(struct wl_plan *p, const char *name, const struct arrays *a, uint32_t count) {
  points(p, name, count);
  wl_load(p, R_A, R_POS, a->image, own);
  code_chain(p, WL_SFU, 2, R_A, WL_R(R_A));
  wl_store(p, WL_R(R_A), R_POS, a->image, own);
  wl_end(p);
}

static void prepare(struct wl_plan *p, const struct arrays *a, uint32_t count) {
  points(p, "srad1.prepare", count);
  wl_load(p, R_A, R_POS, a->image, own);
  wl_store(p, WL_R(R_A), R_POS, a->sums, own);
  wl_load(p, R_B, R_POS, a->image, own);
  wl_inst(p, WL_ALU, R_B, WL_R(R_B));
  wl_store(p, WL_R(R_B), R_POS, a->sums2, own);
  wl_end(p);
}

/* --- reduce: a CTA adds up 512 sums, the last one those that are left -------------------------------------- */

static uint32_t sums_of_cta(const struct wl_warp *w) {
  const uint32_t left = w->plan->nx - w->bx * BLOCK;
  return left < BLOCK ? left : BLOCK;
}

/* Returns the steps of the tree over the largest power of two of the CTA's sums. */
static uint32_t tree_steps(const struct wl_warp *w) {
  return 31 - (uint32_t)__builtin_clz(sums_of_cta(w));
}

static uint32_t tree_goes_on(const struct wl_warp *w) {
  return w->k[0] < tree_steps(w) ? UINT32_MAX : 0;
}

static bool adds(const struct wl_warp *w, unsigned l) {
  return (w->tx[l] + 1) % (UINT32_C(2) << w->k[0]) == 0 && w->tx[l] < UINT32_C(1) << tree_steps(w);
}

static bool has_sum(const struct wl_warp *w, unsigned l) {
  return w->tx[l] + 1 == UINT32_C(1) << tree_steps(w);
}

static uint32_t rest_goes_on(const struct wl_warp *w) {
  return w->k[0] < sums_of_cta(w) - (UINT32_C(1) << tree_steps(w)) ? UINT32_MAX : 0;
}

static int64_t other_sum(const struct wl_warp *w, unsigned l) {
  return SUM + w->tx[l] - (INT64_C(1) << w->k[0]);
}

static int64_t other_sum2(const struct wl_warp *w, unsigned l) {
  return SUM2 + w->tx[l] - (INT64_C(1) << w->k[0]);
}

/* Reduces `count` sums that are `apart` elements from one another. In the last CTA, the last thread adds
 * the sums beyond a power of two one by one, from elements that are not `apart`, as the source does. */
static void reduce(struct wl_plan *p, const struct arrays *a, uint32_t count, int64_t apart) {
  const struct wl_at in = {.x = apart}, out = {.b = {apart * BLOCK}}, sum = {.c = SUM, .t = {1}},
                     sum2 = {.c = SUM2, .t = {1}};
  const uint32_t last = (count - 1) / BLOCK, of_last = count - last * BLOCK;
  const struct wl_at rest = {.c = last * BLOCK + (INT64_C(1) << (31 - __builtin_clz(of_last))), .k = {1}};
  wl_grid(p, "srad1.reduce", count, 1, BLOCK, 1);
  const struct rod_shared s = rod_shared(p, REDUCE_WORDS, false);
  code_position(p, 12);
  rod_if(p, in_image);
  wl_load(p, R_A, R_POS, a->sums, in);
  rod_write(p, s, R_A, sum);
  wl_load(p, R_B, R_POS, a->sums2, in);
  rod_write(p, s, R_B, sum2);
  wl_end(p);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_INDEX, 0);
  wl_loop_while(p, tree_goes_on);
  rod_if(p, adds);
  rod_read(p, s, R_A, sum);
  rod_read_by(p, s, R_B, other_sum);
  wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
  rod_write(p, s, R_A, sum);
  rod_read(p, s, R_C, sum2);
  rod_read_by(p, s, R_D, other_sum2);
  wl_inst(p, WL_ALU, R_C, WL_R(R_C) | WL_R(R_D));
  rod_write(p, s, R_C, sum2);
  wl_end(p);
  code_barrier(p);
  rod_next(p, R_INDEX);
  rod_if(p, has_sum);
  rod_read(p, s, R_A, sum);
  rod_read(p, s, R_C, sum2);
  wl_inst(p, WL_ALU, R_INDEX, 0);
  wl_loop_while(p, rest_goes_on);
  wl_load(p, R_B, R_INDEX, a->sums, rest);
  wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
  wl_load(p, R_D, R_INDEX, a->sums2, rest);
  wl_inst(p, WL_ALU, R_C, WL_R(R_C) | WL_R(R_D));
  rod_next(p, R_INDEX);
  wl_store(p, WL_R(R_A), R_POS, a->sums, out);
  wl_store(p, WL_R(R_C), R_POS, a->sums2, out);
  wl_end(p);
}

/* --- srad and srad2 ---------------------------------------------------------------------------------------- */

/* Computes the point's coefficient from its derivatives to the four sides. */
static void coefficient(struct wl_plan *p, const struct arrays *a, uint32_t count) {
  enum { SIDES = 4, POINTS = SIDES + 1, INDEX = R_LOADED, POINT = INDEX + SIDES, SLOPE = POINT + POINTS };
  static const wl_elem_fn index[SIDES] = {row_of, row_of, col_of, col_of},
                          beside[SIDES] = {north, south, west, east};
  const int where[SIDES] = {a->north, a->south, a->west, a->east},
            slope[SIDES] = {a->d_north, a->d_south, a->d_west, a->d_east};
  points(p, "srad1.srad", count);
  code_chain(p, WL_ALU, 22, R_INDEX, WL_R(R_POS)); /* row and column: an integer division */
  for (int i = 0; i < SIDES; i++)
    wl_access(p, WL_LOAD, INDEX + i, WL_R(R_INDEX), where[i], index[i]);
  wl_load(p, POINT + SIDES, R_POS, a->image, own);
  for (int i = 0; i < SIDES; i++) {
    code_chain(p, WL_ALU, 2, R_E, WL_R(INDEX + i) | WL_R(R_INDEX));
    wl_access(p, WL_LOAD, POINT + i, WL_R(R_E), a->image, beside[i]);
  }
  for (int i = 0; i < SIDES; i++)
    wl_inst(p, WL_ALU, SLOPE + i, WL_R(POINT + i) | WL_R(POINT + SIDES));
  wl_inst(p, WL_SFU, R_C, WL_R(POINT + SIDES));
  uint64_t terms = WL_R(R_C);
  for (int i = 0; i < SIDES; i++)
    terms |= WL_R(SLOPE + i);
  const uint64_t sums = code_math(p, 22, terms);
  code_chain(p, WL_SFU, 5, R_C, sums);
  for (int i = 0; i < SIDES; i++)
    wl_store(p, WL_R(SLOPE + i), R_POS, slope[i], own);
  wl_store(p, WL_R(R_C), R_POS, a->c, own);
  wl_end(p);
}

/* Computes the point's new value. */
static void update(struct wl_plan *p, const struct arrays *a, uint32_t count) {
  enum { TERMS = 8 };
  points(p, "srad1.srad2", count);
  code_chain(p, WL_ALU, 20, R_INDEX, WL_R(R_POS));
  wl_access(p, WL_LOAD, R_A, WL_R(R_INDEX), a->south, row_of);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), a->east, col_of);
  wl_load(p, R_LOADED, R_POS, a->c, own);
  code_chain(p, WL_ALU, 2, R_E, WL_R(R_A) | WL_R(R_INDEX));
  wl_access(p, WL_LOAD, R_LOADED + 1, WL_R(R_E), a->c, south);
  code_chain(p, WL_ALU, 2, R_E, WL_R(R_B) | WL_R(R_INDEX));
  wl_access(p, WL_LOAD, R_LOADED + 2, WL_R(R_E), a->c, east);
  wl_load(p, R_LOADED + 3, R_POS, a->d_north, own);
  wl_load(p, R_LOADED + 4, R_POS, a->d_south, own);
  wl_load(p, R_LOADED + 5, R_POS, a->d_west, own);
  wl_load(p, R_LOADED + 6, R_POS, a->d_east, own);
  wl_load(p, R_LOADED + 7, R_POS, a->image, own);
  for (int i = 0; i < TERMS; i++)
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED + i) | (i ? WL_R(R_ACC) : 0));
  wl_store(p, WL_R(R_ACC), R_POS, a->image, own);
  wl_end(p);
}

static int points_array(struct wl_plan *p, const char *name, uint64_t count) {
  return wl_array(p, name, count, WORD);
}

/* The launches: extract; in every iteration prepare, as many reduces as one sum needs, srad, srad2; then
 * compress. */
bool rod_srad1(struct wl_plan *p, uint32_t launch) {
  const uint64_t rows = p->key[0], cols = p->key[1];
  const uint32_t count = (uint32_t)(rows * cols);
  const struct arrays a = {.image = points_array(p, "I", count),
                           .north = points_array(p, "iN", rows),
                           .south = points_array(p, "iS", rows),
                           .west = points_array(p, "jW", cols),
                           .east = points_array(p, "jE", cols),
                           .d_north = points_array(p, "dN", count),
                           .d_south = points_array(p, "dS", count),
                           .d_west = points_array(p, "dW", count),
                           .d_east = points_array(p, "dE", count),
                           .c = points_array(p, "c", count),
                           .sums = points_array(p, "sums", count),
                           .sums2 = points_array(p, "sums2", count)};
  uint32_t reduces = 1;
  for (uint32_t left = count; left > BLOCK; left = (left - 1) / BLOCK + 1)
    reduces++;
  const uint32_t all = (uint32_t)p->key[2] * (reduces + 3), step = (launch - 1) % (reduces + 3);
  if (launch == 0 || launch == all + 1) {
    convert(p, launch ? "srad1.compress" : "srad1.extract", &a, count);
  } else if (launch > all + 1) {
    return false;
  } else if (step == 0) {
    prepare(p, &a, count);
  } else if (step <= reduces) {
    uint32_t left = count;
    int64_t apart = 1;
    for (uint32_t i = 1; i < step; i++, apart *= BLOCK)
      left = (left - 1) / BLOCK + 1;
    reduce(p, &a, left, apart);
  } else if (step == reduces + 1) {
    coefficient(p, &a, count);
  } else {
    update(p, &a, count);
  }
  return true;
}
