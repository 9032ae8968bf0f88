/* Parboil: sgemm, c = a b^T, all matrices column by column; and lbm, lattice-Boltzmann flow in a box.
 */
#include "workloads/parboil/parboil.h"

/* sgemm. a has m rows, b has n; both have k columns. In the tiled kernel a thread computes TILE_N columns
 * of one row of c. It loads TILE_K columns of b at a time through shared memory. */
enum { KEY_M, KEY_N, KEY_K, KEY_BASE };
enum { TILE_M = 128, TILE_N = 16, TILE_K = 8 };

struct product {
  int a, b, c;
  int64_t m, n, k;
};

static void tiled(struct wl_plan *p, struct product g) {
  const struct wl_at tile = AT(.t = {1, TILE_N});
  /* t = 16 ty + tx is the row within the CTA's 128 rows */
  wl_grid_of(p, "sgemm.tiled", DIM((uint32_t)g.m / TILE_M, (uint32_t)g.n / TILE_N), DIM(TILE_N, TILE_K));
  wl_holds(p, TILE_N * TILE_K * FLOAT, 0);
  code_position(p, 6);
  for (int q = 0; q < TILE_N; q++)
    wl_inst(p, WL_ALU, R_LOADED + 5 + q, 0);
  code_loop(p, R_INDEX, (uint32_t)g.k / TILE_K);
  wl_load(p, R_B, R_INDEX, g.b, AT(.b = {0, TILE_N}, .t = {1, g.n}, .k = {TILE_K * g.n}));
  wl_shared_at(p, WL_NO_REG, WL_R(R_B), FLOAT, tile);
  code_barrier(p);
  code_loop(p, R_INNER, TILE_K);
  wl_load(p, R_A, R_INDEX, g.a, AT(.b = {TILE_M}, .t = {1, TILE_N}, .k = {TILE_K * g.m, g.m}));
  for (int q = 0; q < TILE_N; q += 4) {
    wl_shared_at(p, R_LOADED, WL_R(R_INNER), 4 * FLOAT, AT(.c = q / 4, .k = {0, TILE_N / 4}));
    for (int i = 0; i < 4; i++)
      wl_inst(p, WL_ALU, R_LOADED + 5 + q + i, WL_R(R_A) | WL_R(R_LOADED) | WL_R(R_LOADED + 5 + q + i));
  }
  code_next(p, R_INNER);
  code_barrier(p);
  code_next(p, R_INDEX);
  for (int q = 0; q < TILE_N; q++) {
    const struct wl_at own = AT(.c = q * g.m, .b = {TILE_M, TILE_N * g.m}, .t = {1, TILE_N});
    wl_load(p, R_C, R_POS, g.c, own);
    code_chain(p, WL_ALU, 2, R_C, WL_R(R_C) | WL_R(R_LOADED + 5 + q));
    wl_store(p, WL_R(R_C), R_POS, g.c, own);
  }
}

static void base(struct wl_plan *p, struct product g) {
  const struct wl_at own = AT(.x = 1, .y = g.m);
  wl_grid_of(p, "sgemm.base", DIM((uint32_t)g.m / 16, (uint32_t)g.n / 16), DIM(16, 16));
  code_position(p, 2);
  wl_inst(p, WL_ALU, R_ACC, 0);
  code_loop(p, R_INDEX, (uint32_t)g.k);
  wl_load(p, R_A, R_INDEX, g.a, AT(.x = 1, .k = {g.m}));
  wl_load(p, R_B, R_INDEX, g.b, AT(.y = 1, .k = {g.n}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  code_next(p, R_INDEX);
  wl_load(p, R_C, R_POS, g.c, own);
  code_chain(p, WL_ALU, 2, R_C, WL_R(R_C) | WL_R(R_ACC));
  wl_store(p, WL_R(R_C), R_POS, g.c, own);
}

bool parboil_sgemm(struct wl_plan *p, uint32_t launch) {
  const uint64_t m = p->key[KEY_M] * TILE_M, n = p->key[KEY_N] * TILE_N, k = p->key[KEY_K] * TILE_K;
  const int a = wl_array(p, "A", m * k, FLOAT), b = wl_array(p, "B", n * k, FLOAT),
            c = wl_array(p, "C", m * n, FLOAT);
  const struct product g = {a, b, c, (int64_t)m, (int64_t)n, (int64_t)k};
  if (p->key[KEY_BASE])
    base(p, g);
  else
    tiled(p, g);
  return launch < 1;
}

/* lbm. A cell has 19 flows, to itself and to 18 of its neighbours, and flags. Rows are padded. Two planes
 * come before the first one and two after the last. The faces of the box are walls. The second plane and
 * the last but one, two cells from the walls, are driven. */
enum { KEY_X, KEY_Y, KEY_Z, KEY_STEPS, KEY_AOS };
enum { FLOWS = 19, FLAGS = FLOWS, CELL = FLOWS + 1, MARGIN = 2, PAD_X = 32 };
enum { LBM_FP = 180, DIVISIONS = 3, SWAPS = 18 };

static const int8_t towards[FLOWS][3] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

static bool is_wall(const struct wl_warp *w, unsigned lane) {
  const uint64_t *n = w->plan->key;
  return w->tx[lane] == 0 || w->tx[lane] + 1 == n[KEY_X] || w->bx == 0 || w->bx + 1 == n[KEY_Y] ||
         w->by == 0 || w->by + 1 == n[KEY_Z];
}

static bool is_fluid(const struct wl_warp *w, unsigned lane) {
  return !is_wall(w, lane);
}

static bool is_driven(const struct wl_warp *w, unsigned lane) {
  const uint64_t *n = w->plan->key;
  return (w->by == 1 || w->by + 2 == n[KEY_Z]) && w->tx[lane] > 1 && w->tx[lane] + 2 < n[KEY_X] &&
         w->bx > 1 && w->bx + 2 < n[KEY_Y];
}

bool parboil_lbm(struct wl_plan *p, uint32_t launch) {
  const int64_t row = ((int64_t)p->key[KEY_X] + PAD_X - 1) / PAD_X * PAD_X,
                plane = row * (int64_t)p->key[KEY_Y], cells = plane * ((int64_t)p->key[KEY_Z] + 2 * MARGIN);
  const int64_t of_cell = p->key[KEY_AOS] ? CELL : 1, of_flow = p->key[KEY_AOS] ? 1 : cells;
  const int even = wl_array(p, "even", (uint64_t)cells * CELL, FLOAT),
            odd = wl_array(p, "odd", (uint64_t)cells * CELL, FLOAT);
  const int from = launch % 2 ? odd : even, to = launch % 2 ? even : odd;
  const struct wl_at own =
      AT(.c = MARGIN * plane * of_cell, .t = {of_cell}, .b = {row * of_cell, plane * of_cell});
  uint64_t loaded = 0, flows = 0;
  wl_grid_of(p, p->key[KEY_AOS] ? "lbm.aos" : "lbm", DIM((uint32_t)p->key[KEY_Y], (uint32_t)p->key[KEY_Z]),
             DIM((uint32_t)p->key[KEY_X]));
  code_position(p, 6);
  for (int e = 0; e < CELL; e++) {
    struct wl_at at = own;
    at.c += e * of_flow;
    wl_load(p, R_LOADED + e, R_POS, from, at);
    loaded |= e < FLOWS ? WL_R(R_LOADED + e) : 0;
  }
  code_branch(p, WL_R(R_LOADED + FLAGS));
  wl_if_lane(p, is_wall); /* flows are reflected */
  for (int i = 0; i < SWAPS; i++)
    wl_inst(p, WL_ALU, R_LOADED + 1 + i, WL_R(R_LOADED + 1 + (i ^ 1)));
  wl_end(p);
  wl_if_lane(p, is_fluid);
  for (int i = 0; i < DIVISIONS; i++)
    wl_inst(p, WL_SFU, R_A + i, loaded);
  code_branch(p, WL_R(R_LOADED + FLAGS));
  wl_if_lane(p, is_driven);
  for (int i = 0; i < 3; i++)
    wl_inst(p, WL_ALU, R_A + i, WL_R(R_A + i));
  wl_end(p);
  flows = code_math(p, LBM_FP - FLOWS, loaded | WL_R(R_A) | WL_R(R_B) | WL_R(R_C));
  for (int e = 0; e < FLOWS; e++)
    wl_inst(p, WL_ALU, R_LOADED + e, flows);
  wl_end(p);
  for (int e = 0; e < FLOWS; e++) {
    struct wl_at at = own;
    at.c += e * of_flow + (towards[e][0] + towards[e][1] * row + towards[e][2] * plane) * of_cell;
    wl_store(p, WL_R(R_LOADED + e), R_POS, to, at);
  }
  return launch < p->key[KEY_STEPS];
}
