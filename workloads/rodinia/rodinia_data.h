/* Rodinia 3.1: the kernels whose addresses depend on the input. The catalogue is in rodinia_data.c, the
 * kernels are in rodinia_data_*.c; docs/workloads/rodinia_data.md describes them.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_H

#include "workloads/plan/plan.h"

/* See catalog.h: build, prepare, release. */
bool rd_bfs(struct wl_plan *p, uint32_t launch);
bool rd_bfs_prepare(struct wl_plan *p, char *err, size_t errlen);
void rd_bfs_release(void *data);
bool rd_btree(struct wl_plan *p, uint32_t launch);
bool rd_btree_prepare(struct wl_plan *p, char *err, size_t errlen);
void rd_btree_release(void *data);
bool rd_particle_naive(struct wl_plan *p, uint32_t launch);
bool rd_particle_float(struct wl_plan *p, uint32_t launch);
bool rd_particle_prepare(struct wl_plan *p, char *err, size_t errlen);
void rd_particle_release(void *data);
bool rd_mummer(struct wl_plan *p, uint32_t launch);
bool rd_mummer_prepare(struct wl_plan *p, char *err, size_t errlen);
void rd_mummer_release(void *data);

#endif
