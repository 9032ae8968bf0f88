/* The shared frames of Rodinia's kernels; see rodinia.h. */
#include "workloads/rodinia/rodinia.h"

void rod_if(struct wl_plan *p, wl_lane_fn lane) {
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, lane);
}

void rod_if_warp(struct wl_plan *p, wl_lanes_fn lanes) {
  code_branch(p, WL_R(R_POS));
  wl_if(p, lanes);
}

void rod_loop(struct wl_plan *p, int counter, uint32_t trips) {
  wl_inst(p, WL_ALU, counter, 0);
  wl_loop(p, trips);
}

void rod_next(struct wl_plan *p, int counter) {
  wl_inst(p, WL_ALU, counter, WL_R(counter));
  code_branch(p, WL_R(counter));
  wl_end(p);
}

/* Each area begins at a line. */
static uint32_t area_words(uint32_t words) {
  return (words + 31) / 32 * 32;
}

struct rod_shared rod_shared(struct wl_plan *p, uint32_t words, bool unshared) {
  struct rod_shared s = {-1, words};
  if (unshared)
    s.array = wl_array(p, "unshared", (uint64_t)area_words(words) * p->launch.ctas, WORD);
  else
    wl_holds(p, words * WORD, 0);
  return s;
}

static struct wl_at in_area(const struct wl_plan *p, struct rod_shared s, struct wl_at at) {
  at.b[0] += area_words(s.words);
  at.b[1] += (int64_t)area_words(s.words) * p->launch.grid[0];
  return at;
}

void rod_read(struct wl_plan *p, struct rod_shared s, int dst, struct wl_at at) {
  if (s.array < 0)
    wl_shared_at(p, dst, WL_R(R_POS), WORD, at);
  else
    wl_load(p, dst, R_POS, s.array, in_area(p, s, at));
}

void rod_write(struct wl_plan *p, struct rod_shared s, int value, struct wl_at at) {
  if (s.array < 0)
    wl_shared_at(p, WL_NO_REG, WL_R(value) | WL_R(R_POS), WORD, at);
  else
    wl_store(p, WL_R(value), R_POS, s.array, in_area(p, s, at));
}

void rod_read_by(struct wl_plan *p, struct rod_shared s, int dst, wl_elem_fn elem) {
  if (s.array < 0)
    wl_shared(p, dst, WL_R(R_POS), WORD, elem);
  else
    wl_access(p, WL_LOAD, dst, WL_R(R_POS), s.array, elem);
}

/* Only a kernel without shared memory has areas in a global array. */
int64_t rod_area(const struct wl_warp *w, uint32_t words) {
  return w->plan->launch.shared_bytes ? 0 : (int64_t)w->cta * area_words(words);
}
