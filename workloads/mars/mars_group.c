/* Mars: the group stage, a bitonic sort of the emits by their keys. It has one launch for every merged
 * length and every distance in that length. An element points to a key. A thread whose partner comes after
 * it loads both, compares their keys, and stores both if they are in the wrong order. A launch compares the
 * order before it.
 */
#include "workloads/mars/mars.h"
#include "workloads/rng.h"

#include <stdlib.h>

static const uint32_t NOTHING =
    UINT32_MAX; /* fills the elements up to a power of two; sorts after everything */

/* Returns the first sort criterion: a score, or the hash of a URL. */
static uint64_t rank_of(const struct mars *m, uint32_t emit) {
  uint64_t hash = 0;
  if (!m->text)
    return wl_rng_mix(1, emit);
  for (uint32_t at = m->link[emit]; at < m->link_end[emit]; at++)
    hash = wl_rng_mix(hash, (unsigned char)m->text[at]);
  return hash;
}

bool mars_group_prepare(struct mars *m, uint32_t rank_bytes) {
  const uint32_t emits = m->first[m->records];
  m->elements = 1;
  while (m->elements < emits)
    m->elements *= 2;
  m->order = malloc(m->elements * sizeof *m->order);
  m->key_at = calloc((size_t)emits + 1, sizeof *m->key_at);
  m->rank = calloc((size_t)emits + 1, sizeof *m->rank);
  if (!m->order || !m->key_at || !m->rank)
    return false;
  for (uint32_t i = 0; i < m->elements; i++)
    m->order[i] = i < emits ? i : NOTHING;
  for (uint32_t r = 0, e = 0; r < m->records; r++)
    for (uint32_t at = m->first_key[r]; e < m->first[r + 1]; e++) {
      m->key_at[e] = at;
      at += rank_bytes ? rank_bytes : m->link_end[e] - m->link[e] + 1;
      m->rank[e] = rank_bytes ? rank_of(m, e) : 0;
    }
  return true;
}

uint32_t mars_group_launches(const struct mars *m) {
  const uint32_t levels = (uint32_t)__builtin_ctz(m->elements);
  return levels * (levels + 1) / 2;
}

/* Returns the order of two emits' keys as a sign. *bytes is the number of bytes compared in each text. */
static int compare(const struct mars *m, uint32_t a, uint32_t b, uint32_t *bytes) {
  *bytes = 0;
  if (a == NOTHING || b == NOTHING)
    return (a == NOTHING) - (b == NOTHING);
  if (m->rank[a] != m->rank[b] || !m->text)
    return m->rank[a] < m->rank[b] ? -1 : m->rank[a] > m->rank[b];
  const char *const x = m->text + m->link[a], *const y = m->text + m->link[b];
  const uint32_t nx = m->link_end[a] - m->link[a], ny = m->link_end[b] - m->link[b];
  uint32_t same = 0;
  while (same < nx && same < ny && x[same] == y[same])
    same++;
  *bytes = same + 1; /* up to the difference, or to the zero byte of the shorter one */
  return (same < nx ? x[same] : 0) - (same < ny ? y[same] : 0);
}

/* True if element i and its partner after it are in the wrong order. Runs of `length` go up and down in
 * turn. */
static bool wrong(const struct mars *m, uint32_t i, uint32_t *bytes) {
  const int order = compare(m, m->order[i], m->order[i ^ m->distance], bytes);
  return i & m->length ? order < 0 : order > 0;
}

static void exchange(struct mars *m) {
  uint32_t bytes;
  for (uint32_t i = 0; i < m->elements; i++) {
    const uint32_t partner = i ^ m->distance;
    if (partner > i && wrong(m, i, &bytes)) {
      const uint32_t emit = m->order[i];
      m->order[i] = m->order[partner];
      m->order[partner] = emit;
    }
  }
}

/* Brings the order to the state before step number `step` - 1, and sets that step's comparison. */
static void go_to(struct mars *m, uint32_t step) {
  for (; m->steps < step; m->steps++) {
    if (m->steps)
      exchange(m);
    m->distance /= 2;
    if (!m->distance) {
      m->length = m->length ? 2 * m->length : 2;
      m->distance = m->length / 2;
    }
  }
}

static bool is_lower(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] < mars_of(w)->elements && (w->x[lane] ^ mars_of(w)->distance) > w->x[lane];
}

static int64_t partner(const struct wl_warp *w, unsigned lane) {
  return w->x[lane] ^ mars_of(w)->distance;
}

/* Sets a and b: the emits; key_bytes: bytes to compare; scanning: the lanes in the wrong order. */
static void compare_pairs(struct wl_warp *w) {
  struct mars_state *s = w->state;
  const struct mars *m = mars_of(w);
  s->scanning = 0;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      s->a[l] = m->order[w->x[l]];
      s->b[l] = m->order[partner(w, l)];
      s->scanning |= (uint32_t)wrong(m, w->x[l], &s->key_bytes[l]) << l;
    }
}

static bool is_swapped(const struct wl_warp *w, unsigned lane) {
  return ((const struct mars_state *)w->state)->scanning >> lane & 1;
}

static bool are_keys(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->a[lane] != NOTHING && s->b[lane] != NOTHING;
}

static bool text_left(const struct wl_warp *w, unsigned lane) {
  return w->k[0] < ((const struct mars_state *)w->state)->key_bytes[lane];
}

/* The ranks are words of the emitted keys; the array of keys consists of bytes. */
static void ranks(const struct wl_warp *w, const uint32_t emit[WL_LANES], uint64_t addr[WL_LANES]) {
  const struct mars *m = mars_of(w);
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      addr[l] = w->plan->array[m->inter_keys].base + m->key_at[emit[l]];
}

static void ranks_a(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  ranks(w, ((const struct mars_state *)w->state)->a, addr);
}

static void ranks_b(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  ranks(w, ((const struct mars_state *)w->state)->b, addr);
}

/* Byte k[0] of the emitted words, or, for URLs, of the text. */
static int64_t word_a(const struct wl_warp *w, unsigned lane) {
  return (int64_t)mars_of(w)->key_at[((const struct mars_state *)w->state)->a[lane]] + w->k[0];
}

static int64_t word_b(const struct wl_warp *w, unsigned lane) {
  return (int64_t)mars_of(w)->key_at[((const struct mars_state *)w->state)->b[lane]] + w->k[0];
}

static int64_t url_a(const struct wl_warp *w, unsigned lane) {
  return (int64_t)mars_of(w)->link[((const struct mars_state *)w->state)->a[lane]] + w->k[0];
}

static int64_t url_b(const struct wl_warp *w, unsigned lane) {
  return (int64_t)mars_of(w)->link[((const struct mars_state *)w->state)->b[lane]] + w->k[0];
}

void mars_group(struct wl_plan *p, uint32_t step, int inter_keys, int text, uint32_t rank_bytes) {
  struct mars *m = p->data;
  const int elements = wl_array(p, "records", m->elements, 8);
  go_to(m, step + 1);
  m->inter_keys = inter_keys;
  wl_grid(p, "mars.group", m->elements, 1, MARS_BLOCK, 1);
  code_position(p, 3);
  code_branch(p, WL_R(R_POS));
  wl_if_lane(p, is_lower);
  wl_load(p, R_A, R_POS, elements, AT(.x = 1));
  wl_access(p, WL_LOAD, R_B, WL_R(R_POS), elements, partner);
  wl_call(p, compare_pairs);
  code_chain(p, WL_ALU, 2, R_ACC, WL_R(R_A) | WL_R(R_B));
  code_branch(p, WL_R(R_ACC));
  wl_if_lane(p, are_keys);
  if (rank_bytes) {
    wl_scatter(p, WL_LOAD, R_C, WL_R(R_A), rank_bytes > 8 ? 8 : rank_bytes, ranks_a);
    wl_scatter(p, WL_LOAD, R_D, WL_R(R_B), rank_bytes > 8 ? 8 : rank_bytes, ranks_b);
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_C) | WL_R(R_D));
  }
  if (m->text) {
    wl_inst(p, WL_ALU, R_INDEX, WL_R(R_A));
    wl_while_lane(p, text_left);
    wl_access(p, WL_LOAD, R_C, WL_R(R_INDEX), rank_bytes ? text : inter_keys, rank_bytes ? url_a : word_a);
    wl_access(p, WL_LOAD, R_D, WL_R(R_INDEX), rank_bytes ? text : inter_keys, rank_bytes ? url_b : word_b);
    wl_inst(p, WL_ALU, R_ACC, WL_R(R_C) | WL_R(R_D));
    wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_ACC));
    code_next(p, R_INDEX);
  }
  wl_end(p);
  code_branch(p, WL_R(R_ACC));
  wl_if_lane(p, is_swapped);
  wl_store(p, WL_R(R_B), R_POS, elements, AT(.x = 1));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_A) | WL_R(R_POS), elements, partner);
  wl_end(p);
  wl_end(p);
}
