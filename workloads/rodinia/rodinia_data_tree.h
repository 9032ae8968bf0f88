/* A B+ tree of order 256 on the host, built by insertion, as Rodinia's b+tree builds it.
 *
 * Invariant: a node has at most 255 keys, ascending; child[i] holds the keys from key[i - 1] on and below
 * key[i]. A full leaf splits in two of 128 keys. A full inner node keeps 127 keys and moves 128 into the
 * new node; the key between them moves up.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_TREE_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { WL_BPLUS_ORDER = 256 };

struct wl_bplus_node {
  uint32_t n, number; /* n: keys; number: of the node, level by level, valid after wl_bplus_number */
  bool leaf;
  uint32_t key[WL_BPLUS_ORDER], child[WL_BPLUS_ORDER + 1]; /* one more, during a split */
};

struct wl_bplus {
  struct wl_bplus_node *node;
  uint32_t nodes, room, root, height; /* height: levels above the leaves */
  uint32_t keys;
  uint32_t *first_record; /* for each leaf, by number: the keys before it; valid after wl_bplus_number */
};

/* These functions return false if memory is out. Then the tree can only be freed. */
bool wl_bplus_begin(struct wl_bplus *t);
bool wl_bplus_insert(struct wl_bplus *t, uint32_t key); /* inserts the key; no change if the key exists */
bool wl_bplus_number(struct wl_bplus *t);
void wl_bplus_free(struct wl_bplus *t);

const struct wl_bplus_node *wl_bplus_at(const struct wl_bplus *t, uint32_t node);

/* Returns the number of keys in the node that are not above `key`. */
uint32_t wl_bplus_rank(const struct wl_bplus *t, uint32_t node, uint32_t key);

#endif
