/* Graphs: the readers of the user's files. See graph.h.
 *
 * Rodinia   n; n lines "first degree"; source; m; m lines "to weight". The nodes' edges follow one another.
 * DIMACS    lines "c ...", "p sp n m", "a from to weight"; nodes count from 1.
 * METIS     "n m [fmt]", then a line for each node, its neighbours counted from 1; fmt is 0, or 1: each
 *           neighbour is followed by its edge's weight. m counts an edge once, the lines list it at both ends.
 * Matrix Market: an entry is an edge from its row to its column; its weight is the magnitude of its value,
 *           rounded, 1 to WL_GRAPH_WEIGHT.
 * edge list lines "from to [weight]", counted from 0; lines that start with # or % are comments.
 *
 * The default weight is 1.
 */
#include "workloads/graph/graph.h"
#include "workloads/graph/matrix_market.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool add(struct wl_scan *s, struct wl_edges *e, uint64_t from, uint64_t to, uint64_t weight) {
  return wl_edges_add(e, (uint32_t)from, (uint32_t)to, (uint32_t)weight) ||
         wl_scan_fail(s, e->count == WL_GRAPH_EDGES ? "more than %d edges" : "out of memory after %d edges",
                      (int)e->count);
}

static bool weight(struct wl_scan *s, uint64_t *w) {
  return wl_scan_number(s, "the weight", 0, WL_GRAPH_WEIGHT, w);
}

/* Reads n degrees into *degree. The nodes' edges must follow one another. */
static bool read_degrees(struct wl_scan *s, uint64_t n, uint32_t *degree, uint64_t *edges) {
  *edges = 0;
  for (uint64_t v = 0; v < n; v++) {
    uint64_t first, count;
    if (!wl_scan_need_line(s, "", "a node") || !wl_scan_number(s, "the first edge", *edges, *edges, &first) ||
        !wl_scan_number(s, "the degree", 0, WL_GRAPH_EDGES - *edges, &count) || !wl_scan_line_ends(s))
      return false;
    degree[v] = (uint32_t)count;
    *edges += count;
  }
  return true;
}

static bool read_targets(struct wl_scan *s, struct wl_edges *e, uint64_t n, const uint32_t *degree) {
  for (uint64_t v = 0; v < n; v++)
    for (uint32_t i = 0; i < degree[v]; i++) {
      uint64_t to, w;
      if (!wl_scan_need_line(s, "", "an edge") || !wl_scan_number(s, "the target", 0, n - 1, &to) ||
          !weight(s, &w) || !wl_scan_line_ends(s) || !add(s, e, v, to, w))
        return false;
    }
  return true;
}

static bool read_rodinia(struct wl_scan *s, struct wl_edges *e, uint32_t *nodes) {
  uint64_t n, m, source, edges;
  if (!wl_scan_count(s, "the number of nodes", WL_GRAPH_NODES, 1, &n))
    return false;
  if (n == 0)
    return wl_scan_fail(s, "the number of nodes is 0");
  uint32_t *degree = calloc(n, sizeof *degree);
  if (!degree)
    return wl_scan_fail(s, "out of memory");
  const bool ok = read_degrees(s, n, degree, &edges) && wl_scan_need_line(s, "", "the source") &&
                  wl_scan_number(s, "the source", 0, n - 1, &source) && wl_scan_line_ends(s) &&
                  wl_scan_need_line(s, "", "the number of edges") &&
                  wl_scan_number(s, "the number of edges", edges, edges, &m) && wl_scan_line_ends(s) &&
                  read_targets(s, e, n, degree);
  free(degree);
  *nodes = (uint32_t)n;
  return ok && (!wl_scan_next_line(s, "") || wl_scan_fail(s, "an edge too many"));
}

static bool read_problem(struct wl_scan *s, uint64_t *n, uint64_t *m) {
  char word[16];
  return wl_scan_word(s, "'p'", word, sizeof word) && wl_scan_word(s, "'sp'", word, sizeof word) &&
         (strcmp(word, "sp") == 0 || wl_scan_fail(s, "the problem is '%s'; allowed: sp", word)) &&
         wl_scan_number(s, "the number of nodes", 1, WL_GRAPH_NODES, n) &&
         wl_scan_count(s, "the number of arcs", WL_GRAPH_EDGES, strlen("a 1 1 1"), m) && wl_scan_line_ends(s);
}

static bool read_dimacs(struct wl_scan *s, struct wl_edges *e, uint32_t *nodes) {
  uint64_t n, m;
  if (wl_scan_peek(s) == 'c' && !wl_scan_need_line(s, "c", "the problem"))
    return false;
  if (wl_scan_peek(s) != 'p')
    return wl_scan_fail(s, "the line 'p sp NODES ARCS' must come before the arcs");
  if (!read_problem(s, &n, &m))
    return false;
  for (uint64_t i = 0; i < m; i++) {
    char word[16];
    uint64_t from, to, w;
    if (!wl_scan_need_line(s, "c", "an arc") || !wl_scan_word(s, "'a'", word, sizeof word))
      return false;
    if (strcmp(word, "a") != 0)
      return wl_scan_fail(s, "'%s'; allowed: c, a", word);
    if (!wl_scan_number(s, "the arc's start", 1, n, &from) ||
        !wl_scan_number(s, "the arc's end", 1, n, &to) || !weight(s, &w) || !wl_scan_line_ends(s) ||
        !add(s, e, from - 1, to - 1, w))
      return false;
  }
  *nodes = (uint32_t)n;
  return !wl_scan_next_line(s, "c") || wl_scan_fail(s, "an arc too many");
}

/* Checks that each neighbour of a node lists the node as often. line[v] is the line of node v. The edges
 * are in the order of the nodes that they start from. */
static bool check_twins(struct wl_scan *s, const struct wl_edges *e, uint64_t n, const uint64_t *line) {
  uint32_t *first = calloc(n + 2, sizeof *first); /* for node v: its part of `lists` */
  uint32_t *lists = malloc(((size_t)e->count + 1) * sizeof *lists);
  uint32_t *left = calloc(n, sizeof *left); /* for each node: listings of v not matched yet */
  bool ok = first && lists && left;
  if (!ok)
    wl_scan_fail(s, "out of memory");
  for (uint32_t i = 0; ok && i < e->count; i++)
    first[e->edge[i].to + 2]++;
  for (uint64_t v = 0; ok && v < n; v++)
    first[v + 2] += first[v + 1];
  for (uint32_t i = 0; ok && i < e->count; i++)
    lists[first[e->edge[i].to + 1]++] = e->edge[i].from;
  for (uint32_t v = 0, i = 0; ok && v < n; v++) {
    for (uint32_t k = first[v]; k < first[v + 1]; k++)
      left[lists[k]]++;
    for (; ok && i < e->count && e->edge[i].from == v; i++) {
      const uint32_t to = e->edge[i].to;
      ok = left[to] > 0;
      if (ok) {
        left[to]--;
      } else {
        s->line = line[v];
        wl_scan_fail(s, "node %u lists node %u, which does not list it as often", v + 1, to + 1);
      }
    }
    for (uint32_t k = first[v]; k < first[v + 1]; k++)
      left[lists[k]] = 0;
  }
  free(first);
  free(lists);
  free(left);
  return ok;
}

static bool read_neighbours(struct wl_scan *s, struct wl_edges *e, uint64_t v, uint64_t n, bool weighted) {
  while (wl_scan_peek(s) != '\n') {
    uint64_t to, w = 1;
    if (!wl_scan_number(s, "the neighbour", 1, n, &to) || (weighted && !weight(s, &w)) ||
        !add(s, e, v, to - 1, w))
      return false;
  }
  return true;
}

static bool read_metis(struct wl_scan *s, struct wl_edges *e, uint32_t *nodes) {
  uint64_t n, m, format = 0;
  if (wl_scan_peek(s) == '%' && !wl_scan_need_line(s, "%", "the numbers of nodes and edges"))
    return false;
  if (!wl_scan_count(s, "the number of nodes", WL_GRAPH_NODES, 1, &n) ||
      !wl_scan_count(s, "the number of edges", WL_GRAPH_EDGES / 2, 2, &m) ||
      (wl_scan_peek(s) != '\n' && !wl_scan_number(s, "the format", 0, 1, &format)) || !wl_scan_line_ends(s))
    return false;
  if (n == 0)
    return wl_scan_fail(s, "the number of nodes is 0");
  uint64_t *line = calloc(n, sizeof *line);
  bool ok = line;
  if (!ok)
    wl_scan_fail(s, "out of memory");
  for (uint64_t v = 0; ok && v < n; v++) {
    ok = wl_scan_need_row(s, "%", "a node's line");
    line[v] = s->line;
    ok = ok && read_neighbours(s, e, v, n, format == 1);
  }
  ok = ok && check_twins(s, e, n, line) &&
       (e->count == 2 * m ||
        wl_scan_fail(s, "%u neighbours are listed, not two for each of the %u edges", e->count, (uint32_t)m));
  free(line);
  *nodes = (uint32_t)n;
  return ok;
}

static bool read_list(struct wl_scan *s, struct wl_edges *e, uint32_t *nodes) {
  uint64_t most = 0;
  do {
    uint64_t from, to, w = 1;
    if (!wl_scan_number(s, "the edge's start", 0, WL_GRAPH_NODES - 1, &from) ||
        !wl_scan_number(s, "the edge's end", 0, WL_GRAPH_NODES - 1, &to) ||
        (wl_scan_peek(s) != '\n' && !weight(s, &w)) || !wl_scan_line_ends(s) || !add(s, e, from, to, w))
      return false;
    most = from > most ? from : most;
    most = to > most ? to : most;
  } while (wl_scan_next_line(s, "#%"));
  *nodes = (uint32_t)most + 1;
  return true;
}

struct matrix {
  struct wl_edges *edges;
  uint32_t nodes;
};

static bool take_size(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  ((struct matrix *)user)->nodes = rows;
  return rows == cols ||
         wl_scan_fail(s, "the matrix has %u rows and %u columns; a graph's is square", rows, cols);
}

static bool take_entry(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  const double w = round(fabs(value));
  return add(s, ((struct matrix *)user)->edges, row, col, (uint32_t)(w < 1 ? 1 : fmin(w, WL_GRAPH_WEIGHT)));
}

static bool read_matrix(struct wl_edges *e, const char *file, uint32_t *nodes, char *err, size_t errlen) {
  struct matrix matrix = {e, 0};
  const struct wl_matrix_taker taker = {WL_GRAPH_NODES, WL_GRAPH_EDGES, take_size, take_entry, &matrix};
  const bool ok = wl_matrix_market_read(&taker, file, err, errlen);
  *nodes = matrix.nodes;
  return ok;
}

/* True if the line has one field only. Consumes that field. */
static bool one_field(struct wl_scan *s) {
  char word[32];
  return wl_scan_word(s, "a number", word, sizeof word) && wl_scan_peek(s) == '\n';
}

typedef bool (*reader)(struct wl_scan *s, struct wl_edges *e, uint32_t *nodes);

/* Recognises the format: *read is its reader, or NULL for Matrix Market. The scan can stand anywhere
 * afterwards. Returns false with one line in err. */
static bool tell(struct wl_scan *s, reader *read) {
  char word[32] = "";
  const size_t len = strlen(s->path);
  if (len >= 6 && strcmp(s->path + len - 6, ".graph") == 0) {
    *read = read_metis;
    return true;
  }
  if (wl_scan_peek(s) == '%' && !wl_scan_word(s, "a word", word, sizeof word))
    return false;
  *read = NULL;
  if (strcasecmp(word, WL_MATRIX_MARKET_BANNER) == 0)
    return true;
  if (strchr("cpa", wl_scan_peek(s)) && !*word) {
    *read = read_dimacs;
    return true;
  }
  if ((*word || strchr("#\n", wl_scan_peek(s))) && !wl_scan_need_line(s, "#%", "an edge"))
    return false;
  *read = one_field(s) ? read_rodinia : read_list;
  return true;
}

/* Goes to the first line with data, where the reader begins. */
static bool start(struct wl_scan *s, reader read) {
  const char *comments = read == read_list ? "#%\n" : "\n";
  return !strchr(comments, wl_scan_peek(s)) || wl_scan_need_line(s, comments, "an edge");
}

bool wl_graph_read(struct wl_edges *e, const char *file, uint32_t *n, char *err, size_t errlen) {
  struct wl_scan s;
  reader read = NULL;
  if (!wl_scan_open(&s, file, err, errlen))
    return false;
  bool ok = tell(&s, &read);
  wl_scan_close(&s);
  if (!ok)
    return false;
  if (!read)
    return read_matrix(e, file, n, err, errlen);
  if (!wl_scan_open(&s, file, err, errlen))
    return false;
  ok = start(&s, read) && read(&s, e, n);
  wl_scan_close(&s);
  return ok;
}
