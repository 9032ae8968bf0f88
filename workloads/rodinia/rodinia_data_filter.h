/* The particle filter of Rodinia's particlefilter, on the host. It decides the kernels' addresses.
 *
 * A disc moves over a noisy video. In each frame the particles move at random, get weights from the image
 * under them, and are drawn anew by their weights. All arithmetic is plain IEEE double without library
 * functions, so that every machine draws the same particles: normal deviates are sums of twelve uniform
 * ones, and the exponential is computed here.
 *
 * Invariant: after wl_filter_step, x and y are the particles that were weighed, and particle `index[i]`
 * replaces particle i.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_FILTER_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_FILTER_H

#include "workloads/rng.h"

#include <stdbool.h>

enum { WL_FILTER_POINTS = 69 /* points of the disc */ };

struct wl_filter {
  uint32_t size, frames, particles; /* the video is size x size x frames */
  uint32_t frame;                   /* 1..frames-1; 0: not started */
  struct wl_rng rng;
  uint8_t *image; /* pixel (x, y) of frame k at x*size*frames + y*frames + k */
  double *x, *y, *weight;
  uint32_t *index;
  int8_t point[WL_FILTER_POINTS][2]; /* points of the disc, relative to its centre */
};

/* Makes up the video. Returns false if memory is out; wl_filter_free must still be called. */
bool wl_filter_begin(struct wl_filter *f, uint32_t size, uint32_t frames, uint32_t particles, uint64_t seed);
void wl_filter_free(struct wl_filter *f);

/* Computes the next frame. Not to be called after the last. */
void wl_filter_step(struct wl_filter *f);

/* Returns the pixel under point `point` of the particle's disc, as an index into image. */
uint32_t wl_filter_pixel(const struct wl_filter *f, uint32_t particle, uint32_t point);

#endif
