/* Reads one --set as if it were a file with one key; see load.h. */
#include "arch/config/load.h"
#include "base/nearest_name.h"
#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

struct hd_set_place hd_set_place(const char *set) {
  enum { MOST = 80 };
  struct hd_set_place place;
  snprintf(place.text, sizeof place.text, "--set %.*s%s", MOST, set, strlen(set) > MOST ? "..." : "");
  hd_printable(place.text);
  return place;
}

/* Reports a --set that is no section.key=value. Its first n letters may be meant as a key. */
static void no_assignment(struct hd_load *l, const char *set, size_t n, const struct hd_set_place *place) {
  char *found = hd_try_format("%.*s", (int)n, set);
  if (!found) {
    l->no_memory = true;
    return;
  }
  char key[2][64]; /* one of the two is the nearest so far */
  struct hd_near near = hd_near_to(found);
  unsigned next = 0;
  for (size_t i = 0; i < l->n; i++) {
    snprintf(key[next], sizeof key[next], "%s.%s", l->keys[i].section, l->keys[i].key);
    hd_near_try(&near, key[next]);
    next ^= near.name == key[next];
  }
  const bool is_key = near.name && !strcmp(near.name, found);
  hd_problem(l, place->text, 0, NULL, NULL,
             "found %s%s; %sallowed section.key=value; write for example sm.warps=48", set,
             is_key ? " without a value" : "", is_key ? "" : hd_near_text(&near).text);
  free(found);
}

void hd_walk_set(struct hd_load *l, const char *set, const struct hd_set_place *place, unsigned number) {
  struct hd_layer at = {.file = (char *)place->text, .set = set, .number = number};
  const size_t section = strcspn(set, ".="), key = strcspn(set, "=");
  if (!section || section + 1 >= key || !set[key]) {
    no_assignment(l, set, key, place);
    return;
  }
  char *text = hd_try_format("%.*s:\n  %.*s: %s\n", (int)section, set, (int)(key - section - 1),
                             set + section + 1, set + key + 1);
  if (!text) {
    l->no_memory = true;
    return;
  }
  if (hd_parse(l, &at, text)) {
    hd_walk(l, &at);
    yaml_document_delete(&at.doc);
  }
  free(text);
}
