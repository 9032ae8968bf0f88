/* The events of a model, and their listener; see heddle.h.
 *
 * Invariant: each part of a model logs to its own log, whose listener is the model's. */
#include "base/nearest_name.h"
#include "lib/objects.h"

#include <stdlib.h>
#include <string.h>

/* ---- The list ---- */

bool hd_events_list(heddle_model *k) {
  size_t most = 0;
  for (size_t p = 0; p < k->parts; p++)
    most += k->part[p].m->decl->n_events;
  k->happening = calloc(most + 1, sizeof *k->happening);
  for (size_t p = 0; k->happening && p < k->parts; p++) {
    struct hd_part *part = &k->part[p];
    const struct hd_decl *d = part->m->decl;
    part->first = k->happenings;
    for (unsigned i = 0; i < d->n_events; i++) {
      if (!d->events[i].when)
        continue;
      struct hd_happening *h = &k->happening[k->happenings++];
      snprintf(h->name, sizeof h->name, "%s%s", part->path, d->events[i].name);
      h->event = (heddle_event){h->name, d->events[i].meaning, d->events[i].format};
      h->total = &part->m->ev[i];
      h->number = i;
      h->part = part;
    }
  }
  return k->happening != NULL;
}

void hd_events_free(heddle_model *k) {
  free(k->happening);
}

size_t heddle_event_count(const heddle_model *k) {
  return k->happenings;
}

const heddle_event *heddle_event_at(const heddle_model *k, size_t event) {
  return event < k->happenings ? &k->happening[event].event : NULL;
}

size_t heddle_event_find(heddle_model *k, const char *name) {
  struct hd_near near = hd_near_to(name);
  for (size_t i = 0; i < k->happenings; i++) {
    if (!strcmp(k->happening[i].name, name))
      return i;
    hd_near_try(&near, k->happening[i].name);
  }
  hd_say(&k->said, HEDDLE_ERR_NAME,
         "event: found %s; %sallowed are the names of heddle_event_at; correct the name", name,
         hd_near_text(&near).text);
  return HEDDLE_NONE;
}

uint64_t heddle_event_total(const heddle_model *k, size_t event) {
  return event < k->happenings ? *k->happening[event].total : 0;
}

/* ---- Listening ---- */

static void hear(void *ctx, const struct hd_model *m, unsigned number, const uint64_t arguments[4]) {
  const struct hd_part *part = ctx;
  heddle_model *k = part->owner;
  (void)m;
  for (size_t i = part->first; i < k->happenings; i++)
    if (k->happening[i].number == number && k->happening[i].part == part) {
      k->listener(k->user, i, k->cycle, arguments);
      return;
    }
}

heddle_status heddle_listen(heddle_model *k, heddle_listener listener, void *user, const size_t *events,
                            size_t n) {
  for (size_t i = 0; events && i < n; i++)
    if (events[i] >= k->happenings)
      return hd_say(&k->said, HEDDLE_ERR_ARGUMENT, "event: found index %zu; allowed: below %zu", events[i],
                    k->happenings);
  k->listener = listener;
  k->user = user;
  for (size_t p = 0; p < k->parts; p++) {
    struct hd_part *part = &k->part[p];
    part->log.hook = hear;
    part->log.ctx = part;
    part->m->log = &part->log;
    part->m->heard = 0;
  }
  for (size_t i = 0; listener && i < (events ? n : k->happenings); i++) {
    const struct hd_happening *h = &k->happening[events ? events[i] : i];
    h->part->m->heard |= UINT64_C(1) << h->number;
  }
  return HEDDLE_OK;
}
