/* Mars: WordCount (wc) and InvertedIndex (ii). A thread reads the text of its record byte by byte. wc emits
 * each word of at least six letters; ii emits the hash of each link's URL. Both end the word or URL with a
 * zero byte in the text, in the counting launch and in the map launch. This changes nothing that another
 * record reads.
 */
#include "workloads/mars/mars.h"

#include <ctype.h>

enum {
  WC_EMITS_FROM = 7 /* bytes, with the zero byte */,
  II_KEY_BYTES = 16,
  VAL_BYTES = 4,
  RECORD_NUMBERS = 2
};

static int64_t text_byte(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->at[lane];
}

static int64_t word_byte(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return (int64_t)s->word[lane] + s->copied[lane];
}

static int64_t record_end(const struct wl_warp *w, unsigned lane) {
  return mars_of(w)->end[w->x[lane]];
}

static bool in_record(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->at[lane] < mars_of(w)->end[w->x[lane]];
}

static bool scans(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->scanning >> lane & 1;
}

static void record_begins(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      s->at[l] = mars_of(w)->start[w->x[l]];
}

/* The begin of a thread: loads the place and the end of its record's text. */
static void begin(struct wl_plan *p, const struct mars_arrays *a) {
  wl_load(p, R_B, R_A, a->keys, AT(.x = 1));
  for (int i = 0; i < RECORD_NUMBERS; i++)
    wl_load(p, R_C + i, R_A, a->vals, AT(.c = i, .x = RECORD_NUMBERS));
  code_chain(p, WL_ALU, 2, R_INDEX, WL_R(R_B) | WL_R(R_C) | WL_R(R_D));
  wl_call(p, record_begins);
}

/* wc: a word ends at the next byte that is no letter. */
static void word_begins(struct wl_warp *w) {
  struct mars_state *s = w->state;
  s->scanning = w->active;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      s->word[l] = s->at[l];
}

static void letter(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      const bool goes_on = isupper((unsigned char)mars_of(w)->text[s->at[l]]);
      s->at[l] += goes_on;
      s->scanning &= ~((uint32_t)!goes_on << l);
    }
}

static void word_ends(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      s->at[l]++;
      s->key_bytes[l] = s->at[l] - s->word[l];
    }
}

static bool is_long(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->key_bytes[lane] >= WC_EMITS_FROM;
}

static void words(struct wl_plan *p, const struct mars_arrays *a, int text, bool counts) {
  begin(p, a);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_INDEX), text, record_end);
  wl_while_lane(p, in_record);
  wl_call(p, word_begins);
  wl_while_lane(p, scans);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), text, text_byte);
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_B)); /* compare with A, with Z */
  wl_inst(p, WL_ALU, R_PRED, WL_R(R_B) | WL_R(R_PRED));
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_call(p, letter);
  code_next(p, R_INDEX);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_INDEX), text, text_byte);
  wl_call(p, word_ends);
  code_chain(p, WL_ALU, 2, R_A, WL_R(R_INDEX));
  code_branch(p, WL_R(R_A));
  wl_if_lane(p, is_long);
  if (counts) {
    mars_count_emit(p, a);
  } else {
    wl_shared_at(p, WL_NO_REG, WL_R(R_A), 4,
                 AT(.c = MARS_BUFFER / 4 - 2, .t = {MARS_BUFFER / 4})); /* the value */
    mars_emit(p, a, text, word_byte, VAL_BYTES);
  }
  wl_end(p);
  code_branch(p, WL_R(R_INDEX));
  code_next(p, R_INDEX);
}

/* ii: reads bytes of the text until the URL of a link begins. s->links counts the record's links seen so
 * far. */
static bool url_begins(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  const struct mars *m = mars_of(w);
  const uint32_t link = m->first[w->x[lane]] + s->links[lane];
  return link < m->first[w->x[lane] + 1] && m->link[link] == s->at[lane];
}

static void byte_read(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    s->at[l] += w->active >> l & 1;
}

static void url_scanned(struct wl_warp *w) {
  struct mars_state *s = w->state;
  s->scanning = w->active;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1)
      s->word[l] = s->at[l];
}

/* After reading the quote, or a byte of the URL. */
static void url_byte(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      const struct mars *m = mars_of(w);
      const bool goes_on = s->at[l] < m->link_end[m->first[w->x[l]] + s->links[l]];
      s->at[l] += goes_on;
      s->scanning &= ~((uint32_t)!goes_on << l);
    }
}

static void hash_begins(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    if (w->active >> l & 1) {
      s->copied[l] = 0;
      s->key_bytes[l] = II_KEY_BYTES;
    }
}

static bool hash_left(const struct wl_warp *w, unsigned lane) {
  const struct mars_state *s = w->state;
  return s->word[lane] + s->copied[lane] < s->at[lane];
}

static void byte_hashed(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    s->copied[l] += w->active >> l & 1;
}

static void url_ends(struct wl_warp *w) {
  struct mars_state *s = w->state;
  for (unsigned l = 0; l < WL_LANES; l++)
    s->links[l] += w->active >> l & 1;
}

static void hash(struct wl_plan *p, int text) {
  wl_call(p, hash_begins);
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_INDEX));
  wl_while_lane(p, hash_left);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INNER), text, word_byte);
  code_chain(p, WL_ALU, 3, R_ACC, WL_R(R_B) | WL_R(R_ACC));
  wl_call(p, byte_hashed);
  code_next(p, R_INNER);
}

static void links(struct wl_plan *p, const struct mars_arrays *a, int text, bool counts) {
  begin(p, a);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_while_lane(p, in_record);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), text, text_byte);
  code_chain(p, WL_ALU, 4, R_PRED, WL_R(R_B)); /* the automaton that recognises a link */
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  wl_if_lane(p, url_begins);
  wl_call(p, url_scanned);
  wl_while_lane(p, scans);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INDEX), text, text_byte);
  code_branch(p, WL_R(R_B));
  wl_call(p, url_byte);
  code_next(p, R_INDEX);
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_INDEX), text, text_byte);
  if (counts) {
    mars_count_emit(p, a);
  } else {
    hash(p, text);
    for (int word = 0; word < II_KEY_BYTES / 4; word++)
      wl_shared_at(p, WL_NO_REG, WL_R(R_ACC), 4, AT(.c = word, .t = {MARS_BUFFER / 4}));
    wl_inst(p, WL_ALU, R_A, WL_R(R_INDEX));
    wl_shared_at(p, WL_NO_REG, WL_R(R_A), 4,
                 AT(.c = MARS_BUFFER / 4 - 2, .t = {MARS_BUFFER / 4})); /* the value */
    mars_emit(p, a, -1, NULL, VAL_BYTES);
  }
  wl_call(p, url_ends);
  wl_end(p);
  wl_call(p, byte_read);
  code_next(p, R_INDEX);
}

static void text_array(struct wl_plan *p, int own[2]) {
  own[0] = wl_array(p, "text", ((const struct mars *)p->data)->bytes, 1);
}

static void wc_count(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  words(p, a, own[0], true);
}

static void wc_map(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  words(p, a, own[0], false);
}

static void ii_count(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  links(p, a, own[0], true);
}

static void ii_map(struct wl_plan *p, const struct mars_arrays *a, const int own[2]) {
  links(p, a, own[0], false);
}

static const struct mars_app wc = {"wc.count", "wc.map", 1,      RECORD_NUMBERS, VAL_BYTES,
                                   text_array, wc_count, wc_map, false,          0},
                             ii = {"ii.count", "ii.map", 1,      RECORD_NUMBERS, VAL_BYTES,
                                   text_array, ii_count, ii_map, false,          II_KEY_BYTES};

bool mars_wc(struct wl_plan *p, uint32_t launch) {
  return mars_build(p, launch, &wc);
}

bool mars_ii(struct wl_plan *p, uint32_t launch) {
  return mars_build(p, launch, &ii);
}
