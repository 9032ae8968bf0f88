/* Graphs: the generators. graph.h says what each is like, docs/workloads/graphs.md how close it comes. */
#include "workloads/graph/graph.h"

#include "workloads/rng.h"

#include <stdlib.h>

/* Adds the edge in both directions. */
static bool link_nodes(struct wl_edges *e, uint32_t a, uint32_t b, uint32_t weight) {
  return wl_edges_add(e, a, b, weight) && wl_edges_add(e, b, a, weight);
}

/* A random recursive tree over the nodes in random order, and 2n + 1 edges between any two nodes. All edges
 * are in random order. */
static bool make_rodinia(struct wl_edges *e, uint32_t n, struct wl_rng *rng) {
  const uint32_t edges = 3 * n;
  struct wl_edge *drawn = malloc(edges * sizeof *drawn);
  uint32_t *order = malloc(n * sizeof *order);
  bool ok = drawn && order;
  for (uint32_t v = 0; v < n && ok; v++) {
    const uint32_t at = wl_rng_below(rng, v + 1);
    order[v] = order[at];
    order[at] = v;
  }
  for (uint32_t i = 0; i < edges && ok; i++) {
    const bool tree = i + 1 < n;
    const uint32_t from = tree ? i + 1 : wl_rng_below(rng, n),
                   other = wl_rng_below(rng, tree ? i + 1 : n - 1),
                   to = tree || other < from ? other : other + 1, at = wl_rng_below(rng, i + 1);
    drawn[i] = drawn[at];
    drawn[at] = (struct wl_edge){order[from], order[to], 1 + wl_rng_below(rng, 20)};
  }
  for (uint32_t i = 0; i < edges && ok; i++)
    ok = link_nodes(e, drawn[i].from, drawn[i].to, drawn[i].weight);
  free(drawn);
  free(order);
  return ok;
}

static bool make_graphgen(struct wl_edges *e, uint32_t n, struct wl_rng *rng) {
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t left = 2 + wl_rng_below(rng, 3); left > 0; left--) {
      const uint32_t to = wl_rng_below(rng, n);
      if (!link_nodes(e, v, to, 1 + wl_rng_below(rng, 10)))
        return false;
    }
  return true;
}

/* The weight of the grid's edge from node v upward (or else leftward), or 0 if the edge is left out. */
struct lattice {
  uint32_t n, side;
  uint64_t seed;
  bool road;
};

static uint32_t lattice_edge(const struct lattice *l, uint32_t v, bool upward) {
  const bool has_up = v >= l->side, has_left = v % l->side != 0;
  const uint64_t here = wl_rng_mix(l->seed, v), edge = wl_rng_mix(here, upward);
  if (!(upward ? has_up : has_left))
    return 0;
  if (!l->road)
    return 1 + wl_rng_scale(edge, 10);
  /* each node but the first keeps one edge up or left, so the kept edges are a tree */
  const bool climbs = has_up && (!has_left || (here & 1));
  const bool kept = climbs == upward || (edge & 0xffff) < 0xffff * 4 / 10;
  return kept ? 1 + wl_rng_scale(edge, 1000) : 0;
}

/* Adds the edges node by node, with the neighbours in ascending order. */
static bool make_lattice(struct wl_edges *e, const struct lattice *l) {
  for (uint32_t v = 0; v < l->n; v++) {
    const uint32_t up = lattice_edge(l, v, true), left = lattice_edge(l, v, false),
                   right = v + 1 < l->n ? lattice_edge(l, v + 1, false) : 0,
                   down = v + l->side < l->n ? lattice_edge(l, v + l->side, true) : 0;
    if ((up && !wl_edges_add(e, v, v - l->side, up)) || (left && !wl_edges_add(e, v, v - 1, left)) ||
        (right && !wl_edges_add(e, v, v + 1, right)) || (down && !wl_edges_add(e, v, v + l->side, down)))
      return false;
  }
  return true;
}

static uint32_t side_of(uint32_t n) {
  uint32_t side = 1;
  while ((uint64_t)(side + 1) * (side + 1) <= n)
    side++;
  return side;
}

/* A random end of an earlier edge is a node drawn in proportion to its degree. */
static bool make_power(struct wl_edges *e, uint32_t n, struct wl_rng *rng) {
  for (uint32_t v = 1; v < n; v++)
    for (uint32_t left = 3 + (wl_rng_below(rng, 4) == 0); left > 0; left--) {
      const bool by_degree = e->count > 0 && wl_rng_below(rng, 16) < 9;
      uint32_t to = by_degree ? e->edge[wl_rng_below(rng, e->count)].to : wl_rng_below(rng, v);
      if (to == v)
        to = v - 1;
      if (!link_nodes(e, v, to, 1 + wl_rng_below(rng, 10)))
        return false;
    }
  return true;
}

bool wl_graph_make(struct wl_edges *e, enum wl_graph_kind kind, uint32_t n, uint64_t seed) {
  struct wl_rng rng = {wl_rng_mix(seed, kind)};
  const struct lattice lattice = {n, side_of(n), rng.state, kind == WL_GRAPH_ROAD};
  switch (kind) {
  case WL_GRAPH_RODINIA:
    return make_rodinia(e, n, &rng);
  case WL_GRAPH_GRAPHGEN:
    return make_graphgen(e, n, &rng);
  case WL_GRAPH_POWER:
    return make_power(e, n, &rng);
  default:
    return make_lattice(e, &lattice);
  }
}
