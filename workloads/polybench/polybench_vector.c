/* PolyBench/GPU 1.0: atax, bicg, mvt and gesummv, with one thread per element of the result. See
 * polybench.h. */
#include "workloads/polybench/polybench.h"

/* One launch of a matrix-vector product, with one thread per element: acc[x] += matrix[at] * vector[k], n
 * times. */
enum start { FROM_MEMORY, FROM_ZERO }; /* first value of the accumulator; zero is also stored */

static void matvec(struct wl_plan *p, const char *name, int matrix, struct wl_at at, int vector, int acc,
                   enum start start) {
  const bool reload = p->key[1];
  pb_vector(p, name, p->key[0]);
  pb_prologue(p, false, wl_lanes_inside);
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
  pb_advance(p);
  wl_end(p);
}

/* by_row: element (x, k) of an n x n matrix, so lanes are n elements apart. by_column: element (k, x), so
 * lanes are side by side. */
static struct wl_at by_row(int64_t n) {
  return AT(.x = n, .k = {1});
}
static struct wl_at by_column(int64_t n) {
  return AT(.x = 1, .k = {n});
}

bool pb_atax(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), x = wl_array(p, "x", n, FLOAT),
            y = wl_array(p, "y", n, FLOAT), tmp = wl_array(p, "tmp", n, FLOAT);
  if (launch == 0)
    matvec(p, "atax.k1", A, by_row((int64_t)n), x, tmp, FROM_MEMORY);
  else
    matvec(p, "atax.k2", A, by_column((int64_t)n), tmp, y, FROM_MEMORY);
  return launch < 2;
}

bool pb_bicg(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), r = wl_array(p, "r", n, FLOAT),
            s = wl_array(p, "s", n, FLOAT), pv = wl_array(p, "p", n, FLOAT), q = wl_array(p, "q", n, FLOAT);
  if (launch == 0)
    matvec(p, "bicg.k1", A, by_column((int64_t)n), r, s, FROM_ZERO);
  else
    matvec(p, "bicg.k2", A, by_row((int64_t)n), pv, q, FROM_ZERO);
  return launch < 2;
}

bool pb_mvt(struct wl_plan *p, uint32_t launch) {
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

/* One of the two products of gesummv. The compiler reloads everything here, since the two stores may alias
 * the operands. */
static void gesummv_term(struct wl_plan *p, int vector, int matrix, int acc) {
  wl_load(p, R_B, R_INDEX, vector, AT(.k = {1}));
  wl_load(p, R_A, R_INDEX, matrix, by_row((int64_t)p->key[0]));
  wl_load(p, R_ACC, R_POS, acc, AT(.x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, acc, AT(.x = 1));
}

bool pb_gesummv(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int a = wl_array(p, "a", n * n, FLOAT), b = wl_array(p, "b", n * n, FLOAT),
            x = wl_array(p, "x", n, FLOAT), y = wl_array(p, "y", n, FLOAT),
            tmp = wl_array(p, "tmp", n, FLOAT);
  pb_vector(p, "gesummv", n);
  pb_prologue(p, false, wl_lanes_inside);
  wl_loop(p, (uint32_t)n);
  gesummv_term(p, x, a, tmp);
  gesummv_term(p, x, b, y);
  pb_advance(p);
  wl_load(p, R_A, R_POS, tmp, AT(.x = 1));
  wl_load(p, R_B, R_POS, y, AT(.x = 1));
  wl_inst(p, WL_ALU, R_T, WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_T));
  wl_store(p, WL_R(R_ACC), R_POS, y, AT(.x = 1));
  wl_end(p);
  return launch < 1;
}
