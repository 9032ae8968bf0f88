/* Shared by the build functions of Parboil, the CUDA SDK, Mars and Rodinia: names of registers by role, and
 * runs of arithmetic.
 *
 * Invariant: every register is written before an instruction reads it, whatever the lanes do.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_KERNEL_CODE_H
#define HEDDLE_WORKLOADS_PLAN_KERNEL_CODE_H

#include "workloads/plan/plan.h"

#define AT(...) ((struct wl_at){__VA_ARGS__})
/* One to three sizes; a missing size is 1. */
#define DIM(...) code_dim((const uint32_t[3]){__VA_ARGS__})

struct wl_dim code_dim(const uint32_t size[3]);

enum { FLOAT = 4 }; /* bytes */

/* Registers by role: the thread's position, a predicate, loop indices, an accumulator, operands, the chains
 * of a run of arithmetic, and values that are loaded together. */
enum {
  R_POS,
  R_PRED,
  R_INDEX,
  R_INNER,
  R_ACC,
  R_A,
  R_B,
  R_C,
  R_D,
  R_E,
  R_CHAIN,
  CODE_CHAINS = 4,
  R_LOADED = R_CHAIN + 4
};

/* Adds `count` instructions, each of which reads the result of the one before. The first reads `src`; all
 * write `dst`. */
void code_chain(struct wl_plan *p, enum wl_op op, int count, int dst, uint64_t src);

/* Adds `count` arithmetic instructions on `src` with some parallelism, as a compiler leaves it: four chains
 * in turn. Returns the registers that hold the results. */
uint64_t code_math(struct wl_plan *p, int count, uint64_t src);

/* Adds the `count` instructions that compute the thread's position. */
void code_position(struct wl_plan *p, int count);

/* Adds a compare of the registers in `src`, and the branch on it. */
void code_branch(struct wl_plan *p, uint64_t src);

/* Opens a loop of `trips` iterations. Its counter `index` starts from the thread's position. code_next
 * advances the counter and ends the loop. */
void code_loop(struct wl_plan *p, int index, uint32_t trips);

void code_next(struct wl_plan *p, int index);

void code_barrier(struct wl_plan *p);

/* Returns the lane's thread number in its CTA. */
uint32_t code_thread(const struct wl_warp *w, unsigned lane);

#endif
