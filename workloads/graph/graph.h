/* Graphs for the workloads that walk one: made up from a seed, or read from the user's file.
 *
 * Invariant: row[0] is 0, row never falls, row[n] is m, every col is below n; the edges of a node are in the
 * order in which the generator drew them or the file lists them.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_GRAPH_H
#define HEDDLE_WORKLOADS_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WL_GRAPH_NODES = 1 << 23, /* the most of them: so many that every kernel's arrays fit */
  WL_GRAPH_EDGES = 3 << 23,
  WL_GRAPH_WEIGHT = 10000000,
};

/* Compressed rows: the edges of node v are numbers row[v]..row[v+1]-1; an edge is directed. */
struct wl_graph {
  uint32_t n, m;
  uint32_t *row, *col, *weight; /* n + 1, m, m */
};

/* What is made up. Each edge is there in both directions, with the same weight. */
enum wl_graph_kind {
  WL_GRAPH_RODINIA,  /* as Rodinia's graph65536.txt: a tree, two more edges a node; weights 1..20 */
  WL_GRAPH_GRAPHGEN, /* as Rodinia's graphgen: each node draws 2 to 4 edges to any nodes; weights 1..10 */
  WL_GRAPH_POWER,    /* as coAuthorsDBLP: each node draws 3 or 4 edges to nodes before it, 9 of 16 by degree;
                       weights 1..10 */
  WL_GRAPH_ROAD,     /* as a road network: a tree on the grid, 0.4 of its other edges; weights 1..1000 */
  WL_GRAPH_GRID,     /* as ecology1: a square grid, numbered along its rows; weights 1..10 */
  WL_GRAPH_KINDS,
};

/* Reads `file`, or, if that is NULL, makes up a graph of n nodes (1..WL_GRAPH_NODES/4) from the seed.
 * False: nothing is left in *g, and one line in err says why. */
bool wl_graph_get(struct wl_graph *g, const char *file, enum wl_graph_kind kind, uint32_t n, uint64_t seed,
                  char *err, size_t errlen);
void wl_graph_free(struct wl_graph *g);

/* Each edge turned round; the edges of a node ordered by the other end. False: out of memory. */
bool wl_graph_transpose(const struct wl_graph *g, struct wl_graph *out);

/* The most edges any node has. */
uint32_t wl_graph_degree(const struct wl_graph *g);

/* For a catalogue entry's `file`: the formats, told apart by what the file begins with and the ending
 * .graph. */
#define WL_GRAPH_FORMATS                                                                                     \
  "a graph: Rodinia text, Matrix Market coordinates, DIMACS .gr, METIS .graph, or lines \"from to "          \
  "[weight]\""

/* For its keys: the graph's, in this order, first in the list; and their meaning. */
enum { WL_GRAPH_KEY_N, WL_GRAPH_KEY_KIND, WL_GRAPH_KEY_SEED, WL_GRAPH_KEYS };
#define WL_GRAPH_KEY_LIST                                                                                    \
  {"n", 32, WL_GRAPH_NODES / 4, "nodes of the graph"},                                                       \
      {"graph", 0, WL_GRAPH_KINDS - 1,                                                                       \
       "0: as Rodinia's graph65536; 1: as its graphgen; 2: power law; 3: road network; 4: grid"},            \
  {                                                                                                          \
    "seed", 0, UINT64_MAX, "another seed, another graph"                                                     \
  }

/* Within graph*.c: edges as they come, and their way into a graph. */
struct wl_edge {
  uint32_t from, to, weight;
};
struct wl_edges {
  struct wl_edge *edge;
  uint32_t count, room;
};
/* False: out of memory, or one more than WL_GRAPH_EDGES. */
bool wl_edges_add(struct wl_edges *e, uint32_t from, uint32_t to, uint32_t weight);
/* Sorts them by `from`, keeping their order; frees them. False: out of memory. */
bool wl_edges_into(struct wl_edges *e, uint32_t n, struct wl_graph *g);
/* Makes up, reads the edges of a graph of *n nodes. False: the first out of memory; the second, err says
 * why. */
bool wl_graph_make(struct wl_edges *e, enum wl_graph_kind kind, uint32_t n, uint64_t seed);
bool wl_graph_read(struct wl_edges *e, const char *file, uint32_t *n, char *err, size_t errlen);

#endif
