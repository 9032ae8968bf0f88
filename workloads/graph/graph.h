/* Graphs for the workloads that walk one: made up from a seed, or read from the user's file.
 *
 * Invariant: row[0] is 0, row never falls, row[n] is m, every col is below n. The edges of a node are in
 * the order in which the generator drew them or the file lists them.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_GRAPH_H
#define HEDDLE_WORKLOADS_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WL_GRAPH_NODES = 1 << 23, /* most nodes: the arrays of every kernel still fit */
  WL_GRAPH_EDGES = 3 << 23,
  WL_GRAPH_WEIGHT = 10000000,
};

/* Compressed rows: the edges of node v have numbers row[v]..row[v+1]-1. An edge is directed. */
struct wl_graph {
  uint32_t n, m;
  uint32_t *row, *col, *weight; /* n + 1, m, m entries */
};

/* The kinds of made-up graphs. Each edge exists in both directions, with the same weight. */
enum wl_graph_kind {
  WL_GRAPH_RODINIA,  /* as Rodinia's graph65536.txt: a tree, and two more edges per node; weights 1..20 */
  WL_GRAPH_GRAPHGEN, /* as Rodinia's graphgen: each node draws 2 to 4 edges to any nodes; weights 1..10 */
  WL_GRAPH_POWER,    /* as coAuthorsDBLP: each node draws 3 or 4 edges to nodes before it, 9 of 16 by degree;
                       weights 1..10 */
  WL_GRAPH_ROAD,     /* as a road network: a tree on the grid, 0.4 of the other grid edges; weights 1..1000 */
  WL_GRAPH_GRID,     /* as ecology1: a square grid, numbered along its rows; weights 1..10 */
  WL_GRAPH_KINDS,
};

/* Reads `file`, or, if that is NULL, makes up a graph of n nodes (1..WL_GRAPH_NODES/4) from the seed.
 * Returns false with one line in err, and with nothing left in *g. */
bool wl_graph_get(struct wl_graph *g, const char *file, enum wl_graph_kind kind, uint32_t n, uint64_t seed,
                  char *err, size_t errlen);
void wl_graph_free(struct wl_graph *g);

/* Reverses each edge. The edges of a node are then ordered by their other end. Returns false if memory is
 * out. */
bool wl_graph_transpose(const struct wl_graph *g, struct wl_graph *out);

/* Returns the largest number of edges of a node. */
uint32_t wl_graph_degree(const struct wl_graph *g);

/* The formats, for the `file` of a catalogue entry. The begin of a file and the ending .graph tell them
 * apart. */
#define WL_GRAPH_FORMATS                                                                                     \
  "a graph: Rodinia text, Matrix Market coordinates, DIMACS .gr, METIS .graph, or lines \"from to "          \
  "[weight]\""

/* The graph's keys, for a catalogue entry. They must come first in its list, in this order. */
enum { WL_GRAPH_KEY_N, WL_GRAPH_KEY_KIND, WL_GRAPH_KEY_SEED, WL_GRAPH_KEYS };
#define WL_GRAPH_KEY_LIST                                                                                    \
  {"n", 32, WL_GRAPH_NODES / 4, "nodes of the graph"},                                                       \
      {"graph", 0, WL_GRAPH_KINDS - 1,                                                                       \
       "0: as Rodinia's graph65536; 1: as its graphgen; 2: power law; 3: road network; 4: grid"},            \
  {                                                                                                          \
    "seed", 0, UINT64_MAX, "another seed, another graph"                                                     \
  }

/* Used within graph*.c: a growing list of edges, before they become a graph. */
struct wl_edge {
  uint32_t from, to, weight;
};
struct wl_edges {
  struct wl_edge *edge;
  uint32_t count, room;
};
/* Returns false if memory is out, or if there are WL_GRAPH_EDGES edges already. */
bool wl_edges_add(struct wl_edges *e, uint32_t from, uint32_t to, uint32_t weight);
/* Sorts the edges by `from`, keeping their order, makes the graph of them, and frees them. Returns false if
 * memory is out. */
bool wl_edges_into(struct wl_edges *e, uint32_t n, struct wl_graph *g);
/* wl_graph_make makes up the edges of a graph of n nodes; it returns false if memory is out. wl_graph_read
 * reads them, and *n; it returns false with one line in err. */
bool wl_graph_make(struct wl_edges *e, enum wl_graph_kind kind, uint32_t n, uint64_t seed);
bool wl_graph_read(struct wl_edges *e, const char *file, uint32_t *n, char *err, size_t errlen);

#endif
