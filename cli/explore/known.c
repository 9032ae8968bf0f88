/* The machines that are known to be good. A search tries them first; see explore.h.
 *
 * Invariant: they are choices like those of the optimiser, so that it learns from them as from its own.
 */
#include "cli/explore/explore.h"

#include <string.h>

/* Returns the number of the axis value whose keys the machine has; of several, the one with most keys; the
 * first one if none matches. Marks the keys as used. */
static size_t value_of(const struct hd_axis *axis, const struct hd_choice *machine, bool *used) {
  size_t found = 0, most = 0;
  for (size_t i = 0; i < axis->n; i++) {
    const struct hd_choice *value = &axis->choice[i];
    bool at[HD_MAX_LIST] = {false};
    size_t n = 0;
    for (size_t k = 0; k < value->n; k++)
      for (size_t m = 0; m < machine->n; m++)
        if (!at[m] && !strcmp(value->set[k].text, machine->set[m].text))
          n += at[m] = true;
    if (n < value->n || n <= most)
      continue;
    found = i;
    most = n;
    for (size_t m = 0; m < machine->n; m++)
      used[m] |= at[m];
  }
  return found;
}

void hd_known_read(struct hd_explore *e, const yaml_node_t *list) {
  e->known = json_array();
  for (size_t i = 0; i < hd_run_file_count(list) && !e->file.load.problems; i++) {
    const yaml_node_t *node = hd_run_file_item(&e->file, list, i);
    struct hd_choice machine = {0};
    bool used[HD_MAX_LIST] = {false};
    hd_run_file_settings(&e->file, node, "try", &machine);
    if (machine.n > HD_MAX_LIST)
      hd_run_file_problem(&e->file, node, "try", "fewer keys");
    json_t *choices = json_array();
    for (size_t a = 0; a < e->space.n && machine.n <= HD_MAX_LIST; a++)
      json_array_append_new(choices, json_integer((json_int_t)value_of(&e->space.axis[a], &machine, used)));
    for (size_t m = 0; m < machine.n && machine.n <= HD_MAX_LIST; m++)
      if (!used[m])
        hd_problem(&e->file.load, e->file.path, machine.set[m].line, "try", NULL,
                   "found %s; allowed keys and values of the space, of a value with several keys all of them",
                   machine.set[m].text);
    json_array_append_new(e->known, choices);
    hd_choice_free(&machine);
  }
  if (json_array_size(e->known) > e->most[0])
    hd_run_file_problem(&e->file, list, "try", "no more machines than the budget has at the first input");
}
