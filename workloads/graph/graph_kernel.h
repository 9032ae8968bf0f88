/* Shared by the kernels that walk a graph: one thread per node (or edge), and a loop over the node's edges.
 *
 * Invariant: plan->data of such a kernel begins with its struct wl_graph. The loop over the edges is the
 * outermost one, so k[0] counts the edges.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_GRAPH_KERNEL_H
#define HEDDLE_WORKLOADS_GRAPH_GRAPH_KERNEL_H

#include "workloads/graph/graph.h"
#include "workloads/plan/kernel_code.h"

/* Registers in addition to those of kernel_code.h: the edge's number, its other end, the value loaded from
 * there, the node's first edge and its last, the node's own value. */
enum { R_EDGE = R_INDEX, R_TO = R_LOADED, R_FAR, R_FIRST, R_LAST, R_OWN };

/* Adds the launch of n threads in a row: the position, the bounds check, the branch. Leaves the block of
 * the threads in bounds open. */
void wl_each_node(struct wl_plan *p, const char *name, uint32_t n, uint32_t block);

/* Adds a test of the registers in `src`: the compare and the branch. Opens a block for the lanes that pass. */
void wl_test(struct wl_plan *p, uint64_t src, wl_lane_fn lane);

/* Return the number of the lane's current edge, the node that this edge leads to, and whether there is such
 * an edge. Before the loop, k[0] is 0. */
int64_t wl_edge_number(const struct wl_warp *w, unsigned lane);
int64_t wl_edge_target(const struct wl_warp *w, unsigned lane);
bool wl_edge_left(const struct wl_warp *w, unsigned lane);

/* Makes plan->data: `bytes` zeroed bytes that begin with the graph of the keys or the file. Returns false
 * with one line in err. */
bool wl_graph_prepare(struct wl_plan *p, size_t bytes, char *err, size_t errlen);

/* Allocates `count` zeroed elements of `bytes` bytes each, and stores their address at `pointer`; the
 * workload's release function frees them. Returns false with one line in err. */
bool wl_graph_room(void *pointer, size_t count, size_t bytes, char *err, size_t errlen);

#endif
