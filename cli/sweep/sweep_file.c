/* Reads the YAML file of a sweep. libyaml gives a document whose nodes know their lines, as for configurations; a schema of libcyaml
 * would have to name the keys, and those of axes are any key.
 *
 * Invariant: either every problem of the file's own words is told, or the set has all machines and workloads.
 */
#include "arch/config/load.h"
#include "base/nearest_name.h"
#include "cli/sweep/sweep.h"
#include "workloads/workloads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_AXES = 32, MOST_MACHINES = 100000 };

/* A key and a value for it: a --set, and where the file says it. */
struct setting {
  char *text;
  unsigned line;
};
struct value {
  struct setting *set; /* of one key, or of several together */
  size_t n;
};
struct axis {
  struct value *value;
  size_t n;
};

struct file {
  const char *path;
  struct hd_load load; /* for messages */
  struct hd_layer at;
  struct hd_run_set *set;
  struct value all; /* the keys of `set:` */
  struct axis axis[MOST_AXES];
  size_t axes, illegal, doubles;
  const yaml_node_t *config, *workloads, *seeds;
  json_t *hashes; /* of the set's machines: {hash: true} */
  bool skip;
  char *first; /* the problems of the first machine that was skipped */
};

/* --- nodes ---------------------------------------------------------------------------------------------- */

static void problem(struct file *f, const yaml_node_t *node, const char *key, const char *allowed) {
  hd_problem(&f->load, f->path, hd_line(&f->at, node), key, NULL, "found %s; allowed %s", hd_show(node).text,
             allowed);
}

static const yaml_node_t *node_at(struct file *f, int number) {
  return yaml_document_get_node(&f->at.doc, number);
}

static const char *scalar(const yaml_node_t *node) {
  return node->type == YAML_SCALAR_NODE && *node->data.scalar.value ? (const char *)node->data.scalar.value
                                                                    : NULL;
}

/* How many there are in a list, or one that is no list; and the i-th. */
static size_t count(const yaml_node_t *node) {
  return !node ? 0
         : node->type == YAML_SEQUENCE_NODE
             ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
             : 1;
}
static const yaml_node_t *item(struct file *f, const yaml_node_t *node, size_t i) {
  return node->type == YAML_SEQUENCE_NODE ? node_at(f, node->data.sequence.items.start[i]) : node;
}

static void add_setting(struct value *to, const char *key, const char *value, unsigned line) {
  to->set = realloc(to->set, (to->n + 1) * sizeof *to->set);
  if (!to->set)
    abort();
  to->set[to->n++] = (struct setting){hd_format("%s=%s", key, value), line};
}

/* key: value, ... into settings. */
static void read_settings(struct file *f, const yaml_node_t *node, const char *what, struct value *to) {
  if (node->type != YAML_MAPPING_NODE) {
    problem(f, node, what, "keys with their values; write for example {l1d.ways: 4}");
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node_at(f, p->key), *value = node_at(f, p->value);
    if (!scalar(key) || !scalar(value))
      problem(f, scalar(key) ? value : key, what, "section.key: value, as `heddle list params` has them");
    else
      add_setting(to, scalar(key), scalar(value), hd_line(&f->at, value));
  }
}

static void read_axis(struct file *f, const yaml_node_t *key, const yaml_node_t *list) {
  if (f->axes == MOST_AXES || !scalar(key) || list->type != YAML_SEQUENCE_NODE || !count(list)) {
    problem(f, f->axes < MOST_AXES && scalar(key) ? list : key, "axes",
            "up to 32 keys, each with a list of values; write for example l1d.ways: [2, 4, 8]");
    return;
  }
  struct axis *axis = &f->axis[f->axes++];
  axis->value = calloc(count(list), sizeof *axis->value);
  if (!axis->value)
    abort();
  for (; axis->n < count(list); axis->n++) {
    const yaml_node_t *node = item(f, list, axis->n);
    struct value *value = &axis->value[axis->n];
    if (scalar(node))
      add_setting(value, scalar(key), scalar(node), hd_line(&f->at, node));
    else
      read_settings(f, node, "axes", value);
  }
}

static void read_axes(struct file *f, const yaml_node_t *node) {
  if (node->type != YAML_MAPPING_NODE) {
    problem(f, node, "axes", "keys with lists of values; write for example {l1d.ways: [2, 4, 8]}");
    return;
  }
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++)
    read_axis(f, node_at(f, p->key), node_at(f, p->value));
}

/* A list of words, or one. */
static void check_list(struct file *f, const yaml_node_t *list, const char *key, const char *allowed) {
  if (!count(list))
    problem(f, list, key, allowed);
  for (size_t i = 0; i < count(list); i++)
    if (!scalar(item(f, list, i)))
      problem(f, item(f, list, i), key, allowed);
}

static void read_illegal(struct file *f, const yaml_node_t *node) {
  const char *word = scalar(node) ? scalar(node) : "";
  f->skip = !strcmp(word, "skip");
  if (!f->skip && strcmp(word, "refuse") != 0)
    problem(f, node, "illegal",
            "refuse (a combination that is no machine is an error), skip (it is left out)");
}

static void read_top(struct file *f) {
  static const char *const keys[] = {"configs", "set", "axes", "workloads", "seeds", "illegal"};
  const yaml_node_t *root = yaml_document_get_root_node(&f->at.doc);
  bool given[6] = {false};
  for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node_at(f, p->key), *value = node_at(f, p->value);
    const char *name = scalar(key) ? scalar(key) : "";
    struct hd_near near = hd_near_to(name);
    size_t k = 0;
    for (; k < 6 && strcmp(name, keys[k]) != 0; k++)
      hd_near_try(&near, keys[k]);
    if (k == 6 || given[k]) {
      hd_problem(&f->load, f->path, hd_line(&f->at, key), NULL, NULL, "found %s; %sallowed %s",
                 hd_show(key).text, k == 6 ? hd_near_text(&near).text : "",
                 k == 6 ? "configs, set, axes, workloads, seeds, illegal" : "each key once");
      continue;
    }
    given[k] = true;
    if (k == 0)
      check_list(f, f->config = value, keys[k], "names or files of configurations");
    else if (k == 1)
      read_settings(f, value, keys[k], &f->all);
    else if (k == 2)
      read_axes(f, value);
    else if (k == 3)
      check_list(f, f->workloads = value, keys[k],
                 "workloads, suites or papers, as `heddle sim -w` has them");
    else if (k == 4)
      check_list(f, f->seeds = value, keys[k], "whole numbers");
    else
      read_illegal(f, value);
  }
  for (size_t k = 0; k < 6; k += 3)
    if (!given[k])
      hd_problem(&f->load, f->path, 1, keys[k], NULL,
                 "found nothing; allowed one or more; write for example %s", f->load.example);
}

/* --- workloads ------------------------------------------------------------------------------------------ */

/* What a sentence about an option says, of a line of the file. */
static void at_line(struct file *f, const yaml_node_t *node, const char *key, const struct hd_why *why) {
  const char *text = why->text, *colon = strstr(text, ": ");
  hd_problem(&f->load, f->path, hd_line(&f->at, node), key, NULL, "%s",
             !strncmp(text, "--", 2) && colon ? colon + 2 : text);
}

/* Each workload that has a seed, once with each. */
static void put_seeds(struct file *f) {
  struct hd_run_set *m = f->set;
  char **plain = m->workload;
  const size_t n = m->workloads;
  m->workload = NULL;
  m->workloads = 0;
  for (size_t w = 0; w < n; w++) {
    uint64_t seed;
    const bool has = wl_value(plain[w], "seed", &seed);
    for (size_t i = 0; i < (has ? count(f->seeds) : 1); i++) {
      struct hd_why why;
      const yaml_node_t *node = item(f, f->seeds, i);
      char *spec = has ? hd_format("%s%sseed=%s", plain[w], strchr(plain[w], ':') ? "," : ":", scalar(node))
                       : plain[w];
      if (hd_run_set_workload(m, "workload", spec, &why) != HD_OK)
        at_line(f, node, "seeds", &why);
      if (has)
        free(spec);
    }
  }
  for (size_t w = 0; w < n; w++)
    free(plain[w]);
  free(plain);
}

static void read_workloads(struct file *f) {
  for (size_t i = 0; i < count(f->workloads); i++) {
    const yaml_node_t *node = item(f, f->workloads, i);
    struct hd_why why;
    if (scalar(node) && hd_run_set_workload(f->set, "workload", scalar(node), &why) != HD_OK)
      at_line(f, node, "workloads", &why);
  }
  if (count(f->seeds) && !f->load.problems)
    put_seeds(f);
}

/* --- machines ------------------------------------------------------------------------------------------- */

/* The problems of a machine, those of the n-th --set at the line that says it. */
static char *problems_of(const struct file *f, const char *name, const heddle_machine *machine,
                         const unsigned *line) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to)
    abort();
  for (const char *at = heddle_machine_message(machine); *at;) {
    const size_t n = strcspn(at, "\n");
    unsigned set = 0;
    int length = 0;
    if (sscanf(at, "--set:%u%n", &set, &length) == 1)
      fprintf(to, "%s:%u%.*s (%s)\n", f->path, line[set - 1], (int)n - length, at + length, name);
    else
      fprintf(to, "%.*s (%s)\n", (int)n, at, name);
    at += n + (at[n] == '\n');
  }
  fclose(to);
  return text;
}

/* Whether the set has a machine with these keys; else its hash is put in. */
static bool is_there(struct file *f, const heddle_machine *machine) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)heddle_machine_hash(machine));
  const bool there = json_object_get(f->hashes, hash);
  json_object_set_new(f->hashes, hash, json_true());
  return there;
}

static void add_machine(struct hd_run_set *m, heddle_machine *machine, char *name) {
  m->machine = realloc(m->machine, (m->machines + 1) * sizeof *m->machine);
  m->name = realloc(m->name, (m->machines + 1) * sizeof *m->name);
  if (!m->machine || !m->name)
    abort();
  m->name[m->machines] = name;
  m->machine[m->machines++] = machine;
}

/* False: they are too many, which is told. */
static bool put_value(struct file *f, struct hd_args *args, unsigned *line, const struct value *value) {
  for (size_t i = 0; i < value->n; i++) {
    if (args->set.n == HD_MAX_LIST) {
      hd_problem(&f->load, f->path, value->set[i].line, NULL, NULL,
                 "found %s as key %d of a machine; allowed up to %d; put keys into a configuration file",
                 value->set[i].text, HD_MAX_LIST + 1, HD_MAX_LIST);
      return false;
    }
    line[args->set.n] = value->set[i].line;
    args->set.text[args->set.n++] = value->set[i].text;
  }
  return true;
}

/* The machine of one configuration and one value of each axis. False: no more are to be tried. */
static bool try_machine(struct file *f, const yaml_node_t *node, const size_t *pick) {
  struct hd_args args = {.config = scalar(node)};
  unsigned line[HD_MAX_LIST];
  if (!put_value(f, &args, line, &f->all))
    return false;
  const size_t common = args.set.n;
  for (size_t a = 0; a < f->axes; a++)
    if (!put_value(f, &args, line, &f->axis[a].value[pick[a]]))
      return false;
  heddle_machine *machine;
  struct hd_why why;
  const enum hd_rc rc = hd_cli_load(&args, &machine, &why);
  if (rc != HD_OK && !(rc == HD_INPUT && machine)) {
    at_line(f, node, "configs", &why);
    heddle_unload(machine);
    return false;
  }
  char *name = hd_format("%s", rc == HD_OK ? machine->c.name : args.config);
  for (size_t i = common; i < args.set.n; i++) {
    char *longer = hd_format("%s %s", name, args.set.text[i]);
    free(name);
    name = longer;
  }
  if (rc == HD_OK && !is_there(f, machine)) {
    add_machine(f->set, machine, name);
    return true;
  }
  f->doubles += rc == HD_OK;
  f->illegal += rc != HD_OK;
  if (rc != HD_OK && !f->first)
    f->first = problems_of(f, name, machine, line);
  heddle_unload(machine);
  free(name);
  return rc == HD_OK || f->skip;
}

/* Every combination: the last axis changes fastest. */
static void read_machines(struct file *f) {
  double all = (double)count(f->config);
  for (size_t a = 0; a < f->axes; a++)
    all *= (double)f->axis[a].n;
  if (all > MOST_MACHINES) {
    hd_problem(&f->load, f->path, 1, "axes", NULL, "found %.0f machines; allowed %d; shorten an axis", all,
               MOST_MACHINES);
    return;
  }
  bool more = true;
  for (size_t i = 0; i < count(f->config) && more; i++) {
    size_t pick[MOST_AXES] = {0};
    for (bool next = true; next && more;) {
      more = try_machine(f, item(f, f->config, i), pick);
      next = false;
      for (size_t a = f->axes; a-- > 0 && !next;) {
        next = ++pick[a] < f->axis[a].n;
        pick[a] = next ? pick[a] : 0;
      }
    }
  }
  if (f->first && (!f->skip || !f->set->machines)) {
    fputs(f->first, stderr);
    f->load.problems++;
  }
}

/* --- the file ------------------------------------------------------------------------------------------- */

static void free_value(struct value *value) {
  for (size_t i = 0; i < value->n; i++)
    free(value->set[i].text);
  free(value->set);
}

static void free_file(struct file *f) {
  free_value(&f->all);
  for (size_t a = 0; a < f->axes; a++) {
    for (size_t i = 0; i < f->axis[a].n; i++)
      free_value(&f->axis[a].value[i]);
    free(f->axis[a].value);
  }
  free(f->first);
  json_decref(f->hashes);
}

enum hd_rc hd_sweep_read(const char *path, struct hd_run_set *set, struct hd_why *why) {
  char *text = hd_slurp_most(path, MOST_BYTES);
  if (!text)
    return hd_because(why, HD_INPUT, "%s cannot be read: %s", path, strerror(errno));
  struct file f = {.path = path,
                   .load = {.err = stderr, .example = "{configs: [mrpb], workloads: [atax:tiny]}"},
                   .at = {.file = (char *)path},
                   .set = set,
                   .hashes = json_object()};
  if (hd_parse(&f.load, &f.at, text)) {
    read_top(&f);
    if (!f.load.problems)
      read_workloads(&f);
    if (!f.load.problems)
      read_machines(&f);
    yaml_document_delete(&f.at.doc);
  }
  for (size_t i = 0; i < set->machines && !f.load.problems; i++)
    for (size_t k = 0; k < set->workloads; k++)
      hd_run_set_add(set, i, k);
  if (!f.load.problems && f.illegal)
    fprintf(stderr, "heddle sweep: %zu combinations are no machines and are skipped\n", f.illegal);
  if (!f.load.problems && f.doubles)
    fprintf(stderr, "heddle sweep: %zu machines have the keys of another one and are skipped\n", f.doubles);
  free_file(&f);
  free(text);
  return f.load.no_memory  ? hd_because(why, HD_TOOL, "out of memory")
         : f.load.problems ? hd_because(why, HD_INPUT, "%s: %u problem%s", path, f.load.problems,
                                        f.load.problems > 1 ? "s" : "")
                           : HD_OK;
}
