/* Graphs: from edges to compressed rows; see graph.h. */
#include "workloads/graph/graph.h"

#include <stdlib.h>

#include "base/grow.h"

bool wl_edges_add(struct wl_edges *e, uint32_t from, uint32_t to, uint32_t weight) {
  if (e->count == WL_GRAPH_EDGES)
    return false;
  struct wl_edge *edge = hd_grown(e->edge, (size_t)e->count + 1, &e->room, sizeof *edge);
  if (!edge)
    return false;
  e->edge = edge;
  edge[e->count++] = (struct wl_edge){from, to, weight};
  return true;
}

static bool allocate(struct wl_graph *g, uint32_t n, uint32_t m) {
  *g = (struct wl_graph){.n = n,
                         .m = m,
                         .row = calloc((size_t)n + 2, sizeof *g->row),
                         .col = calloc((size_t)m + 1, sizeof *g->col),
                         .weight = calloc((size_t)m + 1, sizeof *g->weight)};
  if (g->row && g->col && g->weight)
    return true;
  wl_graph_free(g);
  return false;
}

bool wl_edges_into(struct wl_edges *e, uint32_t n, struct wl_graph *g) {
  const bool ok = allocate(g, n, e->count);
  if (ok) {
    /* row[v + 1] is where the next edge of v goes, until all of them are there. */
    for (uint32_t i = 0; i < e->count; i++)
      g->row[e->edge[i].from + 2]++;
    for (uint32_t v = 0; v < n; v++)
      g->row[v + 2] += g->row[v + 1];
    for (uint32_t i = 0; i < e->count; i++) {
      const uint32_t at = g->row[e->edge[i].from + 1]++;
      g->col[at] = e->edge[i].to;
      g->weight[at] = e->edge[i].weight;
    }
  }
  free(e->edge);
  *e = (struct wl_edges){0};
  return ok;
}

bool wl_graph_transpose(const struct wl_graph *g, struct wl_graph *out) {
  struct wl_edges e = {.edge = malloc(((size_t)g->m + 1) * sizeof *e.edge), .room = g->m + 1};
  if (!e.edge)
    return false;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t i = g->row[v]; i < g->row[v + 1]; i++)
      e.edge[e.count++] = (struct wl_edge){g->col[i], v, g->weight[i]};
  return wl_edges_into(&e, g->n, out);
}

uint32_t wl_graph_degree(const struct wl_graph *g) {
  uint32_t most = 0;
  for (uint32_t v = 0; v < g->n; v++)
    if (g->row[v + 1] - g->row[v] > most)
      most = g->row[v + 1] - g->row[v];
  return most;
}

void wl_graph_free(struct wl_graph *g) {
  free(g->row);
  free(g->col);
  free(g->weight);
  *g = (struct wl_graph){0};
}
