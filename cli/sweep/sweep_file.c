/* Reads the YAML file of a sweep; see sweep.h.
 *
 * Invariant: either every problem of the file itself is reported, or the set has all machines and
 * workloads.
 */
#include "cli/sweep/run_file.h"
#include "cli/sweep/sweep.h"
#include "workloads/workloads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MACHINES = 100000 };
enum { CONFIGS, SET, AXES, WORKLOADS, SEEDS, ILLEGAL, KEYS };

struct file {
  struct hd_run_file file;
  struct hd_run_set *set;
  struct hd_choice all; /* the keys of `set:` */
  struct hd_axes axes;
  size_t illegal, doubles;         /* combinations: no machine; a machine that is there already */
  size_t reduced, reduced_doubles; /* see note_reduced */
  const yaml_node_t *node[KEYS];
  json_t *hashes; /* hashes of the set's machines: {hash: true} */
  json_t *idle;   /* the keys that were left out of some combination: {key: true} */
  bool skip;
  char *first; /* the problems of the first skipped machine */
};

/* --- words ---------------------------------------------------------------------------------------------- */

static void read_illegal(struct file *f, const yaml_node_t *node) {
  const char *word = hd_run_file_scalar(node) ? hd_run_file_scalar(node) : "";
  f->skip = !strcmp(word, "skip");
  if (!f->skip && strcmp(word, "refuse") != 0)
    hd_run_file_problem(&f->file, node, "illegal",
                        "refuse (a combination that is no machine is an error), skip (it is left out)");
}

static void read_top(struct file *f) {
  static const char *const keys[] = {"configs", "set", "axes", "workloads", "seeds", "illegal", NULL},
                           *const needed[] = {"configs", "workloads", NULL};
  struct hd_run_file *file = &f->file;
  hd_run_file_keys(file, keys, needed, f->node);
  if (f->node[CONFIGS])
    hd_run_file_list(file, f->node[CONFIGS], "configs", "names or files of configurations");
  if (f->node[SET])
    hd_run_file_settings(file, f->node[SET], "set", &f->all);
  if (f->node[AXES])
    hd_run_file_axes(file, f->node[AXES], "axes", &f->axes);
  if (f->node[WORKLOADS])
    hd_run_file_list(file, f->node[WORKLOADS], "workloads",
                     "workloads, suites or papers, as `heddle sim -w` has them");
  if (f->node[SEEDS])
    hd_run_file_list(file, f->node[SEEDS], "seeds", "whole numbers");
  if (f->node[ILLEGAL])
    read_illegal(f, f->node[ILLEGAL]);
}

/* --- workloads ------------------------------------------------------------------------------------------ */

/* Repeats each workload that has a seed, once per seed. */
static void put_seeds(struct file *f) {
  struct hd_run_set *m = f->set;
  char **plain = m->workload;
  const size_t n = m->workloads;
  m->workload = NULL;
  m->workloads = 0;
  for (size_t w = 0; w < n; w++) {
    uint64_t seed;
    const bool has = wl_value(plain[w], "seed", &seed);
    for (size_t i = 0; i < (has ? hd_run_file_count(f->node[SEEDS]) : 1); i++) {
      struct hd_why why;
      const yaml_node_t *node = hd_run_file_item(&f->file, f->node[SEEDS], i);
      char *spec = has ? hd_format("%s%sseed=%s", plain[w], strchr(plain[w], ':') ? "," : ":",
                                   hd_run_file_scalar(node))
                       : plain[w];
      if (hd_run_set_workload(m, "workload", spec, &why) != HD_OK)
        hd_run_file_sentence(&f->file, node, "seeds", &why);
      if (has)
        free(spec);
    }
  }
  for (size_t w = 0; w < n; w++)
    free(plain[w]);
  free(plain);
}

static void read_workloads(struct file *f) {
  for (size_t i = 0; i < hd_run_file_count(f->node[WORKLOADS]); i++) {
    const yaml_node_t *node = hd_run_file_item(&f->file, f->node[WORKLOADS], i);
    struct hd_why why;
    if (hd_run_set_workload(f->set, "workload", hd_run_file_scalar(node), &why) != HD_OK)
      hd_run_file_sentence(&f->file, node, "workloads", &why);
  }
  if (f->node[SEEDS] && !f->file.load.problems)
    put_seeds(f);
}

/* --- machines ------------------------------------------------------------------------------------------- */

/* True if the set has a machine with these keys. Otherwise adds its hash. */
static bool is_there(struct file *f, const heddle_machine *machine) {
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)heddle_machine_hash(machine));
  const bool there = json_object_get(f->hashes, hash);
  json_object_set_new(f->hashes, hash, json_true());
  return there;
}

/* Counts a machine that has fewer keys than its combination, since some keys change nothing in it.
 * is_double: the set has the machine already. */
static void note_reduced(struct file *f, const struct hd_recipe *asked, const struct hd_recipe *left,
                         bool is_double) {
  f->reduced++;
  f->reduced_doubles += is_double;
  for (size_t i = 0, k = 0; i < asked->set.n; i++)
    if (k < left->set.n && left->set.text[k] == asked->set.text[i])
      k++;
    else {
      const char *text = asked->set.text[i];
      json_object_setn_new(f->idle, text, strcspn(text, "="), json_true());
    }
}

/* Reports the keys that were left out of combinations, and the machines that were skipped. */
static void tell_reduced(const struct file *f) {
  const char *key, *before = "";
  json_t *always;
  fprintf(stderr, "heddle sweep: keys that change nothing are left out of %zu combinations: ", f->reduced);
  json_object_foreach(f->idle, key, always) {
    fprintf(stderr, "%s%s", before, key);
    before = ", ";
  }
  fprintf(stderr, "; %zu of these are machines that are there already and are skipped\n", f->reduced_doubles);
}

/* Makes the machine of one configuration and one value of each axis. Returns false to stop. */
static bool try_machine(struct file *f, const yaml_node_t *node, const size_t *pick) {
  struct hd_recipe recipe = {.config = hd_run_file_scalar(node)};
  if (!hd_recipe_put(&f->file, &recipe, &f->all))
    return false;
  const size_t common = recipe.set.n;
  for (size_t a = 0; a < f->axes.n; a++)
    if (!hd_recipe_put(&f->file, &recipe, &f->axes.axis[a].choice[pick[a]]))
      return false;
  heddle_machine *machine;
  struct hd_why why;
  char *name;
  const struct hd_recipe asked = recipe;
  const enum hd_rc rc = hd_recipe_reduce(&recipe, common, false, &machine, &name, &why);
  const bool known = rc == HD_OK || (rc == HD_INPUT && machine),
             is_double = rc == HD_OK && is_there(f, machine);
  if (rc == HD_OK && recipe.set.n < asked.set.n)
    note_reduced(f, &asked, &recipe, is_double);
  else
    f->doubles += is_double;
  if (!known)
    hd_run_file_sentence(&f->file, node, "configs", &why);
  if (rc == HD_OK && !is_double) {
    hd_run_set_machine(f->set, machine, name);
    return true;
  }
  f->illegal += known && rc != HD_OK;
  if (known && rc != HD_OK && !f->first)
    f->first = hd_recipe_problems(&f->file, &recipe, name, machine);
  heddle_unload(machine);
  free(name);
  return rc == HD_OK || (known && f->skip);
}

/* Goes through all combinations; the last axis changes fastest. */
static void read_machines(struct file *f) {
  const struct hd_axes *axes = &f->axes;
  const size_t configs = hd_run_file_count(f->node[CONFIGS]);
  double all = (double)configs;
  for (size_t a = 0; a < axes->n; a++)
    all *= (double)axes->axis[a].n;
  if (all > MOST_MACHINES) {
    hd_problem(&f->file.load, f->file.path, 1, "axes", NULL,
               "found %.0f machines; allowed %d; shorten an axis", all, MOST_MACHINES);
    return;
  }
  bool more = true;
  for (size_t i = 0; i < configs && more; i++) {
    size_t pick[HD_MOST_AXES] = {0};
    for (bool next = true; next && more;) {
      more = try_machine(f, hd_run_file_item(&f->file, f->node[CONFIGS], i), pick);
      next = false;
      for (size_t a = axes->n; a-- > 0 && !next;) {
        next = ++pick[a] < axes->axis[a].n;
        pick[a] = next ? pick[a] : 0;
      }
    }
  }
  if (f->first && (!f->skip || !f->set->machines)) {
    fputs(f->first, stderr);
    f->file.load.problems++;
  }
}

/* --- the file ------------------------------------------------------------------------------------------- */

enum hd_rc hd_sweep_read(const char *path, struct hd_run_set *set, struct hd_why *why) {
  struct file f = {.set = set, .hashes = json_object(), .idle = json_object()};
  char *text;
  const bool opened = hd_run_file_open(&f.file, path, "{configs: [mrpb], workloads: [atax:tiny]}", &text);
  const unsigned *problems = &f.file.load.problems;
  enum hd_rc rc = text ? HD_OK : hd_because(why, HD_INPUT, "%s cannot be read: %s", path, strerror(errno));
  if (opened)
    read_top(&f);
  if (opened && !*problems)
    read_workloads(&f);
  if (opened && !*problems)
    read_machines(&f);
  for (size_t i = 0; i < set->machines && !*problems; i++)
    for (size_t k = 0; k < set->workloads; k++)
      hd_run_set_add(set, i, k);
  if (!*problems && f.illegal)
    fprintf(stderr, "heddle sweep: %zu combinations are no machines and are skipped\n", f.illegal);
  if (!*problems && f.reduced)
    tell_reduced(&f);
  if (!*problems && f.doubles)
    fprintf(stderr, "heddle sweep: %zu machines have the keys of another one and are skipped\n", f.doubles);
  if (rc == HD_OK)
    rc = hd_run_file_close(&f.file, opened, why);
  hd_choice_free(&f.all);
  hd_axes_free(&f.axes);
  free(f.first);
  json_decref(f.hashes);
  json_decref(f.idle);
  free(text);
  return rc;
}
