/* Rodinia: hotspot and pathfinder. A CTA loads its tile with a border into shared memory and computes some
 * time steps on it. Each step leaves out one more ring, so the tiles of a launch overlap. See rodinia.h.
 *
 * A launch computes `height` steps, the last launch the remaining ones. The border is always `height` wide.
 * But the distance of the tiles fits a border of the launch's own number of steps. The sources do the same.
 */
#include "workloads/rodinia/rodinia.h"

/* Returns the steps of a launch when `done` of `all` steps have been done. */
static uint32_t steps(uint32_t all, uint32_t done, uint32_t height) {
  return all - done < height ? all - done : height;
}

/* The position of a thread along one axis. */
struct place {
  uint32_t t, block; /* threadIdx, blockDim */
  int64_t at, n;     /* in the domain if 0 <= at < n */
};

static bool inside(struct place a) {
  return a.at >= 0 && a.at < a.n;
}

/* True if the thread computes in step s. */
static bool computes(struct place a, uint32_t s) {
  return a.t > s && a.t + s + 2 <= a.block && inside(a);
}

/* Returns the thread one to the `side`, or the thread itself at the border of the domain. */
static uint32_t beside(struct place a, int side) {
  return inside((struct place){.at = a.at + side, .n = a.n}) ? a.t + (uint32_t)side : a.t;
}

/* The end of a step. The step's result is at `now` of the CTA's area. If another step follows, the computed
 * words are copied to their place in `tile`. After the last step they are stored at `point` of `array`. */
struct step_end {
  wl_lane_fn computes, computed_last;
  wl_lanes_fn goes_on;
  struct wl_at now, tile;
  int array;
  struct wl_at point;
};
static void end_step(struct wl_plan *p, struct rod_shared shared, const struct step_end *e) {
  rod_if_warp(p, e->goes_on);
  rod_if(p, e->computes);
  rod_read(p, shared, R_A, e->now);
  rod_write(p, shared, R_A, e->tile);
  wl_end(p);
  code_barrier(p);
  wl_end(p);
  rod_next(p, R_INDEX);
  rod_if(p, e->computed_last);
  rod_read(p, shared, R_A, e->now);
  wl_store(p, WL_R(R_A), R_POS, e->array, e->point);
  wl_end(p);
}

/* --- hotspot: keys n, height, steps ------------------------------------------------------------------------ */

enum { TEMP = 0, POWER = TILE * TILE, RESULT = 2 * TILE * TILE, HOT_WORDS = 3 * TILE * TILE };

static uint32_t hot_steps(const struct wl_plan *p) {
  const uint32_t height = (uint32_t)p->key[1];
  return steps((uint32_t)p->key[2], p->number * height, height);
}

static struct place hot_place(const struct wl_plan *p, uint32_t b, uint32_t t) {
  const int64_t apart = TILE - 2 * hot_steps(p);
  return (struct place){t, TILE, apart * b - (int64_t)p->key[1] + t, (int64_t)p->key[0]};
}

static struct place hot_x(const struct wl_warp *w, unsigned l) {
  return hot_place(w->plan, w->bx, w->tx[l]);
}

static struct place hot_y(const struct wl_warp *w, unsigned l) {
  return hot_place(w->plan, w->by, w->ty[l]);
}

static bool hot_inside(const struct wl_warp *w, unsigned l) {
  return inside(hot_x(w, l)) && inside(hot_y(w, l));
}

static bool hot_computes_in(const struct wl_warp *w, unsigned l, uint32_t s) {
  return computes(hot_x(w, l), s) && computes(hot_y(w, l), s);
}

static bool hot_computes(const struct wl_warp *w, unsigned l) {
  return hot_computes_in(w, l, w->k[0]);
}

static bool hot_computed_last(const struct wl_warp *w, unsigned l) {
  return hot_computes_in(w, l, hot_steps(w->plan) - 1);
}

static uint32_t hot_goes_on(const struct wl_warp *w) {
  return w->k[0] + 1 < hot_steps(w->plan) ? UINT32_MAX : 0;
}

static int64_t hot_temp(const struct wl_warp *w, uint32_t ty, uint32_t tx) {
  return rod_area(w, HOT_WORDS) + TEMP + ty * TILE + tx;
}

static int64_t hot_south(const struct wl_warp *w, unsigned l) {
  return hot_temp(w, beside(hot_y(w, l), 1), w->tx[l]);
}

static int64_t hot_north(const struct wl_warp *w, unsigned l) {
  return hot_temp(w, beside(hot_y(w, l), -1), w->tx[l]);
}

static int64_t hot_east(const struct wl_warp *w, unsigned l) {
  return hot_temp(w, w->ty[l], beside(hot_x(w, l), 1));
}

static int64_t hot_west(const struct wl_warp *w, unsigned l) {
  return hot_temp(w, w->ty[l], beside(hot_x(w, l), -1));
}

static bool hotspot(struct wl_plan *p, uint32_t launch, bool unshared) {
  static const wl_elem_fn neighbour[] = {hot_south, hot_north, hot_east, hot_west};
  enum { READS = 6, FLOPS = 17 };
  const int64_t n = (int64_t)p->key[0], height = (int64_t)p->key[1];
  const uint32_t tiles = (uint32_t)((n - 1) / (TILE - 2 * height) + 1);
  const int temp[2] = {wl_array(p, "temp0", (uint64_t)(n * n), WORD),
                       wl_array(p, "temp1", (uint64_t)(n * n), WORD)},
            power = wl_array(p, "power", (uint64_t)(n * n), WORD);
  if (launch * p->key[1] >= p->key[2])
    return false;
  const int64_t apart = TILE - 2 * hot_steps(p);
  const struct wl_at point = AT(.c = -height * (n + 1), .b = {apart, n * apart}, .t = {1, n}),
                     own = AT(.c = TEMP, .t = {1, TILE}), own_power = AT(.c = POWER, .t = {1, TILE}),
                     own_result = AT(.c = RESULT, .t = {1, TILE});
  wl_grid_of(p, "hotspot", DIM(tiles, tiles, 1), DIM(TILE, TILE, 1));
  const struct rod_shared shared = rod_shared(p, HOT_WORDS, unshared);
  code_position(p, 24);
  code_chain(p, WL_SFU, 4, R_C, 0); /* the step's constants */
  rod_if(p, hot_inside);
  wl_load(p, R_A, R_POS, temp[launch % 2], point);
  rod_write(p, shared, R_A, own);
  wl_load(p, R_B, R_POS, power, point);
  rod_write(p, shared, R_B, own_power);
  wl_end(p);
  code_barrier(p);
  rod_loop(p, R_INDEX, hot_steps(p));
  rod_if(p, hot_computes);
  rod_read(p, shared, R_LOADED, own);
  rod_read(p, shared, R_LOADED + 1, own_power);
  for (int i = 2; i < READS; i++)
    rod_read_by(p, shared, R_LOADED + i, neighbour[i - 2]);
  for (int i = 0; i < FLOPS; i++)
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED + i % READS) | (i ? WL_R(R_ACC) : WL_R(R_C)));
  rod_write(p, shared, R_ACC, own_result);
  wl_end(p);
  code_barrier(p);
  end_step(p, shared,
           &(struct step_end){hot_computes, hot_computed_last, hot_goes_on, own_result, own,
                              temp[1 - launch % 2], point});
  return true;
}

bool rod_hotspot(struct wl_plan *p, uint32_t launch) {
  return hotspot(p, launch, false);
}

bool rod_hotspot_u(struct wl_plan *p, uint32_t launch) {
  return hotspot(p, launch, true);
}

/* --- pathfinder: keys cols, rows, height ------------------------------------------------------------------- */

enum { PATH_BLOCK = 256, PREV = 0, NOW = PATH_BLOCK, PATH_WORDS = 2 * PATH_BLOCK };

static uint32_t path_steps(const struct wl_plan *p) {
  const uint32_t height = (uint32_t)p->key[2];
  return steps((uint32_t)p->key[1] - 1, p->number * height, height);
}

static struct place path_x(const struct wl_warp *w, unsigned l) {
  const struct wl_plan *p = w->plan;
  const int64_t apart = PATH_BLOCK - 2 * path_steps(p);
  return (struct place){w->tx[l], PATH_BLOCK, apart * w->bx - (int64_t)p->key[2] + w->tx[l],
                        (int64_t)p->key[0]};
}

static bool path_inside(const struct wl_warp *w, unsigned l) {
  return inside(path_x(w, l));
}

static bool path_computes(const struct wl_warp *w, unsigned l) {
  return computes(path_x(w, l), w->k[0]);
}

static bool path_computed_last(const struct wl_warp *w, unsigned l) {
  return computes(path_x(w, l), path_steps(w->plan) - 1);
}

static uint32_t path_goes_on(const struct wl_warp *w) {
  return w->k[0] + 1 < path_steps(w->plan) ? UINT32_MAX : 0;
}

static int64_t path_west(const struct wl_warp *w, unsigned l) {
  return rod_area(w, PATH_WORDS) + PREV + beside(path_x(w, l), -1);
}

static int64_t path_east(const struct wl_warp *w, unsigned l) {
  return rod_area(w, PATH_WORDS) + PREV + beside(path_x(w, l), 1);
}

static bool pathfinder(struct wl_plan *p, uint32_t launch, bool unshared) {
  const int64_t cols = (int64_t)p->key[0], rows = (int64_t)p->key[1], height = (int64_t)p->key[2];
  const uint32_t tiles = (uint32_t)((cols - 1) / (PATH_BLOCK - 2 * height) + 1);
  const int wall = wl_array(p, "wall", (uint64_t)((rows - 1) * cols), WORD),
            result[2] = {wl_array(p, "result0", (uint64_t)cols, WORD),
                         wl_array(p, "result1", (uint64_t)cols, WORD)};
  const int64_t done = launch * height;
  if (done >= rows - 1)
    return false;
  const int64_t apart = PATH_BLOCK - 2 * path_steps(p);
  const struct wl_at column = AT(.c = -height, .b = {apart}, .t = {1}), prev = AT(.c = PREV, .t = {1}),
                     now = AT(.c = NOW, .t = {1});
  wl_grid_of(p, "pathfinder", DIM(tiles, 1, 1), DIM(PATH_BLOCK, 1, 1));
  const struct rod_shared shared = rod_shared(p, PATH_WORDS, unshared);
  code_position(p, 16);
  rod_if(p, path_inside);
  wl_load(p, R_A, R_POS, result[launch % 2], column);
  rod_write(p, shared, R_A, prev);
  wl_end(p);
  code_barrier(p);
  rod_loop(p, R_INDEX, path_steps(p));
  rod_if(p, path_computes);
  rod_read_by(p, shared, R_LOADED, path_west);
  rod_read(p, shared, R_LOADED + 1, prev);
  rod_read_by(p, shared, R_LOADED + 2, path_east);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED) | WL_R(R_LOADED + 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_LOADED + 2));
  code_chain(p, WL_ALU, 5, R_B, WL_R(R_INDEX) | WL_R(R_POS));
  wl_load(p, R_A, R_B, wall, AT(.c = done * cols - height, .b = {apart}, .t = {1}, .k = {cols}));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_A));
  rod_write(p, shared, R_ACC, now);
  wl_end(p);
  code_barrier(p);
  end_step(p, shared,
           &(struct step_end){path_computes, path_computed_last, path_goes_on, now, prev,
                              result[1 - launch % 2], column});
  return true;
}

bool rod_pathfinder(struct wl_plan *p, uint32_t launch) {
  return pathfinder(p, launch, false);
}

bool rod_pathfinder_u(struct wl_plan *p, uint32_t launch) {
  return pathfinder(p, launch, true);
}
