/* Files and specs of workloads as inputs: graphs keep the invariant of graph.h, matrices the promises of matrix_market.h; what is
 * refused is told in a sentence.
 */
#include "workloads/workloads.h"
#include "tests/fuzz/inputs.h"
#include "workloads/graph/graph.h"
#include "workloads/graph/matrix_market.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 20, MOST_ENTRIES = 1 << 22 };

/* One line that begins with the path. */
static void check_error(const char *err, const char *path) {
  fuzz_line(err);
  fuzz_need(!strncmp(err, path, strlen(path)), "no line with the file's name");
}

struct matrix {
  uint32_t rows, cols, entries;
};
static bool take_size(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  struct matrix *m = user;
  (void)s;
  fuzz_need(rows <= MOST_ROWS && cols <= MOST_ROWS, "more rows or columns than are allowed");
  *m = (struct matrix){rows, cols, 0};
  return true;
}
static bool take_entry(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  struct matrix *m = user;
  (void)s;
  (void)value;
  fuzz_need(row < m->rows && col < m->cols && m->entries++ < MOST_ENTRIES, "an entry outside of the matrix");
  return true;
}

void fuzz_matrix(const uint8_t *bytes, size_t n) {
  char err[512] = "";
  const char *path = fuzz_file(bytes, n);
  struct matrix m = {0};
  const struct wl_matrix_taker taker = {MOST_ROWS, MOST_ENTRIES, take_size, take_entry, &m};
  if (!wl_matrix_market_read(&taker, path, err, sizeof err))
    check_error(err, path);
}

void fuzz_graph(const uint8_t *bytes, size_t n) {
  char err[512] = "";
  const char *path = fuzz_file(bytes, n);
  struct wl_graph g, turned;
  if (!wl_graph_get(&g, path, WL_GRAPH_RODINIA, 0, 0, err, sizeof err)) {
    check_error(err, path);
    return;
  }
  fuzz_need(g.n <= WL_GRAPH_NODES && g.m <= WL_GRAPH_EDGES && g.row[0] == 0 && g.row[g.n] == g.m, "its ends");
  for (uint32_t v = 0; v < g.n; v++)
    fuzz_need(g.row[v] <= g.row[v + 1], "a row that falls");
  for (uint32_t e = 0; e < g.m; e++)
    fuzz_need(g.col[e] < g.n, "an edge to a node that is not there");
  fuzz_need(wl_graph_degree(&g) <= g.m, "a degree");
  fuzz_need(wl_graph_transpose(&g, &turned), "no memory for a small graph");
  fuzz_need(turned.n == g.n && turned.m == g.m, "turned round, it is another graph");
  wl_graph_free(&turned);
  wl_graph_free(&g);
}

/* Opens it, and takes the first instructions of some warps of the first launches. */
static void begin(const char *spec) {
  enum { LAUNCHES = 3, WARPS = 4, INSTS = 200 };
  char err[512] = "";
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source) {
    fuzz_line(err);
    return;
  }
  struct wl_launch launch;
  for (int l = 0; l < LAUNCHES && source->ops->next_launch(source, &launch); l++)
    for (uint32_t w = 0; w < WARPS && w < launch.ctas; w++) {
      void *stream = source->ops->open_warp(source, w, w % launch.warps_per_cta);
      struct wl_inst inst = {.op = WL_ALU};
      for (int i = 0; stream && i < INSTS && inst.op != WL_EXIT; i++)
        source->ops->next(stream, &inst);
      if (stream)
        source->ops->close_warp(stream);
    }
  source->ops->close(source);
}

void fuzz_data(const uint8_t *bytes, size_t n) {
  static const char *const whose[] = {"kmeans", "kmn",   "spmv",      "wc",   "ii",
                                      "bfs",    "btree", "mummergpu", "apsp", "ccl"};
  if (!n)
    return;
  char spec[128];
  const char *path = fuzz_file(bytes + 1, n - 1);
  snprintf(spec, sizeof spec, "%s:tiny,file=%s", whose[bytes[0] % (sizeof whose / sizeof *whose)], path);
  begin(spec);
}

void fuzz_spec(const uint8_t *bytes, size_t n) {
  char *spec = fuzz_text(bytes, n), err[512] = "";
  uint64_t seed;
  const bool good = wl_check(spec, err, sizeof err);
  if (!good)
    fuzz_line(err);
  wl_value(spec, "seed", &seed);
  free(spec);
}
