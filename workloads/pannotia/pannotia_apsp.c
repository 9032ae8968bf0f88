/* Pannotia's Floyd-Warshall: fw, with one thread per element and one launch per intermediate node; and
 * fw_block, in tiles of 16 x 16.
 *
 * Invariant: for fw, dist is the matrix before the launch that was built last. The row and column of an
 * intermediate node do not change in its own launch. In fw_block, no address or branch depends on values.
 */
#include "workloads/graph/graph_kernel.h"
#include "workloads/pannotia/pannotia.h"

#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16, FAR = 9999, WEIGHTS = 100, N_MAX = 8192 };

/* The keys. */
enum { KEY_N, KEY_SEED, KEY_BLOCKED };

struct apsp {
  uint32_t n;
  int32_t *dist; /* for fw only */
};

void pn_apsp_release(void *data) {
  struct apsp *a = data;
  free(a->dist);
  free(a);
}

/* Like the suite's inputs: a quarter as many edges as elements. Each node has equally many, to random
 * nodes, with weight 0 to 99. */
static void make_up(struct apsp *a, uint64_t seed) {
  struct wl_rng rng = {wl_rng_mix(seed, UINT64_C(0xA9))};
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t edges = a->n / 4; edges > 0; edges--) {
      const uint32_t j = wl_rng_below(&rng, a->n);
      a->dist[(size_t)i * a->n + j] = (int32_t)wl_rng_below(&rng, WEIGHTS);
    }
}

/* Takes the edges of the file. If several edges join the same nodes, the last one counts. */
static void take_over(struct apsp *a, const struct wl_graph *g) {
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++)
      a->dist[(size_t)v * a->n + g->col[i]] = (int32_t)g->weight[i];
}

/* Fills the matrix of fw. */
static bool fill(struct apsp *a, const struct wl_plan *p, const struct wl_graph *g) {
  if (p->key[KEY_BLOCKED])
    return true;
  a->dist = malloc(sizeof *a->dist * a->n * a->n);
  if (!a->dist)
    return false;
  for (size_t e = 0; e < (size_t)a->n * a->n; e++)
    a->dist[e] = FAR;
  if (p->file)
    take_over(a, g);
  else
    make_up(a, p->key[KEY_SEED]);
  for (size_t v = 0; v < a->n; v++)
    a->dist[v * a->n + v] = 0;
  return true;
}

bool pn_apsp_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct wl_graph g = {.n = (uint32_t)p->key[KEY_N]};
  if (p->file && !wl_graph_get(&g, p->file, WL_GRAPH_RODINIA, 0, 0, err, errlen))
    return false;
  struct apsp *a = calloc(1, sizeof *a);
  bool ok = g.n <= N_MAX && g.n % TILE == 0;
  if (!ok) {
    snprintf(err, errlen, "%s: %u nodes; allowed: a multiple of %d up to %d", p->file ? p->file : "apsp", g.n,
             TILE, N_MAX);
  } else {
    ok = a && (a->n = g.n) && fill(a, p, &g);
    if (!ok)
      snprintf(err, errlen, "out of memory");
  }
  wl_graph_free(&g);
  p->data = ok ? a : NULL;
  if (!ok && a)
    pn_apsp_release(a);
  return ok;
}

/* Does the stores of the threads of launch k. */
static void relax(struct apsp *a, uint32_t k) {
  for (size_t i = 0; i < a->n; i++)
    for (size_t j = 0; j < a->n; j++) {
      const int32_t through = a->dist[i * a->n + k] + a->dist[(size_t)k * a->n + j];
      if (through < a->dist[i * a->n + j])
        a->dist[i * a->n + j] = through;
    }
}

/* fw's intermediate node. Node 0 never is one: a mistake of the source. */
static uint32_t between(const struct wl_plan *p) {
  return p->number + 1;
}

static bool is_shorter(const struct wl_warp *w, unsigned lane) {
  const struct apsp *a = w->plan->data;
  const size_t i = w->x[lane], j = w->y[lane], k = between(w->plan);
  return a->dist[i * a->n + k] + a->dist[k * a->n + j] < a->dist[i * a->n + j];
}

static bool fw(struct wl_plan *p, uint32_t launch) {
  struct apsp *a = p->data;
  const uint32_t n = a->n;
  const int64_t k = between(p);
  const int dist = wl_array(p, "dist", (uint64_t)n * n, 4), next = wl_array(p, "next", (uint64_t)n * n, 4);
  const struct wl_at own = AT(.x = n, .y = 1);
  if (k >= n)
    return false;
  if (launch > 0)
    relax(a, (uint32_t)k - 1);
  wl_grid(p, "apsp.fw", n, n, TILE, TILE);
  wl_inst(p, WL_ALU, R_POS, 0);
  wl_inst(p, WL_ALU, R_EDGE, 0);
  code_branch(p, WL_R(R_POS) | WL_R(R_EDGE));
  wl_if(p, wl_lanes_inside);
  wl_load(p, R_A, R_POS, dist, AT(.c = k, .x = n));
  wl_load(p, R_B, R_EDGE, dist, AT(.c = k * n, .y = 1));
  wl_inst(p, WL_ALU, R_TO, WL_R(R_POS) | WL_R(R_EDGE));
  wl_load(p, R_C, R_TO, dist, own);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_test(p, WL_R(R_ACC) | WL_R(R_C), is_shorter);
  wl_store(p, WL_R(R_ACC), R_TO, dist, own);
  wl_store(p, 0, R_TO, next, own);
  wl_end(p);
  wl_end(p);
  return true;
}

/* The CTAs that have work: not those of the block iteration's own tile, or of its own row and column of
 * tiles. */
static uint32_t beside_x(const struct wl_warp *w) {
  return w->bx != w->plan->number / 4 ? UINT32_MAX : 0;
}

static uint32_t beside_y(const struct wl_warp *w) {
  return w->by != w->plan->number / 4 ? UINT32_MAX : 0;
}

static uint32_t beside_both(const struct wl_warp *w) {
  return beside_x(w) & beside_y(w);
}

/* The thread's own element of tile number `tile` in shared memory. */
static struct wl_at shared_own(int64_t tile) {
  return AT(.c = tile * TILE * TILE, .t = {1, TILE});
}

/* Tile (column, row), to be loaded into shared memory. A column or row of -1 is that of the CTA. */
static struct wl_at tile_at(int64_t n, int64_t column, int64_t row) {
  return AT(.c = (column < 0 ? 0 : column * TILE) + (row < 0 ? 0 : row * TILE * n),
            .b = {column < 0 ? TILE : 0, row < 0 ? TILE * n : 0}, .t = {1, n});
}

static void load_tile(struct wl_plan *p, int dist, struct wl_at at, int64_t tile) {
  wl_inst(p, WL_ALU, R_TO, WL_R(R_POS) | WL_R(R_EDGE));
  wl_load(p, R_A, R_TO, dist, at);
  wl_shared_at(p, WL_NO_REG, WL_R(R_A) | WL_R(R_POS), 4, shared_own(tile));
  wl_inst(p, WL_BARRIER, WL_NO_REG, 0);
}

/* Sixteen steps of target = min(target, left's column k + above's row k), then the store. */
static void minimise(struct wl_plan *p, int dist, struct wl_at at, int64_t left, int64_t above,
                     int64_t target) {
  wl_loop(p, TILE);
  wl_shared_at(p, R_A, WL_R(R_EDGE), 4, AT(.c = left * TILE * TILE, .k = {1}, .t = {0, TILE}));
  wl_shared_at(p, R_B, WL_R(R_POS), 4, AT(.c = above * TILE * TILE, .k = {TILE}, .t = {1}));
  wl_shared_at(p, R_C, WL_R(R_POS), 4, shared_own(target));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_C));
  wl_shared_at(p, WL_NO_REG, WL_R(R_ACC) | WL_R(R_POS), 4, shared_own(target));
  wl_inst(p, WL_BARRIER, WL_NO_REG, 0);
  wl_end(p);
  wl_shared_at(p, R_C, WL_R(R_POS), 4, shared_own(target));
  wl_store(p, WL_R(R_C), R_TO, dist, at);
}

/* A block iteration: the diagonal tile, the row of tiles, the column of tiles, the other tiles. The first
 * three launches have more CTAs than tiles; the extra CTAs do the same work again. */
static bool fw_block(struct wl_plan *p, uint32_t launch) {
  static const char *const name[] = {"apsp.dia", "apsp.strip_x", "apsp.strip_y", "apsp.remaining"};
  static const wl_lanes_fn works[] = {NULL, beside_x, beside_y, beside_both};
  const struct apsp *a = p->data;
  const int64_t n = a->n, blk = launch / 4;
  const uint32_t tiles = a->n / TILE, kind = launch % 4;
  const int dist = wl_array(p, "dist", (uint64_t)(n * n), 4);
  if (blk >= tiles)
    return false;
  const struct wl_dim grid = {.x = kind % 2 ? tiles : TILE, .y = kind / 2 ? tiles : TILE};
  wl_grid_of(p, name[kind], grid, (struct wl_dim){.x = TILE, .y = TILE});
  const struct wl_at dia = tile_at(n, blk, blk), row = tile_at(n, -1, blk), column = tile_at(n, blk, -1),
                     own = tile_at(n, -1, -1);
  wl_inst(p, WL_ALU, R_POS, 0);
  wl_inst(p, WL_ALU, R_EDGE, 0);
  if (works[kind]) {
    code_branch(p, 0);
    wl_if(p, works[kind]);
  }
  switch (kind) {
  case 0:
    wl_holds(p, 4 * TILE * TILE, 0);
    load_tile(p, dist, dia, 0);
    minimise(p, dist, dia, 0, 0, 0);
    break;
  case 1:
    wl_holds(p, 2 * 4 * TILE * TILE, 0);
    load_tile(p, dist, dia, 0);
    load_tile(p, dist, row, 1);
    minimise(p, dist, row, 0, 1, 1);
    break;
  case 2:
    wl_holds(p, 2 * 4 * TILE * TILE, 0);
    load_tile(p, dist, dia, 0);
    load_tile(p, dist, column, 1);
    minimise(p, dist, column, 1, 0, 1);
    break;
  default:
    wl_holds(p, 3 * 4 * TILE * TILE, 0);
    load_tile(p, dist, column, 0);
    load_tile(p, dist, row, 1);
    load_tile(p, dist, own, 2);
    minimise(p, dist, own, 0, 1, 2);
  }
  if (works[kind])
    wl_end(p);
  return true;
}

bool pn_apsp(struct wl_plan *p, uint32_t launch) {
  return p->key[KEY_BLOCKED] ? fw_block(p, launch) : fw(p, launch);
}
