/* Parboil: mri-gridding's samples, made up as straight spokes through the middle of k-space, and their
 * radix sort by cell. See parboil_gridding.h.
 */
#include "workloads/parboil/parboil_gridding.h"
#include "workloads/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPOKE = 512 /* samples on a spoke */ };

void parboil_gridding_release(void *data) {
  struct gridding *g = data;
  free(g->at);
  free(g->cell);
  free(g->over);
  free(g->first);
  free(g->order);
  free(g->key);
  free(g->value);
  free(g->in_tile);
  free(g->to);
  free(g);
}

/* Draws a spoke's direction, uniform: a random point of the ball, scaled to length one. */
static void direction(struct wl_rng *rng, double d[3]) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < 3; i++) {
      d[i] = (double)wl_rng_below(rng, 65537) - 32768;
      square += d[i] * d[i];
    }
  } while (square == 0 || square > 32768.0 * 32768.0);
  for (int i = 0; i < 3; i++)
    d[i] /= sqrt(square);
}

static void scatter_samples(struct gridding *g, uint64_t seed) {
  struct wl_rng rng = {seed};
  const double middle = g->side / 2.0, reach = middle - 1;
  double d[3] = {0};
  for (uint32_t s = 0; s < g->samples; s++) {
    if (s % SPOKE == 0)
      direction(&rng, d);
    const double along = 2 * (s % SPOKE + 0.5) / SPOKE - 1;
    uint32_t cell = 0;
    for (int i = 3; i-- > 0;) {
      g->at[s][i] = (uint16_t)((middle + along * reach * d[i]) * GRIDDING_CELL);
      cell = cell * g->side + g->at[s][i] / GRIDDING_CELL;
    }
    g->cell[s] = cell;
  }
}

/* Fills the cells. A cell keeps its first GRIDDING_BIN samples. */
static void fill_cells(struct gridding *g) {
  uint32_t kept = 0;
  for (uint32_t s = 0; s < g->samples; s++) {
    uint32_t *count = &g->first[g->cell[s] + 1];
    g->over[s] = *count >= GRIDDING_BIN;
    *count += !g->over[s];
    kept += !g->over[s];
  }
  for (uint32_t c = 0; c < g->cells; c++)
    g->first[c + 1] += g->first[c];
  for (uint32_t s = g->samples, over = g->samples;
       s-- > 0;) /* from the end: first[c + 1] goes down to first[c] */
    g->order[g->over[s] ? --over : --g->first[g->cell[s] + 1]] = s;
  memmove(g->first, g->first + 1, g->cells * sizeof *g->first);
  g->first[g->cells] = kept;
}

/* Computes the moves of pass number g->pass for each element. */
static void plan_pass(struct gridding *g) {
  const uint32_t tiles = g->padded / GRIDDING_TILE, shift = GRIDDING_DIGIT_BITS * g->pass;
  uint32_t total[GRIDDING_DIGITS] = {0};
  for (uint32_t i = 0; i < g->padded; i++)
    total[g->key[i] >> shift & (GRIDDING_DIGITS - 1)]++;
  for (uint32_t d = 0, at = 0; d < GRIDDING_DIGITS; d++) {
    const uint32_t count = total[d];
    total[d] = at; /* place of the digit's next element */
    at += count;
  }
  for (uint32_t t = 0; t < tiles; t++) {
    const uint32_t *key = &g->key[t * GRIDDING_TILE];
    uint32_t next[GRIDDING_DIGITS + 1] = {0};
    for (uint32_t i = 0; i < GRIDDING_TILE; i++)
      next[(key[i] >> shift & (GRIDDING_DIGITS - 1)) + 1]++;
    for (uint32_t d = 0; d < GRIDDING_DIGITS; d++)
      next[d + 1] += next[d];
    for (uint32_t i = 0; i < GRIDDING_TILE; i++) {
      const uint32_t digit = key[i] >> shift & (GRIDDING_DIGITS - 1), place = next[digit]++;
      g->in_tile[t * GRIDDING_TILE + i] = place;
      g->to[t * GRIDDING_TILE + place] = total[digit]++;
    }
  }
}

static void do_pass(struct gridding *g) {
  /* Does the two moves as one. in_tile and to are computed anew afterwards, so one of them may hold the old
   * keys. */
  for (uint32_t i = 0; i < g->padded; i++)
    g->in_tile[i] = g->to[i / GRIDDING_TILE * GRIDDING_TILE + g->in_tile[i]];
  uint32_t *const old = g->to;
  memcpy(old, g->key, g->padded * sizeof *old);
  for (uint32_t i = 0; i < g->padded; i++)
    g->key[g->in_tile[i]] = old[i];
  memcpy(old, g->value, g->padded * sizeof *old);
  for (uint32_t i = 0; i < g->padded; i++)
    g->value[g->in_tile[i]] = old[i];
  g->pass++;
}

void gridding_sort_to(struct gridding *g, uint32_t pass) {
  while (g->pass < pass) {
    do_pass(g);
    if (g->pass < g->passes)
      plan_pass(g);
  }
}

static struct gridding *allocate(const uint64_t *key) {
  struct gridding *g = calloc(1, sizeof *g);
  if (!g)
    return NULL;
  g->samples = (uint32_t)key[GRIDDING_SAMPLES];
  g->side = 8 * (uint32_t)key[GRIDDING_SIDE];
  g->cells = g->side * g->side * g->side;
  g->padded = (g->samples + GRIDDING_TILE - 1) / GRIDDING_TILE * GRIDDING_TILE;
  while (g->cells >> GRIDDING_DIGIT_BITS * g->passes)
    g->passes++;
  g->at = calloc(g->samples, sizeof *g->at);
  g->cell = calloc(g->samples, sizeof *g->cell);
  g->over = calloc(g->samples, sizeof *g->over);
  g->first = calloc((size_t)g->cells + 1, sizeof *g->first);
  g->order = calloc(g->samples, sizeof *g->order);
  g->key = calloc(g->padded, sizeof *g->key);
  g->value = calloc(g->padded, sizeof *g->value);
  g->in_tile = calloc(g->padded, sizeof *g->in_tile);
  g->to = calloc(g->padded, sizeof *g->to);
  if (g->at && g->cell && g->over && g->first && g->order && g->key && g->value && g->in_tile && g->to)
    return g;
  parboil_gridding_release(g);
  return NULL;
}

bool parboil_gridding_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct gridding *g = allocate(p->key);
  if (!g) {
    snprintf(err, errlen, "mrigridding: out of memory");
    return false;
  }
  scatter_samples(g, p->key[GRIDDING_SEED]);
  fill_cells(g);
  for (uint32_t i = 0; i < g->padded; i++) {
    g->key[i] = i >= g->samples ? UINT32_MAX : g->over[i] ? g->cells : g->cell[i];
    g->value[i] = i;
  }
  plan_pass(g);
  p->data = g;
  return true;
}
