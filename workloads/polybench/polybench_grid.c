/* PolyBench/GPU 1.0: 2dconv, 3dconv and fdtd, with one thread per point of a plane. See polybench.h. */
#include "workloads/polybench/polybench.h"

/* Returns the lanes that are not on the border of the plane. */
static uint32_t interior(const struct wl_warp *warp) {
  const uint32_t n = warp->plan->nx;
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    if (warp->x[l] > 0 && warp->x[l] < n - 1 && warp->y[l] > 0 && warp->y[l] < n - 1)
      lanes |= UINT32_C(1) << l;
  return lanes;
}

static uint32_t first_row(const struct wl_warp *warp) {
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    lanes |= (uint32_t)(warp->y[l] == 0) << l;
  return lanes;
}

static uint32_t later_rows(const struct wl_warp *warp) {
  return ~first_row(warp);
}

static uint32_t later_columns(const struct wl_warp *warp) {
  uint32_t lanes = wl_lanes_inside(warp);
  for (int l = 0; l < WL_LANES; l++)
    lanes &= ~((uint32_t)(warp->x[l] == 0) << l);
  return lanes;
}

bool pb_2dconv(struct wl_plan *p, uint32_t launch) {
  const int64_t n = (int64_t)p->key[0];
  const int A = wl_array(p, "A", (uint64_t)(n * n), FLOAT), B = wl_array(p, "B", (uint64_t)(n * n), FLOAT);
  wl_grid(p, "2dconv", (uint32_t)n, (uint32_t)n, TILE_X, TILE_Y);
  pb_guard(p, interior, 9);
  for (int i = 0; i < 9; i++)
    wl_load(p, R_LOADED + i, R_INDEX, A, AT(.c = (i / 3 - 1) * n + i % 3 - 1, .x = 1, .y = n));
  for (int i = 0; i < 9; i++)
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED + i) | (i ? WL_R(R_ACC) : 0));
  wl_store(p, WL_R(R_ACC), R_INDEX, B, AT(.x = 1, .y = n));
  wl_end(p);
  return launch < 1;
}

/* One launch per plane, except for the two planes of the border. */
bool pb_3dconv(struct wl_plan *p, uint32_t launch) {
  enum { LOADS = 11, TERMS = 17 };
  static const int8_t at[LOADS][3] = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 0}, {0, 0, 0},
                                      {0, 1, 0},    {-1, -1, 1}, {1, -1, 1}, {-1, 0, 1},
                                      {1, 0, 1},    {-1, 1, 1},  {1, 1, 1}};
  const int64_t n = (int64_t)p->key[0], plane = n * n, here = (int64_t)(launch + 1) * plane;
  const int A = wl_array(p, "A", (uint64_t)(n * plane), FLOAT),
            B = wl_array(p, "B", (uint64_t)(n * plane), FLOAT);
  wl_grid(p, "3dconv", (uint32_t)n, (uint32_t)n, TILE_X, TILE_Y);
  pb_guard(p, interior, 17);
  for (int i = 0; i < LOADS; i++)
    wl_load(p, R_LOADED + i, R_INDEX, A,
            AT(.c = here + at[i][0] * plane + at[i][1] * n + at[i][2], .x = 1, .y = n));
  for (int i = 0; i < TERMS; i++) /* more than loads: some values have several terms */
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_LOADED + i % LOADS) | (i ? WL_R(R_ACC) : 0));
  wl_store(p, WL_R(R_ACC), R_INDEX, B, AT(.c = here, .x = 1, .y = n));
  wl_end(p);
  return launch < n - 2;
}

/* ey from hz. Row 0 gets the source's value of time step t, the other rows the difference of two rows. */
static void fdtd_step1(struct wl_plan *p, int fict, int hz, int ey, uint32_t n, uint32_t t) {
  wl_grid(p, "fdtd.step1", n, n, TILE_X, TILE_Y);
  pb_guard(p, wl_lanes_inside, 10);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_POS_Y)); /* compare: row 0? */
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if(p, first_row);
  wl_load(p, R_A, R_INDEX, fict, AT(.c = t));
  wl_store(p, WL_R(R_A), R_INDEX, ey, AT(.x = 1));
  wl_end(p);
  wl_if(p, later_rows);
  wl_load(p, R_A, R_INDEX, hz, AT(.x = 1, .y = n));
  wl_load(p, R_B, R_INDEX, hz, AT(.c = -(int64_t)n, .x = 1, .y = n));
  wl_load(p, R_ACC, R_INDEX, ey, AT(.x = 1, .y = n));
  wl_inst(p, WL_ALU, R_T, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, ey, AT(.x = 1, .y = n));
  wl_end(p);
  wl_end(p);
}

/* ex from the difference of two columns of hz, except for column 0. */
static void fdtd_step2(struct wl_plan *p, int hz, int ex, uint32_t n) {
  wl_grid(p, "fdtd.step2", n, n, TILE_X, TILE_Y);
  pb_guard(p, later_columns, 10);
  wl_load(p, R_A, R_INDEX, hz, AT(.x = 1, .y = n));
  wl_load(p, R_B, R_INDEX, hz, AT(.c = -1, .x = 1, .y = n));
  wl_load(p, R_ACC, R_INDEX, ex, AT(.x = 1, .y = n + 1));
  wl_inst(p, WL_ALU, R_T, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, ex, AT(.x = 1, .y = n + 1));
  wl_end(p);
}

/* hz from the differences of ex and ey. */
static void fdtd_step3(struct wl_plan *p, int hz, int ex, int ey, uint32_t n) {
  wl_grid(p, "fdtd.step3", n, n, TILE_X, TILE_Y);
  pb_guard(p, wl_lanes_inside, 10);
  wl_load(p, R_A, R_INDEX, ex, AT(.x = 1, .y = n + 1));
  wl_load(p, R_B, R_INDEX, ex, AT(.c = 1, .x = 1, .y = n + 1));
  wl_load(p, R_C, R_INDEX, ey, AT(.c = n, .x = 1, .y = n));
  wl_load(p, R_D, R_INDEX, ey, AT(.x = 1, .y = n));
  wl_load(p, R_ACC, R_INDEX, hz, AT(.x = 1, .y = n));
  wl_inst(p, WL_ALU, R_T, WL_R(R_A) | WL_R(R_B));
  wl_inst(p, WL_ALU, R_T, WL_R(R_T) | WL_R(R_C));
  wl_inst(p, WL_ALU, R_T, WL_R(R_T) | WL_R(R_D));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_T) | WL_R(R_ACC));
  wl_store(p, WL_R(R_ACC), R_INDEX, hz, AT(.x = 1, .y = n));
  wl_end(p);
}

/* Three launches per time step. ey has one row more than hz, ex one column more. */
bool pb_fdtd(struct wl_plan *p, uint32_t launch) {
  const uint64_t n = p->key[0], tmax = p->key[1];
  const int fict = wl_array(p, "fict", tmax, FLOAT), ex = wl_array(p, "ex", n * (n + 1), FLOAT),
            ey = wl_array(p, "ey", (n + 1) * n, FLOAT), hz = wl_array(p, "hz", n * n, FLOAT);
  if (launch % 3 == 0)
    fdtd_step1(p, fict, hz, ey, (uint32_t)n, launch / 3);
  else if (launch % 3 == 1)
    fdtd_step2(p, hz, ex, (uint32_t)n);
  else
    fdtd_step3(p, hz, ex, ey, (uint32_t)n);
  return launch < 3 * tmax;
}
