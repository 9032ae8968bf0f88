/* Reads the YAML file of a search; see explore.h. */
#include "cli/explore/explore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST_EVALUATIONS = 100000 };
enum {
  CONFIG,
  SET,
  SPACE,
  WORKLOADS,
  INPUTS,
  OBJECTIVES,
  LIMITS,
  BUDGET,
  BATCH,
  ETA,
  SEED,
  LOGIC,
  RIVALS,
  TRY,
  KEYS
};
static const char *const keys[] = {"config",     "set",    "space",  "workloads", "inputs",
                                   "objectives", "limits", "budget", "batch",     "eta",
                                   "seed",       "logic",  "rivals", "try",       NULL},
                         *const needed[] = {"config", "space", "workloads", "objectives", "budget", NULL};
static const char example[] =
    "{config: fermi_16k, space: {l1d.ways: [2, 4, 8]}, workloads: [atax:tiny], objectives: [ipc, area], "
    "budget: 10}";

const struct hd_goal_row hd_goals[HD_GOALS] = {
    [HD_GOAL_IPC] = {"ipc", "", true, true, false},
    [HD_GOAL_ENERGY] = {"energy", "", false, true, false},
    [HD_GOAL_AREA] = {"area", "mm2", false, false, true},
    [HD_GOAL_CLOCK] = {"clock", "MHz", true, false, true},
    [HD_GOAL_LEAD] = {"lead", "", true, false, false},
};

bool hd_explore_wants(const struct hd_explore *e, enum hd_goal goal) {
  bool wanted = e->limit[goal].there;
  for (size_t i = 0; i < e->objectives; i++)
    wanted |= e->objective[i] == goal;
  return wanted;
}

/* --- numbers and words ---------------------------------------------------------------------------------- */

/* Reads a whole number from `least` on. `value` does not change if the key is missing. */
static void read_count(struct hd_explore *e, const yaml_node_t *node, const char *key, uint64_t least,
                       uint64_t *value) {
  if (!node)
    return;
  const char *text = hd_run_file_scalar(node) ? hd_run_file_scalar(node) : "";
  char *end;
  errno = 0;
  const uint64_t number = strtoull(text, &end, 10);
  char allowed[64];
  snprintf(allowed, sizeof allowed, "a whole number, %llu to %d", (unsigned long long)least,
           MOST_EVALUATIONS);
  if (*text < '0' || *text > '9' || *end || errno || number < least || number > MOST_EVALUATIONS)
    hd_run_file_problem(&e->file, node, key, allowed);
  else
    *value = number;
}

/* Returns HD_GOALS after reporting a problem if no figure has this name. */
static enum hd_goal goal_of(struct hd_explore *e, const yaml_node_t *node, const char *key) {
  const char *text = hd_run_file_scalar(node) ? hd_run_file_scalar(node) : "";
  enum hd_goal goal = 0;
  while (goal < HD_GOALS && strcmp(text, hd_goals[goal].name) != 0)
    goal++;
  if (goal == HD_GOALS)
    hd_run_file_problem(&e->file, node, key, "ipc, energy, area, clock, lead");
  return goal;
}

static void read_objectives(struct hd_explore *e, const yaml_node_t *list) {
  if (!hd_run_file_count(list))
    hd_run_file_problem(&e->file, list, "objectives", "one or more of ipc, energy, area, clock, lead");
  for (size_t i = 0; i < hd_run_file_count(list); i++) {
    const yaml_node_t *node = hd_run_file_item(&e->file, list, i);
    const enum hd_goal goal = goal_of(e, node, "objectives");
    if (goal < HD_GOALS && hd_explore_wants(e, goal))
      hd_run_file_problem(&e->file, node, "objectives", "each once");
    else if (goal < HD_GOALS)
      e->objective[e->objectives++] = goal;
  }
}

/* Reads a number, or a number followed by x: a multiple of the first machine's figure. */
static void read_limit(struct hd_explore *e, const yaml_node_t *key, const yaml_node_t *node) {
  const enum hd_goal goal = goal_of(e, key, "limits");
  const char *text = hd_run_file_scalar(node) ? hd_run_file_scalar(node) : "";
  char *end;
  const double value = strtod(text, &end);
  const bool times = end != text && !strcmp(end, "x");
  if (goal == HD_GOALS)
    return;
  if (e->limit[goal].there)
    hd_run_file_problem(&e->file, key, "limits", "each once");
  else if (times && goal == HD_GOAL_LEAD)
    hd_run_file_problem(&e->file, node, "limits", "a number without an x: a lead is over the rivals already");
  else if (end == text || (*end && !times) || !(value > 0) || value > 1e12)
    hd_run_file_problem(&e->file, node, "limits",
                        "a number above 0; with an x behind it: times the machine that the search starts "
                        "from; write for example 1.05x");
  else
    e->limit[goal] = (struct hd_limit){true, times && !hd_goals[goal].ratio, value};
}

static void read_limits(struct hd_explore *e, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE) {
    hd_run_file_problem(&e->file, node, "limits",
                        "figures with their limits; write for example {area: 1.05x}");
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++)
    read_limit(e, yaml_document_get_node(&e->file.at.doc, p->key),
               yaml_document_get_node(&e->file.at.doc, p->value));
}

static void read_logic(struct hd_explore *e, const yaml_node_t *node) {
  const char *text = hd_run_file_scalar(node) ? hd_run_file_scalar(node) : "";
  e->logic = !strcmp(text, "true");
  if (!e->logic && strcmp(text, "false") != 0)
    hd_run_file_problem(&e->file, node, "logic", "true (modules are synthesised), false (memories alone)");
}

/* --- keys of machines ----------------------------------------------------------------------------------- */

/* Checks that each key of a choice exists, and that it may have this value. Else the machine would be
 * repaired without that key, and a misspelled key would never be noticed. */
static void check_choice(struct hd_run_file *f, const struct hd_choice *choice) {
  for (size_t i = 0; i < choice->n; i++) {
    const char *text = choice->set[i].text;
    const size_t section = strcspn(text, ".="), key = strcspn(text, "=");
    struct hd_load *l = &f->load;
    if (!section || section + 1 >= key) {
      hd_problem(l, f->path, choice->set[i].line, "space", NULL,
                 "found %.*s; allowed section.key, as `heddle list params` has them", (int)key, text);
      continue;
    }
    char *yaml = hd_format("%.*s:\n  %.*s: %s\n", (int)section, text, (int)(key - section - 1),
                           text + section + 1, text + key + 1);
    struct hd_layer at = {.file = (char *)f->path, .line = choice->set[i].line};
    l->keys = hd_keys(&l->n);
    l->origin = hd_zeroed(l->n, sizeof *l->origin);
    l->text = hd_zeroed(l->n, sizeof *l->text);
    if (hd_parse(l, &at, yaml)) {
      hd_walk(l, &at);
      yaml_document_delete(&at.doc);
    }
    for (size_t k = 0; k < l->n; k++)
      free(l->text[k]);
    free(l->text);
    free(l->origin);
    free(yaml);
  }
}

static void read_space(struct hd_explore *e, const yaml_node_t *node) {
  hd_run_file_axes(&e->file, node, "space", &e->space);
  for (size_t a = 0; a < e->space.n; a++)
    for (size_t i = 0; i < e->space.axis[a].n; i++)
      check_choice(&e->file, &e->space.axis[a].choice[i]);
}

/* --- the budget ----------------------------------------------------------------------------------------- */

/* Computes the machines at each input if `first` are tried at the first one and one in eta goes on. Returns
 * their sum. */
static uint64_t evaluations(struct hd_explore *e, uint64_t first) {
  uint64_t all = 0;
  for (size_t i = 0; i < e->inputs; i++)
    all += e->most[i] = i ? e->most[i - 1] / e->eta : first;
  return all;
}

/* Gives the first input as many machines as the budget allows. */
static void share_budget(struct hd_explore *e, const yaml_node_t *node) {
  uint64_t first = 1;
  for (size_t i = 1; i < e->inputs; i++)
    first *= e->eta;
  const uint64_t least = evaluations(e, first);
  if (e->budget < least) {
    char allowed[160];
    snprintf(allowed, sizeof allowed,
             "at least %llu, so that with %zu inputs and eta %llu a machine comes to the last one",
             (unsigned long long)least, e->inputs, (unsigned long long)e->eta);
    hd_run_file_problem(&e->file, node, "budget", allowed);
    return;
  }
  while (evaluations(e, first + 1) <= e->budget)
    first++;
  evaluations(e, first);
}

static void read_budget(struct hd_explore *e, const yaml_node_t **node) {
  e->eta = 3;
  e->batch = 10;
  e->seed = 1;
  read_count(e, node[BUDGET], "budget", 1, &e->budget);
  read_count(e, node[BATCH], "batch", 1, &e->batch);
  read_count(e, node[ETA], "eta", 2, &e->eta);
  read_count(e, node[SEED], "seed", 0, &e->seed);
  if (e->budget && !e->file.load.problems)
    share_budget(e, node[BUDGET]);
}

/* --- the file ------------------------------------------------------------------------------------------- */

static void read_top(struct hd_explore *e) {
  const yaml_node_t *node[KEYS];
  struct hd_run_file *f = &e->file;
  hd_run_file_keys(f, keys, needed, node);
  const char *config = node[CONFIG] ? hd_run_file_scalar(node[CONFIG]) : NULL;
  if (node[CONFIG] && !config)
    hd_run_file_problem(f, node[CONFIG], "config", "the name or file of one configuration");
  e->config = hd_format("%s", config ? config : "");
  if (node[SET])
    hd_run_file_settings(f, node[SET], "set", &e->all);
  if (node[SPACE])
    read_space(e, node[SPACE]);
  hd_inputs_read(e, node[INPUTS]);
  if (node[WORKLOADS])
    hd_run_file_list(f, node[WORKLOADS], "workloads",
                     "workloads, suites or papers, as `heddle sim -w` has them");
  if (node[OBJECTIVES])
    read_objectives(e, node[OBJECTIVES]);
  if (node[LIMITS])
    read_limits(e, node[LIMITS]);
  e->logic = true;
  if (node[LOGIC])
    read_logic(e, node[LOGIC]);
  if (!e->logic && hd_explore_wants(e, HD_GOAL_CLOCK))
    hd_run_file_problem(f, node[LOGIC], "logic", "true where clocks are wanted, which only synthesis knows");
  read_budget(e, node);
  if (hd_explore_wants(e, HD_GOAL_LEAD) != (node[RIVALS] != NULL))
    hd_run_file_problem(f, node[RIVALS] ? node[RIVALS] : node[OBJECTIVES],
                        node[RIVALS] ? "rivals" : "objectives",
                        "rivals, and lead as an objective or a limit, together");
  if (node[RIVALS])
    hd_rivals_read(e, node[RIVALS]);
  if (node[TRY] && !f->load.problems)
    hd_known_read(e, node[TRY]);
  if (!f->load.problems)
    hd_workloads_read(e, node[WORKLOADS]);
  if (node[RIVALS] && !f->load.problems)
    hd_rivals_match(e, node[RIVALS]);
  e->start.config = e->config;
  if (!f->load.problems)
    hd_recipe_put(f, &e->start, &e->all);
}

enum hd_rc hd_explore_read(const char *path, struct hd_explore *e, struct hd_why *why) {
  char *text;
  const bool opened = hd_run_file_open(&e->file, path, example, &text);
  if (!text)
    return hd_because(why, HD_INPUT, "%s cannot be read: %s", path, strerror(errno));
  if (opened)
    read_top(e);
  free(text);
  return hd_run_file_close(&e->file, opened, why);
}

void hd_explore_free(struct hd_explore *e) {
  for (size_t i = 0; i < e->machines; i++) {
    heddle_unload(e->machine[i].machine);
    free(e->machine[i].name);
    json_decref(e->machine[i].choices);
  }
  for (size_t i = 0; i < e->inputs; i++) {
    for (size_t w = 0; w < e->input[i].n; w++)
      free(e->input[i].workload[w]);
    free(e->input[i].workload);
    free(e->input[i].name);
    free(e->input[i].ipc);
    free(e->input[i].energy);
  }
  hd_rivals_free(e);
  json_decref(e->known);
  free(e->machine);
  free(e->config);
  hd_choice_free(&e->all);
  hd_axes_free(&e->space);
  json_decref(e->hashes);
  json_decref(e->refused);
  json_decref(e->said);
  hd_store_close(e->store);
}
