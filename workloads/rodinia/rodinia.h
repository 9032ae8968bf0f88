/* Rodinia 3.1, the kernels whose addresses do not depend on data: what they share. The catalogue is in
 * rodinia.c, the shared frames in rodinia_frames.c, the kernels in rodinia_pyramid.c (hotspot, pathfinder), rodinia_dense.c (gaussian,
 * lud), rodinia_nw.c, rodinia_srad1.c, rodinia_backprop.c and rodinia_kmeans.c.
 *
 * Unshared variants (name_u): the kernel's shared arrays lie in a global array instead, an area for each CTA, and
 * every access to shared memory is a global load or store; the barriers stay. An area begins at a line.
 *
 * Invariant: values never steer an address, and only in kmeans a branch: that of the host, which stops when no
 * point changes its cluster.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_H

#include "workloads/plan/kernel_code.h"

/* Everything is made of 4-byte words; a tile of most kernels is 16 x 16 threads. */
enum { WORD = 4, TILE = 16 };

/* Compare and branch, and the block for the lanes that pass; or for a choice the whole warp makes. */
void rod_if(struct wl_plan *p, wl_lane_fn lane);
void rod_if_warp(struct wl_plan *p, wl_lanes_fn lanes);

/* A loop; `rod_next` advances its counter, compares and branches. */
void rod_loop(struct wl_plan *p, int counter, uint32_t trips);
void rod_next(struct wl_plan *p, int counter);

/* A kernel's shared arrays: where its CTAs keep them. */
struct rod_shared {
  int array; /* the global array, or -1: shared memory */
  uint32_t words;
};

/* `words` of shared memory for each CTA of the grid, which is set already, or (unshared) of a global array, which is
 * the kernel's last. */
struct rod_shared rod_shared(struct wl_plan *p, uint32_t words, bool unshared);

/* A word of it read, or written. */
void rod_read(struct wl_plan *p, struct rod_shared s, int dst, struct wl_at at);
void rod_write(struct wl_plan *p, struct rod_shared s, int value, struct wl_at at);

/* The same where it is not affine. The function adds rod_area, with the words of the kernel. */
void rod_read_by(struct wl_plan *p, struct rod_shared s, int dst, wl_elem_fn elem);
void rod_write_by(struct wl_plan *p, struct rod_shared s, int value, wl_elem_fn elem);
int64_t rod_area(const struct wl_warp *w, uint32_t words);

/* The builds, see catalog.h. */
bool rod_hotspot(struct wl_plan *p, uint32_t launch);
bool rod_hotspot_u(struct wl_plan *p, uint32_t launch);
bool rod_pathfinder(struct wl_plan *p, uint32_t launch);
bool rod_pathfinder_u(struct wl_plan *p, uint32_t launch);
bool rod_gaussian(struct wl_plan *p, uint32_t launch);
bool rod_lud(struct wl_plan *p, uint32_t launch);
bool rod_lud_u(struct wl_plan *p, uint32_t launch);
bool rod_nw(struct wl_plan *p, uint32_t launch);
bool rod_nw_u(struct wl_plan *p, uint32_t launch);
bool rod_srad1(struct wl_plan *p, uint32_t launch);
bool rod_srad2(struct wl_plan *p, uint32_t launch);
bool rod_srad_u(struct wl_plan *p, uint32_t launch);
bool rod_backprop(struct wl_plan *p, uint32_t launch);
bool rod_backprop_u(struct wl_plan *p, uint32_t launch);
bool rod_kmeans(struct wl_plan *p, uint32_t launch);
bool rod_kmn(struct wl_plan *p, uint32_t launch);
bool rod_kmeans_prepare(struct wl_plan *p, char *err, size_t errlen);
void rod_kmeans_release(void *data);

#endif
