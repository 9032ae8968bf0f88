/* Mars: the data of a program, which the run-time and the applications read. See mars.h. */
#include "workloads/mars/mars.h"

#include <stdlib.h>

struct mars *mars_new(uint32_t records) {
  struct mars *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->records = records;
  m->first_key = calloc((size_t)records + 1, sizeof *m->first_key);
  m->first = calloc((size_t)records + 1, sizeof *m->first);
  if (m->first_key && m->first)
    return m;
  mars_release(m);
  return NULL;
}

void mars_release(void *data) {
  struct mars *m = data;
  free(m->first_key);
  free(m->first);
  free(m->text);
  free(m->start);
  free(m->end);
  free(m->link);
  free(m->link_end);
  free(m->order);
  free(m->key_at);
  free(m->rank);
  free(m);
}

const struct mars *mars_of(const struct wl_warp *w) {
  return w->plan->data;
}
