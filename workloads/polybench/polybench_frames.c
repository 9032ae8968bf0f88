/* The shared frames of PolyBench's kernels; see polybench.h. */
#include "workloads/polybench/polybench.h"

void pb_vector(struct wl_plan *p, const char *name, uint64_t n) {
  wl_grid(p, name, (uint32_t)n, 1, VECTOR_BLOCK, 1);
}

void pb_prologue(struct wl_plan *p, bool two_d, wl_lanes_fn lanes) {
  uint64_t position = WL_R(R_POS);
  wl_inst(p, WL_ALU, R_POS, 0);
  if (two_d) {
    wl_inst(p, WL_ALU, R_POS_Y, 0);
    position |= WL_R(R_POS_Y);
  }
  wl_inst(p, WL_ALU, R_PRED, position);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, lanes);
  wl_inst(p, WL_ALU, R_INDEX, position);
}

void pb_guard(struct wl_plan *p, wl_lanes_fn lanes, int integers) {
  const uint64_t position = WL_R(R_POS) | WL_R(R_POS_Y);
  wl_inst(p, WL_ALU, R_POS, 0);
  wl_inst(p, WL_ALU, R_POS_Y, 0);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_POS));
  wl_inst(p, WL_ALU, R_PRED_Y, WL_R(R_POS_Y));
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_PRED) | WL_R(R_PRED_Y));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, lanes);
  for (int i = 0; i < integers; i++)
    wl_inst(p, WL_ALU, R_INDEX, i == 0 ? position : WL_R(R_INDEX));
}

void pb_advance(struct wl_plan *p) {
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_INDEX));
  wl_end(p);
}
