/* What a result depends on, as JSON, and hashes over it; see store.h. */
#include "cli/cli.h"
#include "cli/model.h" /* generated: HD_MODEL_HASH, over the sources of arch, workloads, cmodel, and of
                        * energy */
#include "cli/store/store.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static struct hd_hash_text hash_text(uint64_t hash) {
  struct hd_hash_text t;
  snprintf(t.text, sizeof t.text, "%016llx", (unsigned long long)hash);
  return t;
}

struct hd_hash_text hd_key_hash(const json_t *json) {
  char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
  if (!text)
    abort();
  const uint64_t hash = hd_hash_text(HD_HASH_START, text);
  free(text);
  return hash_text(hash);
}

struct hd_hash_text hd_key_sum(const json_t *key, const json_t *result) {
  json_t *figures = json_copy((json_t *)result);
  json_object_del(figures, "seconds");
  json_object_del(figures, "cpu_seconds");
  json_object_del(figures, "peak_rss_kib");
  json_t *both = json_pack("{s:O, s:o}", "key", (json_t *)key, "result", figures);
  const struct hd_hash_text sum = hd_key_hash(both);
  json_decref(both);
  return sum;
}

static int visible(const struct dirent *e) {
  return *e->d_name != '.';
}

/* Hashes a file's bytes. For a list of traces (kernelslist.g), hashes its directory, which has the traces. */
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

json_t *hd_key_input(const char *workload) {
  if (!strncmp(workload, "trace:", 6))
    return json_string(hash_text(hash_input(workload + 6)).text);
  const char *item = workload + strcspn(workload, ":,");
  while (*item && strncmp(item + 1, "file=", 5))
    item += 1 + strcspn(item + 1, ",");
  if (!*item)
    return json_null();
  char *path = hd_format("%.*s", (int)strcspn(item + 6, ","), item + 6);
  json_t *hash = json_string(hash_text(hash_input(path)).text);
  free(path);
  return hash;
}

json_t *hd_key_new(const heddle_machine *machine, const char *workload, json_t *input) {
  /* The name of the machine changes nothing. */
  json_t *config = hd_cli_config_json(&machine->c);
  json_object_del(config, "name");
  json_object_del(config, "path");
  return json_pack("{s:s, s:o, s:s, s:O}", "model", HD_MODEL_HASH, "config", config, "workload", workload,
                   "input", input);
}
