/* What the build functions of Parboil, the CUDA SDK, Mars and Rodinia share: registers by role, and runs of arithmetic.
 *
 * Invariant: every register is written before an instruction reads it, whatever the lanes do.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_KERNEL_CODE_H
#define HEDDLE_WORKLOADS_PLAN_KERNEL_CODE_H

#include "workloads/plan/plan.h"

#define AT(...) ((struct wl_at){__VA_ARGS__})
/* One to three sizes; those not given are 1. */
#define DIM(...) code_dim((const uint32_t[3]){__VA_ARGS__})

static inline struct wl_dim code_dim(const uint32_t size[3]) {
  return (struct wl_dim){.x = size[0], .y = size[1], .z = size[2]};
}

enum { FLOAT = 4 }; /* bytes */

/* Registers: the thread's position, a predicate, loop indices, an accumulator, operands, the chains of a run of
 * arithmetic, and values that are loaded together. */
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

/* `count` instructions in which each reads what the one before wrote; the first reads `src`. All write `dst`. */
static inline void code_chain(struct wl_plan *p, enum wl_op op, int count, int dst, uint64_t src) {
  for (int i = 0; i < count; i++)
    wl_inst(p, op, dst, i ? WL_R(dst) : src);
}

/* `count` arithmetic instructions on `src` with some parallelism, as a compiler leaves it: four chains in turn.
 * Returns the registers that hold the results. */
static inline uint64_t code_math(struct wl_plan *p, int count, uint64_t src) {
  uint64_t results = 0;
  for (int i = 0; i < count; i++) {
    const int dst = R_CHAIN + i % CODE_CHAINS;
    wl_inst(p, WL_ALU, dst, i < CODE_CHAINS ? src : WL_R(dst));
    results |= WL_R(dst);
  }
  return results;
}

/* The instructions that make the thread's position, `count` in a row. */
static inline void code_position(struct wl_plan *p, int count) {
  code_chain(p, WL_ALU, count, R_POS, 0);
}

/* A compare of what `src` holds, and the branch on it. */
static inline void code_branch(struct wl_plan *p, uint64_t src) {
  wl_inst(p, WL_ALU, R_PRED, src);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
}

/* Opens a loop of `trips` on `index`, which starts from the thread's position; and ends it, advancing the index. */
static inline void code_loop(struct wl_plan *p, int index, uint32_t trips) {
  wl_inst(p, WL_ALU, index, WL_R(R_POS));
  wl_loop(p, trips);
}

static inline void code_next(struct wl_plan *p, int index) {
  wl_inst(p, WL_ALU, index, WL_R(index));
  wl_end(p);
}

static inline void code_barrier(struct wl_plan *p) {
  wl_inst(p, WL_BARRIER, WL_NO_REG, 0);
}

/* The lane's thread number in its CTA. */
static inline uint32_t code_thread(const struct wl_warp *w, unsigned lane) {
  return w->warp * WL_LANES + lane;
}

#endif
