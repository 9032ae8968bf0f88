/* Parboil: mri-gridding spreads samples of k-space onto a grid. Each sample finds its cell (binning). The
 * samples are sorted by cell, four bits per pass, and moved into that order. The cells' counts are summed.
 * Then every CTA of 8 x 4 x 8 points walks over the rows of cells around it (gridding).
 *
 * binning counts samples with atomics. The count that it reads first is the one before the launch, 0. The
 * samples of a cell are counted in their order.
 */
#include "workloads/parboil/parboil_gridding.h"
#include "workloads/plan/prefix_sum.h"

enum { BIN_BLOCK = 512, SORT_BLOCK = 256, SCAN_BLOCK = 512, SAMPLE_WORDS = 6 };
enum { TILE_X = 8, TILE_Y = 4, TILE_Z = 8, POINTS = 4, THREADS = 64, BELOW = 3, ABOVE = 2 };
enum { CUTOFF2 = GRIDDING_CELL * GRIDDING_CELL * 25 / 4, SAMPLE_FP = 8, TEST_FP = 2, WEIGHT_FP = 24 };

struct arrays {
  int samples, count, start, data, loc, grid, density;
  int key[2], value[2]; /* the two buffers of the passes */
  int histogram, offsets;
  struct prefix_sum of_digits, of_cells;
};

static const struct gridding *gridding(const struct wl_warp *w) {
  return w->plan->data;
}

static int64_t own_cell(const struct wl_warp *w, unsigned lane) {
  return gridding(w)->cell[w->x[lane]];
}

static bool is_over(const struct wl_warp *w, unsigned lane) {
  return gridding(w)->over[w->x[lane]];
}

static void binning(struct wl_plan *p, const struct arrays *a) {
  wl_grid(p, "mrigridding.binning", ((const struct gridding *)p->data)->samples, 1, BIN_BLOCK, 1);
  code_position(p, 2);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  wl_inst(p, WL_CONST, R_B, 0); /* size of the grid */
  for (int i = 0; i < 3; i++)
    wl_load(p, R_LOADED + i, R_POS, a->samples, AT(.c = 2 + i, .x = SAMPLE_WORDS));
  code_chain(p, WL_ALU, 6, R_INDEX, WL_R(R_B) | UINT64_C(7) << R_LOADED);
  wl_access(p, WL_LOAD, R_A, WL_R(R_INDEX), a->count, own_cell);
  code_branch(p, WL_R(R_A));
  wl_access(p, WL_ATOMIC, R_A, WL_R(R_INDEX), a->count, own_cell);
  code_branch(p, WL_R(R_A));
  wl_if_lane(p, is_over);
  wl_access(p, WL_ATOMIC, WL_NO_REG, WL_R(R_INDEX), a->count, own_cell);
  wl_end(p);
  wl_store(p, WL_R(R_INDEX), R_POS, a->key[0], AT(.x = 1));
  wl_store(p, WL_R(R_POS), R_POS, a->value[0], AT(.x = 1));
  wl_end(p);
}

/* In the sort, a thread has elements 4x .. 4x + 3, and moves one after the other: element 4x + k[0]. */
static uint32_t element(const struct wl_warp *w, unsigned lane) {
  return 4 * w->x[lane] + w->k[0];
}

static int64_t in_tile(const struct wl_warp *w, unsigned lane) {
  return (int64_t)w->bx * GRIDDING_TILE + gridding(w)->in_tile[element(w, lane)];
}

static int64_t in_shared(const struct wl_warp *w, unsigned lane) {
  return gridding(w)->in_tile[element(w, lane)];
}

static int64_t moved(const struct wl_warp *w, unsigned lane) {
  return gridding(w)->to[element(w, lane)];
}

/* Keys and values are words, but four are loaded at a time. */
static void four(const struct wl_warp *w, int array, uint64_t addr[WL_LANES]) {
  for (unsigned l = 0; l < WL_LANES; l++)
    addr[l] = w->plan->array[array].base + 16 * (uint64_t)w->x[l];
}

/* One function for each buffer: the array numbers follow from `build`, which lays these arrays out first,
 * see struct arrays. */
static void four_keys_0(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  four(w, 0, addr);
}

static void four_keys_1(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  four(w, 1, addr);
}

static void four_values_0(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  four(w, 2, addr);
}

static void four_values_1(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  four(w, 3, addr);
}

static bool has_digit(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] < GRIDDING_DIGITS;
}

/* The head of both sort launches: loads four keys and four values. */
static void sort_begin(struct wl_plan *p, const char *name, int from) {
  wl_grid_of(p, name, DIM(((const struct gridding *)p->data)->padded / GRIDDING_TILE), DIM(SORT_BLOCK));
  wl_holds(p, GRIDDING_TILE * 4 + 2 * GRIDDING_DIGITS * 4, 0);
  code_position(p, 3);
  wl_scatter(p, WL_LOAD, R_A, WL_R(R_POS), 16, from ? four_keys_1 : four_keys_0);
  wl_scatter(p, WL_LOAD, R_B, WL_R(R_POS), 16, from ? four_values_1 : four_values_0);
}

static void move(struct wl_plan *p, int keys, int values, wl_elem_fn place) {
  wl_loop(p, 4);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_C));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_A) | WL_R(R_INDEX), keys, place);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_B) | WL_R(R_INDEX), values, place);
  wl_end(p);
}

/* The counts of a digit are `tiles` words after those of the digit before. */
static struct wl_at digit(const struct wl_plan *p) {
  return AT(.b = {1}, .t = {p->launch.grid[0]});
}

/* Sorts each tile by the digit: bit by bit, with a scan over the CTA for each bit. Then counts the digits. */
static void split_sort(struct wl_plan *p, const struct arrays *a, int from) {
  sort_begin(p, "mrigridding.split_sort", from);
  wl_loop(p, GRIDDING_DIGIT_BITS);
  code_chain(p, WL_ALU, 8, R_C, WL_R(R_A));
  wl_shared_at(p, WL_NO_REG, WL_R(R_C), 4, AT(.t = {1}));
  for (int step = 1; step < SORT_BLOCK; step *= 2) {
    code_barrier(p);
    wl_shared_at(p, R_D, WL_R(R_POS), 4, AT(.t = {1}));
    wl_inst(p, WL_ALU, R_C, WL_R(R_C) | WL_R(R_D));
    code_barrier(p);
    wl_shared_at(p, WL_NO_REG, WL_R(R_C), 4, AT(.t = {1}));
  }
  code_chain(p, WL_ALU, 8, R_C, WL_R(R_C));
  code_barrier(p);
  wl_end(p);
  wl_loop(p, 4); /* moves to the sorted place, for the counts of the digits */
  wl_shared(p, WL_NO_REG, WL_R(R_A) | WL_R(R_C), 4, in_shared);
  wl_end(p);
  code_barrier(p);
  move(p, a->key[from], a->value[from], in_tile);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, has_digit);
  wl_shared_at(p, R_D, WL_R(R_POS), 4, AT(.t = {1}));
  wl_store(p, WL_R(R_D), R_POS, a->histogram, digit(p));
  wl_end(p);
}

/* Moves the elements of all tiles with equal digits together. */
static void split_rearrange(struct wl_plan *p, const struct arrays *a, int from) {
  sort_begin(p, "mrigridding.split_rearrange", from);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, has_digit);
  wl_load(p, R_D, R_POS, a->offsets, digit(p));
  wl_shared_at(p, WL_NO_REG, WL_R(R_D), 4, AT(.t = {1}));
  wl_end(p);
  code_barrier(p);
  code_chain(p, WL_ALU, 8, R_C, WL_R(R_A));
  move(p, a->key[!from], a->value[!from], moved);
}

/* Moves the samples, one by one, into the order of the sorted values. */
static int64_t sample_word(const struct wl_warp *w, unsigned lane) {
  return (int64_t)gridding(w)->value[w->x[lane]] * SAMPLE_WORDS + w->k[0];
}

static void reorder(struct wl_plan *p, const struct arrays *a, int from) {
  wl_grid(p, "mrigridding.reorder", ((const struct gridding *)p->data)->samples, 1, BIN_BLOCK, 1);
  code_position(p, 2);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  wl_load(p, R_A, R_POS, a->value[from], AT(.x = 1));
  wl_inst(p, WL_ALU, R_A, WL_R(R_A));
  wl_loop(p, SAMPLE_WORDS);
  wl_access(p, WL_LOAD, R_B, WL_R(R_A), a->samples, sample_word);
  wl_end(p);
  wl_store(p, WL_R(R_B), R_POS, a->data, AT(.x = 1));
  wl_store(p, WL_R(R_B), R_POS, a->loc, AT(.x = 1));
  wl_end(p);
}

/* gridding: the CTA's first point; the rows of cells go from `low` to `high` in each dimension. */
static uint32_t origin(const struct wl_warp *w, int dim) {
  const uint32_t across = gridding(w)->side / TILE_Y;
  return dim == 0 ? w->bx * TILE_X : dim == 1 ? w->by % across * TILE_Y : w->by / across * TILE_Z;
}

static uint32_t low(const struct wl_warp *w, int dim) {
  const uint32_t at = origin(w, dim);
  return at < BELOW ? 0 : at - BELOW;
}

static uint32_t high(const struct wl_warp *w, int dim) {
  static const uint32_t edge[3] = {TILE_X, TILE_Y, TILE_Z};
  const uint32_t at = origin(w, dim) + edge[dim] + ABOVE, last = gridding(w)->side - 1;
  return at < last ? at : last;
}

/* Returns cell x of row (low z + k[0], low y + k[1]). */
static uint32_t cell(const struct wl_warp *w, uint32_t x) {
  const uint32_t side = gridding(w)->side;
  return ((low(w, 2) + w->k[0]) * side + low(w, 1) + w->k[1]) * side + x;
}

static int64_t row_begins(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return cell(w, low(w, 0));
}

static int64_t row_ends(const struct wl_warp *w, unsigned lane) {
  (void)lane;
  return cell(w, high(w, 0) + 1);
}

static uint32_t another_plane(const struct wl_warp *w) {
  return low(w, 2) + w->k[0] <= high(w, 2) ? UINT32_MAX : 0;
}

static uint32_t another_row(const struct wl_warp *w) {
  return low(w, 1) + w->k[1] <= high(w, 1) ? UINT32_MAX : 0;
}

/* Returns sample `i` of batch k[2] of the row, in sorted order. */
static uint32_t sample(const struct wl_warp *w, uint32_t i) {
  return gridding(w)->first[row_begins(w, 0)] + THREADS * w->k[2] + i;
}

static bool in_row(const struct wl_warp *w, uint32_t i) {
  return sample(w, i) < gridding(w)->first[row_ends(w, 0)];
}

static uint32_t another_batch(const struct wl_warp *w) {
  return in_row(w, 0) ? UINT32_MAX : 0;
}

static bool has_sample(const struct wl_warp *w, unsigned lane) {
  return in_row(w, code_thread(w, lane));
}

static int64_t own_sample(const struct wl_warp *w, unsigned lane) {
  return sample(w, code_thread(w, lane));
}

static int64_t in_batch(const struct wl_warp *w, unsigned lane) {
  return code_thread(w, lane);
}

static uint32_t another_sample(const struct wl_warp *w) {
  return w->k[3] < THREADS && in_row(w, w->k[3]) ? UINT32_MAX : 0;
}

/* Returns the lanes whose point k[4] is near sample k[3] of the batch. A thread's points are two planes
 * apart. */
static uint32_t near(const struct wl_warp *w) {
  const struct gridding *g = gridding(w);
  const uint16_t *at = g->at[g->order[sample(w, w->k[3])]];
  const uint32_t x = origin(w, 0), y = origin(w, 1), z = origin(w, 2) + 2 * w->k[4];
  uint32_t lanes = 0;
  for (unsigned l = 0; l < WL_LANES; l++) {
    const int64_t dx = (int64_t)at[0] - (int64_t)(x + w->tx[l]) * GRIDDING_CELL,
                  dy = (int64_t)at[1] - (int64_t)(y + w->ty[l]) * GRIDDING_CELL,
                  dz = (int64_t)at[2] - (int64_t)(z + w->tz[l]) * GRIDDING_CELL;
    lanes |= (uint32_t)(dx * dx + dy * dy + dz * dz < CUTOFF2) << l;
  }
  return lanes;
}

static int64_t own_point(const struct wl_warp *w, unsigned lane) {
  const int64_t side = gridding(w)->side;
  return ((origin(w, 2) + w->tz[lane] + 2 * w->k[0]) * side + origin(w, 1) + w->ty[lane]) * side + w->x[lane];
}

static void spread(struct wl_plan *p, const struct arrays *a) {
  const uint32_t side = ((const struct gridding *)p->data)->side;
  wl_grid_of(p, "mrigridding", DIM(side / TILE_X, side / TILE_Y * (side / TILE_Z)), DIM(TILE_X, TILE_Y, 2));
  wl_holds(p, SAMPLE_WORDS * THREADS * 4, 0);
  code_position(p, 12);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop_while(p, another_plane);
  wl_loop_while(p, another_row);
  code_chain(p, WL_ALU, 3, R_INDEX, WL_R(R_POS));
  wl_access(p, WL_LOAD, R_A, WL_R(R_INDEX), a->start, row_begins);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), a->start, row_ends);
  code_branch(p, WL_R(R_A) | WL_R(R_B));
  wl_loop_while(p, another_batch);
  code_barrier(p);
  code_branch(p, WL_R(R_A) | WL_R(R_B));
  wl_if_lane(p, has_sample);
  wl_access(p, WL_LOAD, R_C, WL_R(R_A), a->data, own_sample);
  wl_access(p, WL_LOAD, R_D, WL_R(R_A), a->loc, own_sample);
  for (int word = 0; word < SAMPLE_WORDS; word++)
    wl_shared(p, WL_NO_REG, WL_R(word < 2 ? R_C : R_D), 4, in_batch);
  wl_end(p);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_POS));
  wl_loop_while(p, another_sample);
  for (int word = 0; word < SAMPLE_WORDS; word++)
    wl_shared_at(p, R_LOADED + word, WL_R(R_INNER), 4, AT(.c = word * THREADS, .k = {0, 0, 0, 1}));
  const uint64_t away = code_math(p, SAMPLE_FP, UINT64_C(63) << R_LOADED);
  wl_loop(p, POINTS);
  code_chain(p, WL_ALU, TEST_FP, R_C, away);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_C));
  wl_if(p, near);
  code_chain(p, WL_SFU, 2, R_D, WL_R(R_C));
  code_chain(p, WL_ALU, WEIGHT_FP, R_D, WL_R(R_D));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC) | WL_R(R_D));
  wl_end(p);
  wl_end(p);
  code_next(p, R_INNER);
  wl_end(p);
  wl_end(p);
  wl_end(p);
  wl_loop(p, POINTS);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_ACC) | WL_R(R_POS), a->grid, own_point);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_ACC) | WL_R(R_POS), a->density, own_point);
  wl_end(p);
}

bool parboil_gridding(struct wl_plan *p, uint32_t launch) {
  struct gridding *g = p->data;
  const uint32_t tiles = g->padded / GRIDDING_TILE;
  struct arrays a = {.key = {wl_array(p, "key0", g->padded, 4), wl_array(p, "key1", g->padded, 4)}};
  for (int i = 0; i < 2; i++)
    a.value[i] = wl_array(p, i ? "value1" : "value0", g->padded, 4);
  a.samples = wl_array(p, "samples", (uint64_t)g->samples * SAMPLE_WORDS, 4);
  a.count = wl_array(p, "binCount", (uint64_t)g->cells + 1, 4);
  a.start = wl_array(p, "binStart", (uint64_t)g->cells + 1, 4);
  a.data = wl_array(p, "data", g->samples, 8);
  a.loc = wl_array(p, "loc", g->samples, 16);
  a.grid = wl_array(p, "gridData", g->cells, 8);
  a.density = wl_array(p, "density", g->cells, 4);
  a.histogram = wl_array(p, "histo", (uint64_t)tiles * GRIDDING_DIGITS, 4);
  a.offsets = wl_array(p, "offsets", (uint64_t)tiles * GRIDDING_DIGITS, 4);
  a.of_digits = prefix_sum(p, tiles * GRIDDING_DIGITS, SCAN_BLOCK);
  a.of_cells = prefix_sum(p, g->cells + 1, SCAN_BLOCK);
  const uint32_t digit_sums = prefix_sum_launches(&a.of_digits), each = 2 + digit_sums,
                 cell_sums = prefix_sum_launches(&a.of_cells), sorted = 1 + g->passes * each;
  if (launch == 0) {
    binning(p, &a);
  } else if (launch < sorted) {
    const uint32_t pass = (launch - 1) / each, step = (launch - 1) % each;
    const int from = pass % 2;
    gridding_sort_to(g, pass);
    if (step == 0)
      split_sort(p, &a, from);
    else if (step <= digit_sums)
      prefix_sum_launch(p, &a.of_digits, step - 1, a.histogram, a.offsets);
    else
      split_rearrange(p, &a, from);
  } else if (launch == sorted) {
    gridding_sort_to(g, g->passes);
    reorder(p, &a, g->passes % 2);
  } else if (launch <= sorted + cell_sums) {
    prefix_sum_launch(p, &a.of_cells, launch - sorted - 1, a.count, a.start);
  } else {
    spread(p, &a);
  }
  return launch < sorted + cell_sums + 2;
}
