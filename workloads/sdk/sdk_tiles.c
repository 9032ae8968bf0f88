/* CUDA SDK: scalarProd, convolutionSeparable and matrixMul, which work through shared memory; and
 * BlackScholes. */
#include "workloads/sdk/sdk.h"

#define BELOW(n)                                                                                             \
  static bool below_##n(const struct wl_warp *w, unsigned lane) {                                            \
    return w->tx[lane] < n;                                                                                  \
  }
BELOW(1)
BELOW(2)
BELOW(4)
BELOW(8)
BELOW(16)
BELOW(32)
BELOW(64)
BELOW(128)

void sdk_tree(struct wl_plan *p, uint32_t count, uint32_t threads) {
  static const wl_lane_fn below[] = {below_1,  below_2,  below_4,  below_8,
                                     below_16, below_32, below_64, below_128};
  for (uint32_t half = count / 2; half; half /= 2) {
    code_barrier(p);
    struct wl_at lower = AT(.t = {1});
    if (half >= threads) {
      lower.k[p->loops] = threads;
      wl_loop(p, half / threads);
    } else {
      code_branch(p, WL_R(R_POS));
      wl_if_lane(p, below[__builtin_ctz(half)]);
    }
    struct wl_at upper = lower;
    upper.c = half;
    wl_shared_at(p, R_A, WL_R(R_POS), FLOAT, lower);
    wl_shared_at(p, R_B, WL_R(R_POS), FLOAT, upper);
    wl_inst(p, WL_ALU, R_A, WL_R(R_A) | WL_R(R_B));
    wl_shared_at(p, WL_NO_REG, WL_R(R_A), FLOAT, lower);
    wl_end(p);
  }
}

/* scalarProd: a CTA has one pair of vectors at a time. It makes 1024 partial sums, each of every 1024th
 * product. */
enum { SUMS = 1024, SCALAR_CTAS = 128, SCALAR_BLOCK = 256 };

static uint32_t another_vector(const struct wl_warp *w) {
  return w->bx + SCALAR_CTAS * w->k[0] < w->plan->key[0] ? UINT32_MAX : 0;
}

static bool another_product(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] + SCALAR_BLOCK * w->k[1] + SUMS * w->k[2] < w->plan->key[1];
}

bool sdk_scalarprod(struct wl_plan *p, uint32_t launch) {
  const uint64_t vectors = p->key[0], n = p->key[1];
  const int a = wl_array(p, "A", vectors * n, FLOAT), b = wl_array(p, "B", vectors * n, FLOAT),
            c = wl_array(p, "C", vectors, FLOAT);
  const struct wl_at element =
      AT(.b = {(int64_t)n}, .t = {1}, .k = {SCALAR_CTAS * (int64_t)n, SCALAR_BLOCK, SUMS});
  wl_grid_of(p, "scalarprod", DIM(SCALAR_CTAS), DIM(SCALAR_BLOCK));
  wl_holds(p, SUMS * FLOAT, 0);
  code_position(p, 1);
  wl_loop_while(p, another_vector);
  code_loop(p, R_INNER, SUMS / SCALAR_BLOCK);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INNER));
  wl_while_lane(p, another_product);
  wl_load(p, R_A, R_INDEX, a, element);
  wl_load(p, R_B, R_INDEX, b, element);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  code_next(p, R_INDEX);
  wl_shared_at(p, WL_NO_REG, WL_R(R_ACC), FLOAT, AT(.t = {1}, .k = {0, SCALAR_BLOCK}));
  code_next(p, R_INNER);
  sdk_tree(p, SUMS, SCALAR_BLOCK);
  code_barrier(p);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, below_1);
  wl_shared_at(p, R_A, WL_R(R_POS), FLOAT, AT(.c = 0));
  wl_store(p, WL_R(R_A), R_POS, c, AT(.b = {1}, .k = {SCALAR_CTAS}));
  wl_end(p);
  wl_end(p);
  return launch < 1;
}

/* convolutionSeparable: a thread loads ten elements that are a step apart. The first and the last are the
 * halo. It computes the eight between them. */
enum { STEPS = 8, HALO_STEPS = 1, RADIUS = 8, TAPS = 2 * RADIUS + 1 };
enum { ROWS_X = 16, ROWS_Y = 4, COLUMNS_X = 16, COLUMNS_Y = 8 };

static bool left_inside(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return w->bx > 0;
}

static bool right_inside(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return w->bx + 1 < w->plan->launch.grid[0];
}

static bool upper_inside(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return w->by > 0;
}

static bool lower_inside(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return w->by + 1 < w->plan->launch.grid[1];
}

/* One of the two passes. Element s of a thread, counted from the lower halo, is at `own` plus s steps, and
 * likewise in shared memory, where the taps are `tap` apart. */
static void convolve(struct wl_plan *p, int from, int to, struct wl_at own, int64_t step, struct wl_at shared,
                     int64_t shared_step, int64_t tap, wl_lane_fn before, wl_lane_fn after) {
  struct wl_at at, in_shared;
  code_position(p, 6);
  for (int i = 0; i < STEPS + 2 * HALO_STEPS; i++) {
    const int s = i < STEPS ? i + 1 : i == STEPS ? 0 : STEPS + 1;
    const wl_lane_fn inside = i < STEPS ? NULL : s ? after : before;
    at = own;
    at.c += s * step;
    in_shared = shared;
    in_shared.c = s * shared_step;
    if (inside) {
      wl_inst(p, WL_ALU, R_LOADED + s, 0);
      code_branch(p, WL_R(R_POS));
      wl_if_lane(p, inside);
    }
    wl_load(p, R_LOADED + s, R_POS, from, at);
    if (inside)
      wl_end(p);
    wl_shared_at(p, WL_NO_REG, WL_R(R_LOADED + s), FLOAT, in_shared);
  }
  code_barrier(p);
  in_shared = shared;
  in_shared.c = HALO_STEPS * shared_step - RADIUS * tap;
  in_shared.k[0] = shared_step;
  in_shared.k[1] = tap;
  at = own;
  at.c += HALO_STEPS * step;
  at.k[0] = step;
  wl_loop(p, STEPS);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop(p, TAPS);
  wl_shared_at(p, R_A, WL_R(R_POS), FLOAT, in_shared);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, to, at);
  wl_end(p);
}

bool sdk_convsep(struct wl_plan *p, uint32_t launch) {
  const uint32_t width = 128 * (uint32_t)p->key[0], height = 128 * (uint32_t)p->key[1];
  const int64_t row = width, span = STEPS + 2 * HALO_STEPS;
  const uint64_t pixels = (uint64_t)width * height;
  const int input = wl_array(p, "input", pixels, FLOAT), buffer = wl_array(p, "buffer", pixels, FLOAT),
            output = wl_array(p, "output", pixels, FLOAT);
  if (launch == 0) {
    wl_grid_of(p, "convsep.rows", DIM(width / (STEPS * ROWS_X), height / ROWS_Y), DIM(ROWS_X, ROWS_Y));
    wl_holds(p, ROWS_Y * (uint32_t)span * ROWS_X * FLOAT, 0);
    convolve(p, input, buffer, AT(.c = -ROWS_X, .b = {STEPS * ROWS_X}, .t = {1}, .y = row), ROWS_X,
             AT(.t = {1, span * ROWS_X}), ROWS_X, 1, left_inside, right_inside);
  } else {
    wl_grid_of(p, "convsep.columns", DIM(width / COLUMNS_X, height / (STEPS * COLUMNS_Y)),
               DIM(COLUMNS_X, COLUMNS_Y));
    wl_holds(p, COLUMNS_X * ((uint32_t)span * COLUMNS_Y + 1) * FLOAT, 0);
    convolve(p, buffer, output,
             AT(.c = -COLUMNS_Y * row, .x = 1, .b = {0, STEPS * COLUMNS_Y * row}, .t = {0, row}),
             COLUMNS_Y * row, AT(.t = {span * COLUMNS_Y + 1, 1}), COLUMNS_Y, 1, upper_inside, lower_inside);
  }
  return launch < 2;
}

bool sdk_matrixmul(struct wl_plan *p, uint32_t launch) {
  const int64_t wa = 32 * (int64_t)p->key[0], ha = 32 * (int64_t)p->key[1], wb = 32 * (int64_t)p->key[2],
                tile = p->key[3] ? 16 : 32;
  const int a = wl_array(p, "A", (uint64_t)(wa * ha), FLOAT),
            b = wl_array(p, "B", (uint64_t)(wa * wb), FLOAT),
            c = wl_array(p, "C", (uint64_t)(ha * wb), FLOAT);
  const struct wl_at own_a = AT(.t = {1, tile}), own_b = AT(.c = tile * tile, .t = {1, tile});
  wl_grid_of(p, "matrixmul", DIM((uint32_t)(wb / tile), (uint32_t)(ha / tile)),
             DIM((uint32_t)tile, (uint32_t)tile));
  wl_holds(p, (uint32_t)(2 * tile * tile) * FLOAT, 0);
  code_position(p, 6);
  wl_inst(p, WL_ALU, R_ACC, 0);
  code_loop(p, R_INDEX, (uint32_t)(wa / tile));
  wl_load(p, R_A, R_INDEX, a, AT(.y = wa, .t = {1}, .k = {tile}));
  wl_load(p, R_B, R_INDEX, b, AT(.x = 1, .t = {0, wb}, .k = {tile * wb}));
  wl_shared_at(p, WL_NO_REG, WL_R(R_A), FLOAT, own_a);
  wl_shared_at(p, WL_NO_REG, WL_R(R_B), FLOAT, own_b);
  code_barrier(p);
  wl_loop(p, (uint32_t)tile);
  wl_shared_at(p, R_A, WL_R(R_POS), FLOAT, AT(.t = {0, tile}, .k = {0, 1}));
  wl_shared_at(p, R_B, WL_R(R_POS), FLOAT, AT(.c = tile * tile, .t = {1}, .k = {0, tile}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_end(p);
  code_barrier(p);
  code_next(p, R_INDEX);
  wl_store(p, WL_R(R_ACC), R_POS, c, AT(.x = 1, .y = wb));
  return launch < 1;
}

/* BlackScholes, for one or two options: 46 arithmetic and 10 special instructions each. */
enum { SDK4_CTAS = 480, OPTION_BLOCK = 128, SDK4_THREADS = SDK4_CTAS * OPTION_BLOCK };
enum { OPTION_FP = 46, OPTION_SFU = 10 };

static bool another_option(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] + SDK4_THREADS * w->k[0] < w->plan->key[0];
}

static void price(struct wl_plan *p, const int array[5], int options, struct wl_at at) {
  for (int i = 0; i < 3; i++)
    wl_load(p, R_A + i, R_INDEX, array[2 + i], at);
  const uint64_t d = code_math(p, options * OPTION_FP / 2, WL_R(R_A) | WL_R(R_B) | WL_R(R_C));
  for (int i = 0; i < options * OPTION_SFU; i++)
    wl_inst(p, WL_SFU, R_LOADED + i % 4, d);
  const uint64_t prices = code_math(p, options * OPTION_FP / 2, UINT64_C(15) << R_LOADED);
  wl_store(p, prices, R_INDEX, array[0], at);
  wl_store(p, prices, R_INDEX, array[1], at);
}

bool sdk_blackscholes(struct wl_plan *p, uint32_t launch) {
  static const char *const name[5] = {"Call", "Put", "S", "X", "T"};
  const bool sdk4 = p->key[1];
  const uint32_t each = sdk4 ? 1 : 2, threads = (uint32_t)((p->key[0] + each - 1) / each);
  int array[5];
  for (int i = 0; i < 5; i++)
    array[i] = wl_array(p, name[i], threads, each * FLOAT);
  if (sdk4)
    wl_grid_of(p, "blackscholes", DIM(SDK4_CTAS), DIM(OPTION_BLOCK));
  else
    wl_grid(p, "blackscholes", threads, 1, OPTION_BLOCK, 1);
  code_position(p, 1);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  if (sdk4) {
    wl_while_lane(p, another_option);
    price(p, array, 1, AT(.x = 1, .k = {SDK4_THREADS}));
    code_next(p, R_INDEX);
  } else {
    code_branch(p, WL_R(R_INDEX));
    wl_if(p, wl_lanes_inside);
    price(p, array, 2, AT(.x = 1));
    wl_end(p);
  }
  return launch < 1;
}
