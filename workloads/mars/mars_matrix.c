/* Mars: SimilarityScore (ss) and MatrixMul (mm). A record is a pair of rows of matrices, with four columns
 * per load. A thread walks along both rows of its record.
 */
#include "workloads/mars/mars.h"

#include <stdio.h>

enum {
  KEY_ROWS,
  KEY_COLUMNS,
  KEY_GROUP,
  KEY_TILE = KEY_GROUP,
  SCORE_BYTES = 4,
  RECORD_NUMBERS = 4,
  VAL_BYTES = 8
};

static void rows_of_ss(struct wl_warp *w) {
  struct mars_state *s = w->state;
  const uint32_t n = (uint32_t)w->plan->key[KEY_ROWS];
  uint32_t a = 0, pair = w->x[0]; /* the pairs a < b are in the order of a, then of b */
  while (pair >= n - 1 - a && a + 1 < n)
    pair -= n - 1 - a++;
  for (unsigned l = 0; l < WL_LANES; l++) {
    s->a[l] = a;
    s->b[l] = a + 1 + pair;
    s->key_bytes[l] = SCORE_BYTES;
    if (++pair >= n - 1 - a) {
      pair = 0;
      a++;
    }
  }
}

/* The rows of mm. A warp has a tile of 32 / tile rows of `tile` elements. The tiles go from left to right
 * in bands of rows. */
static void rows_of_mm(struct wl_warp *w) {
  struct mars_state *s = w->state;
  const uint32_t n = (uint32_t)w->plan->key[KEY_ROWS], wide = (uint32_t)w->plan->key[KEY_TILE];
  const uint32_t high = WL_LANES / wide;
  for (unsigned l = 0; l < WL_LANES; l++) {
    const uint32_t in_band = w->x[l] % (n * high), in_tile = in_band % WL_LANES;
    s->a[l] = w->x[l] / (n * high) * high + in_tile / wide;
    s->b[l] = in_band / WL_LANES * wide + in_tile % wide;
    s->key_bytes[l] = SCORE_BYTES;
  }
}

static int64_t of_row_a(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return (int64_t)(s->a[lane] * (w->plan->key[KEY_COLUMNS]) + w->k[0]);
}

static int64_t of_row_b(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return (int64_t)(s->b[lane] * (w->plan->key[KEY_COLUMNS]) + w->k[0]);
}

static void one_emit(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  (void)own;
  mars_count_emit(p, a);
}

/* Loads the record: `pointers` pointers of the key; of the value the two rows and the number of columns. */
static void record(struct wl_plan *p, const struct mars_arrays *a, int pointers) {
  for (int i = 0; i < pointers; i++)
    wl_load(p, R_B + i, R_A, a->keys, AT(.c = i, .x = pointers));
  for (int i = 0; i < 3; i++)
    wl_load(p, R_LOADED + i, R_A, a->vals, AT(.c = i, .x = RECORD_NUMBERS));
  code_chain(p, WL_ALU, 2, R_INDEX, UINT64_C(7) << R_LOADED | WL_R(R_B));
}

/* Walks along both rows, with `fp` arithmetic instructions per four columns. The result goes to the buffer. */
static void walk(struct wl_plan *p, int a, int b, int fp) {
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_loop(p, (uint32_t)p->key[KEY_COLUMNS]);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), a, of_row_a);
  wl_access(p, WL_LOAD, R_C, WL_R(R_INDEX), b, of_row_b);
  const uint64_t sums = code_math(p, fp - 1, WL_R(R_B) | WL_R(R_C));
  wl_inst(p, WL_ALU, R_ACC, sums | WL_R(R_ACC));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INDEX)); /* the compare and branch */
  code_next(p, R_INDEX);
}

/* Stores result and value in the thread's buffer: one word for the key, two for the value. */
static void buffer(struct wl_plan *p) {
  for (int word = 0; word < 3; word++)
    wl_shared_at(p, WL_NO_REG, WL_R(word ? R_LOADED : R_ACC), 4,
                 AT(.c = word ? MARS_BUFFER / 4 - 3 + word : 0, .t = {MARS_BUFFER / 4}));
}

static void ss_arrays(struct wl_plan *p, int own[2]) {
  own[0] = wl_array(p, "matrix", p->key[KEY_ROWS] * p->key[KEY_COLUMNS], 16);
}

static void ss_map(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  wl_call(p, rows_of_ss);
  record(p, a, 1);
  walk(p, own[0], own[0], 12);
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC)); /* square root and quotient */
  wl_inst(p, WL_SFU, R_ACC, WL_R(R_ACC));
  buffer(p);
}

static void mm_arrays(struct wl_plan *p, int own[2]) {
  own[0] = wl_array(p, "m1", p->key[KEY_ROWS] * p->key[KEY_COLUMNS], 16);
  own[1] = wl_array(p, "m2", p->key[KEY_ROWS] * p->key[KEY_COLUMNS], 16);
}

static void mm_map(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  wl_call(p, rows_of_mm);
  record(p, a, 2);
  walk(p, own[0], own[1], 8);
  buffer(p);
}

static const struct mars_app ss = {"ss.count", "ss.map", 1,      RECORD_NUMBERS, VAL_BYTES,
                                   ss_arrays,  one_emit, ss_map, true,           SCORE_BYTES},
                             mm = {"mm.count", "mm.map", 2,      RECORD_NUMBERS, VAL_BYTES,
                                   mm_arrays,  one_emit, mm_map, true,           0};

static bool prepare(struct wl_plan *p, const char *name, uint64_t records, bool group, char *err,
                    size_t errlen) {
  struct mars *m = mars_new((uint32_t)records);
  for (uint32_t i = 0; m && i <= m->records; i++) {
    m->first[i] = i;
    m->first_key[i] = SCORE_BYTES * i;
  }
  if (m && (!group || mars_group_prepare(m, SCORE_BYTES))) {
    p->data = m;
    return true;
  }
  if (m)
    mars_release(m);
  snprintf(err, errlen, "%s: out of memory", name);
  return false;
}

bool mars_ss_prepare(struct wl_plan *p, char *err, size_t errlen) {
  return prepare(p, "ss", p->key[KEY_ROWS] * (p->key[KEY_ROWS] - 1) / 2, p->key[KEY_GROUP], err, errlen);
}

bool mars_mm_prepare(struct wl_plan *p, char *err, size_t errlen) {
  const uint64_t n = p->key[KEY_ROWS], wide = p->key[KEY_TILE];
  if (wide < WL_LANES && (WL_LANES % wide || n % wide || n % (WL_LANES / wide))) {
    snprintf(err, errlen,
             "mm: found tile=%u with n=%u; allowed 32, or a power of two of which n is a multiple, as of "
             "32 / tile; use 32",
             (unsigned)wide, (unsigned)n);
    return false;
  }
  return prepare(p, "mm", p->key[KEY_ROWS] * p->key[KEY_ROWS], false, err, errlen);
}

bool mars_ss(struct wl_plan *p, uint32_t launch) {
  return mars_build(p, launch, &ss);
}

bool mars_mm(struct wl_plan *p, uint32_t launch) {
  return mars_build(p, launch, &mm);
}
