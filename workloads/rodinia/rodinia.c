/* Rodinia 3.1: the catalogue of its kernels whose addresses do not depend on data, and the frames they share. See
 * rodinia.h. */
#include "workloads/rodinia/rodinia.h"

void rod_if(struct wl_plan *p, wl_lane_fn lane) {
  part_branch(p, WL_R(R_POS));
  wl_if_lane(p, lane);
}

void rod_if_warp(struct wl_plan *p, wl_lanes_fn lanes) {
  part_branch(p, WL_R(R_POS));
  wl_if(p, lanes);
}

void rod_loop(struct wl_plan *p, int counter, uint32_t trips) {
  wl_inst(p, WL_ALU, counter, 0);
  wl_loop(p, trips);
}

void rod_next(struct wl_plan *p, int counter) {
  wl_inst(p, WL_ALU, counter, WL_R(counter));
  part_branch(p, WL_R(counter));
  wl_end(p);
}

/* An area begins at a line. */
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

void rod_write_by(struct wl_plan *p, struct rod_shared s, int value, wl_elem_fn elem) {
  const uint64_t src = WL_R(value) | WL_R(R_POS);
  if (s.array < 0)
    wl_shared(p, WL_NO_REG, src, WORD, elem);
  else
    wl_access(p, WL_STORE, WL_NO_REG, src, s.array, elem);
}

/* Only what holds no shared memory has an area elsewhere. */
int64_t rod_area(const struct wl_warp *w, uint32_t words) {
  return w->plan->launch.shared_bytes ? 0 : (int64_t)w->cta * area_words(words);
}

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
