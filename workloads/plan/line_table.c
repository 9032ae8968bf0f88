/* A bounded table of lines; see line_table.h. */
#include "workloads/plan/line_table.h"

#include <stdlib.h>

enum { FIRST = 1 << 12 };

bool wl_lines_begin(struct wl_line_table *t, size_t most) {
  *t = (struct wl_line_table){.places = FIRST < most ? FIRST : most, .most = most, .epoch = 1, .every = 1};
  t->line = calloc(t->places, sizeof *t->line);
  return t->line;
}

void wl_lines_clear(struct wl_line_table *t) {
  t->epoch++;
  t->used = 0;
  t->every = 1;
}

/* Returns the place of the line, or the free place that it would take. */
static struct wl_line *place(const struct wl_line_table *t, uint64_t hash) {
  size_t p = (size_t)(hash >> 20) & (t->places - 1);
  while (t->line[p].epoch == t->epoch && t->line[p].hash != hash)
    p = (p + 1) & (t->places - 1);
  return &t->line[p];
}

/* Makes room: doubles the places, or halves the sample. */
static bool make_room(struct wl_line_table *t) {
  const struct wl_line_table old = *t;
  if (t->places < t->most)
    t->places *= 2;
  else
    t->every *= 2;
  t->line = calloc(t->places, sizeof *t->line);
  if (!t->line) {
    *t = old;
    return false;
  }
  t->used = 0;
  for (size_t p = 0; p < old.places; p++) {
    const struct wl_line *line = &old.line[p];
    if (line->epoch != t->epoch)
      continue;
    if (line->hash & (t->every - 1)) {
      t->dropped(t->user, line);
    } else {
      *place(t, line->hash) = *line;
      t->used++;
    }
  }
  free(old.line);
  return true;
}

struct wl_line *wl_lines_find(struct wl_line_table *t, uint64_t hash, bool *fresh, bool *failed) {
  *fresh = false;
  if (hash & (t->every - 1))
    return NULL;
  struct wl_line *line = place(t, hash);
  if (line->epoch == t->epoch)
    return line;
  if (t->used >= t->places / 2) {
    if (!make_room(t)) {
      *failed = true;
      return NULL;
    }
    if (hash & (t->every - 1))
      return NULL;
    line = place(t, hash);
  }
  *line = (struct wl_line){.hash = hash, .epoch = t->epoch};
  t->used++;
  *fresh = true;
  return line;
}

void wl_lines_free(struct wl_line_table *t) {
  free(t->line);
}
