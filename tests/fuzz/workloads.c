/* Files and specs of workloads as inputs. Graphs keep the invariant of graph.h, matrices the promises of matrix_market.h. A refused
 * input gives a message. */
#include "workloads/workloads.h"
#include "tests/fuzz/inputs.h"
#include "workloads/graph/graph.h"
#include "workloads/graph/matrix_market.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 20, MOST_ENTRIES = 1 << 22 };

/* Checks that the message is one line that begins with the path. */
static void check_error(const char *err, const char *path) {
  if (fuzz_planted("no file"))
    err = "something is wrong";
  fuzz_line(err);
  fuzz_need(!strncmp(err, path, strlen(path)), "no line with the file's name");
}

struct matrix {
  uint32_t rows, cols, entries;
  bool sized;
};
static bool take_size(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  struct matrix *m = user;
  (void)s;
  fuzz_need(rows <= MOST_ROWS && cols <= MOST_ROWS, "more rows or columns than are allowed");
  fuzz_need(!m->sized, "a second size");
  *m = (struct matrix){rows, cols, 0, !fuzz_planted("no size")};
  return true;
}
static bool take_entry(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  struct matrix *m = user;
  (void)s;
  (void)value;
  row = fuzz_planted("a row too low") ? m->rows : row;
  fuzz_need(m->sized, "an entry before the size");
  fuzz_need(row < m->rows && col < m->cols && m->entries++ < MOST_ENTRIES, "an entry outside of the matrix");
  return true;
}

bool fuzz_matrix(const uint8_t *bytes, size_t n) {
  char err[512] = "";
  const char *path = fuzz_file(bytes, n);
  struct matrix m = {0};
  const struct wl_matrix_taker taker = {MOST_ROWS, MOST_ENTRIES, take_size, take_entry, &m};
  const bool good = wl_matrix_market_read(&taker, path, err, sizeof err);
  if (!good)
    check_error(err, path);
  fuzz_need(!good || m.sized, "taken without a size");
  return good;
}

/* Checks a graph and its reverse: row starts never fall, and each edge leads to a node. */
static void check_edges(const struct wl_graph *g) {
  if (fuzz_planted("a row that falls") && g->n > 1)
    g->row[1] = g->m + 1;
  if (fuzz_planted("an edge to nowhere") && g->m)
    g->col[0] = g->n;
  fuzz_need(g->n <= WL_GRAPH_NODES && g->m <= WL_GRAPH_EDGES && g->row[0] == 0 && g->row[g->n] == g->m,
            "its ends");
  for (uint32_t v = 0; v < g->n; v++)
    fuzz_need(g->row[v] <= g->row[v + 1], "a row that falls");
  for (uint32_t e = 0; e < g->m; e++)
    fuzz_need(g->col[e] < g->n && g->weight[e] <= WL_GRAPH_WEIGHT,
              "an edge to a node that is not there, or its weight");
}

/* Checks that each node of the reverse graph has its incoming edges, in the order of their other ends. */
static void check_turned(const struct wl_graph *g, const struct wl_graph *turned) {
  uint32_t *in = calloc((size_t)g->n + 1, sizeof *in), most = 0;
  fuzz_need(in && turned->n == g->n && turned->m == g->m, "turned round, it is another graph");
  for (uint32_t e = 0; e < g->m; e++)
    in[g->col[e]]++;
  in[0] += g->n && fuzz_planted("an edge lost");
  for (uint32_t v = 0; v < g->n; v++) {
    most = g->row[v + 1] - g->row[v] > most ? g->row[v + 1] - g->row[v] : most;
    fuzz_need(turned->row[v + 1] - turned->row[v] == in[v], "turned round, a node has other edges");
    for (uint32_t e = turned->row[v] + 1; e < turned->row[v + 1]; e++)
      fuzz_need(turned->col[e - 1] <= turned->col[e], "turned round, edges are not in order");
  }
  free(in);
  fuzz_need(wl_graph_degree(g) == most + fuzz_planted("another degree"), "a degree");
}

bool fuzz_graph(const uint8_t *bytes, size_t n) {
  char err[512] = "";
  const char *path = fuzz_file(bytes, n);
  struct wl_graph g, turned;
  if (!wl_graph_get(&g, path, WL_GRAPH_RODINIA, 0, 0, err, sizeof err)) {
    check_error(err, path);
    return false;
  }
  check_edges(&g);
  fuzz_need(wl_graph_transpose(&g, &turned), "no memory for a small graph");
  check_edges(&turned);
  check_turned(&g, &turned);
  wl_graph_free(&turned);
  wl_graph_free(&g);
  return true;
}

/* Opens the workload and takes the first instructions of some warps of the first launches. */
static bool begin(const char *spec, const char *path) {
  enum { LAUNCHES = 3, WARPS = 4, INSTS = 200 };
  char err[512] = "";
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (fuzz_planted("no file"))
    strcpy(err, "something is wrong");
  if (!source) {
    fuzz_line(err);
    fuzz_need(strstr(err, path), "an error without the file's name");
    return false;
  }
  struct wl_launch launch;
  for (int l = 0; l < LAUNCHES && source->ops->next_launch(source, &launch); l++) {
    fuzz_launch(&launch);
    for (uint32_t w = 0; w < WARPS && w < launch.ctas; w++) {
      void *stream = source->ops->open_warp(source, w, w % launch.warps_per_cta);
      fuzz_need(stream, "a warp without instructions");
      struct wl_inst inst = {.op = WL_ALU};
      for (int i = 0; i < INSTS && inst.op != WL_EXIT; i++) {
        wl_next(source, stream, &inst);
        fuzz_inst(&inst);
      }
      source->ops->close_warp(stream);
    }
  }
  fuzz_need(!source->ops->error || !source->ops->error(source), "taken, and wrong later");
  source->ops->close(source);
  return true;
}

bool fuzz_data(const uint8_t *bytes, size_t n) {
  static const char *const whose[] = {"kmeans", "kmn",   "spmv",      "wc",   "ii",
                                      "bfs",    "btree", "mummergpu", "apsp", "ccl"};
  if (!n)
    return false;
  char spec[128];
  const char *path = fuzz_file(bytes + 1, n - 1);
  snprintf(spec, sizeof spec, "%s:tiny,file=%s", whose[bytes[0] % (sizeof whose / sizeof *whose)], path);
  return begin(spec, path);
}

bool fuzz_spec(const uint8_t *bytes, size_t n) {
  char *spec = fuzz_text(bytes, n), err[512] = "";
  uint64_t seed;
  const bool good = wl_check(spec, err, sizeof err);
  if (!good)
    fuzz_line(err);
  fuzz_need(good || !(wl_value(spec, "seed", &seed) || fuzz_planted("a value")),
            "a value of a spec that is refused");
  free(spec);
  return good;
}
