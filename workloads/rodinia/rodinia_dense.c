/* Rodinia: gaussian and lud, with one launch (or a few) per step of the elimination. See rodinia.h. */
#include "workloads/rodinia/rodinia.h"

/* --- gaussian: key n --------------------------------------------------------------------------------------- */

static bool first_column(const struct wl_warp *w, unsigned l) {
  return w->y[l] == 0;
}

static bool in_problem(const struct wl_warp *w, unsigned l) {
  return w->x[l] < w->plan->nx && w->y[l] < w->plan->ny;
}

/* Fan1 computes the multipliers of column t, with one thread per row below t. */
static void fan1(struct wl_plan *p, int64_t n, int64_t t, int a, int m) {
  const struct wl_at below = AT(.c = n * (t + 1) + t, .x = n);
  wl_grid(p, "gaussian.fan1", (uint32_t)n, 1, 512, 1);
  p->nx = (uint32_t)(n - 1 - t);
  code_position(p, 4);
  rod_if(p, in_problem);
  code_chain(p, WL_ALU, 6, R_INDEX, WL_R(R_POS));
  wl_load(p, R_A, R_INDEX, a, below);
  wl_load(p, R_B, R_INDEX, a, AT(.c = n * t + t));
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_store(p, WL_R(R_ACC), R_INDEX, m, below);
  wl_end(p);
}

/* Fan2 subtracts row t, times the multiplier, from the rows below. x is the row, y the column. The lanes of
 * a warp are neighbours in x. */
static void fan2(struct wl_plan *p, int64_t n, int64_t t, int a, int b, int m) {
  const struct wl_at multiplier = AT(.c = n * (1 + t) + t, .x = n),
                     own = AT(.c = n * (1 + t) + t, .x = n, .y = 1);
  wl_grid(p, "gaussian.fan2", (uint32_t)n, (uint32_t)n, 4, 4);
  p->nx = (uint32_t)(n - 1 - t);
  p->ny = (uint32_t)(n - t);
  code_position(p, 6);
  rod_if(p, in_problem);
  code_chain(p, WL_ALU, 18, R_INDEX, WL_R(R_POS));
  wl_load(p, R_A, R_INDEX, m, multiplier);
  wl_load(p, R_B, R_INDEX, a, AT(.c = n * t + t, .y = 1));
  wl_load(p, R_C, R_INDEX, a, own);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_C));
  wl_store(p, WL_R(R_ACC), R_INDEX, a, own);
  rod_if(p, first_column);
  wl_load(p, R_A, R_INDEX, m, multiplier);
  wl_load(p, R_B, R_INDEX, b, AT(.c = t));
  wl_load(p, R_C, R_INDEX, b, AT(.c = 1 + t, .x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_C));
  wl_store(p, WL_R(R_ACC), R_INDEX, b, AT(.c = 1 + t, .x = 1));
  wl_end(p);
  wl_end(p);
}

bool rod_gaussian(struct wl_plan *p, uint32_t launch) {
  const int64_t n = (int64_t)p->key[0], t = launch / 2;
  const int a = wl_array(p, "a", (uint64_t)(n * n), WORD), b = wl_array(p, "b", (uint64_t)n, WORD),
            m = wl_array(p, "m", (uint64_t)(n * n), WORD);
  if (t >= n - 1)
    return false;
  if (launch % 2 == 0)
    fan1(p, n, t, a, m);
  else
    fan2(p, n, t, a, b, m);
  return true;
}

/* --- lud: key n -------------------------------------------------------------------------------------------- */

/* Tiles in shared memory: DIA, the diagonal tile; for the perimeter also ROW and COL, the tiles in its row
 * and in its column. */
enum {
  DIA = 0,
  ROW = TILE * TILE,
  COL = 2 * TILE * TILE,
  DIA_WORDS = TILE * TILE,
  PERI_WORDS = 3 * TILE * TILE
};
/* The internal kernel has only the two tiles of the perimeter. */
enum { INT_COL = TILE * TILE, INT_WORDS = 2 * TILE * TILE };

static uint32_t inner_goes_on(const struct wl_warp *w) {
  return w->k[1] < w->k[0] ? UINT32_MAX : 0;
}

static uint32_t inner_goes_up_to(const struct wl_warp *w) {
  return w->k[1] <= w->k[0] ? UINT32_MAX : 0;
}

static bool below_pivot(const struct wl_warp *w, unsigned l) {
  return w->tx[l] > w->k[0];
}

/* The lower half of the perimeter's warp works on the row's tile, the upper half on the column's tile. */
static bool row_half(const struct wl_warp *w, unsigned l) {
  return w->tx[l] < TILE;
}

static bool col_half(const struct wl_warp *w, unsigned l) {
  return w->tx[l] >= TILE;
}

/* result -= a * b over the inner counter, which `lanes` bounds. The sum stays in a register, but is stored
 * every time, since it may be one of the next operands. */
static void inner_product(struct wl_plan *p, struct rod_shared s, wl_lanes_fn lanes, struct wl_at result,
                          struct wl_at a, struct wl_at b) {
  rod_read(p, s, R_ACC, result);
  wl_inst(p, WL_ALU, R_INNER, 0);
  wl_loop_while(p, lanes);
  rod_read(p, s, R_A, a);
  rod_read(p, s, R_B, b);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  rod_write(p, s, R_ACC, result);
  rod_next(p, R_INNER);
}

/* Then the quotient of that result and `b`. */
static void divide(struct wl_plan *p, struct rod_shared s, struct wl_at result, struct wl_at b) {
  rod_read(p, s, R_B, b);
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC) | WL_R(R_B));
  rod_write(p, s, R_ACC, result);
}

/* Loads rows first .. last-1 of a tile, one row per iteration: from element `at` of m, row 0, to `to` in
 * shared memory. */
static void take_rows(struct wl_plan *p, struct rod_shared s, int m, int64_t n, uint32_t first, uint32_t last,
                      struct wl_at at, struct wl_at to) {
  at.c += n * first;
  at.k[0] = n;
  to.c += TILE * first;
  to.k[0] = TILE;
  rod_loop(p, R_INDEX, last - first);
  wl_load(p, R_A, R_INDEX, m, at);
  rod_write(p, s, R_A, to);
  rod_next(p, R_INDEX);
}

static void give_rows(struct wl_plan *p, struct rod_shared s, int m, int64_t n, uint32_t first,
                      struct wl_at at, struct wl_at from) {
  at.c += n * first;
  at.k[0] = n;
  from.c += TILE * first;
  from.k[0] = TILE;
  rod_loop(p, R_INDEX, TILE - first);
  rod_read(p, s, R_A, from);
  wl_store(p, WL_R(R_A), R_INDEX, m, at);
  rod_next(p, R_INDEX);
}

/* Works on the tile at (o, o), with 16 threads. */
static void diagonal(struct wl_plan *p, bool unshared, int64_t n, int64_t o, int m) {
  const struct wl_at own = AT(.c = o * n + o, .x = 1), column = AT(.t = {1});
  wl_grid_of(p, "lud.diagonal", DIM(1, 1, 1), DIM(TILE, 1, 1));
  const struct rod_shared s = rod_shared(p, DIA_WORDS, unshared);
  code_position(p, 4);
  take_rows(p, s, m, n, 0, TILE, own, column);
  code_barrier(p);
  rod_loop(p, R_INDEX, TILE - 1);
  rod_if(p, below_pivot);
  inner_product(p, s, inner_goes_on, AT(.t = {TILE}, .k = {1}), AT(.t = {TILE}, .k = {0, 1}),
                AT(.k = {1, TILE}));
  divide(p, s, AT(.t = {TILE}, .k = {1}), AT(.k = {TILE + 1}));
  wl_end(p);
  code_barrier(p);
  rod_if(p, below_pivot);
  inner_product(p, s, inner_goes_up_to, AT(.c = TILE, .t = {1}, .k = {TILE}), AT(.c = TILE, .k = {TILE, 1}),
                AT(.t = {1}, .k = {0, TILE}));
  wl_end(p);
  code_barrier(p);
  rod_next(p, R_INDEX);
  give_rows(p, s, m, n, 1, own, column);
}

/* Works on the tiles right of the diagonal tile and below it. A CTA of 32 threads has one of each: half a
 * warp per tile. */
static void perimeter(struct wl_plan *p, bool unshared, int64_t n, int64_t o, int m) {
  const struct wl_at dia = AT(.c = o * n + o, .t = {1}), to_dia = AT(.c = DIA, .t = {1}),
                     row = AT(.c = o * n + o + TILE, .b = {TILE}, .t = {1}), to_row = AT(.c = ROW, .t = {1}),
                     /* the upper half's lanes count from TILE on */
      dia_up = AT(.c = o * n + o - TILE, .t = {1}), to_dia_up = AT(.c = DIA - TILE, .t = {1}),
                     col = AT(.c = (o + TILE) * n + o - TILE, .b = {TILE * n}, .t = {1}),
                     to_col = AT(.c = COL - TILE, .t = {1});
  const int64_t own_col =
      COL - TILE * TILE; /* the row of an upper lane in the column's tile, less lane*TILE */
  wl_grid_of(p, "lud.perimeter", DIM((uint32_t)((n - o) / TILE - 1), 1, 1), DIM(2 * TILE, 1, 1));
  const struct rod_shared s = rod_shared(p, PERI_WORDS, unshared);
  code_position(p, 4);
  rod_if(p, row_half);
  take_rows(p, s, m, n, 0, TILE / 2, dia, to_dia);
  take_rows(p, s, m, n, 0, TILE, row, to_row);
  wl_end(p);
  rod_if(p, col_half);
  take_rows(p, s, m, n, TILE / 2, TILE, dia_up, to_dia_up);
  take_rows(p, s, m, n, 0, TILE, col, to_col);
  wl_end(p);
  code_barrier(p);
  rod_if(p, row_half);
  rod_loop(p, R_INDEX, TILE - 1); /* from row 1 on */
  inner_product(p, s, inner_goes_up_to, AT(.c = ROW + TILE, .t = {1}, .k = {TILE}),
                AT(.c = DIA + TILE, .k = {TILE, 1}), AT(.c = ROW, .t = {1}, .k = {0, TILE}));
  rod_next(p, R_INDEX);
  wl_end(p);
  rod_if(p, col_half);
  rod_loop(p, R_INDEX, TILE);
  inner_product(p, s, inner_goes_on, AT(.c = own_col, .t = {TILE}, .k = {1}),
                AT(.c = own_col, .t = {TILE}, .k = {0, 1}), AT(.c = DIA, .k = {1, TILE}));
  divide(p, s, AT(.c = own_col, .t = {TILE}, .k = {1}), AT(.c = DIA, .k = {TILE + 1}));
  rod_next(p, R_INDEX);
  wl_end(p);
  code_barrier(p);
  rod_if(p, row_half);
  give_rows(p, s, m, n, 1, row, to_row);
  wl_end(p);
  rod_if(p, col_half);
  give_rows(p, s, m, n, 0, col, to_col);
  wl_end(p);
}

/* The tiles right of and below the diagonal tile, one per CTA: subtracts the product of the column's and
 * the row's tile. */
static void internal(struct wl_plan *p, bool unshared, int64_t n, int64_t o, int m) {
  const struct wl_at row = AT(.c = o * n + o + TILE, .x = 1, .t = {0, n}),
                     col = AT(.c = (o + TILE) * n + o, .y = n, .t = {1}),
                     own = AT(.c = (o + TILE) * n + o + TILE, .x = 1, .y = n);
  const uint32_t tiles = (uint32_t)((n - o) / TILE - 1);
  wl_grid_of(p, "lud.internal", DIM(tiles, tiles, 1), DIM(TILE, TILE, 1));
  const struct rod_shared s = rod_shared(p, INT_WORDS, unshared);
  code_position(p, 12);
  wl_load(p, R_A, R_POS, m, row);
  rod_write(p, s, R_A, AT(.t = {1, TILE}));
  wl_load(p, R_B, R_POS, m, col);
  rod_write(p, s, R_B, AT(.c = INT_COL, .t = {1, TILE}));
  code_barrier(p);
  wl_inst(p, WL_ALU, R_ACC, 0);
  rod_loop(p, R_INDEX, TILE);
  rod_read(p, s, R_A, AT(.c = INT_COL, .t = {0, TILE}, .k = {1}));
  rod_read(p, s, R_B, AT(.t = {1}, .k = {TILE}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B) | WL_R(R_ACC));
  rod_next(p, R_INDEX);
  wl_load(p, R_A, R_POS, m, own);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_POS, m, own);
}

static bool lud(struct wl_plan *p, uint32_t launch, bool unshared) {
  const uint32_t tiles = ((uint32_t)p->key[0] - 1) / TILE + 1, step = launch / 3, kernel = launch % 3;
  const int64_t n = (int64_t)tiles * TILE, o = (int64_t)step * TILE;
  const int m = wl_array(p, "m", (uint64_t)(n * n), WORD);
  if (step >= tiles || (step == tiles - 1 && kernel > 0)) /* nothing is right of the last tile */
    return false;
  if (kernel == 0)
    diagonal(p, unshared, n, o, m);
  else if (kernel == 1)
    perimeter(p, unshared, n, o, m);
  else
    internal(p, unshared, n, o, m);
  return true;
}

bool rod_lud(struct wl_plan *p, uint32_t launch) {
  return lud(p, launch, false);
}

bool rod_lud_u(struct wl_plan *p, uint32_t launch) {
  return lud(p, launch, true);
}
