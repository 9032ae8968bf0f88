/* Makes machines from the optimiser's choices; see explore.h.
 *
 * Invariant: no two machines have the same keys. Keys of the space that change nothing do not make two
 * machines of one.
 */
#include "base/alloc.h"
#include "cli/explore/explore.h"
#include "rtl_gen/rtl.h"

#include <stdlib.h>
#include <string.h>

/* Gives the number of the machine with these keys. Returns false if there is none; then the next machine
 * gets them. */
static bool is_known(struct hd_explore *e, const heddle_machine *machine, size_t *number) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)heddle_machine_hash(machine));
  const json_t *known = json_object_get(e->hashes, hash);
  *number = known ? (size_t)json_integer_value(known) : e->machines;
  if (!known)
    json_object_set_new(e->hashes, hash, json_integer((json_int_t)e->machines));
  return known != NULL;
}

/* Takes over machine and name. */
static void add(struct hd_explore *e, heddle_machine *machine, char *name) {
  e->machine = hd_resized(e->machine, e->machines + 1, sizeof *e->machine);
  e->machine[e->machines++] =
      (struct hd_candidate){.machine = machine, .name = name, .choices = json_array()};
}

enum hd_rc hd_explore_start(struct hd_explore *e, struct hd_why *why) {
  heddle_machine *machine;
  char *name;
  size_t number;
  e->hashes = json_object();
  e->refused = json_array();
  const enum hd_rc rc = hd_recipe_load(&e->start, e->start.set.n, &machine, &name, why);
  if (rc == HD_OK) {
    is_known(e, machine, &number);
    add(e, machine, name);
    return rc;
  }
  if (machine) {
    char *problems = hd_recipe_problems(&e->file, &e->start, name, machine);
    fputs(problems, stderr);
    free(problems);
  }
  heddle_unload(machine);
  free(name);
  return rc;
}

/* True if the machine has the Verilog that its price needs. */
static bool has_price(const struct hd_explore *e, const heddle_machine *machine) {
  return !e->logic || (!hd_explore_wants(e, HD_GOAL_AREA) && !hd_explore_wants(e, HD_GOAL_CLOCK)) ||
         (!hd_config_model_only(&machine->c) && hd_rtl_there(machine->design, "sm_mem", NULL) == HD_OK &&
          (!machine->c.d.L2 || hd_rtl_there(machine->design, "l2_top", NULL) == HD_OK));
}

/* Makes the machine of one choice. */
static void add_choice(struct hd_explore *e, json_t *choice) {
  struct hd_recipe recipe = e->start;
  const size_t first = recipe.set.n;
  heddle_machine *machine = NULL;
  char *name = NULL;
  size_t i, number;
  json_t *value;
  bool whole = true;
  json_array_foreach(choice, i, value) {
    whole = whole && hd_recipe_put(&e->file, &recipe, &e->space.axis[i].choice[json_integer_value(value)]);
  }
  struct hd_why why;
  const size_t keys = recipe.set.n;
  enum hd_rc rc = whole ? hd_recipe_reduce(&recipe, first, true, &machine, &name, &why) : HD_INPUT;
  if (rc == HD_OK && !has_price(e, machine))
    rc = HD_INPUT;
  e->proposed++;
  e->repaired += rc == HD_OK && recipe.set.n < keys;
  if (rc == HD_OK && !is_known(e, machine, &number))
    add(e, machine, name);
  else {
    e->doubles += rc == HD_OK;
    heddle_unload(machine);
    free(name);
  }
  json_array_append(rc == HD_OK ? e->machine[number].choices : e->refused, choice);
}

void hd_explore_add(struct hd_explore *e, const json_t *choices) {
  size_t i;
  json_t *choice;
  json_array_foreach((json_t *)choices, i, choice) add_choice(e, choice);
}
