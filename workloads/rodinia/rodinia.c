/* Rodinia 3.1: the catalogue of its kernels whose addresses do not depend on data; see rodinia.h. */
#include "workloads/rodinia/rodinia.h"

#define SUITE "Rodinia 3.1; paper: "
#define MRPB SUITE "MRPB Table 3"
#define UNSHARED SUITE "MRPB Table 3, the unshared version"
#define TILED(MAX)                                                                                           \
  { "n", 16, MAX, "rows and columns, rounded up to a multiple of 16" }
#define UNITS                                                                                                \
  { "n", 16, 2097152, "input units, rounded up to a multiple of 16" }
#define HOTSPOT(MAX)                                                                                         \
  {                                                                                                          \
    {"n", 16, MAX, "rows and columns"}, {"height", 1, 7, "time steps a launch"}, {                           \
      "steps", 1, 1000, "time steps"                                                                         \
    }                                                                                                        \
  }
#define PATHFINDER                                                                                           \
  {                                                                                                          \
    {"cols", 16, 1000000, "columns"}, {"rows", 2, 500, "rows"}, {                                            \
      "height", 1, 100, "rows a launch"                                                                      \
    }                                                                                                        \
  }
#define SRAD(MAX)                                                                                            \
  {                                                                                                          \
    {"rows", 16, MAX, "rows, rounded up to a multiple of 16"}, {"cols", 16, MAX, "columns, likewise"}, {     \
      "iters", 1, 1000, "iterations"                                                                         \
    }                                                                                                        \
  }
#define KMEANS(ITERS)                                                                                        \
  {                                                                                                          \
    {"points", 32, 1048576, "points"}, {"features", 1, 64, "features of a point"},                           \
        {"clusters", 1, 32, "clusters"}, {"iters", 1, ITERS, "iterations, at most"},                         \
        {"rows", 1, 1048576, "points that differ"}, {                                                        \
      "seed", 0, UINT64_MAX, "another seed, other points"                                                    \
    }                                                                                                        \
  }
#define POINTS_FILE "Rodinia's kmeans text: a point a line, its number and its features"

const struct wl_workload wl_rodinia[] = {
    {"backprop",
     "forward, adjust",
     MRPB,
     {UNITS},
     {{"tiny", {1024}}, {"small", {32768}}, {"paper", {65536}}},
     .open = wl_open_plan,
     .build = rod_backprop},
    {"backprop_u",
     "forward, adjust",
     UNSHARED,
     {UNITS},
     {{"tiny", {512}}, {"small", {32768}}, {"paper", {65536}}},
     .open = wl_open_plan,
     .build = rod_backprop_u},
    {"gaussian",
     "fan1 multipliers, fan2 rows, every column",
     MRPB,
     {{"n", 16, 4096, "rows and columns"}},
     {{"tiny", {32}}, {"small", {96}}, {"paper", {208}}},
     .open = wl_open_plan,
     .build = rod_gaussian},
    {"hotspot",
     "one every `height` time steps",
     MRPB,
     HOTSPOT(8192),
     {{"tiny", {96, 2, 2}}, {"small", {512, 2, 2}}, {"paper", {512, 2, 2}}},
     .open = wl_open_plan,
     .build = rod_hotspot},
    {"hotspot_u",
     "one every `height` time steps",
     UNSHARED,
     HOTSPOT(1024),
     {{"tiny", {96, 2, 2}}, {"small", {512, 2, 2}}, {"paper", {512, 2, 2}}},
     .open = wl_open_plan,
     .build = rod_hotspot_u},
    {"kmeans",
     "invert, then one every iteration",
     MRPB,
     KMEANS(501),
     {{"tiny", {2048, 16, 3, 2, 128, 1}},
      {"small", {16384, 34, 5, 4, 512, 1}},
      {"paper", {204800, 34, 5, 17, 1024, 1}},
      {"kdd", {494020, 34, 5, 37, 2048, 1}}},
     .open = wl_open_plan,
     .build = rod_kmeans,
     .prepare = rod_kmeans_prepare,
     .release = rod_kmeans_release,
     .file = POINTS_FILE,
     .made_up = {"points", "features", "rows", "seed"}},
    {"kmn",
     "one every iteration",
     SUITE "MRPB's and the suite's points, for APCM names none",
     KMEANS(2),
     {{"tiny", {256, 16, 3, 1, 64, 1}},
      {"small", {4096, 34, 5, 2, 512, 1}},
      {"paper", {204800, 34, 5, 2, 1024, 1}},
      {"kdd", {494020, 34, 5, 2, 2048, 1}}},
     .open = wl_open_plan,
     .build = rod_kmn,
     .prepare = rod_kmeans_prepare,
     .release = rod_kmeans_release,
     .file = POINTS_FILE,
     .made_up = {"points", "features", "rows", "seed"}},
    {"lud",
     "diagonal, perimeter, internal, every tile of the diagonal",
     MRPB,
     {TILED(4096)},
     {{"tiny", {64}}, {"small", {256}}, {"paper", {512}}},
     .open = wl_open_plan,
     .build = rod_lud},
    {"lud_u",
     "diagonal, perimeter, internal, every tile of the diagonal",
     UNSHARED,
     {TILED(4096)},
     {{"tiny", {48}}, {"small", {256}}, {"paper", {512}}},
     .open = wl_open_plan,
     .build = rod_lud_u},
    {"nw",
     "needle1 every diagonal of tiles up to the longest, needle2 after it",
     MRPB,
     {TILED(8192)},
     {{"tiny", {128}}, {"small", {768}}, {"paper", {2048}}},
     .open = wl_open_plan,
     .build = rod_nw},
    {"nw_u",
     "needle1 every diagonal of tiles up to the longest, needle2 after it",
     UNSHARED,
     {TILED(8192)},
     {{"tiny", {64}}, {"small", {512}}, {"paper", {2048}}},
     .open = wl_open_plan,
     .build = rod_nw_u},
    {"pathfinder",
     "one every `height` rows",
     MRPB,
     PATHFINDER,
     {{"tiny", {1600, 40, 20}}, {"small", {20000, 100, 20}}, {"paper", {100000, 100, 20}}},
     .open = wl_open_plan,
     .build = rod_pathfinder},
    {"pathfinder_u",
     "one every `height` rows",
     UNSHARED,
     PATHFINDER,
     {{"tiny", {1600, 21, 20}}, {"small", {20000, 100, 20}}, {"paper", {100000, 100, 20}}},
     .open = wl_open_plan,
     .build = rod_pathfinder_u},
    {"srad1",
     "extract; every iteration prepare, reduce to one sum, srad, srad2; compress",
     SUITE "the suite's default image and iterations",
     {{"rows", 16, 4096, "rows"}, {"cols", 16, 4096, "columns"}, {"iters", 1, 1000, "iterations"}},
     {{"tiny", {62, 58, 1}}, {"small", {502, 458, 1}}, {"paper", {502, 458, 100}}},
     .open = wl_open_plan,
     .build = rod_srad1},
    {"srad2",
     "k1 coefficients, k2 values, every iteration",
     MRPB,
     SRAD(4096),
     {{"tiny", {64, 128, 1}}, {"small", {256, 1024, 1}}, {"paper", {1024, 1024, 2}}},
     .open = wl_open_plan,
     .build = rod_srad2},
    {"srad_u",
     "k1 coefficients, k2 values, every iteration",
     UNSHARED,
     SRAD(4096),
     {{"tiny", {32, 128, 1}}, {"small", {256, 1024, 1}}, {"paper", {1024, 1024, 2}}},
     .open = wl_open_plan,
     .build = rod_srad_u},
    {0},
};
