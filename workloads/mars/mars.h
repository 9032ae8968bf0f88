/* Mars, MapReduce on a GPU: its run-time, which the applications share. The catalogue is in mars.c, the run-time in
 * mars_run.c and mars_group.c, its data in mars_data.c, the applications in mars_matrix.c (ss, mm) and mars_text.c (wc, ii).
 *
 * A program is a counting launch, in which each thread says how much its record will emit; three prefix sums, of the
 * sizes of keys and values and of the numbers of emits; the map launch; and, if asked for, the group stage, which sorts
 * what was emitted. A thread has one record.
 *
 * Invariant: what a record emits is known before the first launch (struct mars), so that both launches and the sums
 * agree.
 */
#ifndef HEDDLE_WORKLOADS_MARS_MARS_H
#define HEDDLE_WORKLOADS_MARS_MARS_H

#include "workloads/plan/prefix_sum.h"

enum { MARS_BLOCK = 256, MARS_BUFFER = 32 /* bytes of shared memory a thread, for what it emits */ };

/* What `prepare` makes. */
struct mars {
  uint32_t records;
  uint32_t *first_key; /* records + 1: bytes of keys that the records before this one emit */
  uint32_t *first;     /* records + 1: emits of the records before this one */
  /* wc, ii */
  char *text;
  uint32_t bytes;
  uint32_t *start, *end;     /* of each record: its text; at `end` is a separator that is no record's */
  uint32_t *link, *link_end; /* of each emit: where its word or URL starts, and what ends it */
  /* The group stage: the emits in the order before step number `steps`, and what that step compares. */
  uint32_t elements; /* a power of two; 0: there is no group stage */
  uint32_t *order;
  uint32_t steps, length, distance;
  uint32_t *key_at; /* of each emit: where its key is */
  uint64_t *rank;   /* of each emit: what its key is sorted by first */
  int inter_keys;   /* that array */
};

/* Allocates a struct mars of this many records, with all counts 0; NULL: no memory. */
struct mars *mars_new(uint32_t records);
void mars_release(void *data);

/* A warp's state; the first part is the run-time's, the second the applications'. */
struct mars_state {
  uint32_t emitted[WL_LANES]; /* so far: records, and bytes of keys */
  uint32_t key_offset[WL_LANES];
  uint32_t key_bytes[WL_LANES]; /* of the key to be emitted; the application sets it */
  uint32_t copied[WL_LANES];
  uint32_t a[WL_LANES], b[WL_LANES]; /* rows (ss, mm) */
  uint32_t at[WL_LANES];             /* in the text */
  uint32_t word[WL_LANES];           /* where the word or URL began */
  uint32_t links[WL_LANES];          /* of the record, seen so far */
  uint32_t scanning;                 /* lanes inside a word or URL */
};

/* The run-time's arrays. */
struct mars_arrays {
  int keys, vals, offsets; /* the records' */
  int key_sizes, val_sizes, counts, key_sums, val_sums, count_sums;
  int cursors, current, inter_offsets, inter_keys, inter_vals;
  struct prefix_sum sum;
};

/* An application. Its parts are called inside the record's block, `emit` where a key is ready. */
struct mars_app {
  const char *count_name, *map_name;
  uint32_t key_words, val_words; /* of a record: pointers of 8 bytes, numbers of 4 */
  uint32_t val_bytes;            /* of an emitted value: 4 or 8 */
  /* Names the application's own arrays, into own[]. */
  void (*arrays)(struct wl_plan *p, int own[2]);
  void (*count)(struct wl_plan *p, const struct mars_arrays *a, const int own[2]);
  void (*map)(struct wl_plan *p, const struct mars_arrays *a, const int own[2]);
  /* Whether every record emits once, after `map`, through a barrier; else `map` emits itself, without one. */
  bool emits_once;
  uint32_t rank_bytes; /* of a key: a number to sort by, before the text; 0: only the text */
};

/* Describes launch number `launch` of the application. False: no such launch. */
bool mars_build(struct wl_plan *p, uint32_t launch, const struct mars_app *app);

/* The counting launch's emit. */
void mars_count_emit(struct wl_plan *p, const struct mars_arrays *a);

/* The emit of a key of key_bytes[] bytes and a value of val_bytes, byte by byte; the key is in array `from` at `byte`,
 * or with from < 0 in the thread's buffer in shared memory, as the value is. */
void mars_emit(struct wl_plan *p, const struct mars_arrays *a, int from, wl_elem_fn byte, uint32_t val_bytes);

/* The group stage. `mars_group_prepare` once, after what is emitted is known (false: no memory); then launch number `step`,
 * ascending. */
bool mars_group_prepare(struct mars *m, uint32_t rank_bytes);
uint32_t mars_group_launches(const struct mars *m);
void mars_group(struct wl_plan *p, uint32_t step, int inter_keys, int text, uint32_t rank_bytes);

const struct mars *mars_of(const struct wl_warp *w);

/* The builds, see catalog.h. */
bool mars_ss_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_ss(struct wl_plan *p, uint32_t launch);
bool mars_mm_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_mm(struct wl_plan *p, uint32_t launch);
bool mars_wc_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_wc(struct wl_plan *p, uint32_t launch);
bool mars_ii_prepare(struct wl_plan *p, char *err, size_t errlen);
bool mars_ii(struct wl_plan *p, uint32_t launch);

#endif
