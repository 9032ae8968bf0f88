/* Rodinia 3.1: the catalogue of the kernels whose addresses depend on the input. See rodinia_data.h. */
#include "workloads/rodinia/rodinia_data.h"

#include "workloads/graph/graph.h"

#define SUITE "Rodinia 3.1; paper: "
#define PARTICLE_PAPER "APRES Table IV names it without its input; here the suite's"
#define PARTICLE_KEYS                                                                                        \
  {"n", 2, 65536, "particles"}, {"size", 32, 512, "rows and columns of the video"},                          \
      {"frames", 2, 20, "frames of the video"}, {                                                            \
    "seed", 0, UINT64_MAX, "another seed, another video"                                                     \
  }

const struct wl_workload wl_rodinia_data[] = {
    {"bfs",
     "k1 a level's nodes mark their neighbours, k2 the marked are the next level; for each level",
     SUITE "MRPB Table 3 (65536 nodes)",
     {WL_GRAPH_KEY_LIST},
     {{"tiny", {1024, WL_GRAPH_RODINIA, 1}},
      {"small", {16384, WL_GRAPH_RODINIA, 1}},
      {"paper", {65536, WL_GRAPH_RODINIA, 1}}},
     .open = wl_open_plan,
     .build = rd_bfs,
     .prepare = rd_bfs_prepare,
     .release = rd_bfs_release,
     .file = WL_GRAPH_FORMATS,
     .made_up = {"n", "graph", "seed"}},
    {"btree",
     "findRangeK, findK: a CTA a query",
     SUITE "MRPB Table 3 (1M nodes, which is 1,000,000 keys); queries: the suite's",
     {{"n", 2, 2000000, "keys in the tree: 0 to n-1; queries are below n"},
      {"seed", 0, UINT64_MAX, "other queries, another order"},
      {"shuffled", 0, 1, "1: the keys are inserted in a random order, 0: ascending"},
      {"find", 1, 100000, "queries of findK"},
      {"ranges", 1, 100000, "queries of findRangeK"},
      {"span", 0, 2000000, "keys from a range's start to its end"}},
     {{"tiny", {60000, 1, 0, 48, 24, 300}},
      {"small", {1000000, 1, 0, 2000, 1200, 3000}},
      {"paper", {1000000, 1, 0, 10000, 6000, 3000}}},
     .open = wl_open_plan,
     .build = rd_btree,
     .prepare = rd_btree_prepare,
     .release = rd_btree_release,
     .file = "the keys, in the order of insertion: how many, then one a line",
     .made_up = {"n", "shuffled"}},
    {"particlefilter",
     "find_index, every frame but the first",
     SUITE PARTICLE_PAPER,
     {PARTICLE_KEYS},
     {{"tiny", {128, 32, 4, 1}}, {"small", {1000, 128, 10, 1}}, {"paper", {1000, 128, 10, 1}}},
     .open = wl_open_plan,
     .build = rd_particle_naive,
     .prepare = rd_particle_prepare,
     .release = rd_particle_release},
    {"particlefilter_float",
     "likelihood, sum, normalize, find_index, every frame but the first",
     SUITE PARTICLE_PAPER,
     {PARTICLE_KEYS},
     {{"tiny", {64, 32, 2, 1}}, {"small", {1000, 128, 10, 1}}, {"paper", {1000, 128, 10, 1}}},
     .open = wl_open_plan,
     .build = rd_particle_float,
     .prepare = rd_particle_prepare,
     .release = rd_particle_release},
    {"mummergpu",
     "one: each query's suffixes against the reference's suffix tree",
     SUITE
     "APRES Table IV names it without its input; here as large as the suite's 1.4 Mbp and 50,000 queries",
     {{"n", 32, 1500000, "letters of the reference"},
      {"seed", 0, UINT64_MAX,
       "another seed, another genome and other queries; beside a file, if it has none"},
      {"queries", 1, 100000, "queries; beside a file, if it has none"},
      {"letters", 20, 500, "letters of a query; likewise"}},
     {{"tiny", {4000, 1, 128, 25}}, {"small", {200000, 1, 10000, 25}}, {"paper", {1400000, 1, 50000, 25}}},
     .open = wl_open_plan,
     .build = rd_mummer,
     .prepare = rd_mummer_prepare,
     .release = rd_mummer_release,
     .file = "FASTA: the reference, then, if there are more sequences, the queries",
     .made_up = {"n"}},
    {0},
};
