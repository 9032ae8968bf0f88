/* Parboil: stencil, a seven-point stencil on a grid of nx * ny * nz points, x fastest. Three variants: one
 * point per thread (naive); two columns per thread, with the plane in shared memory (coarsen); one column
 * per thread (fermi).
 */
#include "workloads/parboil/parboil.h"

enum { KEY_NX, KEY_NY, KEY_NZ, KEY_STEPS, KEY_VARIANT };
enum { FP = 8, INTEGERS = 9 };

/* The arrays of this time step, and the size of a row and of a plane in elements. */
struct grid {
  int from, to;
  int64_t row, plane;
};

static bool not_first(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] > 0;
}

/* CTA (bx, by) has the points of row y = bx + 1 of plane z = by + 1, except the last point; it does nothing
 * for the first. */
static void naive(struct wl_plan *p, struct grid g) {
  const int64_t order[7] = {g.plane, -g.plane, g.row, -g.row, 1, -1, 0}, centre = g.plane + g.row;
  uint64_t loaded = 0;
  wl_grid_of(p, "stencil.naive", DIM((uint32_t)p->key[KEY_NY] - 2, (uint32_t)p->key[KEY_NZ] - 2),
             DIM((uint32_t)p->key[KEY_NX] - 1));
  code_position(p, 4);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, not_first);
  code_chain(p, WL_ALU, INTEGERS, R_INDEX, WL_R(R_POS));
  for (int i = 0; i < 7; i++) {
    wl_load(p, R_LOADED + i, R_INDEX, g.from, AT(.c = centre + order[i], .t = {1}, .b = {g.row, g.plane}));
    loaded |= WL_R(R_LOADED + i);
  }
  wl_store(p, code_math(p, FP, loaded), R_INDEX, g.to, AT(.c = centre, .t = {1}, .b = {g.row, g.plane}));
  wl_end(p);
}

static bool interior(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] > 0 && w->x[lane] + 1 < w->plan->key[KEY_NX] && w->y[lane] > 0 &&
         w->y[lane] + 1 < w->plan->key[KEY_NY];
}

/* A thread goes up its column of points, and keeps the point below and its own point in registers. */
static void fermi(struct wl_plan *p, struct grid g) {
  const int64_t order[5] = {g.plane, g.row, -g.row, 1, -1};
  const struct wl_at own = AT(.x = 1, .y = g.row, .k = {g.plane});
  wl_grid(p, "stencil.fermi", (uint32_t)p->key[KEY_NX], (uint32_t)p->key[KEY_NY], 512, 2);
  code_position(p, 2);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, interior);
  wl_load(p, R_A, R_POS, g.from, own);
  wl_load(p, R_B, R_POS, g.from, AT(.c = g.plane, .x = 1, .y = g.row));
  code_loop(p, R_INDEX, (uint32_t)p->key[KEY_NZ] - 2);
  code_chain(p, WL_ALU, INTEGERS - 1, R_INNER, WL_R(R_INDEX));
  uint64_t loaded = WL_R(R_A) | WL_R(R_B);
  for (int i = 0; i < 5; i++) {
    struct wl_at at = own;
    at.c = g.plane + order[i];
    wl_load(p, R_LOADED + i, R_INNER, g.from, at);
    loaded |= WL_R(R_LOADED + i);
  }
  wl_store(p, code_math(p, FP, loaded), R_INNER, g.to, AT(.c = g.plane, .x = 1, .y = g.row, .k = {g.plane}));
  code_next(p, R_INDEX);
  wl_end(p);
}

/* coarsen: a CTA of 32 x 4 threads has 64 x 4 columns; a thread has i = 64*bx + tx and i + 32. The suffix
 * _0 or _1 of a function says which of the two columns it is for. */
enum { COARSE_X = 32, COARSE_Y = 4, COARSE_ROW = 2 * COARSE_X };

static uint32_t column(const struct wl_warp *w, unsigned lane, uint32_t which) {
  return w->bx * COARSE_ROW + w->tx[lane] + which * COARSE_X;
}

static bool inside(const struct wl_warp *w, unsigned lane, uint32_t which) {
  return column(w, lane, which) < w->plan->key[KEY_NX] && w->y[lane] < w->plan->key[KEY_NY];
}

static bool works(const struct wl_warp *w, unsigned lane, uint32_t which) {
  const uint32_t i = column(w, lane, which);
  return i > 0 && i + 1 < w->plan->key[KEY_NX] && w->y[lane] > 0 && w->y[lane] + 1 < w->plan->key[KEY_NY];
}

static bool inside_0(const struct wl_warp *w, unsigned lane) {
  return inside(w, lane, 0);
}

static bool inside_1(const struct wl_warp *w, unsigned lane) {
  return inside(w, lane, 1);
}

static bool works_0(const struct wl_warp *w, unsigned lane) {
  return works(w, lane, 0);
}

static bool works_1(const struct wl_warp *w, unsigned lane) {
  return works(w, lane, 1);
}

static bool first_row(const struct wl_warp *w, unsigned lane) {
  return w->ty[lane] == 0;
}

static bool other_rows(const struct wl_warp *w, unsigned lane) {
  return !first_row(w, lane);
}

static bool last_row(const struct wl_warp *w, unsigned lane) {
  return w->ty[lane] == COARSE_Y - 1;
}

static bool rows_before(const struct wl_warp *w, unsigned lane) {
  return !last_row(w, lane);
}

static bool first_column(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] == 0;
}

static bool last_column(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] == COARSE_X - 1;
}

static bool columns_after(const struct wl_warp *w, unsigned lane) {
  return !first_column(w, lane);
}

static bool columns_before(const struct wl_warp *w, unsigned lane) {
  return !last_column(w, lane);
}

/* coarse: the thread's column, `offset` elements from its point in plane k + 1. in_plane: the same in the
 * plane in shared memory. */
static struct wl_at coarse(struct grid g, int which, int64_t offset) {
  return AT(.c = g.plane + which * COARSE_X + offset, .b = {COARSE_ROW}, .t = {1}, .y = g.row,
            .k = {g.plane});
}

static struct wl_at in_plane(int which, int64_t offset) {
  return AT(.c = which * COARSE_X + offset, .t = {1, COARSE_ROW});
}

/* Reads a neighbour in the plane: loads it if it belongs to another CTA, else takes it from shared memory. */
static void neighbour(struct wl_plan *p, struct grid g, int which, int dst, int64_t offset, int64_t in_shared,
                      wl_lane_fn foreign, wl_lane_fn own) {
  code_branch(p, WL_R(R_INNER));
  wl_if_lane(p, foreign);
  wl_load(p, dst, R_INNER, g.from, coarse(g, which, offset));
  wl_end(p);
  wl_if_lane(p, own);
  wl_shared_at(p, dst, WL_R(R_INNER), FLOAT, in_plane(which, in_shared));
  wl_end(p);
}

static void coarse_point(struct wl_plan *p, struct grid g, int which) {
  const int top = which ? R_D : R_B, bottom = which ? R_C : R_A, up = R_LOADED, down = up + 1, side = up + 2;
  const int64_t outward = which ? 1 : -1;
  wl_if_lane(p, which ? inside_1 : inside_0);
  wl_load(p, top, R_INNER, g.from, coarse(g, which, g.plane));
  wl_end(p);
  wl_if_lane(p, which ? works_1 : works_0);
  neighbour(p, g, which, up, g.row, COARSE_ROW, last_row, rows_before);
  neighbour(p, g, which, down, -g.row, -COARSE_ROW, first_row, other_rows);
  neighbour(p, g, which, side, outward, outward, which ? last_column : first_column,
            which ? columns_before : columns_after);
  wl_shared_at(p, side + 1, WL_R(R_INNER), FLOAT, in_plane(which, -outward));
  wl_shared_at(p, side + 2, WL_R(R_INNER), FLOAT, in_plane(which, 0));
  const uint64_t loaded = WL_R(top) | WL_R(bottom) | UINT64_C(31) << R_LOADED;
  wl_store(p, code_math(p, FP, loaded), R_INNER, g.to, coarse(g, which, 0));
  wl_end(p);
}

static void coarsen(struct wl_plan *p, struct grid g) {
  wl_grid_of(p, "stencil.coarsen",
             DIM((uint32_t)(p->key[KEY_NX] + COARSE_ROW - 1) / COARSE_ROW,
                 (uint32_t)(p->key[KEY_NY] + COARSE_Y - 1) / COARSE_Y),
             DIM(COARSE_X, COARSE_Y));
  wl_holds(p, COARSE_ROW * COARSE_Y * FLOAT, 0);
  code_position(p, 4);
  code_chain(p, WL_ALU, INTEGERS, R_INDEX, WL_R(R_POS));
  for (int r = R_ACC; r <= R_D; r++) /* registers that an `if` may leave unset */
    wl_inst(p, WL_ALU, r, 0);
  for (int which = 0; which < 2; which++)
    wl_shared_at(p, WL_NO_REG, WL_R(R_ACC), FLOAT, in_plane(which, 0));
  code_barrier(p);
  for (int which = 0; which < 2; which++) {
    wl_if_lane(p, which ? inside_1 : inside_0);
    wl_load(p, which ? R_C : R_A, R_INDEX, g.from, coarse(g, which, -g.plane));
    wl_load(p, R_LOADED, R_INDEX, g.from, coarse(g, which, 0));
    wl_shared_at(p, WL_NO_REG, WL_R(R_LOADED), FLOAT, in_plane(which, 0));
    wl_end(p);
  }
  code_barrier(p);
  code_loop(p, R_INNER, (uint32_t)p->key[KEY_NZ] - 2);
  coarse_point(p, g, 0);
  coarse_point(p, g, 1);
  code_barrier(p);
  for (int which = 0; which < 2; which++) {
    wl_shared_at(p, which ? R_C : R_A, WL_R(R_POS), FLOAT, in_plane(which, 0));
    wl_shared_at(p, WL_NO_REG, WL_R(which ? R_D : R_B), FLOAT, in_plane(which, 0));
  }
  code_barrier(p);
  code_next(p, R_INNER);
}

bool parboil_stencil(struct wl_plan *p, uint32_t launch) {
  const uint64_t points = p->key[KEY_NX] * p->key[KEY_NY] * p->key[KEY_NZ];
  const int a0 = wl_array(p, "A0", points, FLOAT), anext = wl_array(p, "Anext", points, FLOAT);
  const bool odd = launch % 2;
  const struct grid g = {.from = odd ? anext : a0,
                         .to = odd ? a0 : anext,
                         .row = (int64_t)p->key[KEY_NX],
                         .plane = (int64_t)(p->key[KEY_NX] * p->key[KEY_NY])};
  if (p->key[KEY_VARIANT] == 0)
    naive(p, g);
  else if (p->key[KEY_VARIANT] == 1)
    coarsen(p, g);
  else
    fermi(p, g);
  return launch < p->key[KEY_STEPS];
}
