/* GraphBIG's connected components, after Soman. Edges hook the root of one tree under that of another, then
 * every node jumps to its root. This repeats until no edge joins two trees.
 *
 * Invariant: parent, shadow and the mask hold the state before the launch that was built last. If several
 * edges hook the same root, the edge with the highest number wins.
 */
#include "workloads/graph/graph_kernel.h"
#include "workloads/pannotia/pannotia.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, CHUNK = 2 };

struct ccl {
  struct wl_graph g;
  uint32_t *src; /* source node of each edge */
  uint32_t *parent, *shadow;
  uint8_t *mask; /* the edge is inside a tree */
  bool over;
};

void pn_ccl_release(void *data) {
  struct ccl *c = data;
  wl_graph_free(&c->g);
  free(c->src);
  free(c->parent);
  free(c->shadow);
  free(c->mask);
  free(c);
}

bool pn_ccl_prepare(struct wl_plan *p, char *err, size_t errlen) {
  if (!wl_graph_prepare(p, sizeof(struct ccl), err, errlen))
    return false;
  struct ccl *c = p->data;
  const uint32_t n = c->g.n, m = c->g.m;
  if (!wl_graph_room(&c->src, m, sizeof *c->src, err, errlen) ||
      !wl_graph_room(&c->parent, n, sizeof *c->parent, err, errlen) ||
      !wl_graph_room(&c->shadow, n, sizeof *c->shadow, err, errlen) ||
      !wl_graph_room(&c->mask, m, 1, err, errlen)) {
    pn_ccl_release(c);
    return false;
  }
  for (uint32_t v = 0; v < n; v++) {
    c->parent[v] = c->shadow[v] = v;
    for (uint32_t i = c->g.row[v]; i < c->g.row[v + 1]; i++)
      c->src[i] = v;
  }
  return true;
}

/* Does the stores of hook's threads: even iterations hook the smaller root under the larger one, odd ones
 * the other way round. */
static void hook_trees(struct ccl *c, bool odd) {
  c->over = true;
  for (uint32_t i = 0; i < c->g.m; i++) {
    const uint32_t a = c->parent[c->src[i]], b = c->parent[c->g.col[i]];
    const uint32_t least = a < b ? a : b, most = a < b ? b : a;
    if (c->mask[i])
      continue;
    if (a == b) {
      c->mask[i] = 1;
      continue;
    }
    c->shadow[odd ? most : least] = odd ? least : most;
    c->over = false;
  }
}

static void jump_to_roots(struct ccl *c) {
  for (uint32_t v = 0; v < c->g.n; v++) {
    uint32_t root = c->parent[v];
    while (c->parent[root] != root)
      root = c->parent[root];
    c->shadow[v] = root;
  }
}

/* hook: the thread's edge in this iteration of its loop. */
static int64_t own_edge(const struct wl_warp *w, unsigned lane) {
  return CHUNK * (int64_t)w->x[lane] + w->k[0];
}

static bool edge_open(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  return !c->mask[own_edge(w, lane)];
}

static bool has_edge(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  return own_edge(w, lane) < c->g.m;
}

static int64_t src_of_edge(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  return c->src[own_edge(w, lane)];
}

static int64_t dest_of_edge(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  return c->g.col[own_edge(w, lane)];
}

static bool joins(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  return c->parent[src_of_edge(w, lane)] != c->parent[dest_of_edge(w, lane)];
}

static bool within(const struct wl_warp *w, unsigned lane) {
  return !joins(w, lane);
}

/* Returns the root that the edge hooks. plan->number counts an iteration's four launches from 1. */
static int64_t hooked(const struct wl_warp *w, unsigned lane) {
  const struct ccl *c = w->plan->data;
  const uint32_t a = c->parent[src_of_edge(w, lane)], b = c->parent[dest_of_edge(w, lane)];
  const bool odd = (w->plan->number - 1) / 4 % 2;
  return odd == (a < b) ? b : a;
}

/* jump: the current nodes of the lanes. */
struct climb {
  uint32_t at[WL_LANES];
  uint32_t climbs; /* lanes that have not reached a root yet */
};

static void start_climb(struct wl_warp *w) {
  const struct ccl *c = w->plan->data;
  struct climb *s = w->state;
  s->climbs = w->active;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      s->at[l] = c->parent[w->x[l]];
}

static void climb(struct wl_warp *w) {
  const struct ccl *c = w->plan->data;
  struct climb *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      if (c->parent[s->at[l]] == s->at[l])
        s->climbs &= ~(UINT32_C(1) << l);
      s->at[l] = c->parent[s->at[l]];
    }
}

static uint32_t climbing(const struct wl_warp *w) {
  return ((const struct climb *)w->state)->climbs;
}

static int64_t position(const struct wl_warp *w, unsigned lane) {
  return ((const struct climb *)w->state)->at[lane];
}

struct arrays {
  int row, dest, src, mask, parent, shadow, over;
};

static uint32_t block_for(uint32_t threads) {
  return threads == 0 ? 1 : threads < BLOCK ? threads : BLOCK;
}

static void init(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "ccl.init", n, block_for(n));
  wl_store(p, 0, R_POS, a->parent, AT(.x = 1));
  wl_store(p, 0, R_POS, a->shadow, AT(.x = 1));
  wl_load(p, R_FIRST, R_POS, a->row, AT(.x = 1));
  wl_load(p, R_LAST, R_POS, a->row, AT(.c = 1, .x = 1));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_FIRST) | WL_R(R_LAST));
  wl_while_lane(p, wl_edge_left);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_EDGE), a->mask, wl_edge_number);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_EDGE), a->src, wl_edge_number);
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_EDGE));
  code_branch(p, WL_R(R_EDGE) | WL_R(R_LAST));
  wl_end(p);
  wl_end(p);
}

static void hook(struct wl_plan *p, const struct arrays *a, uint32_t m) {
  const uint32_t threads = (m + CHUNK - 1) / CHUNK;
  wl_each_node(p, "ccl.hook", threads, block_for(threads));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_POS));
  wl_loop(p, CHUNK);
  wl_test(p, WL_R(R_EDGE), has_edge);
  wl_access(p, WL_LOAD, R_A, WL_R(R_EDGE), a->mask, own_edge);
  wl_test(p, WL_R(R_A), edge_open);
  wl_access(p, WL_LOAD, R_B, WL_R(R_EDGE), a->src, own_edge);
  wl_access(p, WL_LOAD, R_TO, WL_R(R_EDGE), a->dest, own_edge);
  wl_inst(p, WL_ALU, R_B, WL_R(R_B));
  wl_access(p, WL_LOAD, R_C, WL_R(R_B), a->parent, src_of_edge);
  wl_inst(p, WL_ALU, R_TO, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_D, WL_R(R_TO), a->parent, dest_of_edge);
  wl_test(p, WL_R(R_C) | WL_R(R_D), joins);
  wl_inst(p, WL_ALU, R_FIRST, WL_R(R_C) | WL_R(R_D));
  wl_inst(p, WL_ALU, R_LAST, WL_R(R_C) | WL_R(R_D));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_FIRST) | WL_R(R_LAST), a->shadow, hooked);
  wl_store(p, 0, R_POS, a->over, AT(0));
  wl_end(p);
  wl_if_lane(p, within);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_EDGE), a->mask, own_edge);
  wl_end(p);
  wl_end(p);
  wl_end(p);
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_EDGE));
  wl_end(p);
  wl_end(p);
}

static void update(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "ccl.update", n, block_for(n));
  wl_load(p, R_A, R_POS, a->shadow, AT(.x = 1));
  wl_store(p, WL_R(R_A), R_POS, a->parent, AT(.x = 1));
  wl_end(p);
}

static void jump(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  p->state_bytes = sizeof(struct climb);
  wl_each_node(p, "ccl.jump", n, block_for(n));
  wl_load(p, R_ACC, R_POS, a->parent, AT(.x = 1));
  wl_call(p, start_climb);
  wl_loop_while(p, climbing);
  wl_inst(p, WL_ALU, R_A, WL_R(R_ACC));
  wl_access(p, WL_LOAD, R_ACC, WL_R(R_A), a->parent, position);
  code_branch(p, WL_R(R_ACC) | WL_R(R_A));
  wl_call(p, climb);
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, a->shadow, AT(.x = 1));
  wl_end(p);
}

bool pn_ccl(struct wl_plan *p, uint32_t launch) {
  struct ccl *c = p->data;
  const uint32_t n = c->g.n, m = c->g.m;
  const struct arrays a = {wl_array(p, "row", (uint64_t)n + 1, 8),
                           wl_array(p, "dest", m, 8),
                           wl_array(p, "src", m, 8),
                           wl_array(p, "mask", m, 1),
                           wl_array(p, "parent", n, 8),
                           wl_array(p, "shadow", n, 8),
                           wl_array(p, "over", 1, 1)};
  if (launch == 0) {
    init(p, &a, n);
    return true;
  }
  const uint32_t iteration = (launch - 1) / 4;
  switch ((launch - 1) % 4) {
  case 0: /* the update launch before has made parent equal to shadow */
    if (c->over)
      return false;
    memcpy(c->parent, c->shadow, n * sizeof *c->parent);
    hook(p, &a, m);
    return true;
  case 1:
    hook_trees(c, iteration % 2);
    update(p, &a, n);
    return true;
  case 2:
    memcpy(c->parent, c->shadow, n * sizeof *c->parent);
    jump(p, &a, n);
    return true;
  default:
    jump_to_roots(c);
    update(p, &a, n);
    return true;
  }
}
