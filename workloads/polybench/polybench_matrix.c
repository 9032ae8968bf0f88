/* PolyBench/GPU 1.0: 2mm, 3mm, gemm, syrk and syr2k, with one thread per element of the result. See
 * polybench.h. */
#include "workloads/polybench/polybench.h"

/* One product of 2mm and 3mm, c += a b, all n x n. */
static void product(struct wl_plan *p, const char *name, int a, int b, int c) {
  const uint32_t n = (uint32_t)p->key[0];
  const bool reload = p->key[1];
  wl_grid(p, name, n, n, TILE_X, TILE_Y);
  pb_prologue(p, true, wl_lanes_inside);
  if (!reload)
    wl_load(p, R_ACC, R_POS, c, AT(.x = 1, .y = n));
  wl_loop(p, n);
  wl_load(p, R_A, R_INDEX, a, AT(.y = n, .k = {1}));
  wl_load(p, R_B, R_INDEX, b, AT(.x = 1, .k = {n}));
  if (reload)
    wl_load(p, R_ACC, R_POS, c, AT(.x = 1, .y = n));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, c, AT(.x = 1, .y = n));
  pb_advance(p);
  wl_end(p);
}

bool pb_2mm(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), B = wl_array(p, "B", n * n, FLOAT),
            C = wl_array(p, "C", n * n, FLOAT), D = wl_array(p, "D", n * n, FLOAT),
            E = wl_array(p, "E", n * n, FLOAT);
  if (launch == 0)
    product(p, "2mm.k1", A, B, C);
  else
    product(p, "2mm.k2", C, D, E);
  return launch < 2;
}

bool pb_3mm(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0];
  const int A = wl_array(p, "A", n * n, FLOAT), B = wl_array(p, "B", n * n, FLOAT),
            C = wl_array(p, "C", n * n, FLOAT), D = wl_array(p, "D", n * n, FLOAT),
            E = wl_array(p, "E", n * n, FLOAT), F = wl_array(p, "F", n * n, FLOAT),
            G = wl_array(p, "G", n * n, FLOAT);
  if (launch == 0)
    product(p, "3mm.k1", A, B, E);
  else if (launch == 1)
    product(p, "3mm.k2", C, D, F);
  else
    product(p, "3mm.k3", E, F, G);
  return launch < 3;
}

/* The frame of gemm, syrk and syr2k, with one thread per element of c[rows][columns]. update_begin: c *=
 * beta, then the head of the loop. update_end: the tail of the loop, which stores c and advances the index. */
static void update_begin(struct wl_plan *p, const char *name, int c, uint32_t rows, uint32_t columns,
                         uint32_t trips) {
  wl_grid(p, name, columns, rows, TILE_X, TILE_Y);
  pb_prologue(p, true, wl_lanes_inside);
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
  pb_advance(p);
  wl_end(p);
}

bool pb_gemm(struct wl_plan *p, uint32_t launch) {
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

bool pb_syrk(struct wl_plan *p, uint32_t launch) {
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

bool pb_syr2k(struct wl_plan *p, uint32_t launch) {
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
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INDEX)); /* rounded to two: the compare and branch */
  update_end(p, c, n);
  return launch < 1;
}
