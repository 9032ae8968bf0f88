/* Rodinia 3.1: the catalogue of the kernels whose addresses depend on the input. See rodinia_data.h. */
#include "workloads/rodinia_data.h"

#include "workloads/graph.h"

#define SUITE "Rodinia 3.1; paper: "

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
     .file = WL_GRAPH_FORMATS},
    {0},
};
