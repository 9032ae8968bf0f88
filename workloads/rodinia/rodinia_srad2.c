/* Rodinia: srad_v2, with one thread per point and 16 x 16 threads per tile. A tile and its border are read
 * from shared memory. See rodinia.h. Keys rows, cols, iters; rows and columns are rounded up to whole
 * tiles.
 *
 * The CTAs at the border read a row before the image, a row past it, and a row past the coefficients. Then
 * they use the value of the border instead. The arrays have room for these reads.
 */
#include "workloads/rodinia/rodinia.h"

enum { POINTS = TILE * TILE, LAST = TILE - 1 };

static bool top_cta(const struct wl_warp *w, unsigned l) {
  (void)l;
  return w->by == 0;
}

static bool bottom_cta(const struct wl_warp *w, unsigned l) {
  (void)l;
  return w->by == w->plan->launch.grid[1] - 1;
}

/* A CTA at both borders counts as the top one, which comes first in the source's order. */
static bool lower_cta(const struct wl_warp *w, unsigned l) {
  return bottom_cta(w, l) && !top_cta(w, l);
}

static bool left_cta(const struct wl_warp *w, unsigned l) {
  (void)l;
  return w->bx == 0;
}

static bool right_cta(const struct wl_warp *w, unsigned l) {
  (void)l;
  return w->bx == w->plan->launch.grid[0] - 1;
}

static bool righter_cta(const struct wl_warp *w, unsigned l) {
  return right_cta(w, l) && !left_cta(w, l);
}

/* Returns the border of the tile that the lane is at, along one axis: -1, 0 (none) or 1. */
static int border(uint32_t t) {
  return t == 0 ? -1 : t == LAST;
}

#define PLACE(name, vertical, horizontal)                                                                    \
  static bool name(const struct wl_warp *w, unsigned l) {                                                    \
    return border(w->ty[l]) == (vertical) && border(w->tx[l]) == (horizontal);                               \
  }
PLACE(at_nw, -1, -1)
PLACE(at_ne, -1, 1)
PLACE(at_se, 1, 1)
PLACE(at_sw, 1, -1)
PLACE(at_n, -1, 0)
PLACE(at_e, 0, 1)
PLACE(at_s, 1, 0)
PLACE(at_w, 0, -1)
PLACE(at_none, 0, 0)
#undef PLACE

static bool last_both(const struct wl_warp *w, unsigned l) {
  return w->tx[l] == LAST && w->ty[l] == LAST;
}

static bool last_column(const struct wl_warp *w, unsigned l) {
  return w->tx[l] == LAST && w->ty[l] != LAST;
}

static bool last_row(const struct wl_warp *w, unsigned l) {
  return w->tx[l] != LAST && w->ty[l] == LAST;
}

static bool last_neither(const struct wl_warp *w, unsigned l) {
  return w->tx[l] != LAST && w->ty[l] != LAST;
}

/* The thread's word of the tile that begins at word `c`, plus `away` words. */
static struct wl_at tile(int64_t c, int64_t away) {
  return AT(.c = c + away, .t = {1, TILE});
}

struct image {
  int64_t cols;
  int64_t first;       /* element of j where the image begins */
  int64_t down, right; /* from CTA 0's elements to those of the last CTA in its column; in its row */
  int j, c, e, w, s, n;
};

/* Loads elements of a global array into the shared tile at `to`. take_at_border: only for the CTAs at a
 * border, which replace them. */
static void take(struct wl_plan *p, struct rod_shared s, int array, struct wl_at from, int64_t to) {
  wl_load(p, R_A, R_POS, array, from);
  rod_write(p, s, R_A, tile(to, 0));
}

static void take_at_border(struct wl_plan *p, struct rod_shared s, wl_lane_fn lane, int array,
                           struct wl_at from, int64_t to) {
  rod_if(p, lane);
  take(p, s, array, from, to);
  wl_end(p);
}

/* Computes the derivatives and the coefficient. */
static void srad_cuda_1(struct wl_plan *p, const struct image *g, bool unshared) {
  enum {
    TEMP,
    RESULT = POINTS,
    NORTH = 2 * POINTS,
    SOUTH = 3 * POINTS,
    EAST = 4 * POINTS,
    WEST = 5 * POINTS
  };
  enum { WORDS = 6 * POINTS, CENTRE = R_LOADED, SLOPE };
  static const struct {
    int vertical, horizontal;
    wl_lane_fn lanes;
  } place[] = {{-1, -1, at_nw}, {-1, 1, at_ne}, {1, 1, at_se}, {1, -1, at_sw}, {-1, 0, at_n},
               {0, 1, at_e},    {1, 0, at_s},   {0, -1, at_w}, {0, 0, at_none}};
  const int64_t cols = g->cols, first = g->first;
  const struct rod_shared s = rod_shared(p, WORDS, unshared);
  code_position(p, 24);
  take(p, s, g->j, AT(.c = first - cols, .x = 1, .b = {0, TILE * cols}), NORTH);
  take(p, s, g->j, AT(.c = first + TILE * cols, .x = 1, .b = {0, TILE * cols}), SOUTH);
  take_at_border(p, s, top_cta, g->j, AT(.c = first, .x = 1), NORTH);
  take_at_border(p, s, lower_cta, g->j, AT(.c = first + g->down + LAST * cols, .x = 1), SOUTH);
  code_barrier(p);
  take(p, s, g->j, AT(.c = first - 1, .y = cols, .b = {TILE}), WEST);
  take(p, s, g->j, AT(.c = first + TILE, .y = cols, .b = {TILE}), EAST);
  take_at_border(p, s, left_cta, g->j, AT(.c = first, .y = cols), WEST);
  take_at_border(p, s, righter_cta, g->j, AT(.c = first + g->right + LAST, .y = cols), EAST);
  code_barrier(p);
  take(p, s, g->j, AT(.c = first, .x = 1, .y = cols), TEMP);
  code_barrier(p);
  rod_read(p, s, CENTRE, tile(TEMP, 0));
  for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
    const int v = place[i].vertical, h = place[i].horizontal;
    const struct wl_at side[4] = {
        v < 0 ? tile(NORTH, 0) : tile(TEMP, -TILE), v > 0 ? tile(SOUTH, 0) : tile(TEMP, TILE),
        h < 0 ? tile(WEST, 0) : tile(TEMP, -1), h > 0 ? tile(EAST, 0) : tile(TEMP, 1)};
    rod_if(p, place[i].lanes);
    for (int d = 0; d < 4; d++)
      rod_read(p, s, SLOPE + d, side[d]);
    for (int d = 0; d < 4; d++)
      wl_inst(p, WL_ALU, SLOPE + d, WL_R(SLOPE + d) | WL_R(CENTRE));
    wl_end(p);
  }
  uint64_t slopes = 0;
  for (int d = 0; d < 4; d++)
    slopes |= WL_R(SLOPE + d);
  code_chain(p, WL_SFU, 2, R_C, WL_R(CENTRE));
  const uint64_t sums = code_math(p, 35, slopes | WL_R(R_C));
  code_chain(p, WL_SFU, 3, R_C, sums);
  rod_write(p, s, R_C, tile(RESULT, 0));
  code_barrier(p);
  rod_read(p, s, R_A, tile(RESULT, 0));
  const struct wl_at own = AT(.x = 1, .y = cols);
  wl_store(p, WL_R(R_A), R_POS, g->c, own);
  wl_store(p, WL_R(SLOPE + 3), R_POS, g->e, own);
  wl_store(p, WL_R(SLOPE + 2), R_POS, g->w, own);
  wl_store(p, WL_R(SLOPE + 1), R_POS, g->s, own);
  wl_store(p, WL_R(SLOPE), R_POS, g->n, own);
}

/* Computes the new value. */
static void srad_cuda_2(struct wl_plan *p, const struct image *g, bool unshared) {
  enum {
    TEMP,
    RESULT = POINTS,
    C_TEMP = 2 * POINTS,
    SOUTH = 3 * POINTS,
    EAST = 4 * POINTS,
    WORDS = 5 * POINTS
  };
  static const struct {
    bool down, right; /* the south, or east, neighbour is in another tile */
    wl_lane_fn lanes;
  } place[] = {{true, true, last_both},
               {false, true, last_column},
               {true, false, last_row},
               {false, false, last_neither}};
  enum { SIDES = 4, SOUTH_C = R_LOADED, EAST_C, DERIVATIVE };
  const int64_t cols = g->cols;
  const struct wl_at own = AT(.x = 1, .y = cols), own_j = AT(.c = g->first, .x = 1, .y = cols);
  const int derivative[SIDES] = {g->n, g->s, g->w, g->e};
  const struct rod_shared s = rod_shared(p, WORDS, unshared);
  code_position(p, 24);
  take(p, s, g->j, own_j, TEMP);
  code_barrier(p);
  take(p, s, g->c, AT(.c = TILE * cols, .x = 1, .b = {0, TILE * cols}), SOUTH);
  take_at_border(p, s, bottom_cta, g->c, AT(.c = g->down + LAST * cols, .x = 1), SOUTH);
  code_barrier(p);
  take(p, s, g->c, AT(.c = TILE, .y = cols, .b = {TILE}), EAST);
  take_at_border(p, s, right_cta, g->c, AT(.c = g->right + LAST, .y = cols), EAST);
  code_barrier(p);
  take(p, s, g->c, own, C_TEMP);
  code_barrier(p);
  rod_read(p, s, R_C, tile(C_TEMP, 0));
  for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
    rod_if(p, place[i].lanes);
    rod_read(p, s, SOUTH_C, place[i].down ? tile(SOUTH, 0) : tile(C_TEMP, TILE));
    rod_read(p, s, EAST_C, place[i].right ? tile(EAST, 0) : tile(C_TEMP, 1));
    wl_end(p);
  }
  for (int d = 0; d < SIDES; d++)
    wl_load(p, DERIVATIVE + d, R_POS, derivative[d], own);
  for (int d = 0; d < SIDES; d++) {
    static const int c[SIDES] = {R_C, SOUTH_C, R_C, EAST_C};
    wl_inst(p, WL_ALU, R_ACC, WL_R(DERIVATIVE + d) | WL_R(c[d]) | (d ? WL_R(R_ACC) : 0));
  }
  rod_read(p, s, R_A, tile(TEMP, 0));
  code_chain(p, WL_ALU, 6, R_ACC, WL_R(R_ACC) | WL_R(R_A));
  rod_write(p, s, R_ACC, tile(RESULT, 0));
  code_barrier(p);
  rod_read(p, s, R_A, tile(RESULT, 0));
  wl_store(p, WL_R(R_A), R_POS, g->j, own_j);
}

static bool srad2(struct wl_plan *p, uint32_t launch, bool unshared) {
  const uint32_t down = ((uint32_t)p->key[0] - 1) / TILE + 1, right = ((uint32_t)p->key[1] - 1) / TILE + 1;
  const int64_t cols = (int64_t)right * TILE, count = (int64_t)down * TILE * cols;
  const int64_t room =
      (cols * WORD + WL_ALIGN - 1) / WL_ALIGN * WL_ALIGN / WORD; /* keeps the image aligned */
  const uint64_t with_border = (uint64_t)(count + 2 * room), all = (uint64_t)count;
  const struct image g = {.cols = cols,
                          .first = room,
                          .down = (int64_t)(down - 1) * TILE * cols,
                          .right = (int64_t)(right - 1) * TILE,
                          .j = wl_array(p, "J", with_border, WORD),
                          .c = wl_array(p, "C", all + (uint64_t)room, WORD),
                          .e = wl_array(p, "E", all, WORD),
                          .w = wl_array(p, "W", all, WORD),
                          .s = wl_array(p, "S", all, WORD),
                          .n = wl_array(p, "N", all, WORD)};
  wl_grid_of(p, launch % 2 ? "srad2.k2" : "srad2.k1", DIM(right, down, 1), DIM(TILE, TILE, 1));
  if (launch % 2 == 0)
    srad_cuda_1(p, &g, unshared);
  else
    srad_cuda_2(p, &g, unshared);
  return launch < 2 * p->key[2];
}

bool rod_srad2(struct wl_plan *p, uint32_t launch) {
  return srad2(p, launch, false);
}

bool rod_srad_u(struct wl_plan *p, uint32_t launch) {
  return srad2(p, launch, true);
}
