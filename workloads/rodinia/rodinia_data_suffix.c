/* The suffix tree of rodinia_data_suffix.h. */
#include "workloads/rodinia/rodinia_data_suffix.h"

#include <stdlib.h>

/* The position of the construction: `length` letters down the edge of `node` that begins with text[edge].
 * `left` suffixes are still implicit. */
struct point {
  uint32_t node, edge, length, left;
};

static uint32_t new_node(struct wl_suffix *t, uint32_t start, uint32_t end) {
  t->node[t->nodes] = (struct wl_suffix_node){.start = start, .end = end};
  return t->nodes++;
}

/* Sets the link of the last inner node. */
static void link_to(struct wl_suffix *t, uint32_t *waiting, uint32_t node) {
  if (*waiting)
    t->node[*waiting].link = node;
  *waiting = node == WL_SUFFIX_ROOT ? 0 : node;
}

/* Splits the edge at the point. The new node is above the old one. */
static uint32_t split(struct wl_suffix *t, const uint8_t *text, const struct point *at, uint32_t below) {
  struct wl_suffix_node *old = &t->node[below];
  const uint32_t middle = new_node(t, old->start, old->start + at->length - 1);
  t->node[at->node].child[text[at->edge]] = middle;
  old->start += at->length;
  t->node[middle].child[text[old->start]] = below;
  return middle;
}

/* Adds letter number i to all suffixes so far. */
static void extend(struct wl_suffix *t, const uint8_t *text, uint32_t i, uint32_t last, struct point *at) {
  uint32_t waiting = 0;
  at->left++;
  while (at->left > 0) {
    if (at->length == 0)
      at->edge = i;
    const uint32_t below = t->node[at->node].child[text[at->edge]];
    uint32_t parent = at->node;
    if (below) {
      const uint32_t edge = t->node[below].end - t->node[below].start + 1;
      if (at->length >= edge) {
        at->edge += edge;
        at->length -= edge;
        at->node = below;
        continue;
      }
      if (text[t->node[below].start + at->length] == text[i]) {
        at->length++;
        link_to(t, &waiting, at->node);
        return;
      }
      parent = split(t, text, at, below);
    }
    t->node[parent].child[text[i]] = new_node(t, i, last);
    link_to(t, &waiting, parent);
    at->left--;
    if (at->node == WL_SUFFIX_ROOT && at->length > 0) {
      at->length--;
      at->edge = i - at->left + 1;
    } else if (at->node != WL_SUFFIX_ROOT) {
      at->node = t->node[at->node].link ? t->node[at->node].link : WL_SUFFIX_ROOT;
    }
  }
}

bool wl_suffix_build(struct wl_suffix *t, const uint8_t *text, uint32_t length) {
  struct point at = {.node = WL_SUFFIX_ROOT};
  *t =
      (struct wl_suffix){.node = malloc((2 * (size_t)length + 4) * sizeof *t->node), .nodes = WL_SUFFIX_ROOT};
  if (!t->node)
    return false;
  t->node[0] = (struct wl_suffix_node){0};
  new_node(t, 1, 0);
  for (uint32_t i = 1; i <= length + 1; i++)
    extend(t, text, i, length + 1, &at);
  struct wl_suffix_node *exact = realloc(t->node, t->nodes * sizeof *exact);
  if (exact)
    t->node = exact;
  return true;
}

void wl_suffix_free(struct wl_suffix *t) {
  free(t->node);
}
