/* Registers by role and runs of arithmetic; see kernel_code.h. */
#include "workloads/plan/kernel_code.h"

struct wl_dim code_dim(const uint32_t size[3]) {
  return (struct wl_dim){.x = size[0], .y = size[1], .z = size[2]};
}

void code_chain(struct wl_plan *p, enum wl_op op, int count, int dst, uint64_t src) {
  for (int i = 0; i < count; i++)
    wl_inst(p, op, dst, i ? WL_R(dst) : src);
}

uint64_t code_math(struct wl_plan *p, int count, uint64_t src) {
  uint64_t results = 0;
  for (int i = 0; i < count; i++) {
    const int dst = R_CHAIN + i % CODE_CHAINS;
    wl_inst(p, WL_ALU, dst, i < CODE_CHAINS ? src : WL_R(dst));
    results |= WL_R(dst);
  }
  return results;
}

void code_position(struct wl_plan *p, int count) {
  code_chain(p, WL_ALU, count, R_POS, 0);
}

void code_branch(struct wl_plan *p, uint64_t src) {
  wl_inst(p, WL_ALU, R_PRED, src);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
}

void code_loop(struct wl_plan *p, int index, uint32_t trips) {
  wl_inst(p, WL_ALU, index, WL_R(R_POS));
  wl_loop(p, trips);
}

void code_next(struct wl_plan *p, int index) {
  wl_inst(p, WL_ALU, index, WL_R(index));
  wl_end(p);
}

void code_barrier(struct wl_plan *p) {
  wl_inst(p, WL_BARRIER, WL_NO_REG, 0);
}

uint32_t code_thread(const struct wl_warp *w, unsigned lane) {
  return w->warp * WL_LANES + lane;
}
