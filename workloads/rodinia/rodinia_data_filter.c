/* The particle filter of rodinia_data_filter.h. */
#include "workloads/rodinia/rodinia_data_filter.h"

#include <math.h>
#include <stdlib.h>

enum { RADIUS = 5, BACKGROUND = 100, FOREGROUND = 228 };

static double uniform(struct wl_rng *rng) {
  return (double)(wl_rng_next(rng) >> 11) * 0x1p-53;
}

static double normal(struct wl_rng *rng) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += uniform(rng);
  return sum;
}

/* e^x to about 1e-14, for |x| < 700: a series for the fractional part of x/ln 2, exact scaling for the
 * whole part. */
static double exponential(double x) {
  const double ln2 = 0.693147180559945309417;
  const int whole = (int)floor(x / ln2);
  const double rest = x - whole * ln2;
  double sum = 1;
  for (int i = 20; i > 0; i--)
    sum = 1 + sum * rest / i;
  return ldexp(sum, whole);
}

static uint32_t pixel_at(const struct wl_filter *f, int64_t x, int64_t y, uint32_t frame) {
  const int64_t size = f->size, frames = f->frames, at = llabs((x * size + y) * frames + frame);
  return at < size * size * frames ? (uint32_t)at : 0;
}

static void make_disc(struct wl_filter *f) {
  int n = 0;
  for (int x = 1 - RADIUS; x < RADIUS; x++)
    for (int y = 1 - RADIUS; y < RADIUS; y++)
      if (x * x + y * y < RADIUS * RADIUS) {
        f->point[n][0] = (int8_t)x;
        f->point[n++][1] = (int8_t)y;
      }
}

/* The disc starts in the middle and moves one pixel down and two to the left per frame. Then noise is added
 * to all pixels. */
static void make_video(struct wl_filter *f) {
  const uint32_t pixels = f->size * f->size * f->frames;
  for (uint32_t i = 0; i < pixels; i++)
    f->image[i] = BACKGROUND;
  for (int k = 0; k < (int)f->frames; k++)
    for (int x = -RADIUS; x <= RADIUS; x++)
      for (int y = -RADIUS; y <= RADIUS; y++) {
        const int px = (int)f->size / 2 + k + x, py = (int)f->size / 2 - 2 * k + y;
        if (x * x + y * y < RADIUS * RADIUS && px >= 0 && py >= 0 && px < (int)f->size && py < (int)f->size)
          f->image[pixel_at(f, px, py, (uint32_t)k)] = FOREGROUND;
      }
  for (uint32_t i = 0; i < pixels; i++)
    f->image[i] = (uint8_t)(f->image[i] + (int)(5 * normal(&f->rng)));
}

bool wl_filter_begin(struct wl_filter *f, uint32_t size, uint32_t frames, uint32_t particles, uint64_t seed) {
  *f = (struct wl_filter){.size = size, .frames = frames, .particles = particles, .rng = {seed}};
  f->image = malloc((size_t)size * size * frames);
  f->x = malloc(particles * sizeof *f->x);
  f->y = malloc(particles * sizeof *f->y);
  f->weight = malloc(particles * sizeof *f->weight);
  f->index = malloc(particles * sizeof *f->index);
  if (!f->image || !f->x || !f->y || !f->weight || !f->index)
    return false;
  make_disc(f);
  make_video(f);
  const uint32_t middle = size / 2;
  for (uint32_t i = 0; i < particles; i++) {
    f->x[i] = f->y[i] = middle;
    f->index[i] = i;
  }
  return true;
}

void wl_filter_free(struct wl_filter *f) {
  free(f->image);
  free(f->x);
  free(f->y);
  free(f->weight);
  free(f->index);
}

uint32_t wl_filter_pixel(const struct wl_filter *f, uint32_t particle, uint32_t point) {
  return pixel_at(f, (int64_t)floor(f->x[particle] + 0.5) + f->point[point][1],
                  (int64_t)floor(f->y[particle] + 0.5) + f->point[point][0], f->frame);
}

/* Replaces each particle by particle `index` of the old ones, in place, with the result that two arrays
 * would give. */
static void draw_anew(struct wl_filter *f) {
  /* index never falls. An index[i] may be below or above i: the first loop goes backwards for those below,
   * the second forwards for those above. */
  for (uint32_t i = f->particles; i-- > 0;)
    if (f->index[i] < i) {
      f->x[i] = f->x[f->index[i]];
      f->y[i] = f->y[f->index[i]];
    }
  for (uint32_t i = 0; i < f->particles; i++)
    if (f->index[i] > i) {
      f->x[i] = f->x[f->index[i]];
      f->y[i] = f->y[f->index[i]];
    }
}

static double weigh(const struct wl_filter *f, uint32_t particle) {
  double likelihood = 0;
  for (uint32_t p = 0; p < WL_FILTER_POINTS; p++) {
    const int v = f->image[wl_filter_pixel(f, particle, p)], b = v - BACKGROUND, g = v - FOREGROUND;
    likelihood += (b * b - g * g) / 50.0;
  }
  return exponential(likelihood / WL_FILTER_POINTS);
}

void wl_filter_step(struct wl_filter *f) {
  const uint32_t n = f->particles;
  double sum = 0, below = 0;
  draw_anew(f);
  f->frame++;
  for (uint32_t i = 0; i < n; i++) {
    f->x[i] += 1 + 5 * normal(&f->rng);
    f->y[i] += -2 + 2 * normal(&f->rng);
    f->weight[i] = weigh(f, i);
    sum += f->weight[i];
  }
  /* index[i]: the first particle up to which the weights sum up to u. u goes in even steps from a random
   * start. */
  const double first = uniform(&f->rng) / n;
  uint32_t at = 0;
  below = f->weight[0] / sum;
  for (uint32_t i = 0; i < n; i++) {
    while (at < n - 1 && below < first + (double)i / n)
      below += f->weight[++at] / sum;
    f->index[i] = at;
  }
}
