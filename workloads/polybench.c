/* PolyBench/GPU 1.0: atax, bicg, mvt, gesummv, syrk, syr2k, gemm, 2dconv, every launch of each.
 *
 * The accesses of an iteration and their order are those of the PTX that nvcc -O3 makes of the source, which
 * keeps the accumulator in a register but stores it every iteration; key reload=1 loads it every iteration
 * too, as the source says and as older compilers may have. The integer work of an iteration is rounded to
 * whole instructions, at least the one that advances the index; the instructions before the loop are a choice
 * (docs/workloads.md).
 *
 * Invariant: values never steer an address or a branch, so there is no data.
 */
#include "workloads/plan.h"

#define AT(...) ((struct wl_at){__VA_ARGS__})

enum { FLOAT = 4, VECTOR_BLOCK = 256, TILE_X = 32, TILE_Y = 8 };

/* Registers: the thread's position, a predicate a dimension, the loop's index, the accumulator, operands,
 * temporaries, and (2dconv) nine loaded values. */
enum { R_POS, R_POS_Y, R_PRED, R_PRED_Y, R_INDEX, R_ACC, R_A, R_B, R_C, R_D, R_T, R_U, R_LOADED };

/* The instructions before the body: the position (one multiply-add a dimension), the bounds check, the branch
 * around the body; then, inside, the first value of the index. */
static void prologue(struct wl_plan *p, bool two_d) {
  uint64_t position = WL_R(R_POS);
  wl_inst(p, WL_ALU, R_POS, 0);
  if (two_d) {
    wl_inst(p, WL_ALU, R_POS_Y, 0);
    position |= WL_R(R_POS_Y);
  }
  wl_inst(p, WL_ALU, R_PRED, position);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_INDEX, position);
}

/* The end of a loop body: advances the index. */
static void advance(struct wl_plan *p) {
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
}

static void vector_grid(struct wl_plan *p, const char *name) {
  wl_grid(p, name, (uint32_t)p->key[0], 1, VECTOR_BLOCK, 1);
}

/* One launch of a matrix-vector product, a thread an element: acc[x] += matrix[at] * vector[k], n times. */
enum start { FROM_MEMORY, FROM_ZERO }; /* what the accumulator starts with; zero is also stored */

static void matvec(struct wl_plan *p, const char *name, int matrix, struct wl_at at, int vector, int acc,
                   enum start start) {
  const bool reload = p->key[1];
  vector_grid(p, name);
  prologue(p, false);
  if (start == FROM_ZERO) {
    wl_inst(p, WL_ALU, R_ACC, 0);
    wl_store(p, WL_R(R_ACC), R_POS, acc, AT(.x = 1));
  } else if (!reload) {
    wl_load(p, R_ACC, R_POS, acc, AT(.x = 1));
  }
  wl_loop(p, (uint32_t)p->key[0]);
  wl_load(p, R_A, R_INDEX, matrix, at);
  wl_load(p, R_B, R_INDEX, vector, AT(.k = {1}));
  if (reload)
    wl_load(p, R_ACC, R_POS, acc, AT(.x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, acc, AT(.x = 1));
  advance(p);
  wl_end(p);
}

/* Element (x, k) of an n x n matrix: lanes n elements apart; and (k, x): lanes side by side. */
static struct wl_at by_row(int64_t n) {
  return AT(.x = n, .k = {1});
}
static struct wl_at by_column(int64_t n) {
  return AT(.x = 1, .k = {n});
}

static bool atax(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), x = wl_array(p, "x", n, FLOAT),
            y = wl_array(p, "y", n, FLOAT), tmp = wl_array(p, "tmp", n, FLOAT);
  if (launch == 0)
    matvec(p, "atax.k1", A, by_row((int64_t)n), x, tmp, FROM_MEMORY);
  else
    matvec(p, "atax.k2", A, by_column((int64_t)n), tmp, y, FROM_MEMORY);
  return launch < 2;
}

static bool bicg(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), r = wl_array(p, "r", n, FLOAT),
            s = wl_array(p, "s", n, FLOAT), pv = wl_array(p, "p", n, FLOAT), q = wl_array(p, "q", n, FLOAT);
  if (launch == 0)
    matvec(p, "bicg.k1", A, by_column((int64_t)n), r, s, FROM_ZERO);
  else
    matvec(p, "bicg.k2", A, by_row((int64_t)n), pv, q, FROM_ZERO);
  return launch < 2;
}

static bool mvt(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int a = wl_array(p, "a", n * n, FLOAT), x1 = wl_array(p, "x1", n, FLOAT),
            x2 = wl_array(p, "x2", n, FLOAT), y1 = wl_array(p, "y1", n, FLOAT),
            y2 = wl_array(p, "y2", n, FLOAT);
  if (launch == 0)
    matvec(p, "mvt.k1", a, by_row((int64_t)n), y1, x1, FROM_MEMORY);
  else
    matvec(p, "mvt.k2", a, by_column((int64_t)n), y2, x2, FROM_MEMORY);
  return launch < 2;
}

/* One of the two products of gesummv: here the compiler reloads everything, for the two stores may alias. */
static void gesummv_term(struct wl_plan *p, int vector, int matrix, int acc) {
  wl_load(p, R_B, R_INDEX, vector, AT(.k = {1}));
  wl_load(p, R_A, R_INDEX, matrix, by_row((int64_t)p->key[0]));
  wl_load(p, R_ACC, R_POS, acc, AT(.x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, acc, AT(.x = 1));
}

static bool gesummv(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int a = wl_array(p, "a", n * n, FLOAT), b = wl_array(p, "b", n * n, FLOAT),
            x = wl_array(p, "x", n, FLOAT), y = wl_array(p, "y", n, FLOAT),
            tmp = wl_array(p, "tmp", n, FLOAT);
  vector_grid(p, "gesummv");
  prologue(p, false);
  wl_loop(p, (uint32_t)n);
  gesummv_term(p, x, a, tmp);
  gesummv_term(p, x, b, y);
  advance(p);
  wl_load(p, R_A, R_POS, tmp, AT(.x = 1));
  wl_load(p, R_B, R_POS, y, AT(.x = 1));
  wl_inst(p, WL_ALU, R_T, WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_T));
  wl_store(p, WL_R(R_ACC), R_POS, y, AT(.x = 1));
  wl_end(p);
  return launch < 1;
}

/* The frame of gemm, syrk and syr2k, a thread an element of c[rows][columns]: c *= beta, then the loop's
 * head; and the loop's tail, which stores c and advances the index. */
static void update_begin(struct wl_plan *p, const char *name, int c, uint32_t rows, uint32_t columns,
                         uint32_t trips) {
  wl_grid(p, name, columns, rows, TILE_X, TILE_Y);
  prologue(p, true);
  wl_load(p, R_ACC, R_POS, c, AT(.x = 1, .y = columns));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, c, AT(.x = 1, .y = columns));
  wl_loop(p, trips);
}

static void update_reload(struct wl_plan *p, int c, uint32_t columns, bool reload) {
  if (reload)
    wl_load(p, R_ACC, R_POS, c, AT(.x = 1, .y = columns));
}

static void update_end(struct wl_plan *p, int c, uint32_t columns) {
  wl_store(p, WL_R(R_ACC), R_POS, c, AT(.x = 1, .y = columns));
  advance(p);
  wl_end(p);
}

static bool gemm(struct wl_plan *p, uint32_t launch) {
  const uint32_t ni = (uint32_t)p->key[0], nj = (uint32_t)p->key[1], nk = (uint32_t)p->key[2];
  const int a = wl_array(p, "a", (uint64_t)ni * nk, FLOAT), b = wl_array(p, "b", (uint64_t)nk * nj, FLOAT),
            c = wl_array(p, "c", (uint64_t)ni * nj, FLOAT);
  update_begin(p, "gemm", c, ni, nj, nk);
  wl_load(p, R_A, R_INDEX, a, AT(.y = nk, .k = {1}));
  wl_load(p, R_B, R_INDEX, b, AT(.x = 1, .k = {nj}));
  update_reload(p, c, nj, p->key[3]);
  wl_inst(p, WL_ALU, R_T, WL_R(R_A));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_B) | WL_R(R_ACC));
  update_end(p, c, nj);
  return launch < 1;
}

static bool syrk(struct wl_plan *p, uint32_t launch) {
  const uint32_t n = (uint32_t)p->key[0], m = (uint32_t)p->key[1];
  const int a = wl_array(p, "a", (uint64_t)n * m, FLOAT), c = wl_array(p, "c", (uint64_t)n * n, FLOAT);
  update_begin(p, "syrk", c, n, n, m);
  wl_load(p, R_A, R_INDEX, a, AT(.y = m, .k = {1}));
  wl_load(p, R_B, R_INDEX, a, AT(.x = m, .k = {1}));
  update_reload(p, c, n, p->key[2]);
  wl_inst(p, WL_ALU, R_T, WL_R(R_A));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_B) | WL_R(R_ACC));
  update_end(p, c, n);
  return launch < 1;
}

static bool syr2k(struct wl_plan *p, uint32_t launch) {
  const uint32_t n = (uint32_t)p->key[0], m = (uint32_t)p->key[1];
  const int a = wl_array(p, "a", (uint64_t)n * m, FLOAT), b = wl_array(p, "b", (uint64_t)n * m, FLOAT),
            c = wl_array(p, "c", (uint64_t)n * n, FLOAT);
  update_begin(p, "syr2k", c, n, n, m);
  wl_load(p, R_A, R_INDEX, a, AT(.y = m, .k = {1}));
  wl_load(p, R_B, R_INDEX, b, AT(.x = m, .k = {1}));
  wl_load(p, R_C, R_INDEX, b, AT(.y = m, .k = {1}));
  wl_load(p, R_D, R_INDEX, a, AT(.x = m, .k = {1}));
  update_reload(p, c, n, p->key[2]);
  wl_inst(p, WL_ALU, R_T, WL_R(R_A)); /* alpha a b + alpha b a, then the sum */
  wl_inst(p, WL_ALU, R_T, WL_R(R_T) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_U, WL_R(R_C));
  wl_inst(p, WL_ALU, R_T, WL_R(R_U) | WL_R(R_D) | WL_R(R_T));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INDEX)); /* its integer work rounds to two: the compare and branch */
  update_end(p, c, n);
  return launch < 1;
}

/* The lanes that do not lie on the border of the image. */
static uint32_t interior(const struct wl_warp *warp) {
  const uint32_t n = warp->plan->nx;
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    if (warp->x[l] > 0 && warp->x[l] < n - 1 && warp->y[l] > 0 && warp->y[l] < n - 1)
      lanes |= UINT32_C(1) << l;
  return lanes;
}

static bool conv2d(struct wl_plan *p, uint32_t launch) {
  const int64_t n = (int64_t)p->key[0];
  const int A = wl_array(p, "A", (uint64_t)(n * n), FLOAT), B = wl_array(p, "B", (uint64_t)(n * n), FLOAT);
  const uint64_t position = WL_R(R_POS) | WL_R(R_POS_Y);
  wl_grid(p, "2dconv", (uint32_t)n, (uint32_t)n, TILE_X, TILE_Y);
  wl_inst(p, WL_ALU, R_POS, 0);
  wl_inst(p, WL_ALU, R_POS_Y, 0);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_POS));
  wl_inst(p, WL_ALU, R_PRED_Y, WL_R(R_POS_Y));
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_PRED) | WL_R(R_PRED_Y));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, interior);
  for (int i = 0; i < 9;
       i++) /* the 15 integer instructions of the PTX: six before the branch, nine of addresses */
    wl_inst(p, WL_ALU, R_INDEX, i == 0 ? position : WL_R(R_INDEX));
  for (int i = 0; i < 9; i++)
    wl_load(p, R_LOADED + i, R_INDEX, A, AT(.c = (i / 3 - 1) * n + i % 3 - 1, .x = 1, .y = n));
  for (int i = 0; i < 9; i++)
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED + i) | (i ? WL_R(R_ACC) : 0));
  wl_store(p, WL_R(R_ACC), R_INDEX, B, AT(.x = 1, .y = n));
  wl_end(p);
  return launch < 1;
}

#define ORIGIN "PolyBench/GPU 1.0; paper: MRPB Table 2"
#define RELOAD                                                                                               \
  { "reload", 0, 1, "1: load the accumulator every iteration, as the source does" }
#define MATRIX                                                                                               \
  { "n", 32, 16384, "rows and columns of the matrices" }
#define ROWS                                                                                                 \
  { "n", 32, 8192, "rows and columns of c" }
#define INNER                                                                                                \
  { "m", 32, 8192, "the summed dimension" }

const struct wl_workload wl_polybench[] = {
    {"atax",
     "k1 by rows, k2 by columns",
     ORIGIN,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     wl_open_plan,
     atax},
    {"bicg",
     "k1 by columns, k2 by rows",
     ORIGIN,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     wl_open_plan,
     bicg},
    {"mvt",
     "k1 by rows, k2 by columns",
     ORIGIN,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     wl_open_plan,
     mvt},
    {"gesummv",
     "one",
     ORIGIN,
     {MATRIX},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {1024}}},
     wl_open_plan,
     gesummv},
    {"syrk",
     "one",
     ORIGIN,
     {ROWS, INNER, RELOAD},
     {{"tiny", {32, 64}}, {"small", {96, 256}}, {"paper", {256, 256}}},
     wl_open_plan,
     syrk},
    {"syr2k",
     "one",
     ORIGIN,
     {ROWS, INNER, RELOAD},
     {{"tiny", {32, 32}}, {"small", {96, 128}}, {"paper", {128, 128}}, {"area", {512, 512}}},
     wl_open_plan,
     syr2k},
    {"gemm",
     "one",
     ORIGIN,
     {{"ni", 32, 8192, "rows of a and c"},
      {"nj", 32, 8192, "columns of b and c"},
      {"nk", 32, 8192, "columns of a, rows of b"},
      RELOAD},
     {{"tiny", {64, 64, 64}}, {"small", {256, 256, 256}}, {"paper", {512, 512, 512}}},
     wl_open_plan,
     gemm},
    {"2dconv",
     "one",
     ORIGIN,
     {MATRIX},
     {{"tiny", {256}}, {"small", {2048}}, {"paper", {4096}}},
     wl_open_plan,
     conv2d},
    {0},
};
