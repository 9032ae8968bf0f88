/* The frame of the kernels that walk a graph. See graph_kernel.h. */
#include "workloads/graph/graph_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wl_each_node(struct wl_plan *p, const char *name, uint32_t n, uint32_t block) {
  wl_grid(p, name, n, 1, block, 1);
  wl_inst(p, WL_ALU, R_POS, 0);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
}

void wl_test(struct wl_plan *p, uint64_t src, wl_lane_fn lane) {
  code_branch(p, src);
  wl_if_lane(p, lane);
}

static const struct wl_graph *graph_of(const struct wl_warp *w) {
  return w->plan->data;
}

int64_t wl_edge_number(const struct wl_warp *w, unsigned lane) {
  return (int64_t)graph_of(w)->row[w->x[lane]] + w->k[0];
}

int64_t wl_edge_target(const struct wl_warp *w, unsigned lane) {
  return graph_of(w)->col[wl_edge_number(w, lane)];
}

bool wl_edge_left(const struct wl_warp *w, unsigned lane) {
  return wl_edge_number(w, lane) < graph_of(w)->row[w->x[lane] + 1];
}

bool wl_graph_prepare(struct wl_plan *p, size_t bytes, char *err, size_t errlen) {
  struct wl_graph *g = calloc(1, bytes);
  if (!g) {
    snprintf(err, errlen, "out of memory");
    return false;
  }
  if (!wl_graph_get(g, p->file, (enum wl_graph_kind)p->key[WL_GRAPH_KEY_KIND],
                    (uint32_t)p->key[WL_GRAPH_KEY_N], p->key[WL_GRAPH_KEY_SEED], err, errlen)) {
    free(g);
    return false;
  }
  p->data = g;
  return true;
}

bool wl_graph_room(void *pointer, size_t count, size_t bytes, char *err, size_t errlen) {
  void *room = calloc(count + 1, bytes);
  memcpy(pointer, &room, sizeof room);
  if (!room)
    snprintf(err, errlen, "out of memory");
  return room != NULL;
}
