/* Results that outlast the program: one JSON file a run, named by a hash of its key.
 *
 * Invariant: a file is believed only if it is whole (its own sum over key and result) and its key is exactly this
 * run's; whatever else lies under that name is run again and replaced.
 */
#include "cli/model.h" /* made: HD_MODEL_HASH, over the sources of arch, workloads, cmodel, and of energy */
#include "cli/sim/run_set.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* --- keys ----------------------------------------------------------------------------------------------- */

static uint64_t hash_json(const json_t *json) {
  char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
  if (!text)
    abort();
  const uint64_t hash = hd_hash_text(HD_HASH_START, text);
  free(text);
  return hash;
}

static json_t *hash_text(uint64_t hash) {
  char text[17];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
  return json_string(text);
}

static int visible(const struct dirent *e) {
  return *e->d_name != '.';
}

/* A file's bytes; a list of traces (kernelslist.g) stands for its directory, where the traces are. */
static uint64_t hash_input(const char *path) {
  uint64_t hash = HD_HASH_START;
  const size_t length = strlen(path);
  if (length < 2 || strcmp(path + length - 2, ".g")) {
    hd_hash_file(&hash, path);
    return hash;
  }
  const char *slash = strrchr(path, '/');
  char *dir = slash ? hd_format("%.*s", (int)(slash - path + 1), path) : hd_format("./");
  struct dirent **entry;
  const int n = scandir(dir, &entry, visible, alphasort);
  for (int i = 0; i < n; i++) {
    char *file = hd_format("%s%s", dir, entry[i]->d_name);
    hash = hd_hash_text(hash, entry[i]->d_name);
    hd_hash_file(&hash, file);
    free(file);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
  free(dir);
  return hash;
}

/* The contents of the file that a spec names (trace:PATH, or file=PATH among others), hashed; null: it names none. A
 * file that cannot be read makes its run fail, and so no result is ever kept under the key made then. */
static json_t *input_of(const char *spec) {
  if (!strncmp(spec, "trace:", 6))
    return hash_text(hash_input(spec + 6));
  const char *item = spec + strcspn(spec, ":,");
  while (*item && strncmp(item + 1, "file=", 5))
    item += 1 + strcspn(item + 1, ",");
  if (!*item)
    return json_null();
  char *path = hd_format("%.*s", (int)strcspn(item + 6, ","), item + 6);
  json_t *hash = hash_text(hash_input(path));
  free(path);
  return hash;
}

void hd_results_keys(struct hd_run_set *m) {
  json_t **input = calloc(m->workloads, sizeof *input);
  if (!input)
    abort();
  for (size_t w = 0; w < m->workloads; w++)
    input[w] = input_of(m->workload[w]);
  for (size_t i = 0; i < m->runs; i++) {
    /* What the machine is called changes nothing. */
    json_t *config = hd_cli_config_json(&m->run[i].machine->c);
    json_object_del(config, "name");
    json_object_del(config, "path");
    m->run[i].key = json_pack("{s:s, s:o, s:s, s:O}", "model", HD_MODEL_HASH, "config", config, "workload",
                              m->run[i].workload, "input", input[m->run[i].number]);
  }
  for (size_t w = 0; w < m->workloads; w++)
    json_decref(input[w]);
  free(input);
}

/* --- files ---------------------------------------------------------------------------------------------- */

static char *path_of(const struct hd_run_set *m, const struct hd_run *run) {
  return hd_format("%s/%016llx.json", m->args->results, (unsigned long long)hash_json(run->key));
}

/* Key and result in one, with their sum. */
static json_t *seal(json_t *key, json_t *result) {
  json_t *both = json_pack("{s:O, s:O}", "key", key, "result", result);
  json_object_set_new(both, "sum", hash_text(hash_json(both)));
  return both;
}

/* The result in the file, if it is this run's and the run would end so today. */
static json_t *read_result(const struct hd_run_set *m, const struct hd_run *run) {
  char *path = path_of(m, run);
  json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
  free(path);
  json_t *result = json_object_get(file, "result");
  json_t *expected = json_is_object(result) ? seal(run->key, result) : NULL;
  const json_int_t cycles = json_integer_value(json_object_get(result, "cycles"));
  const bool within = !m->args->cycles || (uint64_t)cycles < m->args->cycles;
  result = expected && json_equal(expected, file) && within ? json_incref(result) : NULL;
  json_decref(expected);
  json_decref(file);
  return result;
}

enum hd_rc hd_results_open(struct hd_run_set *m, size_t *found, struct hd_why *why) {
  const char *dir = m->args->results;
  m->lock = hd_make_dirs(dir) ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (m->lock < 0 || access(dir, W_OK))
    return hd_because(why, HD_INPUT, "--results: %s cannot be written: %s", dir, strerror(errno));
  if (flock(m->lock, LOCK_EX | LOCK_NB)) {
    fprintf(stderr, "heddle sim: waiting for another heddle that writes to %s\n", dir);
    flock(m->lock, LOCK_EX);
  }
  for (size_t i = 0; i < m->runs; i++) {
    m->run[i].result = read_result(m, &m->run[i]);
    *found += m->run[i].result != NULL;
  }
  return HD_OK;
}

enum hd_rc hd_results_keep(const struct hd_run_set *m, const struct hd_run *run, struct hd_why *why) {
  char *path = path_of(m, run), *part = hd_format("%s/unfinished.part", m->args->results);
  json_t *file = seal(run->key, run->result);
  const bool good = !json_dump_file(file, part, JSON_INDENT(2)) && !rename(part, path);
  const enum hd_rc rc =
      good ? HD_OK : hd_because(why, HD_INPUT, "--results: %s cannot be written: %s", path, strerror(errno));
  json_decref(file);
  free(part);
  free(path);
  return rc;
}
