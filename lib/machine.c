/* Machines: one configuration with the declarations of its modules; see heddle.h.
 *
 * Invariant: a machine does not change after heddle_load. */
#include "base/text.h"
#include "base/version.h"
#include "lib/objects.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *heddle_version(void) {
  return HD_VERSION;
}

heddle_status hd_say(struct hd_said *said, heddle_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(said->text, sizeof said->text, format, args);
  va_end(args);
  return status;
}

heddle_status hd_no_bytes(struct hd_said *said) {
  return hd_say(
      said, HEDDLE_ERR_ARGUMENT,
      "model: found one of HEDDLE_NO_DATA; allowed: with the bytes of lines, which are compared; open it "
      "without that flag");
}

static bool list_modules(heddle_machine *k) {
  k->module = calloc(k->design->n, sizeof *k->module);
  for (size_t i = 0; k->module && i < k->design->n; i++) {
    const struct hd_decl *d = k->design->decls[i];
    k->module[i] = (heddle_module){d->module, d->title, d->model_only};
  }
  return k->module != NULL;
}

heddle_status hd_machine_load(heddle_machine **machine, const char *text, const char *path,
                              hd_config_find *find, const char *const *sets, size_t n_sets,
                              unsigned *problems) {
  heddle_machine *k = *machine = calloc(1, sizeof *k);
  size_t size;
  FILE *said = k ? open_memstream(&k->message, &size) : NULL;
  if (!said)
    return HEDDLE_ERR_MEMORY;
  *problems = text ? hd_config_load_text(&k->c, text, path, find, sets, n_sets, said)
                   : hd_config_load_set(&k->c, path, find, sets, n_sets, said);
  bool whole = *problems != HD_CONFIG_NO_MEMORY && !ferror(said);
  whole = !fclose(said) && k->message && whole;
  if (whole && *problems)
    return HEDDLE_ERR_CONFIG;
  k->design = whole ? hd_design_new(&k->c) : NULL;
  if (k->design && list_modules(k))
    return HEDDLE_OK;
  free(k->message);
  k->message = NULL;
  return HEDDLE_ERR_MEMORY;
}

heddle_status heddle_load(const char *path, const char *const *sets, size_t n_sets,
                          heddle_machine **machine) {
  unsigned problems;
  return hd_machine_load(machine, NULL, path, NULL, sets, n_sets, &problems);
}

heddle_status heddle_load_text(const char *text, const char *called, const char *const *sets, size_t n_sets,
                               heddle_machine **machine) {
  unsigned problems;
  return hd_machine_load(machine, text, called, NULL, sets, n_sets, &problems);
}

void heddle_unload(heddle_machine *k) {
  if (!k)
    return;
  hd_design_free(k->design);
  free(k->module);
  free(k->message);
  free(k);
}

const char *heddle_machine_message(const heddle_machine *k) {
  return k && k->message ? k->message : "out of memory";
}

const char *heddle_machine_name(const heddle_machine *k) {
  return k->c.name;
}

uint64_t heddle_machine_hash(const heddle_machine *k) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  uint64_t hash = HD_HASH_START;
  for (size_t i = 0; i < n; i++) {
    hash = hd_hash_text(hash, keys[i].section);
    hash = hd_hash_text(hash, keys[i].key);
    hash = hd_hash_text(hash, hd_key_text(&keys[i], hd_config_get(&k->c, &keys[i])).text);
  }
  return hash;
}

heddle_status heddle_key(const heddle_machine *k, const char *key, int64_t *value) {
  const struct hd_key *known = hd_key_called(key, strlen(key));
  *value = known ? hd_config_get(&k->c, known) : 0;
  return known ? HEDDLE_OK : HEDDLE_ERR_NAME;
}

const char *heddle_key_word(const heddle_machine *k, const char *key) {
  const struct hd_key *known = hd_key_called(key, strlen(key));
  return known ? hd_config_word(&k->c, known->section, known->key) : NULL;
}

size_t heddle_module_count(const heddle_machine *k) {
  return k->design->n;
}

const heddle_module *heddle_module_at(const heddle_machine *k, size_t index) {
  return index < k->design->n ? &k->module[index] : NULL;
}
