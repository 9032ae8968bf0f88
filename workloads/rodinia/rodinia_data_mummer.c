/* Rodinia's mummergpu, with one thread per query. Each thread walks the reference's suffix tree with every
 * suffix of its query. It continues from the suffix link of the node above the place where the last suffix
 * ended. The tree is in textures, the letters are in memory.
 *
 * Invariant: no data that a thread reads changes.
 */
#include "workloads/plan/kernel_code.h"
#include "workloads/rodinia/rodinia_data.h"
#include "workloads/rodinia/rodinia_data_genome.h"
#include "workloads/rodinia/rodinia_data_suffix.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 256, LEAST_MATCH = 20 };
enum { KEY_LENGTH, KEY_SEED, KEY_QUERIES, KEY_LETTERS };
enum { R_LEN = R_LOADED, R_ADDR, R_CHAR, R_CHILD, R_NODE, R_REF, R_MATCH, R_AT };

struct mummer {
  struct wl_genome genome;
  struct wl_suffix tree;
};

void rd_mummer_release(void *data) {
  struct mummer *m = data;
  wl_genome_free(&m->genome);
  wl_suffix_free(&m->tree);
  free(m);
}

bool rd_mummer_prepare(struct wl_plan *p, char *err, size_t errlen) {
  const struct wl_genome_size size = {(uint32_t)p->key[KEY_LENGTH], (uint32_t)p->key[KEY_QUERIES],
                                      (uint32_t)p->key[KEY_LETTERS], LEAST_MATCH};
  struct mummer *m = calloc(1, sizeof *m);
  if (!m) {
    snprintf(err, errlen, "mummergpu: out of memory");
    return false;
  }
  bool ok = wl_genome_get(&m->genome, p->file, &size, p->key[KEY_SEED], err, errlen);
  if (ok && !wl_suffix_build(&m->tree, m->genome.reference, m->genome.length)) {
    snprintf(err, errlen, "mummergpu: out of memory for a suffix tree of %u letters", m->genome.length);
    ok = false;
  }
  p->data = m;
  if (!ok)
    rd_mummer_release(m);
  return ok;
}

/* The registers of a lane: the current suffix of the query, the matched length (counted from the query's
 * blank), the letters of the next edge that are known to match, the place in the tree and on an edge, and
 * the query's letter. */
struct lane {
  int32_t start, last, matched, known;
  uint32_t above, node, refpos;
  uint8_t letter;
  bool walks, compares; /* walks: in the loop over the edges; compares: in the loop over an edge's letters */
  bool on_edge;         /* the walk ended on an edge, not for lack of an edge */
};

static struct lane *lanes_of(const struct wl_warp *w) {
  return w->state;
}

static const struct mummer *input(const struct wl_warp *w) {
  return w->plan->data;
}

/* The next letter of the query, as an index into all queries. */
static int64_t query_place(const struct wl_warp *w, unsigned l) {
  const struct lane *s = &lanes_of(w)[l];
  return (int64_t)input(w)->genome.at[w->x[l]] + s->start + s->matched;
}

static int64_t reference_place(const struct wl_warp *w, unsigned l) {
  return lanes_of(w)[l].refpos;
}

static int64_t match_place(const struct wl_warp *w, unsigned l) {
  const uint32_t q = w->x[l];
  return (int64_t)input(w)->genome.at[q] - (int64_t)q * (LEAST_MATCH + 1) + lanes_of(w)[l].start;
}

/* Calls `step` for each active lane. */
static void each(struct wl_warp *w,
                 void (*step)(const struct mummer *m, struct wl_warp *w, unsigned l, struct lane *s)) {
  for (uint32_t rest = w->active; rest; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    step(input(w), w, l, &lanes_of(w)[l]);
  }
}

#define STEP(name)                                                                                           \
  static void name##_lane(const struct mummer *m, struct wl_warp *w, unsigned l, struct lane *s);            \
  static void name(struct wl_warp *w) {                                                                      \
    each(w, name##_lane);                                                                                    \
  }                                                                                                          \
  static void name##_lane(const struct mummer *m, struct wl_warp *w, unsigned l, struct lane *s)

STEP(begin_query) {
  const uint32_t q = w->x[l];
  s->last = (int32_t)(m->genome.at[q + 1] - m->genome.at[q]) - 2 - LEAST_MATCH;
}

/* Starts the next suffix; from the root if the last suffix link leads there. */
STEP(begin_suffix) {
  (void)m;
  (void)w;
  (void)l;
  if (s->node == 0 || s->matched < 1) {
    s->node = WL_SUFFIX_ROOT;
    s->matched = 1;
    s->known = 0;
  }
}

STEP(take_letter) {
  s->letter = m->genome.query[query_place(w, l)];
}

STEP(begin_walk) {
  (void)m;
  (void)w;
  (void)l;
  s->walks = s->on_edge = s->letter != WL_SUFFIX_END;
}

STEP(take_edge) {
  (void)w;
  (void)l;
  s->above = s->node;
  s->node = s->letter < WL_SUFFIX_END ? m->tree.node[s->node].child[s->letter] : 0;
  s->walks = s->on_edge = s->node != 0;
}

/* Skips the letters that are known to match, at least the first. */
STEP(enter_edge) {
  const struct wl_suffix_node *n = &m->tree.node[s->node];
  const int32_t edge = (int32_t)(n->end - n->start) + 1, skip = s->known == 0     ? 1
                                                                : s->known < edge ? s->known
                                                                                  : edge;
  (void)w;
  (void)l;
  s->matched += skip;
  s->refpos = n->start + (uint32_t)skip;
  s->known = s->known > edge ? s->known - edge : 0;
}

/* After a letter of the query was loaded: decides whether to compare another letter of the edge, or to take
 * another edge. */
STEP(go_on) {
  take_letter_lane(m, w, l, s);
  s->compares = s->refpos <= m->tree.node[s->node].end && s->letter != WL_SUFFIX_END;
  s->walks = s->letter != WL_SUFFIX_END;
}

STEP(compare) {
  (void)w;
  (void)l;
  s->compares = m->genome.reference[s->refpos] == s->letter;
  s->walks = s->compares;
  s->matched += s->compares;
  s->refpos += s->compares;
}

/* Follows the suffix link of the node above. The letters matched below that node are known to match there,
 * too. */
STEP(follow_link) {
  (void)w;
  (void)l;
  s->known = s->on_edge ? (int32_t)(s->refpos - m->tree.node[s->node].start) : 0;
  s->matched -= s->known + 1;
  s->node = m->tree.node[s->above].link;
  s->start++;
}

static bool has_suffix(const struct wl_warp *w, unsigned l) {
  return lanes_of(w)[l].start <= lanes_of(w)[l].last;
}

static bool walks(const struct wl_warp *w, unsigned l) {
  return lanes_of(w)[l].walks;
}

static bool compares(const struct wl_warp *w, unsigned l) {
  return lanes_of(w)[l].compares;
}

static bool is_match(const struct wl_warp *w, unsigned l) {
  return lanes_of(w)[l].matched > LEAST_MATCH;
}

/* Walks down one edge, letter by letter. */
static void edge(struct wl_plan *p, int ref, int queries) {
  wl_inst(p, WL_TEX, R_NODE, WL_R(R_CHILD));
  code_chain(p, WL_ALU, 8, R_AT, WL_R(R_NODE));
  wl_call(p, enter_edge);
  wl_access(p, WL_LOAD, R_CHAR, WL_R(R_AT) | WL_R(R_ADDR), queries, query_place);
  wl_call(p, go_on);
  code_branch(p, WL_R(R_CHAR) | WL_R(R_AT));
  wl_while_lane(p, compares);
  wl_access(p, WL_LOAD, R_REF, WL_R(R_AT), ref, reference_place);
  code_branch(p, WL_R(R_REF) | WL_R(R_CHAR));
  wl_call(p, compare);
  wl_if_lane(p, compares);
  code_chain(p, WL_ALU, 2, R_AT, WL_R(R_AT));
  wl_access(p, WL_LOAD, R_CHAR, WL_R(R_AT) | WL_R(R_ADDR), queries, query_place);
  wl_call(p, go_on);
  code_branch(p, WL_R(R_CHAR) | WL_R(R_AT));
  wl_end(p);
  wl_end(p);
}

bool rd_mummer(struct wl_plan *p, uint32_t launch) {
  const struct mummer *m = p->data;
  const uint32_t n = m->genome.queries, bytes = m->genome.at[n];
  const int ref = wl_array(p, "ref", (uint64_t)m->genome.length + 2, 1),
            queries = wl_array(p, "queries", bytes, 1), addrs = wl_array(p, "queryAddrs", n, 4),
            lengths = wl_array(p, "queryLengths", n, 4),
            matches = wl_array(p, "match_coords", bytes - (uint64_t)n * (LEAST_MATCH + 1), 8);
  p->state_bytes = WL_LANES * sizeof(struct lane);
  wl_grid(p, "mummergpu", n, 1, BLOCK, 1);
  wl_inst(p, WL_ALU, R_POS, 0);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  wl_load(p, R_LEN, R_POS, lengths, AT(.x = 1));
  wl_load(p, R_ADDR, R_POS, addrs, AT(.x = 1));
  wl_call(p, begin_query);
  code_chain(p, WL_ALU, 4, R_AT, WL_R(R_ADDR) | WL_R(R_LEN));
  wl_inst(p, WL_ALU, R_CHILD, 0);
  wl_while_lane(p, has_suffix);
  wl_call(p, begin_suffix);
  code_branch(p, WL_R(R_CHILD) | WL_R(R_AT));
  code_chain(p, WL_ALU, 1, R_AT, WL_R(R_AT) | WL_R(R_ADDR));
  wl_access(p, WL_LOAD, R_CHAR, WL_R(R_AT), queries, query_place);
  wl_call(p, take_letter);
  wl_call(p, begin_walk);
  code_branch(p, WL_R(R_CHAR));
  wl_while_lane(p, walks);
  wl_inst(p, WL_TEX, R_CHILD, WL_R(R_CHILD));
  code_chain(p, WL_ALU, 6, R_CHILD, WL_R(R_CHILD) | WL_R(R_CHAR));
  wl_call(p, take_edge);
  code_branch(p, WL_R(R_CHILD));
  wl_if_lane(p, walks);
  edge(p, ref, queries);
  wl_end(p);
  wl_end(p);
  code_branch(p, WL_R(R_AT));
  wl_if_lane(p, is_match);
  code_chain(p, WL_ALU, 2, R_MATCH, WL_R(R_POS));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_MATCH) | WL_R(R_AT), matches, match_place);
  wl_end(p);
  code_chain(p, WL_ALU, 2, R_AT, WL_R(R_AT));
  wl_inst(p, WL_TEX, R_NODE, WL_R(R_CHILD));
  wl_call(p, follow_link);
  code_chain(p, WL_ALU, 2, R_CHILD, WL_R(R_NODE));
  code_branch(p, WL_R(R_AT));
  wl_end(p);
  wl_end(p);
  return launch < 1;
}
