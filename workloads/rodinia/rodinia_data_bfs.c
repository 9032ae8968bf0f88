/* Rodinia's bfs: level by level, with one thread per node; every launch has all nodes.
 *
 * Invariant: the masks hold the state before the launch that was built last. The next build does the stores
 * of that launch's threads.
 */
#include "workloads/graph/graph_kernel.h"
#include "workloads/rodinia/rodinia_data.h"

#include <stdlib.h>

enum { BLOCK = 512, SOURCE = 0, INTEGERS = 12 };

struct bfs {
  struct wl_graph g;
  uint8_t *mask, *updating, *visited; /* nodes of this level; of the next level; of all levels so far */
  bool over;                          /* the last launch found no new nodes */
};

void rd_bfs_release(void *data) {
  struct bfs *b = data;
  wl_graph_free(&b->g);
  free(b->mask);
  free(b->updating);
  free(b->visited);
  free(b);
}

bool rd_bfs_prepare(struct wl_plan *p, char *err, size_t errlen) {
  if (!wl_graph_prepare(p, sizeof(struct bfs), err, errlen))
    return false;
  struct bfs *b = p->data;
  if (!wl_graph_room(&b->mask, b->g.n, 1, err, errlen) ||
      !wl_graph_room(&b->updating, b->g.n, 1, err, errlen) ||
      !wl_graph_room(&b->visited, b->g.n, 1, err, errlen)) {
    rd_bfs_release(b);
    return false;
  }
  b->mask[SOURCE] = b->visited[SOURCE] = 1;
  return true;
}

/* Does the stores of k1's threads. */
static void visit(struct bfs *b) {
  for (uint32_t v = 0; v < b->g.n; v++) {
    if (!b->mask[v])
      continue;
    b->mask[v] = 0;
    for (uint32_t i = b->g.row[v]; i < b->g.row[v + 1]; i++)
      if (!b->visited[b->g.col[i]])
        b->updating[b->g.col[i]] = 1;
  }
}

/* Does the stores of k2's threads. */
static void update(struct bfs *b) {
  b->over = true;
  for (uint32_t v = 0; v < b->g.n; v++)
    if (b->updating[v]) {
      b->mask[v] = b->visited[v] = 1;
      b->updating[v] = 0;
      b->over = false;
    }
}

static bool in_level(const struct wl_warp *w, unsigned lane) {
  const struct bfs *b = w->plan->data;
  return b->mask[w->x[lane]];
}

static bool not_visited(const struct wl_warp *w, unsigned lane) {
  const struct bfs *b = w->plan->data;
  return !b->visited[wl_edge_target(w, lane)];
}

static bool found(const struct wl_warp *w, unsigned lane) {
  const struct bfs *b = w->plan->data;
  return b->updating[w->x[lane]];
}

struct arrays {
  int nodes, edges, mask, updating, visited, cost, over;
};

/* k1: each node of the level marks its neighbours. */
static void expand(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "bfs.k1", n, BLOCK);
  wl_load(p, R_A, R_POS, a->mask, AT(.x = 1));
  wl_test(p, WL_R(R_A), in_level);
  wl_store(p, 0, R_POS, a->mask, AT(.x = 1));
  wl_load(p, R_LAST, R_POS, a->nodes, AT(.c = 1, .x = 2));
  wl_test(p, WL_R(R_LAST), wl_edge_left);
  wl_load(p, R_FIRST, R_POS, a->nodes, AT(.x = 2));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_FIRST));
  wl_while_lane(p, wl_edge_left);
  wl_inst(p, WL_ALU, R_A, WL_R(R_EDGE));
  wl_access(p, WL_LOAD, R_TO, WL_R(R_A), a->edges, wl_edge_number);
  code_chain(p, WL_ALU, 2, R_TO, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_TO), a->visited, wl_edge_target);
  wl_test(p, WL_R(R_FAR), not_visited);
  wl_load(p, R_ACC, R_POS, a->cost, AT(.x = 1));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_ACC));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_TO) | WL_R(R_ACC), a->cost, wl_edge_target);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_TO), a->updating, wl_edge_target);
  wl_load(p, R_LAST, R_POS, a->nodes, AT(.c = 1, .x = 2));
  wl_load(p, R_FIRST, R_POS, a->nodes, AT(.x = 2));
  wl_end(p);
  wl_inst(p, WL_ALU, R_B, WL_R(R_FIRST) | WL_R(R_LAST));
  code_chain(p, WL_ALU, INTEGERS - 9, R_EDGE, WL_R(R_EDGE));
  code_branch(p, WL_R(R_EDGE) | WL_R(R_B));
  wl_end(p);
  wl_end(p);
  wl_end(p);
  wl_end(p);
}

/* k2: the marked nodes become the next level. */
static void advance(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "bfs.k2", n, BLOCK);
  wl_load(p, R_A, R_POS, a->updating, AT(.x = 1));
  wl_test(p, WL_R(R_A), found);
  wl_store(p, 0, R_POS, a->mask, AT(.x = 1));
  wl_store(p, 0, R_POS, a->visited, AT(.x = 1));
  wl_store(p, 0, R_POS, a->over, AT(0));
  wl_store(p, 0, R_POS, a->updating, AT(.x = 1));
  wl_end(p);
  wl_end(p);
}

bool rd_bfs(struct wl_plan *p, uint32_t launch) {
  struct bfs *b = p->data;
  const uint32_t n = b->g.n;
  const struct arrays a = {wl_array(p, "nodes", 2 * (uint64_t)n, 4),
                           wl_array(p, "edges", b->g.m, 4),
                           wl_array(p, "mask", n, 1),
                           wl_array(p, "updating_mask", n, 1),
                           wl_array(p, "visited", n, 1),
                           wl_array(p, "cost", n, 4),
                           wl_array(p, "over", 1, 1)};
  if (launch % 2 == 1) {
    visit(b);
    advance(p, &a, n);
    return true;
  }
  if (launch > 0 && !b->over)
    update(b);
  if (!b->over)
    expand(p, &a, n);
  return !b->over;
}
