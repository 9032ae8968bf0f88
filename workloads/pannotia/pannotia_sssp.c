/* Pannotia's sssp: Bellman-Ford as a min-plus product of the transposed matrix with the distances, repeated
 * until the distances do not change.
 *
 * Invariant: x holds the distances before the launch that was built last, y those that it computes.
 */
#include "workloads/graph/graph_kernel.h"
#include "workloads/pannotia/pannotia.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, SOURCE = 0, FAR = 99999999, INTEGERS = 6, ELL_MAX = 1 << 28 };

struct sssp {
  struct wl_graph g; /* transposed: an edge leads to the node that its path comes from */
  uint32_t height;   /* for ELL: number of columns */
  int32_t *x, *y;
  bool over;
};

void pn_sssp_release(void *data) {
  struct sssp *s = data;
  wl_graph_free(&s->g);
  free(s->x);
  free(s->y);
  free(s);
}

/* Reverses the edges of the graph. */
static bool transpose(struct sssp *s, char *err, size_t errlen) {
  struct wl_graph forward = s->g;
  const bool ok = wl_graph_transpose(&forward, &s->g);
  if (!ok)
    snprintf(err, errlen, "out of memory");
  wl_graph_free(&forward);
  return ok;
}

bool pn_sssp_prepare(struct wl_plan *p, char *err, size_t errlen) {
  const bool csr = p->key[PN_KEY_VARIANT];
  if (!wl_graph_prepare(p, sizeof(struct sssp), err, errlen))
    return false;
  struct sssp *s = p->data;
  bool ok = transpose(s, err, errlen) && wl_graph_room(&s->x, s->g.n, sizeof *s->x, err, errlen) &&
            wl_graph_room(&s->y, s->g.n, sizeof *s->y, err, errlen);
  s->height = ok ? wl_graph_degree(&s->g) : 0;
  if (ok && !csr && (uint64_t)s->g.n * s->height > ELL_MAX) {
    snprintf(
        err, errlen,
        "sssp: csr=0 needs %u rows of %u elements, as long as the longest one; allowed: %d elements in all",
        s->g.n, s->height, ELL_MAX);
    ok = false;
  }
  if (!ok) {
    pn_sssp_release(s);
    return false;
  }
  for (uint32_t v = 0; v < s->g.n; v++)
    s->x[v] = s->y[v] = v == SOURCE ? 0 : FAR;
  return true;
}

/* Does the stores of the product's threads. */
static void relax(struct sssp *s) {
  s->over = true;
  for (uint32_t v = 0; v < s->g.n; v++) {
    int32_t least = s->x[v];
    for (uint32_t i = s->g.row[v]; i < s->g.row[v + 1]; i++) {
      const int32_t through = (int32_t)s->g.weight[i] + s->x[s->g.col[i]];
      least = through < least ? through : least;
    }
    s->y[v] = least;
    s->over = s->over && least == s->x[v];
  }
}

static bool differs(const struct wl_warp *w, unsigned lane) {
  const struct sssp *s = w->plan->data;
  return s->x[w->x[lane]] != s->y[w->x[lane]];
}

/* ELL: column k[0] of the padded row. Beyond the row's end its last neighbour is repeated, or node 0 if
 * there is none. */
static int64_t ell_number(const struct wl_warp *w, unsigned lane) {
  const struct sssp *s = w->plan->data;
  return (int64_t)w->x[lane] + (int64_t)w->k[0] * s->g.n;
}

static int64_t ell_target(const struct wl_warp *w, unsigned lane) {
  const struct sssp *s = w->plan->data;
  const uint32_t v = w->x[lane], first = s->g.row[v], edges = s->g.row[v + 1] - first;
  if (edges == 0)
    return 0;
  return s->g.col[first + (w->k[0] < edges ? w->k[0] : edges - 1)];
}

struct arrays {
  int row, col, data, x, y, stop;
};

static void init(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "sssp.init", n, BLOCK);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_POS));
  wl_store(p, WL_R(R_ACC), R_POS, a->x, AT(.x = 1));
  wl_store(p, WL_R(R_ACC), R_POS, a->y, AT(.x = 1));
  wl_end(p);
}

static void assign(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "sssp.assign", n, BLOCK);
  wl_load(p, R_A, R_POS, a->y, AT(.x = 1));
  wl_store(p, WL_R(R_A), R_POS, a->x, AT(.x = 1));
  wl_end(p);
}

/* One element: loads its weight, its column and the distance there; then the sum, the minimum, the other
 * integer instructions. */
static void element(struct wl_plan *p, const struct arrays *a, wl_elem_fn number, wl_elem_fn target) {
  wl_access(p, WL_LOAD, R_A, WL_R(R_EDGE), a->data, number);
  wl_access(p, WL_LOAD, R_TO, WL_R(R_EDGE), a->col, number);
  wl_inst(p, WL_ALU, R_B, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_B), a->x, target);
  wl_inst(p, WL_ALU, R_C, WL_R(R_A) | WL_R(R_FAR));
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_C) | WL_R(R_ACC));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_EDGE));
  code_branch(p, WL_R(R_EDGE) | WL_R(R_LAST));
}

static void product_csr(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "sssp.csr", n, BLOCK);
  wl_load(p, R_FIRST, R_POS, a->row, AT(.x = 1));
  wl_load(p, R_LAST, R_POS, a->row, AT(.c = 1, .x = 1));
  wl_load(p, R_ACC, R_POS, a->x, AT(.x = 1));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_FIRST) | WL_R(R_LAST));
  wl_while_lane(p, wl_edge_left);
  element(p, a, wl_edge_number, wl_edge_target);
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, a->y, AT(.x = 1));
  wl_end(p);
}

static void product_ell(struct wl_plan *p, const struct arrays *a, uint32_t n, uint32_t height) {
  wl_each_node(p, "sssp.ell", n, BLOCK);
  wl_load(p, R_ACC, R_POS, a->x, AT(.x = 1));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_POS));
  wl_inst(p, WL_ALU, R_LAST, 0);
  wl_loop(p, height);
  element(p, a, ell_number, ell_target);
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, a->y, AT(.x = 1));
  wl_end(p);
}

static void diff(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "sssp.diff", n, BLOCK);
  wl_load(p, R_A, R_POS, a->y, AT(.x = 1));
  wl_load(p, R_B, R_POS, a->x, AT(.x = 1));
  wl_test(p, WL_R(R_A) | WL_R(R_B), differs);
  wl_store(p, 0, R_POS, a->stop, AT(0));
  wl_end(p);
  wl_end(p);
}

bool pn_sssp(struct wl_plan *p, uint32_t launch) {
  struct sssp *s = p->data;
  const bool csr = p->key[PN_KEY_VARIANT];
  const uint32_t n = s->g.n;
  const uint64_t elements = csr ? s->g.m : (uint64_t)n * s->height;
  struct arrays a = {.row = csr ? wl_array(p, "row", (uint64_t)n + 1, 4) : -1};
  a.col = wl_array(p, "col", elements, 4);
  a.data = wl_array(p, "data", elements, 4);
  a.x = wl_array(p, "x", n, 4);
  a.y = wl_array(p, "y", n, 4);
  a.stop = wl_array(p, "stop", 1, 4);
  if (launch == 0) {
    init(p, &a, n);
    return true;
  }
  switch ((launch - 1) % 3) {
  case 0: /* the host gives up after n - 1 iterations */
    if (s->over || (launch - 1) / 3 + 1 >= n)
      return false;
    assign(p, &a, n);
    return true;
  case 1:
    memcpy(s->x, s->y, n * sizeof *s->x);
    if (csr)
      product_csr(p, &a, n);
    else
      product_ell(p, &a, n, s->height);
    return true;
  default:
    relax(s);
    diff(p, &a, n);
    return true;
  }
}
