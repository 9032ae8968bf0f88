/* Graph colouring: Pannotia's color_max, and GraphBIG's topology-driven, thread-centric version.
 *
 * In both, a node takes this iteration's colour when no uncoloured neighbour has a larger random number.
 * Pannotia looks at all neighbours in one launch and colours in the next. GraphBIG stops at the first
 * larger neighbour and colours in the same launch.
 *
 * Invariant: the colours are those before the launch that was built last. In GraphBIG's launch, a neighbour
 * that gets its colour meanwhile counts as uncoloured, so that no thread sees the work of another.
 */
#include "workloads/graph/graph_kernel.h"
#include "workloads/pannotia/pannotia.h"

#include "workloads/rng.h"

#include <stdlib.h>

enum { BLOCK = 256, VALUES = 2048, GB_BLOCK = 1024, UNCOLOURED = -1 };

struct color {
  struct wl_graph g;
  int32_t *color, *value;
  int32_t *max;        /* Pannotia: the largest value among the uncoloured neighbours that count; -1: none */
  uint32_t *looked_at; /* GraphBIG: number of edges that the node's thread looks at */
  bool *larger;        /* GraphBIG: true if the last of them has the larger value */
  bool stop, over;     /* stop: this iteration found work for another one; over: there is no more work */
};

void pn_color_release(void *data) {
  struct color *c = data;
  wl_graph_free(&c->g);
  free(c->color);
  free(c->value);
  free(c->max);
  free(c->looked_at);
  free(c->larger);
  free(c);
}

bool pn_color_prepare(struct wl_plan *p, char *err, size_t errlen) {
  if (!wl_graph_prepare(p, sizeof(struct color), err, errlen))
    return false;
  struct color *c = p->data;
  const uint32_t n = c->g.n;
  if (!wl_graph_room(&c->color, n, sizeof *c->color, err, errlen) ||
      !wl_graph_room(&c->value, n, sizeof *c->value, err, errlen) ||
      !wl_graph_room(&c->max, n, sizeof *c->max, err, errlen) ||
      !wl_graph_room(&c->looked_at, n, sizeof *c->looked_at, err, errlen) ||
      !wl_graph_room(&c->larger, n, sizeof *c->larger, err, errlen)) {
    pn_color_release(c);
    return false;
  }
  struct wl_rng rng = {wl_rng_mix(p->key[WL_GRAPH_KEY_SEED], UINT64_C(0xC010))};
  const uint64_t values = p->key[PN_KEY_VARIANT] ? INT32_MAX : VALUES;
  for (uint32_t v = 0; v < n; v++) {
    c->color[v] = UNCOLOURED;
    c->value[v] = (int32_t)wl_rng_below(&rng, values);
  }
  return true;
}

/* A node with a single edge does not look at it: a mistake of the source. */
static bool counts(const struct color *c, uint32_t v, uint32_t edge) {
  return c->color[c->g.col[edge]] == UNCOLOURED && c->g.row[v + 1] - c->g.row[v] != 1;
}

/* Do the stores of the threads of color1 and of color2. */
static void find_maxima(struct color *c) {
  c->stop = false;
  for (uint32_t v = 0; v < c->g.n; v++) {
    if (c->color[v] != UNCOLOURED)
      continue;
    c->max[v] = -1;
    for (uint32_t i = c->g.row[v]; i < c->g.row[v + 1]; i++)
      if (counts(c, v, i)) {
        c->stop = true;
        if (c->value[c->g.col[i]] > c->max[v])
          c->max[v] = c->value[c->g.col[i]];
      }
  }
}

static void colour_maxima(struct color *c, int32_t colour) {
  for (uint32_t v = 0; v < c->g.n; v++)
    if (c->color[v] == UNCOLOURED && c->value[v] >= c->max[v])
      c->color[v] = colour;
}

static bool uncoloured(const struct wl_warp *w, unsigned lane) {
  const struct color *c = w->plan->data;
  return c->color[w->x[lane]] == UNCOLOURED;
}

static bool neighbour_counts(const struct wl_warp *w, unsigned lane) {
  return counts(w->plan->data, w->x[lane], (uint32_t)wl_edge_number(w, lane));
}

static bool is_largest(const struct wl_warp *w, unsigned lane) {
  const struct color *c = w->plan->data;
  return c->value[w->x[lane]] >= c->max[w->x[lane]];
}

struct arrays {
  int row, col, color, value, max, stop;
};

static void color1(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "gc.color1", n, BLOCK);
  wl_load(p, R_OWN, R_POS, a->color, AT(.x = 1));
  wl_test(p, WL_R(R_OWN), uncoloured);
  wl_load(p, R_FIRST, R_POS, a->row, AT(.x = 1));
  wl_load(p, R_LAST, R_POS, a->row, AT(.c = 1, .x = 1));
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_FIRST) | WL_R(R_LAST));
  wl_while_lane(p, wl_edge_left);
  wl_access(p, WL_LOAD, R_TO, WL_R(R_EDGE), a->col, wl_edge_number);
  wl_inst(p, WL_ALU, R_A, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_A), a->color, wl_edge_target);
  wl_test(p, WL_R(R_FAR), neighbour_counts);
  wl_store(p, 0, R_POS, a->stop, AT(0));
  wl_access(p, WL_LOAD, R_TO, WL_R(R_EDGE), a->col, wl_edge_number);
  wl_inst(p, WL_ALU, R_A, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_A), a->value, wl_edge_target);
  wl_inst(p, WL_ALU, R_ACC, WL_R(R_FAR) | WL_R(R_ACC));
  wl_end(p);
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_EDGE));
  code_branch(p, WL_R(R_EDGE) | WL_R(R_LAST));
  wl_end(p);
  wl_store(p, WL_R(R_ACC), R_POS, a->max, AT(.x = 1));
  wl_end(p);
  wl_end(p);
}

static void color2(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "gc.color2", n, BLOCK);
  wl_load(p, R_OWN, R_POS, a->color, AT(.x = 1));
  wl_test(p, WL_R(R_OWN), uncoloured);
  wl_load(p, R_A, R_POS, a->value, AT(.x = 1));
  wl_load(p, R_B, R_POS, a->max, AT(.x = 1));
  wl_test(p, WL_R(R_A) | WL_R(R_B), is_largest);
  wl_store(p, 0, R_POS, a->color, AT(.x = 1));
  wl_end(p);
  wl_end(p);
  wl_end(p);
}

static bool pannotia(struct wl_plan *p, uint32_t launch) {
  struct color *c = p->data;
  const uint32_t n = c->g.n;
  const struct arrays a = {wl_array(p, "row", (uint64_t)n + 1, 4),
                           wl_array(p, "col", c->g.m, 4),
                           wl_array(p, "color", n, 4),
                           wl_array(p, "value", n, 4),
                           wl_array(p, "max", n, 4),
                           wl_array(p, "stop", 1, 4)};
  if (launch % 2 == 1) {
    find_maxima(c);
    color2(p, &a, n);
    return true;
  }
  if (launch > 0 && !c->over) {
    colour_maxima(c, (int32_t)(launch / 2));
    c->over = !c->stop;
  }
  if (!c->over)
    color1(p, &a, n);
  return !c->over;
}

/* Equal values are ordered by the node's number. */
static bool is_larger(const struct color *c, uint32_t of, uint32_t than) {
  return c->value[of] > c->value[than] || (c->value[of] == c->value[than] && of < than);
}

static void look_around(struct color *c) {
  c->stop = false;
  for (uint32_t v = 0; v < c->g.n; v++) {
    uint32_t i = c->g.row[v];
    c->larger[v] = false;
    for (; c->color[v] == UNCOLOURED && i < c->g.row[v + 1] && !c->larger[v]; i++)
      c->larger[v] = c->color[c->g.col[i]] == UNCOLOURED && is_larger(c, c->g.col[i], v);
    c->looked_at[v] = i - c->g.row[v];
    c->stop = c->stop || c->larger[v];
  }
}

static void colour_largest(struct color *c, int32_t colour) {
  for (uint32_t v = 0; v < c->g.n; v++)
    if (c->color[v] == UNCOLOURED && !c->larger[v])
      c->color[v] = colour;
}

static bool looks_on(const struct wl_warp *w, unsigned lane) {
  const struct color *c = w->plan->data;
  return w->k[0] < c->looked_at[w->x[lane]];
}

static bool neighbour_uncoloured(const struct wl_warp *w, unsigned lane) {
  const struct color *c = w->plan->data;
  return c->color[wl_edge_target(w, lane)] == UNCOLOURED;
}

static bool saw_larger(const struct wl_warp *w, unsigned lane) {
  const struct color *c = w->plan->data;
  return c->larger[w->x[lane]];
}

static bool saw_none(const struct wl_warp *w, unsigned lane) {
  return !saw_larger(w, lane);
}

static void graphbig_kernel(struct wl_plan *p, const struct arrays *a, uint32_t n) {
  wl_each_node(p, "gc.graphbig", n, n < GB_BLOCK ? n : GB_BLOCK);
  wl_load(p, R_OWN, R_POS, a->color, AT(.x = 1));
  wl_test(p, WL_R(R_OWN), uncoloured);
  wl_load(p, R_FIRST, R_POS, a->row, AT(.x = 1));
  wl_load(p, R_LAST, R_POS, a->row, AT(.c = 1, .x = 1));
  wl_load(p, R_ACC, R_POS, a->value, AT(.x = 1));
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_FIRST) | WL_R(R_LAST));
  wl_while_lane(p, looks_on);
  wl_access(p, WL_LOAD, R_TO, WL_R(R_EDGE), a->col, wl_edge_number);
  wl_inst(p, WL_ALU, R_A, WL_R(R_TO));
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_A), a->color, wl_edge_target);
  wl_test(p, WL_R(R_FAR), neighbour_uncoloured);
  wl_access(p, WL_LOAD, R_FAR, WL_R(R_A), a->value, wl_edge_target);
  code_branch(p, WL_R(R_FAR) | WL_R(R_ACC));
  wl_end(p);
  wl_inst(p, WL_ALU, R_EDGE, WL_R(R_EDGE));
  code_branch(p, WL_R(R_EDGE) | WL_R(R_LAST));
  wl_end(p);
  wl_test(p, WL_R(R_PRED), saw_none);
  wl_store(p, 0, R_POS, a->color, AT(.x = 1));
  wl_end(p);
  wl_if_lane(p, saw_larger);
  wl_store(p, 0, R_POS, a->stop, AT(0));
  wl_end(p);
  wl_end(p);
  wl_end(p);
}

static bool graphbig(struct wl_plan *p, uint32_t launch) {
  struct color *c = p->data;
  const uint32_t n = c->g.n;
  const struct arrays a = {wl_array(p, "row", (uint64_t)n + 1, 8),
                           wl_array(p, "col", c->g.m, 8),
                           wl_array(p, "color", n, 4),
                           wl_array(p, "value", n, 4),
                           -1,
                           wl_array(p, "over", 1, 1)};
  if (launch > 0 && !c->over) {
    colour_largest(c, (int32_t)launch);
    c->over = !c->stop;
  }
  if (c->over)
    return false;
  look_around(c);
  graphbig_kernel(p, &a, n);
  return true;
}

bool pn_color(struct wl_plan *p, uint32_t launch) {
  return p->key[PN_KEY_VARIANT] ? graphbig(p, launch) : pannotia(p, launch);
}
