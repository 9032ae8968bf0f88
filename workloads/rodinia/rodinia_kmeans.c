/* Rodinia: kmeans, and kmn, the same without texture and constant memory. A thread a point. See rodinia.h. Keys points,
 * features, clusters, iters, rows, seed; the user's file, if given, has the points and features.
 *
 * How often the host launches the kernel depends on data: it stops when no point has changed its cluster, at the
 * latest after `iters` launches. So the algorithm is run here, an iteration when the next launch is asked for. Made-up
 * points repeat `rows` rows of uniform numbers, 0 to 255, in order; equal points stay in one cluster, so it is run on
 * the rows, each as heavy as its points.
 */
#include "base/grow.h"
#include "workloads/graph/number_file.h"
#include "workloads/rng.h"
#include "workloads/rodinia/rodinia.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_POINTS, KEY_FEATURES, KEY_CLUSTERS, KEY_ITERS, KEY_ROWS, KEY_SEED };
enum { BLOCK = 256, MAX_POINTS = 1 << 20, MAX_FEATURES = 64 };

struct kmeans {
  uint32_t points, features, clusters, iters;
  uint32_t rows;      /* distinct points: number r is point r, r + rows, ... */
  uint32_t iteration; /* how many have been run */
  bool moved;         /* whether the last one changed a cluster */
  float *row;         /* rows * features */
  double *centre, *sum, *weight;
  uint32_t *cluster; /* of each row */
};

static uint32_t points_of_row(const struct kmeans *k, uint32_t r) {
  return (k->points - r - 1) / k->rows + 1;
}

static uint32_t nearest(const struct kmeans *k, const float *row) {
  uint32_t best = 0;
  double least = INFINITY;
  for (uint32_t c = 0; c < k->clusters; c++) {
    double distance = 0;
    for (uint32_t f = 0; f < k->features; f++) {
      const double d = row[f] - k->centre[c * k->features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

/* Every point to its nearest centre; then every centre to the middle of its points. */
static void iterate(struct kmeans *k) {
  k->moved = k->iteration++ == 0;
  memset(k->sum, 0, (size_t)k->clusters * k->features * sizeof *k->sum);
  memset(k->weight, 0, k->clusters * sizeof *k->weight);
  for (uint32_t r = 0; r < k->rows; r++) {
    const float *row = &k->row[(size_t)r * k->features];
    const uint32_t c = nearest(k, row), n = points_of_row(k, r);
    k->moved = k->moved || c != k->cluster[r];
    k->cluster[r] = c;
    k->weight[c] += n;
    for (uint32_t f = 0; f < k->features; f++)
      k->sum[c * k->features + f] += (double)n * row[f];
  }
  for (uint32_t c = 0; c < k->clusters; c++)
    for (uint32_t f = 0; f < k->features && k->weight[c] > 0; f++)
      k->centre[c * k->features + f] = k->sum[c * k->features + f] / k->weight[c];
}

/* Whether the host launches the kernel for iteration number i, from 0; called in ascending order. */
static bool launches(struct kmeans *k, uint32_t i) {
  while (i < k->iters && k->iteration < i && (k->iteration == 0 || k->moved))
    iterate(k);
  return i < k->iters && (i == 0 || (k->iteration == i && k->moved));
}

/* Adds a feature to row number k->points, the next one to be read; `values` are there, in *room. What is not a number
 * counts as 0, as with the suite's reader: its KDD Cup file has such a line. */
static bool add_feature(struct kmeans *k, struct wl_scan *s, size_t values, unsigned *room) {
  char text[64];
  if (!wl_scan_word(s, "a feature", text, sizeof text))
    return false;
  float *row = hd_grown(k->row, values + 1, room, sizeof *row);
  if (!row)
    return wl_scan_fail(s, "out of memory");
  k->row = row;
  const double value = strtod(text, NULL);
  row[values] = isfinite(value) ? (float)value : 0;
  return true;
}

/* A point: its number, which is not looked at, and its features. */
static bool read_point(struct kmeans *k, struct wl_scan *s, unsigned *room) {
  char number[64];
  uint32_t features = 0;
  if (k->points == MAX_POINTS)
    return wl_scan_fail(s, "more than %d points", MAX_POINTS);
  if (!wl_scan_word(s, "the point's number", number, sizeof number))
    return false;
  for (; wl_scan_peek(s) != '\n'; features++)
    if (features == MAX_FEATURES)
      return wl_scan_fail(s, "more than %d features", MAX_FEATURES);
    else if (!add_feature(k, s, (size_t)k->points * k->features + features, room))
      return false;
  if (features == 0 || (k->points > 0 && features != k->features))
    return wl_scan_fail(s, "%u features; allowed: 1 or more, as many as the first point has", features);
  k->features = features;
  k->points++;
  return true;
}

static bool read_points(struct kmeans *k, const char *path, char *err, size_t errlen) {
  struct wl_scan s;
  unsigned room = 0;
  if (!wl_scan_open(&s, path, err, errlen))
    return false;
  bool ok = wl_scan_peek(&s) != '\n' || wl_scan_need_line(&s, "", "a point");
  for (bool more = ok; ok && more; more = ok && wl_scan_next_line(&s, ""))
    ok = read_point(k, &s, &room);
  ok = ok && (k->points >= k->clusters ||
              wl_scan_fail(&s, "%u points; allowed: at least the %u clusters", k->points, k->clusters));
  k->rows = k->points;
  wl_scan_close(&s);
  return ok;
}

static bool make_points(struct kmeans *k, uint64_t seed) {
  struct wl_rng rng = {wl_rng_mix(seed, 0x6b6d65616e73)};
  const size_t values = (size_t)k->rows * k->features;
  k->row = malloc(values * sizeof *k->row);
  for (size_t i = 0; k->row && i < values; i++)
    k->row[i] = (float)wl_rng_below(&rng, 256);
  return k->row;
}

void rod_kmeans_release(void *data) {
  struct kmeans *k = data;
  free(k->row);
  free(k->centre);
  free(k->sum);
  free(k->weight);
  free(k->cluster);
  free(k);
}

static bool out_of_memory(char *err, size_t errlen) {
  snprintf(err, errlen, "kmeans: out of memory");
  return false;
}

/* The first points are the first centres. */
static bool start(struct kmeans *k) {
  const size_t values = (size_t)k->clusters * k->features;
  k->centre = malloc(values * sizeof *k->centre);
  k->sum = malloc(values * sizeof *k->sum);
  k->weight = malloc(k->clusters * sizeof *k->weight);
  k->cluster = calloc(k->rows, sizeof *k->cluster);
  if (!k->centre || !k->sum || !k->weight || !k->cluster)
    return false;
  for (size_t i = 0; i < values; i++)
    k->centre[i] = k->row[i / k->features % k->rows * k->features + i % k->features];
  return true;
}

bool rod_kmeans_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct kmeans *k = calloc(1, sizeof *k);
  if (!k)
    return out_of_memory(err, errlen);
  k->clusters = (uint32_t)p->key[KEY_CLUSTERS];
  k->iters = (uint32_t)p->key[KEY_ITERS];
  bool ok;
  if (p->file) {
    ok = read_points(k, p->file, err, errlen);
  } else {
    k->points = (uint32_t)p->key[KEY_POINTS];
    k->features = (uint32_t)p->key[KEY_FEATURES];
    k->rows = p->key[KEY_ROWS] < k->points ? (uint32_t)p->key[KEY_ROWS] : k->points;
    ok = make_points(k, p->key[KEY_SEED]) || out_of_memory(err, errlen);
  }
  if (ok && (start(k) || out_of_memory(err, errlen))) {
    p->data = k;
    return true;
  }
  rod_kmeans_release(k);
  return false;
}

/* --- the kernels ------------------------------------------------------------------------------------------- */

static bool is_point(const struct wl_warp *w, unsigned l) {
  return (uint64_t)w->cta * BLOCK + w->tx[l] < ((const struct kmeans *)w->plan->data)->points;
}

/* The edge of the square grid, in CTAs; the inversion has as many CTAs in a row. */
static uint32_t edge(const struct kmeans *k) {
  const uint32_t ctas = (k->points - 1) / BLOCK + 1;
  uint32_t edge = 1;
  while (edge * edge < ctas)
    edge++;
  return edge;
}

/* From a point's features together to a feature's points together. */
static void invert_mapping(struct wl_plan *p, const struct kmeans *k, int in, int out) {
  const int64_t points = k->points, features = k->features;
  wl_grid_of(p, "kmeans.invert", DIM(edge(k) * edge(k), 1, 1), DIM(BLOCK, 1, 1));
  code_position(p, 4);
  rod_if(p, is_point);
  rod_loop(p, R_INDEX, k->features);
  wl_load(p, R_A, R_INDEX, in, AT(.x = features, .k = {1}));
  wl_store(p, WL_R(R_A), R_INDEX, out, AT(.x = 1, .k = {points}));
  rod_next(p, R_INDEX);
  wl_end(p);
}

/* The nearest cluster of each point; with `clusters` < 0 from texture and constant memory. */
static void kmeans_point(struct wl_plan *p, const char *name, const struct kmeans *k, int points,
                         int clusters, int membership) {
  const int64_t features = k->features, row = (int64_t)edge(k) * BLOCK;
  wl_grid_of(p, name, DIM(edge(k), edge(k), 1), DIM(BLOCK, 1, 1));
  code_position(p, 6);
  rod_if(p, is_point);
  wl_inst(p, WL_ALU, R_C, 0); /* the least distance, and whose it is */
  rod_loop(p, R_INNER, k->clusters);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INNER));
  wl_loop(p, k->features);
  if (clusters < 0) {
    wl_inst(p, WL_TEX, R_A, WL_R(R_INDEX) | WL_R(R_POS));
    wl_inst(p, WL_CONST, R_B, WL_R(R_INDEX));
  } else {
    wl_load(p, R_A, R_INDEX, points, AT(.x = features, .y = row * features, .k = {0, 1}));
    wl_load(p, R_B, R_INDEX, clusters, AT(.k = {features, 1}));
  }
  wl_inst(p, WL_ALU, R_D, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_D) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INDEX)); /* the branch */
  code_next(p, R_INDEX);
  code_chain(p, WL_ALU, 2, R_C, WL_R(R_ACC) | WL_R(R_C));
  rod_next(p, R_INNER);
  wl_store(p, WL_R(R_C), R_POS, membership, AT(.x = 1, .y = row));
  wl_end(p);
}

bool rod_kmeans(struct wl_plan *p, uint32_t launch) {
  struct kmeans *k = p->data;
  const uint64_t values = (uint64_t)k->points * k->features;
  const int in = wl_array(p, "in", values, WORD), out = wl_array(p, "out", values, WORD),
            membership = wl_array(p, "membership", k->points, WORD);
  if (launch == 0) {
    invert_mapping(p, k, in, out);
    return true;
  }
  kmeans_point(p, "kmeans.point", k, out, -1, membership);
  return launches(k, launch - 1);
}

bool rod_kmn(struct wl_plan *p, uint32_t launch) {
  struct kmeans *k = p->data;
  const int features = wl_array(p, "features", (uint64_t)k->points * k->features, WORD),
            clusters = wl_array(p, "clusters", (uint64_t)k->clusters * k->features, WORD),
            membership = wl_array(p, "membership", k->points, WORD);
  kmeans_point(p, "kmn", k, features, clusters, membership);
  return launches(k, launch);
}
