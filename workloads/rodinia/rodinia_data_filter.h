/* The particle filter of Rodinia's particlefilter, on the host: what steers the kernels' addresses.
 *
 * A disc moves over a noisy video; in each frame the particles move at random, are weighed by the image under
 * them, and are drawn anew by their weights. Arithmetic is plain IEEE double without library functions, so
 * that every machine draws the same particles: normal deviates are sums of twelve uniform ones, the
 * exponential is computed here.
 *
 * Invariant: after wl_filter_step, x, y are the particles as weighed, `index` what each is replaced by.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_FILTER_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_FILTER_H

#include "workloads/rng.h"

#include <stdbool.h>

enum { WL_FILTER_POINTS = 69 /* of the disc */ };

struct wl_filter {
  uint32_t size, frames, particles; /* the video is size x size x frames */
  uint32_t frame;                   /* 1..frames-1; 0: not begun */
  struct wl_rng rng;
  uint8_t *image; /* pixel (x, y) of frame k at x*size*frames + y*frames + k */
  double *x, *y, *weight;
  uint32_t *index;
  int8_t point[WL_FILTER_POINTS][2]; /* of the disc, from its centre */
};

/* Makes up the video. False: out of memory; wl_filter_free is still due. */
bool wl_filter_begin(struct wl_filter *f, uint32_t size, uint32_t frames, uint32_t particles, uint64_t seed);
void wl_filter_free(struct wl_filter *f);

/* The next frame; not after the last. */
void wl_filter_step(struct wl_filter *f);

/* The pixel under point `point` of the particle's disc: an index into image. */
uint32_t wl_filter_pixel(const struct wl_filter *f, uint32_t particle, uint32_t point);

#endif
