/* Mars: the run-time. See mars.h. */
#include "workloads/mars/mars.h"

#include <stdlib.h>

/* The offsets of the emits, 16 bytes each. There is one entry before the first and one after the last. The
 * source reads the entry before its own, even of the first emit, and touches its own entry before it knows
 * that it emits. */
static int64_t own_offset(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return 1 + (int64_t)mars_of(w)->first[w->x[lane]] + s->emitted[lane];
}

static int64_t offset_before(const struct wl_warp *w, unsigned lane) {
  return own_offset(w, lane) - 1;
}

static int64_t key_byte(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return (int64_t)mars_of(w)->first_key[w->x[lane]] + s->key_offset[lane] + s->copied[lane];
}

/* All values have one size. */
static int64_t val_byte(const struct wl_warp *w, unsigned lane, uint32_t size) {
  const struct mars_state *s = w->state;
  return ((int64_t)mars_of(w)->first[w->x[lane]] + s->emitted[lane]) * size + s->copied[lane];
}

static int64_t val_byte_4(const struct wl_warp *w, unsigned lane) {
  return val_byte(w, lane, 4);
}

static int64_t val_byte_8(const struct wl_warp *w, unsigned lane) {
  return val_byte(w, lane, 8);
}

/* The thread's buffer in shared memory: the key, then the value. */
static int64_t buffered_key(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return w->tx[lane] * MARS_BUFFER + s->copied[lane];
}

static int64_t buffered_val(const struct wl_warp *w, unsigned lane) {
  return buffered_key(w, lane) + MARS_BUFFER - 8;
}

static bool key_left(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->copied[lane] < s->key_bytes[lane];
}

static bool val_left_4(const struct wl_warp *w, unsigned lane) {
  return ((const struct mars_state *)w->state)->copied[lane] < 4;
}

static bool val_left_8(const struct wl_warp *w, unsigned lane) {
  return ((const struct mars_state *)w->state)->copied[lane] < 8;
}

static void copy_begins(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      s->copied[l] = 0;
}

static void byte_copied(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    s->copied[l] += w->active >> l & 1;
}

static void emit_ends(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      s->key_offset[l] += s->key_bytes[l];
      s->emitted[l]++;
    }
}

/* Copies bytes from array `from` (< 0: shared memory) at `source` to array `to` at `target`. */
static void copy(struct wl_plan *p, wl_lane_fn left, int from, wl_elem_fn source, int to, wl_elem_fn target) {
  wl_call(p, copy_begins);
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_A));
  wl_while_lane(p, left);
  if (from < 0)
    wl_shared(p, R_C, WL_R(R_INNER), 1, source);
  else
    wl_access(p, WL_LOAD, R_C, WL_R(R_INNER), from, source);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_C) | WL_R(R_INNER), to, target);
  wl_call(p, byte_copied);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INNER)); /* the compare and branch */
  code_next(p, R_INNER);
}

void mars_emit(struct wl_plan *p, const struct mars_arrays *a, int from, wl_elem_fn byte,
               uint32_t val_bytes) {
  const struct wl_at own = AT(.x = 1);
  wl_load(p, R_A, R_POS, a->cursors, own);
  wl_load(p, R_B, R_POS, a->key_sums, own);
  wl_load(p, R_C, R_POS, a->val_sums, own);
  code_chain(p, WL_ALU, 4, R_A, WL_R(R_A) | WL_R(R_B) | WL_R(R_C));
  copy(p, key_left, from, from < 0 ? buffered_key : byte, a->inter_keys, key_byte);
  copy(p, val_bytes == 8 ? val_left_8 : val_left_4, -1, buffered_val, a->inter_vals,
       val_bytes == 8 ? val_byte_8 : val_byte_4);
  code_chain(p, WL_ALU, 2, R_A, WL_R(R_A));
  wl_store(p, WL_R(R_A), R_POS, a->cursors, own);
  wl_load(p, R_B, R_POS, a->current, own);
  wl_load(p, R_C, R_POS, a->count_sums, own);
  code_chain(p, WL_ALU, 2, R_C, WL_R(R_B) | WL_R(R_C));
  wl_access(p, WL_LOAD, R_D, WL_R(R_C), a->inter_offsets, own_offset);
  wl_access(p, WL_LOAD, R_E, WL_R(R_C), a->inter_offsets, offset_before);
  code_chain(p, WL_ALU, 4, R_D, WL_R(R_D) | WL_R(R_E));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_D) | WL_R(R_C), a->inter_offsets, own_offset);
  wl_inst(p, WL_ALU, R_B, WL_R(R_B));
  wl_store(p, WL_R(R_B), R_POS, a->current, own);
  wl_call(p, emit_ends);
}

void mars_count_emit(struct wl_plan *p, const struct mars_arrays *a) {
  const int array[3] = {a->key_sizes, a->val_sizes, a->counts};
  for (int i = 0; i < 3; i++) {
    wl_load(p, R_B, R_POS, array[i], AT(.x = 1));
    wl_inst(p, WL_ALU, R_B, WL_R(R_B));
    wl_store(p, WL_R(R_B), R_POS, array[i], AT(.x = 1));
  }
}

/* Adds the test whether the thread has a record. Opens the block. */
static void begin(struct wl_plan *p) {
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
}

static void count(struct wl_plan *p, const struct mars_arrays *a, const int own[2],
                  const struct mars_app *app) {
  code_position(p, 3);
  begin(p);
  wl_load(p, R_A, R_POS, a->offsets, AT(.x = 1));
  app->count(p, a, own);
  wl_end(p);
}

static void map(struct wl_plan *p, const struct mars_arrays *a, const int own[2],
                const struct mars_app *app) {
  wl_holds(p, MARS_BLOCK * MARS_BUFFER, 0);
  code_position(p, 3);
  begin(p);
  wl_load(p, R_A, R_POS, a->count_sums, AT(.x = 1));
  wl_access(p, WL_LOAD, R_B, WL_R(R_A), a->inter_offsets, own_offset);
  wl_load(p, R_C, R_POS, a->key_sums, AT(.x = 1));
  wl_load(p, R_D, R_POS, a->val_sums, AT(.x = 1));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_B) | WL_R(R_C) | WL_R(R_D) | WL_R(R_A), a->inter_offsets,
            own_offset);
  wl_load(p, R_A, R_POS, a->offsets, AT(.x = 1));
  app->map(p, a, own);
  wl_end(p);
  if (app->emits_once) {
    code_barrier(p);
    begin(p);
    mars_emit(p, a, -1, NULL, app->val_bytes);
    wl_end(p);
  }
}

bool mars_build(struct wl_plan *p, uint32_t launch, const struct mars_app *app) {
  const struct mars *m = p->data;
  const uint32_t n = m->records;
  const uint64_t emits = m->first[n];
  int own[2] = {-1, -1};
  app->arrays(p, own);
  const struct mars_arrays a = {
      .keys = wl_array(p, "inputKeys", (uint64_t)n * app->key_words, 8),
      .vals = wl_array(p, "inputVals", (uint64_t)n * app->val_words, 4),
      .offsets = wl_array(p, "inputOffsets", n, 16),
      .key_sizes = wl_array(p, "keySizes", n, 4),
      .val_sizes = wl_array(p, "valSizes", n, 4),
      .counts = wl_array(p, "counts", n, 4),
      .key_sums = wl_array(p, "psKeySizes", n, 4),
      .val_sums = wl_array(p, "psValSizes", n, 4),
      .count_sums = wl_array(p, "psCounts", n, 4),
      .cursors = wl_array(p, "keyValOffsets", n, 8),
      .current = wl_array(p, "curIndex", n, 4),
      .inter_offsets = wl_array(p, "interOffsets", emits + 2, 16),
      .inter_keys = wl_array(p, "interKeys", m->first_key[n], 1),
      .inter_vals = wl_array(p, "interVals", emits * app->val_bytes, 1),
      .sum = prefix_sum(p, n, MARS_BLOCK),
  };
  const uint32_t each = prefix_sum_launches(&a.sum), last = 3 * each + 1,
                 groups = m->elements ? mars_group_launches(m) : 0;
  p->state_bytes = sizeof(struct mars_state);
  if (launch == 0 || launch == last) {
    wl_grid(p, launch ? app->map_name : app->count_name, n, 1, MARS_BLOCK, 1);
    (launch ? map : count)(p, &a, own, app);
  } else if (launch < last) {
    const int in[3] = {a.key_sizes, a.val_sizes, a.counts}, out[3] = {a.key_sums, a.val_sums, a.count_sums};
    const uint32_t which = (launch - 1) / each;
    prefix_sum_launch(p, &a.sum, (launch - 1) % each, in[which], out[which]);
  } else if (launch <= last + groups) {
    mars_group(p, launch - last - 1, a.inter_keys, own[0], app->rank_bytes);
  }
  return launch <= last + groups;
}
