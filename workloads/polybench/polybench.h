/* PolyBench/GPU 1.0: shared by its kernels. The catalogue is in polybench.c, the shared frames in
 * polybench_frames.c, the kernels in polybench_vector.c (matrix-vector products), polybench_matrix.c
 * (matrix products), polybench_grid.c (stencils) and polybench_columns.c (correlation, covariance,
 * gramschmidt).
 *
 * The accesses of an iteration and their order are those of the PTX that nvcc -O3 makes of the source. It
 * keeps the accumulator in a register but stores it in every iteration. With key reload=1 the kernel also
 * loads the accumulator wherever the source reads it, as older compilers may have done. The integer work of
 * an iteration is rounded to whole instructions, at least the one that advances the index. The instructions
 * before the loop are our choice (docs/workloads.md).
 *
 * Invariant: values never decide an address or a branch, so there is no data.
 */
#ifndef HEDDLE_WORKLOADS_POLYBENCH_POLYBENCH_H
#define HEDDLE_WORKLOADS_POLYBENCH_POLYBENCH_H

#include "workloads/plan/plan.h"

#define AT(...) ((struct wl_at){__VA_ARGS__})

enum { FLOAT = 4, VECTOR_BLOCK = 256, TILE_X = 32, TILE_Y = 8 };

/* Registers: the thread's position, a predicate per dimension, the loop's index, the accumulator, operands,
 * temporaries, and (stencils) the loaded values. */
enum { R_POS, R_POS_Y, R_PRED, R_PRED_Y, R_INDEX, R_ACC, R_A, R_B, R_C, R_D, R_T, R_U, R_LOADED };

/* Sets the launch of n threads in a row. */
void pb_vector(struct wl_plan *p, const char *name, uint64_t n);

/* Adds the instructions before the body: the position (one multiply-add per dimension), the bounds check,
 * and the branch around the body. Then opens the block of `lanes` and adds the first value of the index. */
void pb_prologue(struct wl_plan *p, bool two_d, wl_lanes_fn lanes);

/* The same for a two-dimensional kernel without a loop: six instructions up to the branch, then, in the
 * block that it opens, `integers` instructions that compute the addresses. */
void pb_guard(struct wl_plan *p, wl_lanes_fn lanes, int integers);

/* Ends a loop body and its loop: advances the index. */
void pb_advance(struct wl_plan *p);

/* The build functions, see catalog.h. */
bool pb_atax(struct wl_plan *p, uint32_t launch);
bool pb_bicg(struct wl_plan *p, uint32_t launch);
bool pb_mvt(struct wl_plan *p, uint32_t launch);
bool pb_gesummv(struct wl_plan *p, uint32_t launch);
bool pb_2mm(struct wl_plan *p, uint32_t launch);
bool pb_3mm(struct wl_plan *p, uint32_t launch);
bool pb_gemm(struct wl_plan *p, uint32_t launch);
bool pb_syrk(struct wl_plan *p, uint32_t launch);
bool pb_syr2k(struct wl_plan *p, uint32_t launch);
bool pb_2dconv(struct wl_plan *p, uint32_t launch);
bool pb_3dconv(struct wl_plan *p, uint32_t launch);
bool pb_fdtd(struct wl_plan *p, uint32_t launch);
bool pb_correlation(struct wl_plan *p, uint32_t launch);
bool pb_covariance(struct wl_plan *p, uint32_t launch);
bool pb_gramschmidt(struct wl_plan *p, uint32_t launch);

#endif
