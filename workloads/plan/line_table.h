/* A table of cache lines that stays within a bound: beyond it, it keeps a sample of them.
 *
 * Invariant: a line is in the table if its hash is a multiple of `every`, a power of two that grows when the table is
 * full; so what is counted of the lines in it, times `every`, estimates what is to be counted of all.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_LINE_TABLE_H
#define HEDDLE_WORKLOADS_PLAN_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_line {
  uint64_t hash;  /* who it is: 64 bits, taken to be different for different lines */
  uint32_t epoch; /* of the table; else the place is free */
  uint32_t warp;
  uint16_t load;
  uint8_t by;    /* who has loaded it since; the user's, as all below */
  uint8_t uses;  /* how often; stays at its most */
  uint32_t last; /* when, modulo 2^32 */
};

struct wl_line_table {
  struct wl_line *line;
  size_t places, used, most; /* places: a power of two; most: it grows to so many */
  uint32_t epoch;
  uint64_t every;
  /* A line that is in the table goes out of it. */
  void (*dropped)(void *user, const struct wl_line *line);
  void *user;
};

/* `most` is a power of two. False: memory is out. */
bool wl_lines_begin(struct wl_line_table *t, size_t most);
/* Forgets all lines. */
void wl_lines_clear(struct wl_line_table *t);
/* The line of this hash, new (*fresh) or old; NULL: it is not in the sample, or memory is out (*failed). */
struct wl_line *wl_lines_find(struct wl_line_table *t, uint64_t hash, bool *fresh, bool *failed);
void wl_lines_free(struct wl_line_table *t);

#endif
