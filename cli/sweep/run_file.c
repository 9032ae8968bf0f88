/* Reads the common part of files that describe runs; see run_file.h. */
#include "cli/sweep/run_file.h"
#include "base/alloc.h"
#include "base/nearest_name.h"
#include "base/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

/* --- the file ------------------------------------------------------------------------------------------- */

bool hd_run_file_open(struct hd_run_file *f, const char *path, const char *example, char **text) {
  *f = (struct hd_run_file){
      .path = path, .load = {.err = stderr, .example = example}, .at = {.file = (char *)path}};
  *text = hd_slurp_most(path, MOST_BYTES);
  return *text && hd_parse(&f->load, &f->at, *text);
}

enum hd_rc hd_run_file_close(struct hd_run_file *f, bool opened, struct hd_why *why) {
  if (opened)
    yaml_document_delete(&f->at.doc);
  return f->load.no_memory  ? hd_because(why, HD_TOOL, "out of memory")
         : f->load.problems ? hd_because(why, HD_INPUT, "%s: %u problem%s", f->path, f->load.problems,
                                         f->load.problems > 1 ? "s" : "")
                            : HD_OK;
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

void hd_run_file_problem(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                         const char *allowed) {
  hd_problem(&f->load, f->path, hd_line(&f->at, node), key, NULL, "found %s; allowed %s", hd_show(node).text,
             allowed);
}

void hd_run_file_sentence(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                          const struct hd_why *why) {
  const char *text = why->text, *colon = strstr(text, ": ");
  hd_problem(&f->load, f->path, hd_line(&f->at, node), key, NULL, "%s",
             !strncmp(text, "--", 2) && colon ? colon + 2 : text);
}

static const yaml_node_t *node_at(struct hd_run_file *f, int number) {
  return yaml_document_get_node(&f->at.doc, number);
}

const char *hd_run_file_scalar(const yaml_node_t *node) {
  return node->type == YAML_SCALAR_NODE && *node->data.scalar.value ? (const char *)node->data.scalar.value
                                                                    : NULL;
}

size_t hd_run_file_count(const yaml_node_t *node) {
  return !node ? 0
         : node->type == YAML_SEQUENCE_NODE
             ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
             : 1;
}

const yaml_node_t *hd_run_file_item(struct hd_run_file *f, const yaml_node_t *node, size_t i) {
  return node->type == YAML_SEQUENCE_NODE ? node_at(f, node->data.sequence.items.start[i]) : node;
}

void hd_run_file_list(struct hd_run_file *f, const yaml_node_t *list, const char *key, const char *allowed) {
  if (!hd_run_file_count(list))
    hd_run_file_problem(f, list, key, allowed);
  for (size_t i = 0; i < hd_run_file_count(list); i++)
    if (!hd_run_file_scalar(hd_run_file_item(f, list, i)))
      hd_run_file_problem(f, hd_run_file_item(f, list, i), key, allowed);
}

/* Returns "a, b, c", to be freed. */
static char *joined(const char *const *names) {
  char *all = hd_format("%s", *names);
  while (*++names) {
    char *more = hd_format("%s, %s", all, *names);
    free(all);
    all = more;
  }
  return all;
}

void hd_run_file_keys(struct hd_run_file *f, const char *const *keys, const char *const *needed,
                      const yaml_node_t **node) {
  const yaml_node_t *root = yaml_document_get_root_node(&f->at.doc);
  char *allowed = joined(keys);
  for (size_t k = 0; keys[k]; k++)
    node[k] = NULL;
  for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node_at(f, p->key);
    const char *name = hd_run_file_scalar(key) ? hd_run_file_scalar(key) : "";
    struct hd_near near = hd_near_to(name);
    size_t k = 0;
    for (; keys[k] && strcmp(name, keys[k]) != 0; k++)
      hd_near_try(&near, keys[k]);
    if (!keys[k] || node[k])
      hd_problem(&f->load, f->path, hd_line(&f->at, key), NULL, NULL, "found %s; %sallowed %s",
                 hd_show(key).text, keys[k] ? "" : hd_near_text(&near).text,
                 keys[k] ? "each key once" : allowed);
    else
      node[k] = node_at(f, p->value);
  }
  for (; *needed; needed++) {
    size_t k = 0;
    while (strcmp(keys[k], *needed) != 0)
      k++;
    if (!node[k])
      hd_problem(&f->load, f->path, 1, keys[k], NULL, "found nothing; it must be given; write for example %s",
                 f->load.example);
  }
  free(allowed);
}

/* --- keys and axes -------------------------------------------------------------------------------------- */

static void add_setting(struct hd_choice *to, const char *key, const char *value, unsigned line) {
  to->set = hd_resized(to->set, to->n + 1, sizeof *to->set);
  to->set[to->n++] = (struct hd_setting){hd_format("%s=%s", key, value), line};
}

void hd_run_file_settings(struct hd_run_file *f, const yaml_node_t *node, const char *what,
                          struct hd_choice *to) {
  if (node->type != YAML_MAPPING_NODE) {
    hd_run_file_problem(f, node, what, "keys with their values; write for example {l1d.ways: 4}");
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node_at(f, p->key), *value = node_at(f, p->value);
    const char *name = hd_run_file_scalar(key), *text = hd_run_file_scalar(value);
    if (!name || !text)
      hd_run_file_problem(f, name ? value : key, what,
                          "section.key: value, as `heddle list params` has them");
    else
      add_setting(to, name, text, hd_line(&f->at, value));
  }
}

static void read_axis(struct hd_run_file *f, const yaml_node_t *key, const yaml_node_t *list,
                      const char *what, struct hd_axes *axes) {
  const char *name = hd_run_file_scalar(key);
  const bool room = axes->n < HD_MOST_AXES && name;
  if (!room || list->type != YAML_SEQUENCE_NODE || !hd_run_file_count(list)) {
    hd_run_file_problem(f, room ? list : key, what,
                        "up to 32 keys, each with a list of values; write for example l1d.ways: [2, 4, 8]");
    return;
  }
  struct hd_axis *axis = &axes->axis[axes->n++];
  *axis = (struct hd_axis){.name = hd_format("%s", name),
                           .choice = hd_zeroed(hd_run_file_count(list), sizeof *axis->choice)};
  for (; axis->n < hd_run_file_count(list); axis->n++) {
    const yaml_node_t *node = hd_run_file_item(f, list, axis->n);
    const char *value = hd_run_file_scalar(node);
    if (value)
      add_setting(&axis->choice[axis->n], name, value, hd_line(&f->at, node));
    else
      hd_run_file_settings(f, node, what, &axis->choice[axis->n]);
  }
}

void hd_run_file_axes(struct hd_run_file *f, const yaml_node_t *node, const char *what,
                      struct hd_axes *axes) {
  if (node->type != YAML_MAPPING_NODE) {
    hd_run_file_problem(f, node, what, "keys with lists of values; write for example {l1d.ways: [2, 4, 8]}");
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++)
    read_axis(f, node_at(f, p->key), node_at(f, p->value), what, axes);
}

void hd_choice_free(struct hd_choice *choice) {
  for (size_t i = 0; i < choice->n; i++)
    free(choice->set[i].text);
  free(choice->set);
}

void hd_axes_free(struct hd_axes *axes) {
  for (size_t a = 0; a < axes->n; a++) {
    for (size_t i = 0; i < axes->axis[a].n; i++)
      hd_choice_free(&axes->axis[a].choice[i]);
    free(axes->axis[a].choice);
    free(axes->axis[a].name);
  }
}

/* --- machines ------------------------------------------------------------------------------------------- */

bool hd_recipe_put(struct hd_run_file *f, struct hd_recipe *recipe, const struct hd_choice *choice) {
  for (size_t i = 0; i < choice->n; i++) {
    if (recipe->set.n == HD_MAX_LIST) {
      hd_problem(&f->load, f->path, choice->set[i].line, NULL, NULL,
                 "found %s as key %d of a machine; allowed up to %d; put keys into a configuration file",
                 choice->set[i].text, HD_MAX_LIST + 1, HD_MAX_LIST);
      return false;
    }
    recipe->line[recipe->set.n] = choice->set[i].line;
    recipe->set.text[recipe->set.n++] = choice->set[i].text;
  }
  return true;
}

enum hd_rc hd_recipe_load(const struct hd_recipe *recipe, size_t first, heddle_machine **machine, char **name,
                          struct hd_why *why) {
  const struct hd_args args = {.config = recipe->config, .set = recipe->set};
  const enum hd_rc rc = hd_cli_load(&args, machine, why);
  *name = hd_format("%s", rc == HD_OK ? (*machine)->c.name : recipe->config);
  for (size_t i = first; i < recipe->set.n; i++) {
    char *longer = hd_format("%s %s", *name, recipe->set.text[i]);
    free(*name);
    *name = longer;
  }
  return rc;
}

/* Returns the number of the key, from 1, that a line of a machine's message is about, and the length of its
 * place; 0 if it is about none. */
static size_t key_of(const struct hd_recipe *recipe, const char *line, int *length) {
  for (size_t i = recipe->set.n; i-- > 0;) { /* of two equal keys the last one counts */
    const struct hd_set_place place = hd_set_place(recipe->set.text[i]);
    *length = (int)strlen(place.text);
    if (!strncmp(line, place.text, (size_t)*length) && !strncmp(line + *length, ": ", 2))
      return i + 1;
  }
  return 0;
}

char *hd_recipe_problems(const struct hd_run_file *f, const struct hd_recipe *recipe, const char *name,
                         const heddle_machine *machine) {
  char *text = NULL;
  size_t size;
  FILE *to = hd_memory_open(&text, &size);
  for (const char *at = heddle_machine_message(machine); *at;) {
    const size_t n = strcspn(at, "\n");
    int length;
    const size_t key = key_of(recipe, at, &length);
    if (key)
      fprintf(to, "%s:%u%.*s (%s)\n", f->path, recipe->line[key - 1], (int)n - length, at + length, name);
    else
      fprintf(to, "%.*s (%s)\n", (int)n, at, name);
    at += n + (at[n] == '\n');
  }
  hd_memory_close(to);
  return text;
}

/* Removes the bad keys of a recipe. Returns false if there are none. */
static bool leave_out(struct hd_recipe *recipe, const bool *bad) {
  const size_t n = recipe->set.n;
  recipe->set.n = 0;
  for (size_t i = 0; i < n; i++)
    if (!bad[i]) {
      recipe->line[recipe->set.n] = recipe->line[i];
      recipe->set.text[recipe->set.n++] = recipe->set.text[i];
    }
  return recipe->set.n < n;
}

/* Removes the keys with problems. */
static bool leave_out_refused(struct hd_recipe *recipe, size_t first, const heddle_machine *machine) {
  bool bad[HD_MAX_LIST] = {false};
  for (const char *at = heddle_machine_message(machine); *at;) {
    const size_t n = strcspn(at, "\n");
    int length;
    const size_t key = key_of(recipe, at, &length);
    if (key > first)
      bad[key - 1] = true;
    at += n + (at[n] == '\n');
  }
  return leave_out(recipe, bad);
}

/* Removes the keys that change nothing in the machine. A key whose value was refused stays: the machine has
 * another value. */
static bool leave_out_idle(struct hd_recipe *recipe, size_t first, const heddle_machine *machine) {
  bool bad[HD_MAX_LIST] = {false};
  for (size_t i = first; i < recipe->set.n; i++) {
    const char *text = recipe->set.text[i], *value = strchr(text, '=') + 1;
    const struct hd_key *key = hd_key_called(text, strcspn(text, "="));
    bad[i] = key && hd_config_idle(&machine->c, key) &&
             !strcmp(value, hd_key_text(key, hd_config_get(&machine->c, key)).text);
  }
  return leave_out(recipe, bad);
}

enum hd_rc hd_recipe_reduce(struct hd_recipe *recipe, size_t first, bool repair, heddle_machine **machine,
                            char **name, struct hd_why *why) {
  for (;;) {
    const enum hd_rc rc = hd_recipe_load(recipe, first, machine, name, why);
    const bool refused = repair && rc != HD_OK;
    if (!*machine || !(refused ? leave_out_refused : leave_out_idle)(recipe, first, *machine))
      return rc;
    heddle_unload(*machine);
    free(*name);
  }
}
