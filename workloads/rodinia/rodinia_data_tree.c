/* The B+ tree of rodinia_data_tree.h. */
#include "workloads/rodinia/rodinia_data_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { HALF = WL_BPLUS_ORDER / 2, MAX_HEIGHT = 8 };

/* Makes a new node and puts its number into *node. May move the other nodes in memory. */
static bool new_node(struct wl_bplus *t, bool leaf, uint32_t *node) {
  struct wl_bplus_node *moved = hd_grown(t->node, (size_t)t->nodes + 1, &t->room, sizeof *moved);
  if (!moved)
    return false;
  t->node = moved;
  *node = t->nodes++;
  t->node[*node].n = 0;
  t->node[*node].leaf = leaf;
  return true;
}

bool wl_bplus_begin(struct wl_bplus *t) {
  *t = (struct wl_bplus){0};
  return new_node(t, true, &t->root);
}

void wl_bplus_free(struct wl_bplus *t) {
  free(t->node);
  free(t->first_record);
}

const struct wl_bplus_node *wl_bplus_at(const struct wl_bplus *t, uint32_t node) {
  return &t->node[node];
}

uint32_t wl_bplus_rank(const struct wl_bplus *t, uint32_t node, uint32_t key) {
  const struct wl_bplus_node *x = &t->node[node];
  uint32_t from = 0, to = x->n;
  while (from < to) {
    const uint32_t middle = (from + to) / 2;
    if (x->key[middle] <= key)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* Inserts the key at place i, and, in an inner node, the child to its right. */
static void put(struct wl_bplus_node *x, uint32_t i, uint32_t key, uint32_t child) {
  memmove(&x->key[i + 1], &x->key[i], (x->n - i) * sizeof *x->key);
  x->key[i] = key;
  if (!x->leaf) {
    memmove(&x->child[i + 2], &x->child[i + 1], (x->n - i) * sizeof *x->child);
    x->child[i + 1] = child;
  }
  x->n++;
}

/* Moves the upper half of a node of ORDER keys into a new node. *key gets the key that separates them. */
static bool split(struct wl_bplus *t, uint32_t node, uint32_t *key, uint32_t *right) {
  if (!new_node(t, t->node[node].leaf, right))
    return false;
  struct wl_bplus_node *x = &t->node[node], *y = &t->node[*right];
  y->n = WL_BPLUS_ORDER - HALF;
  memcpy(y->key, &x->key[HALF], y->n * sizeof *y->key);
  *key = y->key[0];
  x->n = HALF;
  if (!x->leaf) {
    memcpy(y->child, &x->child[HALF], (y->n + 1) * sizeof *y->child);
    x->n = HALF - 1; /* the last key moves up */
    *key = x->key[x->n];
  }
  return true;
}

bool wl_bplus_insert(struct wl_bplus *t, uint32_t key) {
  uint32_t way[MAX_HEIGHT + 1], place[MAX_HEIGHT + 1], right = 0;
  way[0] = t->root;
  for (uint32_t level = 0;; level++) {
    place[level] = wl_bplus_rank(t, way[level], key);
    if (level == t->height)
      break;
    way[level + 1] = t->node[way[level]].child[place[level]];
  }
  const struct wl_bplus_node *leaf = &t->node[way[t->height]];
  if (place[t->height] > 0 && leaf->key[place[t->height] - 1] == key)
    return true;
  t->keys++;
  for (uint32_t level = t->height + 1; level-- > 0;) {
    put(&t->node[way[level]], place[level], key, right);
    if (t->node[way[level]].n < WL_BPLUS_ORDER)
      return true;
    if (!split(t, way[level], &key, &right))
      return false;
  }
  const uint32_t left = t->root;
  if (!new_node(t, false, &t->root))
    return false;
  t->node[t->root].n = 1;
  t->node[t->root].key[0] = key;
  t->node[t->root].child[0] = left;
  t->node[t->root].child[1] = right;
  t->height++;
  return true;
}

bool wl_bplus_number(struct wl_bplus *t) {
  uint32_t *queue = malloc(t->nodes * sizeof *queue), end = 1, before = 0;
  t->first_record = calloc(t->nodes, sizeof *t->first_record);
  if (!queue || !t->first_record) {
    free(queue);
    return false;
  }
  queue[0] = t->root;
  for (uint32_t i = 0; i < end; i++) {
    struct wl_bplus_node *x = &t->node[queue[i]];
    x->number = i;
    t->first_record[i] = before;
    for (uint32_t c = 0; c <= x->n && !x->leaf; c++)
      queue[end++] = x->child[c];
    before += x->leaf ? x->n : 0;
  }
  free(queue);
  return true;
}
