/* Mars, MapReduce on a GPU: its run-time, which the applications share. The catalogue is in mars.c, the
 * run-time in mars_run.c and mars_group.c, its data in mars_data.c, the applications in mars_matrix.c (ss,
 * mm) and mars_text.c (wc, ii).
 *
 * A program begins with a counting launch, in which each thread computes how much its record will emit.
 * Then come three prefix sums, of the sizes of keys, the sizes of values and the numbers of emits; then the
 * map launch; then, on request, the group stage, which sorts what was emitted. A thread has one record.
 *
 * Invariant: the emits of a record are known before the first launch (struct mars), so that both launches
 * and the sums agree.
 */
#ifndef HEDDLE_WORKLOADS_MARS_MARS_H
#define HEDDLE_WORKLOADS_MARS_MARS_H

#include "workloads/plan/prefix_sum.h"

enum { MARS_BLOCK = 256, MARS_BUFFER = 32 /* bytes of shared memory per thread, for its emits */ };

/* The data that `prepare` makes. */
struct mars {
  uint32_t records;
  uint32_t *first_key; /* records + 1 entries: bytes of keys that the records before this one emit */
  uint32_t *first;     /* records + 1 entries: emits of the records before this one */
  /* for wc and ii */
  char *text;
  uint32_t bytes;
  uint32_t *start, *end;     /* for each record: its text; `end` is a separator outside all records */
  uint32_t *link, *link_end; /* for each emit: the start of its word or URL, and its end */
  /* The group stage: the order of the emits before step number `steps`, and the comparison of that step. */
  uint32_t elements; /* a power of two; 0: no group stage */
  uint32_t *order;
  uint32_t steps, length, distance;
  uint32_t *key_at; /* for each emit: the place of its key */
  uint64_t *rank;   /* for each emit: the first sort criterion of its key */
  int inter_keys;   /* the number of that array */
};

/* Allocates a struct mars of this many records, with all counts 0. Returns NULL if memory is out. */
struct mars *mars_new(uint32_t records);
void mars_release(void *data);

/* A warp's state: first the run-time's part, then the applications' part. */
struct mars_state {
  uint32_t emitted[WL_LANES]; /* emits so far; below: bytes of keys so far */
  uint32_t key_offset[WL_LANES];
  uint32_t key_bytes[WL_LANES]; /* of the key to be emitted; set by the application */
  uint32_t copied[WL_LANES];
  uint32_t a[WL_LANES], b[WL_LANES]; /* rows (ss, mm) */
  uint32_t at[WL_LANES];             /* place in the text */
  uint32_t word[WL_LANES];           /* begin of the word or URL */
  uint32_t links[WL_LANES];          /* links of the record seen so far */
  uint32_t scanning;                 /* lanes inside a word or URL */
};

/* The run-time's arrays. */
struct mars_arrays {
  int keys, vals, offsets; /* of the records */
  int key_sizes, val_sizes, counts, key_sums, val_sums, count_sums;
  int cursors, current, inter_offsets, inter_keys, inter_vals;
  struct prefix_sum sum;
};

/* An application. Its functions are called inside the record's block, `emit` when a key is ready. */
struct mars_app {
  const char *count_name, *map_name;
  uint32_t key_words, val_words; /* per record: pointers of 8 bytes, numbers of 4 */
  uint32_t val_bytes;            /* of an emitted value: 4 or 8 */
  /* Declares the application's own arrays; their numbers go to own[]. */
  void (*arrays)(struct wl_plan *p, int own[2]);
  void (*count)(struct wl_plan *p, const struct mars_arrays *a, const int own[2]);
  void (*map)(struct wl_plan *p, const struct mars_arrays *a, const int own[2]);
  /* True: every record emits once, after `map`, through a barrier. False: `map` itself emits, without one. */
  bool emits_once;
  uint32_t rank_bytes; /* of a key: a number that sorts before the text; 0: only the text */
};

/* Describes launch number `launch` of the application. Returns false if there is no such launch. */
bool mars_build(struct wl_plan *p, uint32_t launch, const struct mars_app *app);

/* Adds the emit of the counting launch. */
void mars_count_emit(struct wl_plan *p, const struct mars_arrays *a);

/* Adds the emit of a key of key_bytes[] bytes and a value of val_bytes, byte by byte. The key is in array
 * `from` at `byte`. With from < 0 it is in the thread's buffer in shared memory, where the value always is. */
void mars_emit(struct wl_plan *p, const struct mars_arrays *a, int from, wl_elem_fn byte, uint32_t val_bytes);

/* The group stage. Call `mars_group_prepare` once, when the emits are known; it returns false if memory is
 * out. Then call `mars_group` with ascending launch numbers `step`. */
bool mars_group_prepare(struct mars *m, uint32_t rank_bytes);
uint32_t mars_group_launches(const struct mars *m);
void mars_group(struct wl_plan *p, uint32_t step, int inter_keys, int text, uint32_t rank_bytes);

const struct mars *mars_of(const struct wl_warp *w);

/* The build functions, see catalog.h. */
bool mars_ss_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_ss(struct wl_plan *p, uint32_t launch);
bool mars_mm_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_mm(struct wl_plan *p, uint32_t launch);
bool mars_wc_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_wc(struct wl_plan *p, uint32_t launch);
bool mars_ii_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_ii(struct wl_plan *p, uint32_t launch);

#endif
