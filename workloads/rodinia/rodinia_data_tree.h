/* A B+ tree of order 256 on the host, built by insertion, as Rodinia's b+tree builds it.
 *
 * Invariant: a node has at most 255 keys, ascending; child[i] holds the keys from key[i - 1] on and below
 * key[i]. A full leaf splits in two of 128 keys; a full inner node leaves 127 keys and gives up 128, with one
 * between them moving up.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_TREE_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { WL_BPLUS_ORDER = 256 };

struct wl_bplus_node {
  uint32_t n, number; /* keys; of the node, level by level, once numbered */
  bool leaf;
  uint32_t key[WL_BPLUS_ORDER], child[WL_BPLUS_ORDER + 1]; /* one more than stays, while it splits */
};

struct wl_bplus {
  struct wl_bplus_node *node;
  uint32_t nodes, room, root, height; /* height: levels above the leaves */
  uint32_t keys;
  uint32_t *first_record; /* by number, of leaves: how many keys come before; once numbered */
};

/* False: out of memory; the tree can then only be freed. */
bool wl_bplus_begin(struct wl_bplus *t);
bool wl_bplus_insert(struct wl_bplus *t, uint32_t key); /* a key that is there already stays as it is */
bool wl_bplus_number(struct wl_bplus *t);
void wl_bplus_free(struct wl_bplus *t);

const struct wl_bplus_node *wl_bplus_at(const struct wl_bplus *t, uint32_t node);

/* How many of the node's keys are not above `key`. */
uint32_t wl_bplus_rank(const struct wl_bplus *t, uint32_t node, uint32_t key);

#endif
