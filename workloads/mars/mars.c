/* Mars: the catalogue of its applications. See mars.h. */
#include "workloads/mars/mars.h"

#define SUITE "Mars; paper: "
#define DEFAULT SUITE "the suite's default size, for no paper names its own"
#define LAUNCHES "count, prefix sums of key sizes, value sizes and counts, map"
#define GROUP                                                                                                \
  { "group", 0, 1, "1: then the group stage, a bitonic sort" }
#define TEXT                                                                                                 \
  {"kib", 1, 65536, "KiB of text"},                                                                          \
      {"record", 32, 65536, "bytes of a record, and up to its next separator"}, {                            \
    "seed", 0, UINT64_MAX, "another seed, another text"                                                      \
  }

const struct wl_workload wl_mars[] = {
    {"ss",
     LAUNCHES,
     DEFAULT,
     {{"n", 2, 2048, "documents; every pair is a record"},
      {"features", 1, 1024, "of a document, in 4"},
      GROUP},
     {{"tiny", {32, 8}}, {"small", {256, 64}}, {"paper", {1024, 64}}},
     .open = wl_open_plan,
     .build = mars_ss,
     .prepare = mars_ss_prepare,
     .release = mars_release},
    {"mm",
     LAUNCHES,
     DEFAULT,
     {{"n", 2, 2048, "rows of both matrices"},
      {"columns", 1, 1024, "of both, in 4"},
      {"tile", 1, 32, "columns of the elements that a warp takes; 32: of a row"}},
     {{"tiny", {32, 4, 32}}, {"small", {128, 256, 32}}, {"paper", {1024, 256, 32}}},
     .open = wl_open_plan,
     .build = mars_mm,
     .prepare = mars_mm_prepare,
     .release = mars_release},
    {"wc",
     LAUNCHES,
     SUITE "16 MiB of made-up text, for the suite's 88 KB are one CTA and no paper names its own",
     {TEXT, GROUP},
     {{"tiny", {16, 256, 1}}, {"small", {1024, 2048, 1}}, {"paper", {16384, 2048, 1}}},
     .open = wl_open_plan,
     .build = mars_wc,
     .prepare = mars_wc_prepare,
     .release = mars_release,
     .file = "any text; letters are A to Z and a to z",
     .made_up = {"kib", "seed"}},
    {"ii",
     LAUNCHES,
     SUITE "as much made-up HTML as the suite's default",
     {TEXT, GROUP},
     {{"tiny", {16, 128, 1}}, {"small", {1024, 1024, 1}}, {"paper", {27930, 1024, 1}}},
     .open = wl_open_plan,
     .build = mars_ii,
     .prepare = mars_ii_prepare,
     .release = mars_release,
     .file = "HTML; links are <a .. href=\"..\"",
     .made_up = {"kib", "seed"}},
    {0},
};
