/* What the kernels that walk a graph share: a thread a node (or an edge), a loop over the node's edges.
 *
 * Invariant: plan->data of such a kernel begins with its struct wl_graph; the loop over the edges is the
 * outermost one, so k[0] counts them.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_GRAPH_KERNEL_H
#define HEDDLE_WORKLOADS_GRAPH_GRAPH_KERNEL_H

#include "workloads/graph/graph.h"
#include "workloads/plan/kernel_code.h"

/* Registers besides kernel_code.h's: the number of the edge, its other end, what comes from there, the node's
 * first edge and its last, what is the node's own. */
enum { R_EDGE = R_INDEX, R_TO = R_LOADED, R_FAR, R_FIRST, R_LAST, R_OWN };

/* The launch of n threads in a row; the position, the bounds check, the branch; a block for the threads in
 * bounds is left open. */
void wl_each_node(struct wl_plan *p, const char *name, uint32_t n, uint32_t block);

/* A test of what the registers `src` hold: the compare and the branch. Opens a block for the lanes where
 * it holds. */
void wl_test(struct wl_plan *p, uint64_t src, wl_lane_fn lane);

/* The number of the lane's current edge; the node it leads to; whether there is one. Before the loop k[0]
 * is 0. */
int64_t wl_edge_number(const struct wl_warp *w, unsigned lane);
int64_t wl_edge_target(const struct wl_warp *w, unsigned lane);
bool wl_edge_left(const struct wl_warp *w, unsigned lane);

/* Makes plan->data: `bytes` of zeros that begin with the graph the keys or the file ask for. False: err
 * says why. */
bool wl_graph_prepare(struct wl_plan *p, size_t bytes, char *err, size_t errlen);

/* Room for `count` more elements, zeroed; what the release function frees. False: err says so. */
bool wl_graph_room(void *pointer, size_t count, size_t bytes, char *err, size_t errlen);

#endif
