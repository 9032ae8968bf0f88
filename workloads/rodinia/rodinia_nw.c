/* Rodinia: nw, the Needleman-Wunsch alignment. It goes tile by tile along the diagonals, with half a warp
 * per tile. See rodinia.h. Key n.
 *
 * The matrix has one column and one row more than its tiles cover, so its rows are not aligned.
 */
#include "workloads/rodinia/rodinia.h"

/* In shared memory: the tile with the row above it and the column left of it, and the tile of the
 * reference. */
enum { SIDE = TILE + 1, TEMP = 0, REF = SIDE * SIDE, NW_WORDS = SIDE * SIDE + TILE * TILE };

static bool first_lane(const struct wl_warp *w, unsigned l) {
  return w->tx[l] == 0;
}

/* The wavefront through a tile. Iteration k on the way down has lanes 0 to k, on the way up lanes 0 to 14 -
 * k. */
static bool down(const struct wl_warp *w, unsigned l) {
  return w->tx[l] <= w->k[0];
}

static bool up(const struct wl_warp *w, unsigned l) {
  return w->tx[l] + w->k[0] <= TILE - 2;
}

/* Computes a cell of the wavefront from its three neighbours. `at` is the place (y, x) in the tile with its
 * borders, plus the terms of the lane and the iteration. */
static void cell(struct wl_plan *p, struct rod_shared s, struct wl_at at, struct wl_at ref) {
  struct wl_at corner = at, left = at, above = at;
  corner.c -= SIDE + 1;
  left.c -= 1;
  above.c -= SIDE;
  code_chain(p, WL_ALU, 4, R_D, WL_R(R_INDEX) | WL_R(R_POS));
  rod_read(p, s, R_LOADED, corner);
  rod_read(p, s, R_LOADED + 1, ref);
  rod_read(p, s, R_LOADED + 2, left);
  rod_read(p, s, R_LOADED + 3, above);
  wl_inst(p, WL_ALU, R_A, WL_R(R_LOADED) | WL_R(R_LOADED + 1));
  wl_inst(p, WL_ALU, R_B, WL_R(R_LOADED + 2));
  wl_inst(p, WL_ALU, R_C, WL_R(R_LOADED + 3));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_C));
  rod_write(p, s, R_ACC, at);
}

static void take_corner(struct wl_plan *p, struct rod_shared s, int matrix, int64_t base, int64_t step) {
  rod_if(p, first_lane);
  wl_load(p, R_A, R_POS, matrix, AT(.c = base, .b = {step}));
  rod_write(p, s, R_A, AT(.c = TEMP));
  wl_end(p);
}

static bool nw(struct wl_plan *p, uint32_t launch, bool unshared) {
  const uint32_t tiles = ((uint32_t)p->key[0] - 1) / TILE + 1;
  const int64_t cols = (int64_t)tiles * TILE + 1;
  const int ref = wl_array(p, "ref", (uint64_t)(cols * cols), WORD),
            matrix = wl_array(p, "matrix", (uint64_t)(cols * cols), WORD);
  if (launch >= 2 * tiles - 1)
    return false;
  const bool second = launch >= tiles; /* past the longest diagonal */
  const int64_t x = second ? launch + 1 - tiles : 0, y = second ? tiles - 1 : launch; /* the tile of CTA 0 */
  const int64_t base = cols * TILE * y + TILE * x, step = TILE - cols * TILE;
  const struct wl_at tile = AT(.c = base + cols + 1, .b = {step}, .t = {1}, .k = {cols}),
                     own = AT(.c = TEMP + SIDE + 1, .t = {1}, .k = {SIDE});
  wl_grid_of(p, second ? "nw.needle2" : "nw.needle1", DIM(second ? 2 * tiles - 1 - launch : launch + 1, 1, 1),
             DIM(TILE, 1, 1));
  const struct rod_shared s = rod_shared(p, NW_WORDS, unshared);
  code_position(p, 12);
  if (!second)
    take_corner(p, s, matrix, base, step);
  rod_loop(p, R_INDEX, TILE);
  wl_load(p, R_A, R_INDEX, ref, tile);
  rod_write(p, s, R_A, AT(.c = REF, .t = {1}, .k = {TILE}));
  rod_next(p, R_INDEX);
  code_barrier(p);
  if (second)
    take_corner(p, s, matrix, base, step);
  wl_load(p, R_A, R_POS, matrix, AT(.c = base + cols, .b = {step}, .t = {cols}));
  rod_write(p, s, R_A, AT(.c = TEMP + SIDE, .t = {SIDE}));
  code_barrier(p);
  wl_load(p, R_A, R_POS, matrix, AT(.c = base + 1, .b = {step}, .t = {1}));
  rod_write(p, s, R_A, AT(.c = TEMP + 1, .t = {1}));
  code_barrier(p);
  rod_loop(p, R_INDEX, TILE);
  rod_if(p, down);
  cell(p, s, AT(.c = TEMP + SIDE + 1, .t = {1 - SIDE}, .k = {SIDE}),
       AT(.c = REF, .t = {1 - TILE}, .k = {TILE}));
  wl_end(p);
  code_barrier(p);
  rod_next(p, R_INDEX);
  rod_loop(p, R_INDEX, TILE - 1);
  rod_if(p, up);
  cell(p, s, AT(.c = TEMP + SIDE * TILE + 2, .t = {1 - SIDE}, .k = {1}),
       AT(.c = REF + TILE * (TILE - 1) + 1, .t = {1 - TILE}, .k = {1}));
  wl_end(p);
  code_barrier(p);
  rod_next(p, R_INDEX);
  rod_loop(p, R_INDEX, TILE);
  rod_read(p, s, R_A, own);
  wl_store(p, WL_R(R_A), R_INDEX, matrix, tile);
  rod_next(p, R_INDEX);
  return true;
}

bool rod_nw(struct wl_plan *p, uint32_t launch) {
  return nw(p, launch, false);
}

bool rod_nw_u(struct wl_plan *p, uint32_t launch) {
  return nw(p, launch, true);
}
