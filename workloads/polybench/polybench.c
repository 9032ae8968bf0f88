/* PolyBench/GPU 1.0: the catalogue of its kernels, and the frames they share. See polybench.h. */
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

#define SUITE "PolyBench/GPU 1.0; paper: "
#define MRPB SUITE "MRPB Table 2"
#define DEFAULT SUITE "none names it; 1/4 of the suite's 2048, as MRPB Table 2 takes of 2mm's"
#define RELOAD                                                                                               \
  { "reload", 0, 1, "1: load the accumulator every iteration, as the source does" }
#define MATRIX                                                                                               \
  { "n", 32, 16384, "rows and columns of the matrices" }
#define MATRICES                                                                                             \
  { "n", 32, 8192, "rows and columns of the matrices" }
#define ROWS                                                                                                 \
  { "n", 32, 8192, "rows and columns of c" }
#define INNER                                                                                                \
  { "m", 32, 8192, "the summed dimension" }

const struct wl_workload wl_polybench[] = {
    {"atax",
     "k1 by rows, k2 by columns",
     MRPB,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     .open = wl_open_plan,
     .build = pb_atax},
    {"bicg",
     "k1 by columns, k2 by rows",
     MRPB,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     .open = wl_open_plan,
     .build = pb_bicg},
    {"mvt",
     "k1 by rows, k2 by columns",
     MRPB,
     {MATRIX, RELOAD},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {2048}}},
     .open = wl_open_plan,
     .build = pb_mvt},
    {"gesummv",
     "one",
     MRPB,
     {MATRIX},
     {{"tiny", {256}}, {"small", {1024}}, {"paper", {1024}}},
     .open = wl_open_plan,
     .build = pb_gesummv},
    {"syrk",
     "one",
     MRPB,
     {ROWS, INNER, RELOAD},
     {{"tiny", {32, 64}}, {"small", {96, 256}}, {"paper", {256, 256}}},
     .open = wl_open_plan,
     .build = pb_syrk},
    {"syr2k",
     "one",
     MRPB,
     {ROWS, INNER, RELOAD},
     {{"tiny", {32, 32}}, {"small", {96, 128}}, {"paper", {128, 128}}, {"area", {512, 512}}},
     .open = wl_open_plan,
     .build = pb_syr2k},
    {"gemm",
     "one",
     MRPB,
     {{"ni", 32, 8192, "rows of a and c"},
      {"nj", 32, 8192, "columns of b and c"},
      {"nk", 32, 8192, "columns of a, rows of b"},
      RELOAD},
     {{"tiny", {64, 64, 64}}, {"small", {256, 256, 256}}, {"paper", {512, 512, 512}}},
     .open = wl_open_plan,
     .build = pb_gemm},
    {"2dconv",
     "one",
     MRPB,
     {MATRIX},
     {{"tiny", {256}}, {"small", {2048}}, {"paper", {4096}}},
     .open = wl_open_plan,
     .build = pb_2dconv},
    {"2mm",
     "k1 c = a b, k2 e = c d",
     MRPB,
     {MATRICES, RELOAD},
     {{"tiny", {64}}, {"small", {256}}, {"paper", {512}}},
     .open = wl_open_plan,
     .build = pb_2mm},
    {"3mm",
     "k1 e = a b, k2 f = c d, k3 g = e f",
     MRPB,
     {MATRICES, RELOAD},
     {{"tiny", {64}}, {"small", {256}}, {"paper", {512}}},
     .open = wl_open_plan,
     .build = pb_3mm},
    {"3dconv",
     "one a plane but the border's",
     MRPB,
     {{"n", 32, 512, "length of the cube's edge"}},
     {{"tiny", {32}}, {"small", {128}}, {"paper", {256}}},
     .open = wl_open_plan,
     .build = pb_3dconv},
    {"fdtd",
     "step1 ey, step2 ex, step3 hz, every time step",
     MRPB,
     {{"n", 32, 8192, "rows and columns of hz"}, {"tmax", 1, 1000, "time steps"}},
     {{"tiny", {64, 4}}, {"small", {256, 50}}, {"paper", {256, 500}}},
     .open = wl_open_plan,
     .build = pb_fdtd},
    {"correlation",
     "mean, std, reduce, corr",
     DEFAULT,
     {MATRICES, RELOAD},
     {{"tiny", {48}}, {"small", {128}}, {"paper", {512}}, {"suite", {2048}}},
     .open = wl_open_plan,
     .build = pb_correlation},
    {"covariance",
     "mean, reduce, covar",
     DEFAULT,
     {MATRICES, RELOAD},
     {{"tiny", {48}}, {"small", {128}}, {"paper", {512}}, {"suite", {2048}}},
     .open = wl_open_plan,
     .build = pb_covariance},
    {"gramschmidt",
     "k1 norm, k2 scale, k3 project, every column",
     DEFAULT,
     {MATRICES, RELOAD},
     {{"tiny", {64}}, {"small", {256}}, {"paper", {512}}, {"suite", {2048}}},
     .open = wl_open_plan,
     .build = pb_gramschmidt},
    {0},
};
