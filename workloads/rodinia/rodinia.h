/* Rodinia 3.1, the kernels whose addresses do not depend on data: shared by these kernels. The catalogue is
 * in rodinia.c, the shared frames in rodinia_frames.c, the kernels in rodinia_pyramid.c (hotspot,
 * pathfinder), rodinia_dense.c (gaussian, lud), rodinia_nw.c, rodinia_srad1.c, rodinia_backprop.c and
 * rodinia_kmeans.c.
 *
 * Unshared variants (name_u): the kernel's shared arrays are in a global array instead, with an area for
 * each CTA. Every access to shared memory becomes a global load or store; the barriers stay. Each area
 * begins at a line.
 *
 * Invariant: values never decide an address. They decide a branch only in kmeans: the host stops when no
 * point changes its cluster.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_H

#include "workloads/plan/kernel_code.h"

/* All data is 4-byte words. A tile of most kernels is 16 x 16 threads. */
enum { WORD = 4, TILE = 16 };

/* Add a compare and a branch, and open the block for the lanes that pass. rod_if_warp: for a choice of the
 * whole warp. */
void rod_if(struct wl_plan *p, wl_lane_fn lane);
void rod_if_warp(struct wl_plan *p, wl_lanes_fn lanes);

/* Open and end a loop. `rod_next` advances its counter, compares and branches. */
void rod_loop(struct wl_plan *p, int counter, uint32_t trips);
void rod_next(struct wl_plan *p, int counter);

/* The place of a kernel's shared arrays. */
struct rod_shared {
  int array; /* the global array, or -1: shared memory */
  uint32_t words;
};

/* Allocates `words` of shared memory per CTA, or, if unshared, of a global array, which must be the
 * kernel's last array. The grid must be set before. */
struct rod_shared rod_shared(struct wl_plan *p, uint32_t words, bool unshared);

/* Read and write a word of it. */
void rod_read(struct wl_plan *p, struct rod_shared s, int dst, struct wl_at at);
void rod_write(struct wl_plan *p, struct rod_shared s, int value, struct wl_at at);

/* Reads a word whose place is not affine. `elem` adds rod_area, with the kernel's number of words, to its
 * result. */
void rod_read_by(struct wl_plan *p, struct rod_shared s, int dst, wl_elem_fn elem);
int64_t rod_area(const struct wl_warp *w, uint32_t words);

/* The build functions, see catalog.h. */
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
