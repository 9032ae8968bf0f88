/* The directory through which a job array gets its runs and returns their results:
 *
 *   machine.M.yaml    a whole configuration
 *   shard.N.json      the runs of task N: {"machine": M, "name", "workload", "run": hash of its key}
 *   result.RUN.json   the result of a run: {"key", "result", "sum"}; renamed into place, so it is whole
 *   log.N             the output of task N
 *
 * Invariant: no two programs write the same file; only the program that waits writes the store.
 */
#include "cli/sweep/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

static enum hd_rc cannot(const char *path, const char *verb, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "%s cannot be %s: %s", path, verb, strerror(errno));
}

/* --- shards --------------------------------------------------------------------------------------------- */

static size_t machine_of(const struct hd_run_set *set, const struct hd_run *run) {
  size_t i = 0;
  while (set->machine[i] != run->machine)
    i++;
  return i;
}

static enum hd_rc write_machine(const char *dir, size_t number, const struct hd_config *c,
                                struct hd_why *why) {
  char *path = hd_format("%s/machine.%zu.yaml", dir, number);
  FILE *f = fopen(path, "w");
  if (f)
    hd_config_print(c, f);
  const enum hd_rc rc = f && hd_close_written(f) ? HD_OK : cannot(path, "written", why);
  free(path);
  return rc;
}

enum hd_rc hd_spool_write(const struct hd_run_set *set, const size_t *order, size_t n, size_t shards,
                          const char *dir, struct hd_why *why) {
  struct shard {
    json_t *runs;
    double cost;
  } *shard = hd_zeroed(shards, sizeof *shard);
  bool *used = hd_zeroed(set->machines, sizeof *used);
  for (size_t s = 0; s < shards; s++)
    shard[s].runs = json_array();
  /* Costliest first, each to the shard with the least cost. So no shard is longer than another by more than
   * its last run. */
  for (size_t i = 0; i < n; i++) {
    const struct hd_run *run = &set->run[order[i]];
    struct shard *least = shard;
    for (size_t s = 1; s < shards; s++)
      least = shard[s].cost < least->cost ? &shard[s] : least;
    const size_t machine = machine_of(set, run);
    used[machine] = true;
    least->cost += run->cost;
    json_array_append_new(least->runs,
                          json_pack("{s:I, s:s, s:s, s:s}", "machine", (json_int_t)machine, "name", run->name,
                                    "workload", run->workload, "run", run->hash.text));
  }
  enum hd_rc rc = hd_make_dirs(dir) ? HD_OK : cannot(dir, "made", why);
  for (size_t i = 0; i < set->machines && rc == HD_OK; i++)
    if (used[i])
      rc = write_machine(dir, i, &set->machine[i]->c, why);
  for (size_t s = 0; s < shards; s++) {
    char *path = hd_format("%s/shard.%zu.json", dir, s);
    if (rc == HD_OK && json_dump_file(shard[s].runs, path, JSON_INDENT(1)))
      rc = cannot(path, "written", why);
    free(path);
    json_decref(shard[s].runs);
  }
  free(shard);
  free(used);
  return rc;
}

/* The parts of the shard that are in the set already: its machines by their numbers, its workloads. */
struct known {
  json_t *machines, *workloads;
};

/* Gives the number of a known name. Returns false if the name is new; it gets `next`. */
static bool is_known(json_t *names, const char *name, size_t next, size_t *number) {
  const json_t *known = json_object_get(names, name);
  *number = known ? (size_t)json_integer_value(known) : next;
  if (!known)
    json_object_set_new(names, name, json_integer((json_int_t)next));
  return known != NULL;
}

/* Loads machine M of the spool, once. Gives its number in the set. */
static enum hd_rc load(const char *dir, struct hd_run_set *set, struct known *known, size_t m,
                       const char *name, size_t *number, struct hd_why *why) {
  char key[24];
  snprintf(key, sizeof key, "%zu", m);
  if (is_known(known->machines, key, set->machines, number))
    return HD_OK;
  char *path = hd_format("%s/machine.%zu.yaml", dir, m);
  struct hd_args args = {.config = path};
  heddle_machine *machine;
  const enum hd_rc rc = hd_cli_machine(&args, NULL, &machine, why);
  hd_run_set_machine(set, machine, hd_format("%s", name));
  free(path);
  return rc;
}

static char *result_path(const char *dir, const struct hd_run *run) {
  return hd_format("%s/result.%s.json", dir, run->hash.text);
}

static enum hd_rc add_run(const char *dir, struct hd_run_set *set, struct known *known, const json_t *row,
                          struct hd_why *why) {
  const char *workload = json_string_value(json_object_get(row, "workload")),
             *name = json_string_value(json_object_get(row, "name"));
  size_t machine, number;
  if (!workload || !name || !json_is_string(json_object_get(row, "run")))
    return hd_because(why, HD_INPUT, "%s: found a shard without its runs; allowed one of heddle sweep", dir);
  const enum hd_rc rc =
      load(dir, set, known, (size_t)json_integer_value(json_object_get(row, "machine")), name, &machine, why);
  if (rc != HD_OK)
    return rc;
  if (!is_known(known->workloads, workload, set->workloads, &number)) {
    set->workload = hd_resized(set->workload, set->workloads + 1, sizeof *set->workload);
    set->workload[set->workloads++] = hd_format("%s", workload);
  }
  hd_run_set_add(set, machine, number);
  return HD_OK;
}

/* Checks that the run is the one that was asked for. A finished run is left out, so that a restarted task
 * continues where it was. */
static enum hd_rc check_run(const char *dir, struct hd_run *run, const json_t *row, struct hd_why *why) {
  if (strcmp(json_string_value(json_object_get(row, "run")), run->hash.text) != 0)
    return hd_because(why, HD_CHECK,
                      "%s on %s: found another model, or other contents of its files, on this node than "
                      "where the sweep began; install the same heddle, and the same files",
                      run->workload, run->name);
  char *path = result_path(dir, run);
  if (!access(path, F_OK))
    run->result = json_pack("{s:i}", "exit_code", HD_OK);
  free(path);
  return HD_OK;
}

enum hd_rc hd_spool_read(const char *dir, uint64_t shard, struct hd_run_set *set, struct hd_why *why) {
  char *path = hd_format("%s/shard.%llu.json", dir, (unsigned long long)shard);
  json_t *rows = json_load_file(path, 0, NULL), *row;
  struct known known = {json_object(), json_object()};
  size_t i;
  enum hd_rc rc =
      json_is_array(rows)
          ? HD_OK
          : hd_because(why, HD_INPUT, "%s: found no shard there; allowed one of heddle sweep", path);
  json_array_foreach(rows, i, row) {
    if (rc == HD_OK)
      rc = add_run(dir, set, &known, row, why);
  }
  if (rc == HD_OK)
    hd_run_set_keys(set); /* all at once, so that the files of a workload are hashed once */
  json_array_foreach(rows, i, row) {
    if (rc == HD_OK)
      rc = check_run(dir, &set->run[i], row, why);
  }
  json_decref(rows);
  json_decref(known.machines);
  json_decref(known.workloads);
  free(path);
  return rc;
}

/* --- results -------------------------------------------------------------------------------------------- */

enum hd_rc hd_spool_keep(const struct hd_run_set *set, const struct hd_run *run, struct hd_why *why) {
  const char *dir = set->args->what;
  char *path = result_path(dir, run), *part = hd_format("%s.part.%ld", path, (long)getpid());
  json_t *file = json_pack("{s:O, s:O, s:s}", "key", run->key, "result", run->result, "sum",
                           hd_key_sum(run->key, run->result).text);
  enum hd_rc rc = HD_OK;
  if (json_dump_file(file, part, JSON_COMPACT) || rename(part, path))
    rc = cannot(path, "written", why);
  json_decref(file);
  free(part);
  free(path);
  return rc;
}

static struct hd_run *find(struct hd_run_set *set, const json_t *key) {
  const struct hd_hash_text hash = hd_key_hash(key);
  for (size_t i = 0; i < set->runs; i++)
    if (!strcmp(set->run[i].hash.text, hash.text) && json_equal(set->run[i].key, key))
      return &set->run[i];
  return NULL;
}

static enum hd_rc merge_one(struct hd_run_set *set, const char *path, struct hd_why *why) {
  json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *key = json_object_get(file, "key"),
         *result = json_object_get(file, "result");
  const char *sum = json_string_value(json_object_get(file, "sum"));
  enum hd_rc rc = HD_OK;
  if (json_is_object(key) && json_is_object(result) && sum && !strcmp(sum, hd_key_sum(key, result).text)) {
    struct hd_run *run = find(set, key);
    json_t *kept = hd_store_find(set->store, key);
    if (!kept && json_integer_value(json_object_get(result, "exit_code")) == HD_OK)
      rc = hd_store_keep(set->store, key, result, why);
    json_t *answer = kept && hd_run_set_within(set, kept) ? kept : result;
    if (run && !run->result && hd_run_set_within(set, answer))
      run->result = json_incref(answer);
    json_decref(kept);
  }
  json_decref(file);
  return rc;
}

enum hd_rc hd_spool_merge(struct hd_run_set *set, const char *dir, json_t *taken, struct hd_why *why) {
  DIR *d = opendir(dir);
  enum hd_rc rc = HD_OK;
  for (struct dirent *e; d && rc == HD_OK && (e = readdir(d));) {
    const size_t n = strlen(e->d_name);
    if (strncmp(e->d_name, "result.", 7) || strcmp(e->d_name + n - 5, ".json") ||
        json_object_get(taken, e->d_name))
      continue;
    char *path = hd_format("%s/%s", dir, e->d_name);
    rc = merge_one(set, path, why);
    free(path);
    json_object_set_new(taken, e->d_name, json_true());
  }
  if (d)
    closedir(d);
  return rc;
}

void hd_spool_remove(const char *dir) {
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    char *path = hd_format("%s/%s", dir, e->d_name);
    if (*e->d_name != '.')
      unlink(path);
    free(path);
  }
  if (d)
    closedir(d);
  rmdir(dir);
}
