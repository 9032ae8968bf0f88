/* A suffix tree with suffix links, built by Ukkonen's algorithm (E. Ukkonen, "On-line construction of suffix
 * trees", Algorithmica 14, 1995).
 *
 * Invariant: node 0 is none, node 1 the root; the edge into a node reads text[start..end]; every inner node
 * but the root has a link to the node that spells the same without the first letter; the root's link is 0.
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
  uint32_t nodes; /* with node 0 */
};

/* Of text[1..length], letters 0..3, and the end mark WL_SUFFIX_END after it, which must be there. False:
 * out of memory; nothing is left in *t. The root's edge does not count. */
bool wl_suffix_build(struct wl_suffix *t, const uint8_t *text, uint32_t length);
void wl_suffix_free(struct wl_suffix *t);

#endif
