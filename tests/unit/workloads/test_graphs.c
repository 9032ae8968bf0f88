/* The kernels that walk graphs, against results computed in another way. The addresses of a stream show which nodes its threads
 * visited, and so whether the algorithm is right. And the made-up graphs. */
#include "tests/unit/workloads/walk_rig.h"

#include "workloads/graph/graph.h"
#include "workloads/rng.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void get_graph(struct wl_graph *g, enum wl_graph_kind kind, uint32_t n, uint64_t seed) {
  char err[512];
  assert_true(wl_graph_get(g, NULL, kind, n, seed, err, sizeof err));
}

/* Mean and deviation of the degrees are those of the real graphs. */
static void made_up_graphs_are_like_their_models(void **state) {
  (void)state;
  static const struct {
    enum wl_graph_kind kind;
    uint32_t n, least, most, most_to;
    double mean, deviation;
  } want[] = {
      {WL_GRAPH_RODINIA, 65536, 1, 20, 30, 6.00, 2.45}, {WL_GRAPH_GRAPHGEN, 65536, 2, 14, 20, 6.00, 1.91},
      {WL_GRAPH_POWER, 299067, 3, 250, 450, 6.50, 5.6}, {WL_GRAPH_ROAD, 264346, 1, 4, 4, 2.80, 0.81},
      {WL_GRAPH_GRID, 1000000, 2, 4, 4, 3.996, 0.0632},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    struct wl_graph g;
    double squares = 0;
    uint32_t least = UINT32_MAX;
    get_graph(&g, want[i].kind, want[i].n, 1);
    for (uint32_t v = 0; v < g.n; v++) {
      const uint32_t degree = g.row[v + 1] - g.row[v];
      squares += (double)degree * degree;
      least = degree < least ? degree : least;
    }
    const double mean = (double)g.m / g.n, deviation = sqrt(squares / g.n - mean * mean);
    if (fabs(mean - want[i].mean) > 0.01 || fabs(deviation / want[i].deviation - 1) > 0.03 ||
        least != want[i].least || wl_graph_degree(&g) < want[i].most || wl_graph_degree(&g) > want[i].most_to)
      fail_msg("graph %zu: degree %g +- %g, %u to %u", i, mean, deviation, least, wl_graph_degree(&g));
    wl_graph_free(&g);
  }
}

/* Every edge is there in both directions, with the same weight. */
static void made_up_graphs_are_symmetric(void **state) {
  (void)state;
  for (enum wl_graph_kind kind = WL_GRAPH_RODINIA; kind < WL_GRAPH_KINDS; kind++) {
    struct wl_graph g, t;
    uint64_t sum[2] = {0, 0};
    get_graph(&g, kind, 1000, 3);
    assert_true(wl_graph_transpose(&g, &t));
    for (uint32_t v = 0; v < g.n; v++)
      for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
        sum[0] += wl_rng_mix(v, g.col[e] + ((uint64_t)g.weight[e] << 32));
        sum[1] += wl_rng_mix(g.col[e], v + ((uint64_t)g.weight[e] << 32));
      }
    assert_true(sum[0] == sum[1]);
    assert_memory_equal(g.row, t.row, (g.n + 1) * sizeof *g.row);
    wl_graph_free(&g);
    wl_graph_free(&t);
  }
}

enum { MANY = 64 };

struct frontiers {
  uint64_t nodes[MANY], edges[MANY], found[MANY];
};

static void see_bfs(const struct access *a, void *context) {
  struct frontiers *f = context;
  assert_in_range(a->launch / 2, 0, MANY - 1);
  f->nodes[a->launch / 2] += a->launch % 2 == 0 && is(a, "mask", WL_STORE);
  f->edges[a->launch / 2] += is(a, "edges", WL_LOAD);
  f->found[a->launch / 2] += a->launch % 2 == 1 && is(a, "mask", WL_STORE);
}

/* Compares level by level with a search by a queue. */
static void bfs_finds_the_levels(void **state) {
  (void)state;
  static struct frontiers got;
  struct frontiers want = {{0}, {0}, {0}};
  struct wl_graph g;
  const uint32_t launches = walk("bfs:n=8192,seed=5", see_bfs, &got);
  get_graph(&g, WL_GRAPH_RODINIA, 8192, 5);
  uint32_t *level = malloc(g.n * sizeof *level), *queue = malloc(g.n * sizeof *queue), end = 1;
  memset(level, 0xff, g.n * sizeof *level);
  queue[0] = level[0] = 0;
  for (uint32_t i = 0; i < end; i++) {
    const uint32_t v = queue[i];
    want.nodes[level[v]]++;
    want.edges[level[v]] += g.row[v + 1] - g.row[v];
    want.found[level[v] - (level[v] > 0)] += level[v] > 0;
    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++)
      if (level[g.col[e]] == UINT32_MAX) {
        level[g.col[e]] = level[v] + 1;
        queue[end++] = g.col[e];
      }
  }
  assert_int_equal(end, g.n); /* the made-up graph is connected */
  assert_int_equal(launches, 2 * (level[queue[end - 1]] + 1));
  assert_in_range(launches / 2, 7, 10);
  assert_memory_equal(&got, &want, sizeof got);
  free(level);
  free(queue);
  wl_graph_free(&g);
}

struct colours {
  uint32_t colour[512], times[512];
};

static void see_colours(const struct access *a, void *context) {
  struct colours *c = context;
  if (!is(a, "color", WL_STORE))
    return;
  assert_in_range(a->element, 0, 511);
  c->colour[a->element] = a->launch;
  c->times[a->element]++;
}

/* Each node is coloured once. In GraphBIG's version, which breaks ties, no two neighbours have the same colour. Pannotia's version
 * does not break ties, but there are 2048 values for 512 nodes. */
static void gc_colours_each_node_once(void **state) {
  (void)state;
  struct wl_graph g;
  get_graph(&g, WL_GRAPH_GRAPHGEN, 512, 7);
  for (int variant = 0; variant < 2; variant++) {
    struct colours c = {{0}, {0}};
    uint32_t alike = 0;
    walk(variant ? "gc:graph=1,n=512,seed=7,variant=1" : "gc:graph=1,n=512,seed=7", see_colours, &c);
    for (uint32_t v = 0; v < g.n; v++) {
      assert_int_equal(c.times[v], 1);
      for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++)
        alike += g.col[e] != v && c.colour[v] == c.colour[g.col[e]];
    }
    assert_in_range(alike, 0, variant ? 0 : 8);
  }
  wl_graph_free(&g);
}

static void see_nothing(const struct access *a, void *context) {
  (void)a;
  (void)context;
}

/* The number of iterations is the number of edges of the longest of the shortest paths (of equally short ones the path with the
 * fewest edges), plus one that finds no change. Compared with Dijkstra on pairs (length, edges). */
static void sssp_takes_as_many_iterations_as_paths_are_long(void **state) {
  (void)state;
  enum { N = 600 };
  static uint64_t dist[N];
  bool done[N] = {false};
  struct wl_graph g;
  get_graph(&g, WL_GRAPH_ROAD, N, 9);
  memset(dist, 0xff, sizeof dist);
  dist[0] = 0;
  uint64_t longest = 0;
  for (int round = 0; round < N; round++) {
    uint32_t v = N;
    for (uint32_t u = 0; u < N; u++)
      if (!done[u] && (v == N || dist[u] < dist[v]))
        v = u;
    done[v] = true;
    longest = (dist[v] & 0xffff) > longest ? dist[v] & 0xffff : longest;
    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++)
      if (dist[v] + ((uint64_t)g.weight[e] << 16) + 1 < dist[g.col[e]])
        dist[g.col[e]] = dist[v] + ((uint64_t)g.weight[e] << 16) + 1;
  }
  assert_true(longest > 20);
  assert_int_equal(walk("sssp:graph=3,n=600,seed=9,csr=1", see_nothing, NULL), 1 + 3 * (longest + 1));
  assert_int_equal(walk("sssp:graph=3,n=600,seed=9,csr=0", see_nothing, NULL), 1 + 3 * (longest + 1));
  wl_graph_free(&g);
}

/* Writes a graph of n nodes with `edges` random edges as a DIMACS file, with reverse edges if `both`. Returns its path, valid until
 * the next call. */
static const char *write_graph(struct wl_edge *edge, uint32_t n, uint32_t edges, bool both, uint64_t seed) {
  static char path[32];
  struct wl_rng rng = {seed};
  snprintf(path, sizeof path, "/tmp/heddle_g_XXXXXX");
  FILE *file = fdopen(mkstemp(path), "w");
  assert_non_null(file);
  fprintf(file, "p sp %u %u\n", n, edges << both);
  for (uint32_t i = 0; i < edges; i++) {
    edge[i] = (struct wl_edge){wl_rng_below(&rng, n), wl_rng_below(&rng, n), wl_rng_below(&rng, 100)};
    fprintf(file, "a %u %u %u\n", edge[i].from + 1, edge[i].to + 1, edge[i].weight);
    if (both)
      fprintf(file, "a %u %u %u\n", edge[i].to + 1, edge[i].from + 1, edge[i].weight);
  }
  fclose(file);
  return path;
}

struct roots {
  uint32_t of[3000]; /* target of the thread's last load of a parent in the last jump */
  uint64_t hooks;    /* stores of the last hook */
  uint32_t hook, jump;
};

static void see_ccl(const struct access *a, void *context) {
  struct roots *r = context;
  if (strcmp(a->kernel, "ccl.jump") == 0 && is(a, "parent", WL_LOAD))
    r->of[a->cta * 1024 + a->thread] = (uint32_t)a->element;
  if (strcmp(a->kernel, "ccl.hook") == 0 && a->launch != r->hook) {
    r->hook = a->launch;
    r->hooks = 0;
  }
  r->hooks += strcmp(a->kernel, "ccl.hook") == 0 && is(a, "shadow", WL_STORE);
}

static uint32_t find_root(uint32_t *parent, uint32_t v) {
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

/* A graph of many components: two nodes have the same root exactly if a union-find joins them. */
static void ccl_finds_the_components(void **state) {
  (void)state;
  enum { N = 3000, EDGES = 1800 };
  static struct wl_edge edge[EDGES];
  static struct roots r;
  static uint32_t parent[N], label[N];
  char spec[64];
  const char *path = write_graph(edge, N, EDGES, true, 4);
  snprintf(spec, sizeof spec, "ccl:file=%s", path);
  walk(spec, see_ccl, &r);
  unlink(path);
  assert_int_equal(r.hooks, 0);
  for (uint32_t v = 0; v < N; v++)
    label[v] = parent[v] = v;
  for (uint32_t e = 0; e < EDGES; e++)
    parent[find_root(parent, edge[e].from)] = find_root(parent, edge[e].to);
  uint32_t components = 0;
  for (uint32_t v = 0; v < N; v++) {
    const uint32_t root = find_root(parent, v);
    components += root == v;
    assert_int_equal(find_root(parent, r.of[v]), root);
    assert_int_equal(r.of[r.of[v]], r.of[v]);
    label[root] = r.of[v];
  }
  for (uint32_t v = 0; v < N; v++)
    assert_int_equal(label[find_root(parent, v)], r.of[v]);
  assert_in_range(components, 1200, 1400);
}

static void count_stores(const struct access *a, void *context) {
  uint64_t *stores = context;
  stores[a->launch] += is(a, "dist", WL_STORE);
}

/* Each launch stores exactly the elements that get shorter, from intermediate node 1 on. */
static void apsp_stores_what_gets_shorter(void **state) {
  (void)state;
  enum { N = 48, EDGES = 400 };
  struct wl_edge edge[EDGES];
  uint64_t stores[N] = {0};
  uint32_t dist[N][N];
  char spec[64];
  const char *path = write_graph(edge, N, EDGES, false, 6);
  snprintf(spec, sizeof spec, "apsp:file=%s", path);
  assert_int_equal(walk(spec, count_stores, stores), N - 1);
  unlink(path);
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t j = 0; j < N; j++)
      dist[i][j] = 9999;
  for (uint32_t e = 0; e < EDGES; e++)
    dist[edge[e].from][edge[e].to] = edge[e].weight;
  for (uint32_t i = 0; i < N; i++)
    dist[i][i] = 0;
  for (uint32_t k = 1; k < N; k++) {
    uint64_t shorter = 0;
    for (uint32_t i = 0; i < N; i++)
      for (uint32_t j = 0; j < N; j++)
        if (dist[i][k] + dist[k][j] < dist[i][j]) {
          dist[i][j] = dist[i][k] + dist[k][j];
          shorter++;
        }
    assert_int_equal(stores[k - 1], shorter);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(made_up_graphs_are_like_their_models),
      cmocka_unit_test(made_up_graphs_are_symmetric),
      cmocka_unit_test(bfs_finds_the_levels),
      cmocka_unit_test(gc_colours_each_node_once),
      cmocka_unit_test(sssp_takes_as_many_iterations_as_paths_are_long),
      cmocka_unit_test(ccl_finds_the_components),
      cmocka_unit_test(apsp_stores_what_gets_shorter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
