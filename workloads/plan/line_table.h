/* A table of cache lines with a bounded size. When it is full, it keeps a sample of the lines.
 *
 * Invariant: a line is in the table if its hash is a multiple of `every`, a power of two that grows when
 * the table is full. So a count over the lines in the table, times `every`, estimates the count over all
 * lines.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_LINE_TABLE_H
#define HEDDLE_WORKLOADS_PLAN_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_line {
  uint64_t hash;  /* identity of the line: 64 bits, taken to be different for different lines */
  uint32_t epoch; /* equal to the table's if the place is taken */
  uint32_t warp;
  uint16_t load;
  uint8_t by;    /* bits for the loads that referenced it since; set by the user, as all below */
  uint8_t uses;  /* number of references since; saturates */
  uint32_t last; /* time of the last reference, modulo 2^32 */
};

struct wl_line_table {
  struct wl_line *line;
  size_t places, used, most; /* places: a power of two; most: the limit of places */
  uint32_t epoch;
  uint64_t every;
  /* Called for each line that leaves the table when the sample is halved. */
  void (*dropped)(void *user, const struct wl_line *line);
  void *user;
};

/* `most` is a power of two. Returns false if memory is out. */
bool wl_lines_begin(struct wl_line_table *t, size_t most);
/* Forgets all lines. */
void wl_lines_clear(struct wl_line_table *t);
/* Returns the line of this hash, and *fresh if it is new. Returns NULL if the line is not in the sample, or
 * if memory is out (*failed is set). */
struct wl_line *wl_lines_find(struct wl_line_table *t, uint64_t hash, bool *fresh, bool *failed);
void wl_lines_free(struct wl_line_table *t);

#endif
