/* Parboil 2.5: the build functions of its kernels, see catalog.h. The catalogue is in parboil.c.
 *
 * The accesses and their order are those of the CUDA sources (variants `cuda` and `cuda_base`). Arithmetic
 * has as many instructions as the sources' compiled loops, rounded, in four chains (kernel_code.h).
 *
 * Invariant: all data that steers a kernel is made in `prepare`, from the keys or the user's file.
 */
#ifndef HEDDLE_WORKLOADS_PARBOIL_PARBOIL_H
#define HEDDLE_WORKLOADS_PARBOIL_PARBOIL_H

#include "workloads/plan/kernel_code.h"

bool parboil_stencil(struct wl_plan *p, uint32_t launch);
bool parboil_sgemm(struct wl_plan *p, uint32_t launch);
bool parboil_lbm(struct wl_plan *p, uint32_t launch);
bool parboil_spmv(struct wl_plan *p, uint32_t launch);
bool parboil_spmv_prepare(struct wl_plan *p, char *err, size_t errlen);
void parboil_spmv_release(void *data);
bool parboil_histo(struct wl_plan *p, uint32_t launch);
bool parboil_histo_prepare(struct wl_plan *p, char *err, size_t errlen);
void parboil_histo_release(void *data);
bool parboil_gridding(struct wl_plan *p, uint32_t launch);
bool parboil_gridding_prepare(struct wl_plan *p, char *err, size_t errlen);
void parboil_gridding_release(void *data);
bool parboil_cutcp(struct wl_plan *p, uint32_t launch);
bool parboil_cutcp_prepare(struct wl_plan *p, char *err, size_t errlen);
void parboil_cutcp_release(void *data);

#endif
