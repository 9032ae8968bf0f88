/* Rodinia's b+tree: one CTA per query, one thread per key of the node. findRangeK looks for two keys at
 * once, findK for one.
 *
 * The tree is really built, key by key, and then numbered level by level, as the host program does before
 * it copies the nodes. The kernels write only the positions of their queries. Only the CTA of a query reads
 * its position again.
 *
 * Invariant: `step` holds the path of a query through the tree, root first.
 */
#include "workloads/plan/kernel_code.h"
#include "workloads/rodinia/rodinia_data.h"
#include "workloads/rodinia/rodinia_data_tree.h"

#include "workloads/graph/number_file.h"
#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>

/* A node on the GPU, in words of 4 bytes: its own number, the indices, the keys, two more words. The keys
 * begin with the smallest integer; the unused keys hold the largest one. */
enum { KNODE = 517, INDICES = 1, KEYS = 258 };
enum { KEY_N, KEY_SEED, KEY_SHUFFLED, KEY_FIND, KEY_RANGES, KEY_SPAN };
enum { R_NODE = R_LOADED, R_OFFSET, R_KEY, R_QUERY, R_ADDR, R_NEXT };

/* The position of a query at one level: the node, and the thread whose key is the last one not above the
 * query. */
struct step {
  uint32_t node, thread;
  bool equal; /* that key equals the query */
};

struct btree {
  struct wl_bplus tree;
  struct step *step[3]; /* finds, starts of ranges, ends of ranges: height + 1 entries per query */
};

void rd_btree_release(void *data) {
  struct btree *b = data;
  wl_bplus_free(&b->tree);
  for (int i = 0; i < 3; i++)
    free(b->step[i]);
  free(b);
}

static bool insert_made_up(struct wl_bplus *t, uint32_t n, bool shuffled, struct wl_rng *rng) {
  uint32_t *key = malloc(sizeof *key * n);
  bool ok = key != NULL;
  for (uint32_t i = 0; i < n && ok; i++)
    key[i] = i;
  for (uint32_t i = n; i > 1 && shuffled && ok; i--) {
    const uint32_t j = wl_rng_below(rng, i), k = key[i - 1];
    key[i - 1] = key[j];
    key[j] = k;
  }
  for (uint32_t i = 0; i < n && ok; i++)
    ok = wl_bplus_insert(t, key[i]);
  free(key);
  return ok;
}

/* Reads Rodinia's file: the number of keys, then the keys. */
static bool insert_file(struct wl_scan *s, struct wl_bplus *t, uint32_t *n) {
  enum { MAX = 2000000 };
  uint64_t count, key;
  if ((wl_scan_peek(s) == '\n' && !wl_scan_need_line(s, "", "the number of keys")) ||
      !wl_scan_count(s, "the number of keys", MAX, 2, &count) || !wl_scan_line_ends(s))
    return false;
  if (count == 0)
    return wl_scan_fail(s, "the number of keys is 0");
  for (uint64_t i = 0; i < count; i++)
    if (!wl_scan_need_line(s, "", "a key") || !wl_scan_number(s, "the key", 0, INT32_MAX - 1, &key) ||
        !wl_scan_line_ends(s) || (!wl_bplus_insert(t, (uint32_t)key) && !wl_scan_fail(s, "out of memory")))
      return false;
  *n = (uint32_t)count;
  return !wl_scan_next_line(s, "") || wl_scan_fail(s, "a key too many");
}

static bool plant(struct wl_bplus *t, const struct wl_plan *p, uint32_t *n, struct wl_rng *rng, char *err,
                  size_t errlen) {
  struct wl_scan s;
  bool ok = wl_bplus_begin(t);
  if (ok && p->file) {
    if (!wl_scan_open(&s, p->file, err, errlen))
      return false;
    ok = insert_file(&s, t, n);
    wl_scan_close(&s);
    if (!ok)
      return false;
  } else {
    *n = (uint32_t)p->key[KEY_N];
    ok = ok && insert_made_up(t, *n, p->key[KEY_SHUFFLED], rng);
  }
  ok = ok && wl_bplus_number(t);
  if (!ok)
    snprintf(err, errlen, "btree: out of memory");
  return ok;
}

/* Fills the path of the query into at[0..height]. */
static void descend(const struct wl_bplus *t, uint32_t query, struct step *at) {
  uint32_t node = t->root;
  for (uint32_t level = 0;; level++) {
    const uint32_t below =
        wl_bplus_rank(t, node, query); /* keys not above the query; thread 0 has the smallest integer */
    at[level] = (struct step){wl_bplus_at(t, node)->number, below,
                              below > 0 && wl_bplus_at(t, node)->key[below - 1] == query};
    if (level == t->height)
      break;
    node = wl_bplus_at(t, node)->child[below];
  }
}

/* Draws uniform queries. A range that would end beyond the last key is moved back. */
static bool ask(struct btree *b, const struct wl_plan *p, uint32_t n, struct wl_rng *rng) {
  const uint32_t finds = (uint32_t)p->key[KEY_FIND], ranges = (uint32_t)p->key[KEY_RANGES],
                 way = b->tree.height + 1;
  const uint32_t span = p->key[KEY_SPAN] < n ? (uint32_t)p->key[KEY_SPAN] : n - 1;
  for (int i = 0; i < 3; i++)
    if (!(b->step[i] = calloc((size_t)(i ? ranges : finds) * way, sizeof *b->step[i])))
      return false;
  for (uint32_t q = 0; q < ranges; q++) {
    uint32_t start = wl_rng_below(rng, n);
    if (start + span >= n)
      start = n - 1 - span;
    descend(&b->tree, start, b->step[1] + (size_t)q * way);
    descend(&b->tree, start + span, b->step[2] + (size_t)q * way);
  }
  for (uint32_t q = 0; q < finds; q++)
    descend(&b->tree, wl_rng_below(rng, n), b->step[0] + (size_t)q * way);
  return true;
}

bool rd_btree_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct btree *b = calloc(1, sizeof *b);
  struct wl_rng rng = {wl_rng_mix(p->key[KEY_SEED], UINT64_C(0xB7))};
  uint32_t n = 0;
  if (!b) {
    snprintf(err, errlen, "btree: out of memory");
    return false;
  }
  bool ok = plant(&b->tree, p, &n, &rng, err, errlen);
  if (ok && !ask(b, p, n, &rng)) {
    snprintf(err, errlen, "btree: out of memory");
    ok = false;
  }
  p->data = b;
  if (!ok)
    rd_btree_release(b);
  return ok;
}

/* Returns the step of the CTA's query of kind `which`, at the level of the loop, or at the leaf. */
static const struct step *step_of(const struct wl_warp *w, int which, bool leaf) {
  const struct btree *b = w->plan->data;
  const uint32_t height = b->tree.height;
  return &b->step[which][(size_t)w->cta * (height + 1) + (leaf ? height : w->k[0])];
}

/* The functions for one of the three kinds of queries. */
#define OF_A_QUERY(name, which)                                                                              \
  static int64_t name##_key(const struct wl_warp *w, unsigned l) {                                           \
    return (int64_t)step_of(w, which, false)->node * KNODE + KEYS + w->tx[l];                                \
  }                                                                                                          \
  static int64_t name##_next_key(const struct wl_warp *w, unsigned l) {                                      \
    return name##_key(w, l) + 1;                                                                             \
  }                                                                                                          \
  static int64_t name##_index(const struct wl_warp *w, unsigned l) {                                         \
    return (int64_t)step_of(w, which, false)->node * KNODE + INDICES + w->tx[l];                             \
  }                                                                                                          \
  static int64_t name##_leaf_key(const struct wl_warp *w, unsigned l) {                                      \
    return (int64_t)step_of(w, which, true)->node * KNODE + KEYS + w->tx[l];                                 \
  }                                                                                                          \
  static int64_t name##_leaf_index(const struct wl_warp *w, unsigned l) {                                    \
    return (int64_t)step_of(w, which, true)->node * KNODE + INDICES + w->tx[l];                              \
  }                                                                                                          \
  static bool name##_not_above(const struct wl_warp *w, unsigned l) {                                        \
    return w->tx[l] <= step_of(w, which, false)->thread;                                                     \
  }                                                                                                          \
  static bool name##_is_child(const struct wl_warp *w, unsigned l) {                                         \
    return w->tx[l] == step_of(w, which, false)->thread;                                                     \
  }                                                                                                          \
  static bool name##_is_equal(const struct wl_warp *w, unsigned l) {                                         \
    return w->tx[l] == step_of(w, which, true)->thread && step_of(w, which, true)->equal;                    \
  }                                                                                                          \
  static const struct query_fns name = {                                                                     \
      name##_key,        name##_next_key,  name##_index,    name##_leaf_key,                                 \
      name##_leaf_index, name##_not_above, name##_is_child, name##_is_equal}

struct query_fns {
  wl_elem_fn key, next_key, index, leaf_key, leaf_index;
  wl_lane_fn not_above, is_child, is_equal;
};

OF_A_QUERY(find, 0);
OF_A_QUERY(range_start, 1);
OF_A_QUERY(range_end, 2);

/* The record of a key. Records are 4 bytes, in the order of the keys, which is also the leaves' index
 * order. */
static int64_t record(const struct wl_warp *w, unsigned l) {
  const struct btree *b = w->plan->data;
  const struct step *s = step_of(w, 0, true);
  (void)l;
  return b->tree.first_record[s->node] + (int64_t)s->thread - 1;
}

static bool is_first(const struct wl_warp *w, unsigned l) {
  return w->tx[l] == 0;
}

static void test(struct wl_plan *p, uint64_t src, wl_lane_fn lane) {
  code_branch(p, src);
  wl_if_lane(p, lane);
}

/* The CTA's own element in the arrays of queries. */
static const struct wl_at own = {.b = {1}};

/* Adds the address computation for the node whose number is in register `from`. */
static void node_address(struct wl_plan *p, int from) {
  wl_inst(p, WL_ALU, R_ADDR, WL_R(from));
  wl_inst(p, WL_ALU, R_ADDR, WL_R(R_ADDR) | WL_R(R_POS));
}

/* One level for one cursor: the thread whose key is the last one not above the query stores the child. */
static void choose_child(struct wl_plan *p, const struct query_fns *f, int knodes, int current, int offset,
                         int queries) {
  wl_load(p, R_NODE, R_POS, current, own);
  node_address(p, R_NODE);
  wl_access(p, WL_LOAD, R_KEY, WL_R(R_ADDR), knodes, f->key);
  wl_load(p, R_QUERY, R_POS, queries, own);
  test(p, WL_R(R_KEY) | WL_R(R_QUERY), f->not_above);
  wl_access(p, WL_LOAD, R_KEY, WL_R(R_ADDR), knodes, f->next_key);
  test(p, WL_R(R_KEY) | WL_R(R_QUERY), f->is_child);
  wl_load(p, R_OFFSET, R_POS, offset, own);
  node_address(p, R_OFFSET);
  wl_access(p, WL_LOAD, R_NEXT, WL_R(R_ADDR), knodes, f->index);
  code_branch(p, WL_R(R_NEXT));
  wl_store(p, WL_R(R_NEXT), R_POS, offset, own);
  wl_end(p);
  wl_end(p);
}

static void begin(struct wl_plan *p, const char *name, uint32_t ctas) {
  wl_grid_of(p, name, (struct wl_dim){.x = ctas}, (struct wl_dim){.x = WL_BPLUS_ORDER});
  code_position(p, 4);
}

/* Ends a level. */
static void level_end(struct wl_plan *p) {
  code_barrier(p);
  code_chain(p, WL_ALU, 6, R_POS, WL_R(R_POS));
  wl_end(p);
}

static void find_k(struct wl_plan *p, int knodes, int records, uint32_t ctas) {
  const int current = wl_array(p, "currKnode", ctas, 8), offset = wl_array(p, "offset", ctas, 8),
            keys = wl_array(p, "keys", ctas, 4), ans = wl_array(p, "ans", ctas, 4);
  const struct btree *b = p->data;
  begin(p, "btree.findK", ctas);
  wl_loop(p, b->tree.height);
  choose_child(p, &find, knodes, current, offset, keys);
  code_barrier(p);
  test(p, WL_R(R_POS), is_first);
  wl_load(p, R_OFFSET, R_POS, offset, own);
  wl_store(p, WL_R(R_OFFSET), R_POS, current, own);
  wl_end(p);
  level_end(p);
  wl_load(p, R_NODE, R_POS, current, own);
  node_address(p, R_NODE);
  wl_access(p, WL_LOAD, R_KEY, WL_R(R_ADDR), knodes, find.leaf_key);
  wl_load(p, R_QUERY, R_POS, keys, own);
  test(p, WL_R(R_KEY) | WL_R(R_QUERY), find.is_equal);
  wl_access(p, WL_LOAD, R_NEXT, WL_R(R_ADDR), knodes, find.leaf_index);
  wl_inst(p, WL_ALU, R_ADDR, WL_R(R_NEXT));
  wl_access(p, WL_LOAD, R_KEY, WL_R(R_ADDR), records, record);
  wl_store(p, WL_R(R_KEY), R_POS, ans, own);
  wl_end(p);
}

/* Loads the leaf's index where the key equals the query. Leaves the block open. */
static void leaf_index(struct wl_plan *p, const struct query_fns *f, int knodes, int current, int queries) {
  wl_load(p, R_NODE, R_POS, current, own);
  node_address(p, R_NODE);
  wl_access(p, WL_LOAD, R_KEY, WL_R(R_ADDR), knodes, f->leaf_key);
  wl_load(p, R_QUERY, R_POS, queries, own);
  test(p, WL_R(R_KEY) | WL_R(R_QUERY), f->is_equal);
  wl_access(p, WL_LOAD, R_NEXT, WL_R(R_ADDR), knodes, f->leaf_index);
}

static void find_range_k(struct wl_plan *p, int knodes, uint32_t ctas) {
  const int current = wl_array(p, "currKnode", ctas, 8), offset = wl_array(p, "offset", ctas, 8),
            last = wl_array(p, "lastKnode", ctas, 8), offset_2 = wl_array(p, "offset_2", ctas, 8),
            start = wl_array(p, "start", ctas, 4), end = wl_array(p, "end", ctas, 4),
            first_record = wl_array(p, "Recstart", ctas, 4), length = wl_array(p, "Reclen", ctas, 4);
  const struct btree *b = p->data;
  begin(p, "btree.findRangeK", ctas);
  wl_loop(p, b->tree.height);
  choose_child(p, &range_start, knodes, current, offset, start);
  choose_child(p, &range_end, knodes, last, offset_2, end);
  code_barrier(p);
  test(p, WL_R(R_POS), is_first);
  wl_load(p, R_OFFSET, R_POS, offset, own);
  wl_store(p, WL_R(R_OFFSET), R_POS, current, own);
  wl_load(p, R_OFFSET, R_POS, offset_2, own);
  wl_store(p, WL_R(R_OFFSET), R_POS, last, own);
  wl_end(p);
  level_end(p);
  leaf_index(p, &range_start, knodes, current, start);
  wl_store(p, WL_R(R_NEXT), R_POS, first_record, own);
  wl_end(p);
  code_barrier(p);
  leaf_index(p, &range_end, knodes, last, end);
  wl_load(p, R_OFFSET, R_POS, first_record, own);
  wl_inst(p, WL_ALU, R_NEXT, WL_R(R_NEXT) | WL_R(R_OFFSET));
  wl_store(p, WL_R(R_NEXT), R_POS, length, own);
  wl_end(p);
}

bool rd_btree(struct wl_plan *p, uint32_t launch) {
  const struct btree *b = p->data;
  const int knodes = wl_array(p, "knodes", (uint64_t)b->tree.nodes * KNODE, 4),
            records = wl_array(p, "records", b->tree.keys, 4);
  if (launch == 0)
    find_range_k(p, knodes, (uint32_t)p->key[KEY_RANGES]);
  else
    find_k(p, knodes, records, (uint32_t)p->key[KEY_FIND]);
  return launch < 2;
}
