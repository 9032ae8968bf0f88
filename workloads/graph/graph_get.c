/* Gets a graph from its file or its seed; see graph.h. The readers are in graph_read.c, the generators in
 * graph_make.c. */
#include "workloads/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>

bool wl_graph_get(struct wl_graph *g, const char *file, enum wl_graph_kind kind, uint32_t n, uint64_t seed,
                  char *err, size_t errlen) {
  struct wl_edges e = {0};
  *g = (struct wl_graph){0};
  if (file && !wl_graph_read(&e, file, &n, err, errlen)) {
    free(e.edge);
    return false;
  }
  if (!file && !wl_graph_make(&e, kind, n, seed)) {
    free(e.edge);
    snprintf(err, errlen, "out of memory for a graph of %u nodes", n);
    return false;
  }
  if (wl_edges_into(&e, n, g))
    return true;
  snprintf(err, errlen, "out of memory for a graph of %u nodes", n);
  return false;
}
