/* Rodinia's b+tree, particlefilter and mummergpu: the trees and particles that steer them, and that their threads find what exists.
 * test_graphs.c tests bfs. */
#include "tests/unit/workloads/walk_rig.h"

#include "workloads/rng.h"
#include "workloads/rodinia/rodinia_data_filter.h"
#include "workloads/rodinia/rodinia_data_genome.h"
#include "workloads/rodinia/rodinia_data_suffix.h"
#include "workloads/rodinia/rodinia_data_tree.h"

#include <math.h>
#include <stdlib.h>

/* Measured with the suite's program: 7874 nodes if a million keys come in ascending order, 5702 if in random order. */
static void btree_grows_as_rodinias(void **state) {
  (void)state;
  enum { KEYS = 1000000 };
  static uint32_t key[KEYS];
  struct wl_rng rng = {1};
  for (uint32_t i = 0; i < KEYS; i++)
    key[i] = i;
  for (int shuffled = 0; shuffled < 2; shuffled++) {
    struct wl_bplus t;
    assert_true(wl_bplus_begin(&t));
    for (uint32_t i = 0; i < KEYS; i++)
      assert_true(wl_bplus_insert(&t, key[i]));
    assert_true(wl_bplus_number(&t));
    assert_int_equal(t.keys, KEYS);
    assert_int_equal(t.height, 2);
    if (shuffled)
      assert_in_range(t.nodes, 5650, 5750);
    else
      assert_int_equal(t.nodes, 7874);
    wl_bplus_free(&t);
    for (uint32_t i = KEYS; i > 1; i--) {
      const uint32_t j = wl_rng_below(&rng, i), k = key[i - 1];
      key[i - 1] = key[j];
      key[j] = k;
    }
  }
}

struct finds {
  uint32_t answers, children;
};

static void see_btree(const struct access *a, void *context) {
  struct finds *f = context;
  f->answers += is(a, "ans", WL_STORE) + is(a, "Recstart", WL_STORE) + is(a, "Reclen", WL_STORE);
  f->children += (is(a, "offset", WL_STORE) || is(a, "offset_2", WL_STORE));
}

/* Every query finds its key, and one thread per level chooses the child. In ascending and in random order. */
static void btree_answers_every_query(void **state) {
  (void)state;
  for (int shuffled = 0; shuffled < 2; shuffled++) {
    struct finds f = {0};
    walk(shuffled ? "btree:tiny,shuffled=1" : "btree:tiny", see_btree, &f);
    assert_int_equal(f.answers, 48 + 2 * 24);
    assert_int_equal(f.children, 2 * (48 + 2 * 24)); /* two levels above the leaves */
  }
}

/* The particles stay with the disc, which moves one pixel down and two to the left. */
static void particles_follow_the_disc(void **state) {
  (void)state;
  struct wl_filter f;
  assert_true(wl_filter_begin(&f, 128, 10, 1000, 1));
  for (int k = 1; k < 10; k++) {
    double x = 0, y = 0, sum = 0;
    wl_filter_step(&f);
    for (uint32_t i = 0; i < 1000; i++) {
      assert_true(i == 0 || f.index[i] >= f.index[i - 1]);
      assert_true(f.index[i] < 1000);
      x += f.x[i] * f.weight[i];
      y += f.y[i] * f.weight[i];
      sum += f.weight[i];
    }
    assert_true(fabs(x / sum - (64 + k)) < 2);
    assert_true(fabs(y / sum - (64 - 2 * k)) < 2);
  }
  wl_filter_free(&f);
}

enum { LETTERS = 3000, QUERIES = 200, QUERY = 40, LEAST = 20, STARTS = QUERY - LEAST + 1 };

static void see_matches(const struct access *a, void *context) {
  uint8_t *match = context;
  if (!is(a, "match_coords", WL_STORE))
    return;
  assert_in_range(a->element, 0, QUERIES * STARTS - 1);
  assert_int_equal(match[a->element], 0);
  match[a->element] = 1;
}

/* A match is stored exactly for every suffix of a query whose first 20 letters are in the reference. */
static void mummergpu_finds_all_matches(void **state) {
  (void)state;
  static const struct wl_genome_size size = {LETTERS, QUERIES, QUERY, LEAST};
  static uint8_t got[QUERIES * STARTS];
  struct wl_genome g;
  char err[64];
  uint32_t matches = 0;
  walk("mummergpu:n=3000,queries=200,letters=40,seed=8", see_matches, got);
  assert_true(wl_genome_get(&g, NULL, &size, 8, err, sizeof err));
  for (uint32_t q = 0; q < QUERIES; q++)
    for (uint32_t s = 0; s < STARTS; s++) {
      bool found = false;
      for (uint32_t at = 1; at + LEAST <= LETTERS + 1 && !found; at++)
        found = memcmp(g.reference + at, g.query + g.at[q] + 1 + s, LEAST) == 0;
      assert_int_equal(got[q * STARTS + s], found);
      matches += found;
    }
  assert_in_range(matches, 500, 1500);
  wl_genome_free(&g);
}

/* There are as many leaves as suffixes, and every link leads to the same word without its first letter. */
static void suffix_tree_is_one(void **state) {
  (void)state;
  static const struct wl_genome_size size = {2000, 1, QUERY, LEAST};
  struct wl_genome g;
  struct wl_suffix t;
  char err[64];
  uint32_t leaves = 0, links = 0;
  assert_true(wl_genome_get(&g, NULL, &size, 2, err, sizeof err));
  assert_true(wl_suffix_build(&t, g.reference, g.length));
  uint32_t *depth = calloc(t.nodes, sizeof *depth), *above = calloc(t.nodes, sizeof *above),
           *stack = calloc(t.nodes, sizeof *stack), top = 0;
  stack[top++] = WL_SUFFIX_ROOT;
  while (top > 0) {
    const uint32_t v = stack[--top];
    bool leaf = true;
    for (int c = 0; c < WL_SUFFIX_LETTERS; c++) {
      const uint32_t child = t.node[v].child[c];
      if (!child)
        continue;
      leaf = false;
      assert_int_equal(g.reference[t.node[child].start], c);
      above[child] = v;
      depth[child] = depth[v] + t.node[child].end - t.node[child].start + 1;
      stack[top++] = child;
    }
    leaves += leaf;
  }
  for (uint32_t v = WL_SUFFIX_ROOT + 1; v < t.nodes; v++) {
    const uint32_t link = t.node[v].link;
    if (t.node[v].end == g.length + 1)
      continue;
    links++;
    assert_int_equal(depth[link] + 1, depth[v]);
    /* The word of v is the letters up to the end of its edge. Read backwards, the link's word is the same. */
    uint32_t at = t.node[v].end;
    for (uint32_t u = link; u != WL_SUFFIX_ROOT; u = above[u])
      for (uint32_t i = t.node[u].end; i >= t.node[u].start; i--)
        assert_int_equal(g.reference[i], g.reference[at--]);
  }
  assert_int_equal(leaves, g.length + 1);
  assert_true(links > 1000);
  free(depth);
  free(above);
  free(stack);
  wl_suffix_free(&t);
  wl_genome_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(btree_grows_as_rodinias),   cmocka_unit_test(btree_answers_every_query),
      cmocka_unit_test(particles_follow_the_disc), cmocka_unit_test(mummergpu_finds_all_matches),
      cmocka_unit_test(suffix_tree_is_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
