/* PolyBench/GPU 1.0: what its kernels share. The catalogue is in polybench.c, the shared frames in
 * polybench_frames.c, the kernels in polybench_vector.c (matrix-vector products), polybench_matrix.c (matrix products),
 * polybench_grid.c (stencils) and polybench_columns.c (correlation, covariance, gramschmidt).
 *
 * The accesses of an iteration and their order are those of the PTX that nvcc -O3 makes of the source, which
 * keeps the accumulator in a register but stores it every iteration; key reload=1 loads it wherever the source
 * reads it, as older compilers may have. The integer work of an iteration is rounded to whole instructions, at
 * least the one that advances the index; the instructions before the loop are a choice (docs/workloads.md).
 *
 * Invariant: values never steer an address or a branch, so there is no data.
 */
#ifndef HEDDLE_WORKLOADS_POLYBENCH_POLYBENCH_H
#define HEDDLE_WORKLOADS_POLYBENCH_POLYBENCH_H

#include "workloads/plan/plan.h"

#define AT(...) ((struct wl_at){__VA_ARGS__})

enum { FLOAT = 4, VECTOR_BLOCK = 256, TILE_X = 32, TILE_Y = 8 };

/* Registers: the thread's position, a predicate a dimension, the loop's index, the accumulator, operands,
 * temporaries, and (stencils) the loaded values. */
enum { R_POS, R_POS_Y, R_PRED, R_PRED_Y, R_INDEX, R_ACC, R_A, R_B, R_C, R_D, R_T, R_U, R_LOADED };

/* The launch of n threads in a row. */
void pb_vector(struct wl_plan *p, const char *name, uint64_t n);

/* The instructions before the body: the position (one multiply-add a dimension), the bounds check, the branch
 * around the body; then, inside, for `lanes`, the first value of the index. Opens a block. */
void pb_prologue(struct wl_plan *p, bool two_d, wl_lanes_fn lanes);

/* The same for a two-dimensional kernel without a loop: six instructions up to the branch, and `integers` that
 * make the addresses. Opens a block. */
void pb_guard(struct wl_plan *p, wl_lanes_fn lanes, int integers);

/* The end of a loop body: advances the index. Ends the loop. */
void pb_advance(struct wl_plan *p);

/* The builds, see catalog.h. */
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
