/* Parboil: histo, a histogram of many more bins than shared memory holds. Most values are in a narrow band.
 * Every iteration looks for the band in a part of the image (prescan) and computes the place of each value
 * (intermediates). It counts the band in shared memory, with one range of bins per row of CTAs (main), and
 * adds up the counts (final).
 *
 * The image is made up: values normal about the middle bin, each the sum of twelve uniform ones. So no
 * value is further from the middle than six deviations, and the ranges cover ten. Hence no value is outside
 * all ranges, and none is so frequent that a CTA's one-byte counter overflows. The code paths for these two
 * cases are left out.
 */
#include "workloads/parboil/parboil.h"
#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_WIDTH, KEY_HEIGHT, KEY_ROWS, KEY_SIGMA, KEY_ITERATIONS, KEY_SEED };
enum {
  BIN_COLUMNS = 256, /* bins are KEY_ROWS * 256 */
  RANGE = 24576,     /* bins in shared memory, one byte each */
  RANGE_WORDS = RANGE / 4,
  PRESCAN_CTAS = 64,
  PRESCAN_BLOCK = 512,
  ROWS_A_CTA = 16, /* rows of the image per CTA, in intermediates */
  MAIN_CTAS = 14,
  MAIN_BLOCK = 768,
  FINAL_CTAS = 42,
  FINAL_BLOCK = 512,
  SPLIT_INTEGERS = 38,
};

struct image {
  uint32_t pitch, pixels; /* pitch: pixels in a row, an even number; pixels: in all rows, with the pitch */
  uint32_t first, ranges; /* the ranges of bins in use */
  uint32_t value[];
};

static uint64_t bins(const struct wl_plan *p) {
  return p->key[KEY_ROWS] * BIN_COLUMNS;
}

bool parboil_histo_prepare(struct wl_plan *p, char *err, size_t errlen) {
  const uint32_t pitch = (uint32_t)(p->key[KEY_WIDTH] + 1) / 2 * 2,
                 pixels = pitch * (uint32_t)p->key[KEY_HEIGHT];
  struct image *m = calloc(1, sizeof *m + pixels * sizeof *m->value);
  if (!m) {
    snprintf(err, errlen, "histo: out of memory");
    return false;
  }
  const int64_t last = (int64_t)bins(p) - 1, mean = (last + 1) / 2, sigma = (int64_t)p->key[KEY_SIGMA];
  struct wl_rng rng = {p->key[KEY_SEED]};
  for (uint32_t i = 0; i < pixels; i++) {
    int64_t sum = 0;
    for (int n = 0; n < 6; n++) {
      const uint64_t bits = wl_rng_next(&rng);
      sum += (int64_t)(bits & UINT32_MAX) + (int64_t)(bits >> 32);
    }
    const int64_t v = mean + ((sum >> 16) - (INT64_C(6) << 16)) * sigma / 65536;
    m->value[i] = (uint32_t)(v < 0 ? 0 : v > last ? last : v);
  }
  const int64_t from = mean - 10 * sigma, to = mean + 10 * sigma;
  m->pitch = pitch;
  m->pixels = pixels;
  m->first = (uint32_t)((from < 0 ? 0 : from) / RANGE);
  m->ranges = (uint32_t)((to > last ? last : to) / RANGE) + 1 - m->first;
  p->data = m;
  return true;
}

void parboil_histo_release(void *data) {
  free(data);
}

static const struct image *image(const struct wl_warp *w) {
  return w->plan->data;
}

static bool first_thread(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] == 0;
}

/* prescan: an eighth of a CTA's share of the image, twice. */
static uint32_t share(const struct wl_plan *p) {
  return ((const struct image *)p->data)->pixels / PRESCAN_CTAS;
}

static bool prescanned(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] + PRESCAN_BLOCK * w->k[0] < share(w->plan) / 8;
}

static bool in_tree(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] < (uint32_t)(PRESCAN_BLOCK / 2) >> w->k[0];
}

static int64_t tree_partner(const struct wl_warp *w, unsigned lane) {
  return w->tx[lane] + ((PRESCAN_BLOCK / 2) >> w->k[0]);
}

static int64_t minimum(const struct wl_warp *w, unsigned lane) {
  (void)w, (void)lane;
  return 0;
}

static int64_t maximum(const struct wl_warp *w, unsigned lane) {
  (void)w, (void)lane;
  return 1;
}

static void prescan(struct wl_plan *p, int input, int minmax) {
  wl_grid_of(p, "histo.prescan", DIM(PRESCAN_CTAS), DIM(PRESCAN_BLOCK));
  wl_holds(p, 2 * PRESCAN_BLOCK * 4, 0);
  code_position(p, 3);
  wl_inst(p, WL_ALU, R_ACC, 0);
  for (int pass = 0; pass < 2; pass++) {
    wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
    wl_while_lane(p, prescanned);
    wl_load(p, R_A, R_INDEX, input, AT(.b = {share(p)}, .t = {1}, .k = {PRESCAN_BLOCK}));
    code_chain(p, WL_ALU, 2, R_ACC, WL_R(R_A) | WL_R(R_ACC));
    code_next(p, R_INDEX);
    wl_shared_at(p, WL_NO_REG, WL_R(R_ACC), 4, AT(.c = pass * PRESCAN_BLOCK, .t = {1}));
  }
  wl_loop(p, (uint32_t)__builtin_ctz(PRESCAN_BLOCK));
  code_barrier(p);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, in_tree);
  wl_shared_at(p, R_A, WL_R(R_POS), 4, AT(.t = {1}));
  wl_shared(p, R_B, WL_R(R_POS), 4, tree_partner);
  code_chain(p, WL_ALU, 2, R_A, WL_R(R_A) | WL_R(R_B));
  wl_shared_at(p, WL_NO_REG, WL_R(R_A), 4, AT(.t = {1}));
  wl_end(p);
  wl_end(p);
  code_barrier(p);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, first_thread);
  wl_shared_at(p, R_A, WL_R(R_POS), 4, AT(.c = 0));
  code_chain(p, WL_SFU, 2, R_A, WL_R(R_A));
  wl_access(p, WL_ATOMIC, WL_NO_REG, WL_R(R_A), minmax, minimum);
  wl_access(p, WL_ATOMIC, WL_NO_REG, WL_R(R_A), minmax, maximum);
  wl_end(p);
}

/* intermediates: a thread has two neighbouring pixels of each of its CTA's rows. */
static uint32_t another_row(const struct wl_warp *w) {
  return w->k[0] < ROWS_A_CTA && w->bx * ROWS_A_CTA + w->k[0] < w->plan->key[KEY_HEIGHT] ? UINT32_MAX : 0;
}

/* The image is the first array. It consists of words, but here pairs of words are read. */
static void pair(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  const uint64_t row = (uint64_t)w->bx * ROWS_A_CTA + w->k[0];
  for (unsigned l = 0; l < WL_LANES; l++)
    addr[l] = w->plan->array[0].base + 8 * (row * (image(w)->pitch / 2) + w->tx[l]);
}

static void intermediates(struct wl_plan *p, int map) {
  const int64_t pitch = ((const struct image *)p->data)->pitch, half = pitch / 2;
  wl_grid_of(p, "histo.intermediates", DIM((uint32_t)(p->key[KEY_HEIGHT] + ROWS_A_CTA - 1) / ROWS_A_CTA),
             DIM((uint32_t)half));
  code_position(p, 4);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop_while(p, another_row);
  wl_scatter(p, WL_LOAD, R_A, WL_R(R_INDEX), 8, pair);
  const uint64_t places = code_math(p, SPLIT_INTEGERS, WL_R(R_A));
  for (int i = 0; i < 2; i++)
    wl_store(p, places | WL_R(R_INDEX), R_INDEX, map,
             AT(.c = i * half, .b = {ROWS_A_CTA * pitch}, .t = {1}, .k = {pitch}));
  code_next(p, R_INDEX);
}

/* main: pixel k[0] of the thread. Row `by` of CTAs counts range first + by. */
static uint32_t pixel(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] + MAIN_CTAS * MAIN_BLOCK * w->k[0];
}

static bool another_pixel(const struct wl_warp *w, unsigned lane) {
  return pixel(w, lane) < image(w)->pixels;
}

/* The map holds, for each row, the places of the even pixels, then those of the odd pixels. */
static uint32_t value(const struct wl_warp *w, unsigned lane) {
  const struct image *m = image(w);
  const uint32_t i = pixel(w, lane), row = i / m->pitch, column = i % m->pitch, half = m->pitch / 2;
  return m->value[row * m->pitch + (column < half ? 2 * column : 2 * (column - half) + 1)];
}

static bool is_in_range(const struct wl_warp *w, unsigned lane) {
  return value(w, lane) / RANGE == image(w)->first + w->by;
}

static int64_t counter(const struct wl_warp *w, unsigned lane) {
  return value(w, lane) % RANGE / 4;
}

static void main_launch(struct wl_plan *p, int map, int subhisto) {
  const struct image *m = p->data;
  const int64_t words = (int64_t)bins(p) / 4;
  const struct wl_at own = AT(.t = {1}, .k = {MAIN_BLOCK});
  wl_grid_of(p, "histo.main", DIM(MAIN_CTAS, m->ranges), DIM(MAIN_BLOCK));
  wl_holds(p, RANGE, 0);
  code_position(p, 4);
  wl_loop(p, RANGE_WORDS / MAIN_BLOCK);
  wl_shared_at(p, WL_NO_REG, WL_R(R_POS), 4, own);
  wl_end(p);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, another_pixel);
  wl_load(p, R_A, R_INDEX, map, AT(.x = 1, .k = {MAIN_CTAS * MAIN_BLOCK}));
  code_chain(p, WL_ALU, 2, R_B, WL_R(R_A));
  code_branch(p, WL_R(R_B));
  wl_if_lane(p, is_in_range);
  code_chain(p, WL_ALU, 2, R_B, WL_R(R_A)); /* an atomic addition in shared memory */
  wl_shared(p, R_C, WL_R(R_B), 4, counter);
  wl_inst(p, WL_ALU, R_C, WL_R(R_C));
  wl_shared(p, WL_NO_REG, WL_R(R_B) | WL_R(R_C), 4, counter);
  code_branch(p, WL_R(R_C)); /* the test for overflow, which does not happen */
  wl_end(p);
  code_next(p, R_INDEX);
  code_barrier(p);
  wl_loop(p, RANGE_WORDS / MAIN_BLOCK);
  wl_shared_at(p, R_A, WL_R(R_POS), 4, own);
  wl_store(p, WL_R(R_A), R_POS, subhisto,
           AT(.c = m->first * (int64_t)RANGE_WORDS, .b = {words, RANGE_WORDS}, .t = {1}, .k = {MAIN_BLOCK}));
  wl_end(p);
}

/* final: word k[0] of the thread, for the words before, in and after the ranges. */
static uint32_t band_begins(const struct wl_plan *p) {
  return ((const struct image *)p->data)->first * RANGE_WORDS;
}

static uint32_t band_ends(const struct wl_plan *p) {
  const struct image *m = p->data;
  const uint64_t end = (uint64_t)(m->first + m->ranges) * RANGE_WORDS, words = bins(p) / 4;
  return (uint32_t)(end < words ? end : words);
}

static bool is_before(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] + w->k[0] * w->plan->nx < band_begins(w->plan);
}

static bool is_in_band(const struct wl_warp *w, unsigned lane) {
  return band_begins(w->plan) + w->x[lane] + w->k[0] * w->plan->nx < band_ends(w->plan);
}

static bool is_after(const struct wl_warp *w, unsigned lane) {
  return band_ends(w->plan) + w->x[lane] + w->k[0] * w->plan->nx < bins(w->plan) / 4;
}

static void outside(struct wl_plan *p, uint32_t from, wl_lane_fn lanes, int histo, int final) {
  const struct wl_at own = AT(.c = from, .x = 1, .k = {p->nx});
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, lanes);
  wl_load(p, R_A, R_INDEX, histo, own);
  wl_store(p, WL_R(R_INDEX), R_INDEX, histo, own); /* zero */
  code_chain(p, WL_ALU, 4, R_A, WL_R(R_A));
  wl_store(p, WL_R(R_A), R_INDEX, final, own);
  code_next(p, R_INDEX);
}

static void final_launch(struct wl_plan *p, int subhisto, int histo, int overflow, int final) {
  wl_grid_of(p, "histo.final", DIM(FINAL_CTAS), DIM(FINAL_BLOCK));
  const int64_t from = band_begins(p), words = (int64_t)bins(p) / 4;
  const struct wl_at own = AT(.c = from, .x = 1, .k = {p->nx});
  code_position(p, 3);
  outside(p, 0, is_before, histo, final);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_while_lane(p, is_in_band);
  wl_load(p, R_ACC, R_INDEX, overflow, own);
  wl_store(p, WL_R(R_INDEX), R_INDEX, overflow, own); /* zero */
  for (int cta = 0; cta < MAIN_CTAS; cta++) {
    struct wl_at at = own;
    at.c += cta * words;
    wl_load(p, R_A, R_INDEX, subhisto, at);
    code_chain(p, WL_ALU, 4, R_ACC, WL_R(R_A) | WL_R(R_ACC)); /* four bytes */
  }
  wl_store(p, WL_R(R_ACC), R_INDEX, final, own);
  code_next(p, R_INDEX);
  outside(p, band_ends(p), is_after, histo, final);
}

bool parboil_histo(struct wl_plan *p, uint32_t launch) {
  const struct image *m = p->data;
  const uint64_t words = bins(p) / 4;
  const int input = wl_array(p, "input", m->pixels, 4), map = wl_array(p, "map", m->pixels, 4),
            minmax = wl_array(p, "minmax", 2, 4),
            subhisto = wl_array(p, "subhisto", MAIN_CTAS * words + RANGE_WORDS, 4),
            histo = wl_array(p, "histo", words, 8), overflow = wl_array(p, "overflow", words, 16),
            final = wl_array(p, "final", words, 4);
  if (launch % 4 == 0)
    prescan(p, input, minmax);
  else if (launch % 4 == 1)
    intermediates(p, map);
  else if (launch % 4 == 2)
    main_launch(p, map, subhisto);
  else
    final_launch(p, subhisto, histo, overflow, final);
  return launch < 4 * p->key[KEY_ITERATIONS];
}
