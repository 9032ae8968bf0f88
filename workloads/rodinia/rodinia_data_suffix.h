/* A suffix tree with suffix links, built by Ukkonen's algorithm (E. Ukkonen, "On-line construction of
 * suffix trees", Algorithmica 14, 1995).
 *
 * Invariant: node 0 means "no node"; node 1 is the root. The edge into a node reads text[start..end]. Every
 * inner node except the root has a link to the node that spells the same without the first letter. The
 * root's link is 0.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_SUFFIX_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_SUFFIX_H

#include <stdbool.h>
#include <stdint.h>

enum { WL_SUFFIX_ROOT = 1, WL_SUFFIX_LETTERS = 5, WL_SUFFIX_END = 4 };

struct wl_suffix_node {
  uint32_t start, end, link, child[WL_SUFFIX_LETTERS];
};

struct wl_suffix {
  struct wl_suffix_node *node;
  uint32_t nodes; /* node 0 included */
};

/* Builds the tree of text[1..length], letters 0..3, and the end mark WL_SUFFIX_END, which must follow them.
 * Returns false if memory is out, with nothing left in *t. The root's edge has no meaning. */
bool wl_suffix_build(struct wl_suffix *t, const uint8_t *text, uint32_t length);
void wl_suffix_free(struct wl_suffix *t);

#endif
