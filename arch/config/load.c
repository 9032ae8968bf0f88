/* Reads a machine from YAML: see hd_config_load in config.h.
 *
 * Two libraries share the work. libyaml parses every file of the `base:` chain into a document whose nodes
 * know their lines. validate.c checks it all against the table of keys and keeps, for each key, the text that
 * wins. The result is one flat document that names every key once. libcyaml, with a schema made from the same
 * params.def and enums.def, turns that into the struct. libcyaml alone would stop at the first mistake and
 * could not inherit.
 *
 * Invariant: libcyaml accepts every text that is kept, so it can only fail if memory is out. */
#include "arch/config/load.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VALUE(constant, word, meaning) {word, constant},
#define ENUM_TYPE(type, values) static const cyaml_strval_t type##_strings[] = {values};
#include "arch/config/enums.h"
#undef VALUE
#undef ENUM_TYPE

#define SECTION(name, meaning) static const cyaml_schema_field_t name##_fields[] = {
#define END(name)                                                                                            \
  CYAML_FIELD_END                                                                                            \
  }                                                                                                          \
  ;
#define INT(section, key, dflt, min, max, unit, meaning, source)                                             \
  CYAML_FIELD_UINT(#key, CYAML_FLAG_DEFAULT, struct hd_config, section.key),
#define BOOL(section, key, dflt, meaning, source)                                                            \
  CYAML_FIELD_BOOL(#key, CYAML_FLAG_DEFAULT, struct hd_config, section.key),
#define ENUM(section, key, type, dflt, meaning, source)                                                      \
  CYAML_FIELD_ENUM(#key, CYAML_FLAG_STRICT, struct hd_config, section.key, type##_strings,                   \
                   sizeof type##_strings / sizeof *type##_strings),
#include "arch/config/params.h"
#include "arch/config/params_undef.h"

/* The fields of a section have offsets in struct hd_config. So a section is the whole struct, at offset 0. */
static const cyaml_schema_field_t top_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct hd_config, name, 1),
#define SECTION(name, meaning)                                                                               \
  {.key = #name, .value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct hd_config, name##_fields)}},
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source)
#define BOOL(section, key, dflt, meaning, source)
#define ENUM(section, key, type, dflt, meaning, source)
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
    CYAML_FIELD_END};
static const cyaml_schema_value_t top_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct hd_config, top_fields)};

/* Reads the flat document of all keys into the struct. */
static void fill(struct hd_load *l, struct hd_config *c) {
  char *flat = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&flat, &size);
  if (!f) {
    l->no_memory = true;
    return;
  }
  fprintf(f, "name: '%s'\n", l->name);
  for (size_t i = 0; i < l->n; i++) {
    if (!i || strcmp(l->keys[i].section, l->keys[i - 1].section) != 0)
      fprintf(f, "%s:\n", l->keys[i].section);
    fprintf(f, "  %s: %s\n", l->keys[i].key, l->text[i]);
  }
  l->no_memory |= ferror(f) != 0;
  l->no_memory |= fclose(f) != 0 || !flat;
  const cyaml_config_t config = {.mem_fn = cyaml_mem};
  struct hd_config *loaded = NULL;
  if (!l->no_memory && cyaml_load_data((const uint8_t *)flat, size, &config, &top_schema,
                                       (cyaml_data_t **)&loaded, NULL) == CYAML_OK) {
    *c = *loaded;
    cyaml_free(&config, &top_schema, loaded, 0);
  } else {
    l->no_memory = true; /* the only cause left, because every text was checked */
  }
  free(flat);
}

/* The largest configuration is 100 times smaller. The limit ends the reading of a device without an end. */
enum { MOST_BYTES = 1 << 20 };

/* The text of a file. Returns NULL with the cause in errno. */
static char *read_file(struct hd_layer *at) {
  if (stat(at->file, &at->id))
    return NULL;
  errno = S_ISDIR(at->id.st_mode) ? EISDIR : 0;
  return errno ? NULL : hd_slurp_most(at->file, MOST_BYTES);
}

/* The value of `base:`, or NULL. */
static const yaml_node_t *base_of(struct hd_layer *at) {
  const yaml_node_t *root = yaml_document_get_root_node(&at->doc);
  for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = yaml_document_get_node(&at->doc, p->key);
    if (key->type == YAML_SCALAR_NODE && !strcmp((const char *)key->data.scalar.value, "base"))
      return yaml_document_get_node(&at->doc, p->value);
  }
  return NULL;
}

/* The path of a base: beside the file that names it, with .yaml added; or the path that l->find returns, if
 * there is no file beside it. Returns NULL if memory is out. */
static char *base_path(struct hd_load *l, const char *file, const char *base) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(base, '.');
  char *beside = hd_try_format("%.*s%s%s", *base == '/' || !slash ? 0 : (int)(slash - file + 1), file, base,
                               dot && !strcmp(dot, ".yaml") ? "" : ".yaml");
  struct stat what;
  if (!beside) {
    l->no_memory = true;
    return NULL;
  }
  char *found = l->find && stat(beside, &what) ? l->find(base) : NULL;
  if (!found)
    return beside;
  free(beside);
  return found;
}

/* Reads one file. `by` is the layer whose base it is, at `line`, written `base`. Returns false after printing
 * the reason. */
static bool open_layer(struct hd_load *l, struct hd_layer *at, const struct hd_layer *by, unsigned line,
                       const char *base) {
  char *text = l->given && !by ? hd_try_format("%s", l->given) : read_file(at);
  if (!text) {
    if (errno == ENOMEM)
      l->no_memory = true;
    else if (by)
      hd_problem(l, by->file, line, "base", NULL,
                 "found %s; allowed a configuration file (%s: %s); write its name, or its path from here",
                 base, at->file, strerror(errno));
    else
      hd_problem(l, at->file, 0, NULL, NULL,
                 "found no file to read (%s); allowed a configuration file; correct "
                 "the path",
                 strerror(errno));
    return false;
  }
  const size_t size = strlen(text);
  bool good = !S_ISREG(at->id.st_mode) || size == (size_t)at->id.st_size;
  if (!good)
    hd_problem(l, at->file, hd_line_at(text, size), NULL, NULL,
               "found a NUL byte; allowed YAML text; remove the byte, or write the file anew");
  else
    good = hd_parse(l, at, text);
  free(text);
  return good;
}

/* Opens the file and its bases, the file first. *lost: the chain could not be read to its end. */
static struct hd_layer *open_chain(struct hd_load *l, const char *path, size_t *n, bool *lost) {
  struct hd_layer *chain = NULL;
  char *file = hd_try_format("%s", path);
  l->no_memory |= !file;
  const char *base = NULL;
  unsigned line = 0;
  for (*n = 0, *lost = false; file;) {
    struct hd_layer *more = realloc(chain, (*n + 1) * sizeof *chain);
    if (!more) {
      l->no_memory = true;
      free(file);
      break;
    }
    chain = more;
    struct hd_layer *at = &chain[*n], *by = *n ? at - 1 : NULL;
    *at = (struct hd_layer){.file = file};
    if (!open_layer(l, at, by, line, base)) {
      free(file);
      *lost = true;
      break;
    }
    const struct hd_layer *seen = chain;
    while (seen < at && (seen->id.st_dev != at->id.st_dev || seen->id.st_ino != at->id.st_ino))
      seen++;
    if (seen < at) {
      hd_problem(l, by->file, line, "base", NULL,
                 "found %s, which leads back to %s; allowed a chain that ends; remove one base:", base,
                 seen->file);
      yaml_document_delete(&at->doc);
      free(file);
      *lost = true;
      break;
    }
    ++*n;
    const yaml_node_t *node = base_of(at);
    file = NULL;
    if (!node)
      break;
    line = hd_line(at, node);
    base = (const char *)node->data.scalar.value;
    if (node->type == YAML_SCALAR_NODE && *base)
      file = base_path(l, at->file, base);
    else {
      hd_problem(l, at->file, line, "base", NULL,
                 "found %s; allowed the name or path of a file; write one, or remove "
                 "base:",
                 hd_show(node).text);
      *lost = true;
    }
  }
  return chain;
}

static const struct hd_origin *where(void *ctx, const char *section, const char *key) {
  const struct hd_load *l = ctx;
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(l->keys[i].section, section) && !strcmp(l->keys[i].key, key))
      return l->origin[i].layer || l->origin[i].unusable ? &l->origin[i] : NULL;
  return NULL;
}

/* Names a machine after its file's stem, if no file gives a name. */
static void name_by_stem(struct hd_load *l, const char *path) {
  const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
  const char *dot = strrchr(stem, '.');
  char name[sizeof l->name];
  snprintf(name, sizeof name, "%.*s", dot > stem ? (int)(dot - stem) : (int)strlen(stem), stem);
  for (char *c = name; *c; c++)
    if (!strchr(HD_NAME_CHARS, *c))
      *c = '_';
  snprintf(l->name, sizeof l->name, "%s", *name ? name : "_");
}

/* Reads the files of the chain, then the --sets. */
static void read_all(struct hd_load *l, struct hd_config *c, const char *path, const char *const *sets,
                     size_t n_sets) {
  size_t n;
  bool lost;
  struct hd_layer *chain = open_chain(l, path, &n, &lost);
  for (size_t i = n; i-- > 0;) {
    *l->name = 0;
    chain[i].number = (unsigned)(n - i);
    hd_walk(l, &chain[i]);
  }
  if (!*l->name)
    name_by_stem(l, path);
  struct hd_set_place *place = calloc(n_sets + 1, sizeof *place);
  l->no_memory |= !place;
  for (size_t i = 0; i < n_sets && place; i++) {
    place[i] = hd_set_place(sets[i]);
    hd_walk_set(l, sets[i], &place[i], (unsigned)(n + i + 1));
  }

  memset(c, 0, sizeof *c);
  fill(l, c);
  if ((size_t)snprintf(c->path, sizeof c->path, "%s", path) >= sizeof c->path)
    hd_problem(l, path, 0, NULL, NULL, "found a path of %zu bytes; allowed %zu; move the file", strlen(path),
               sizeof c->path - 1);
  if (!lost && !l->no_memory)
    l->problems += hd_config_check(c, where, l, l->err);

  for (size_t i = 0; i < n; i++) {
    yaml_document_delete(&chain[i].doc);
    free(chain[i].file);
  }
  free(chain);
  free(place);
}

/* Reads the chain that begins at `path`, then the --sets. */
static unsigned load(struct hd_load l, struct hd_config *c, const char *path, const char *const *sets,
                     size_t n_sets) {
  l.keys = hd_keys(&l.n);
  l.example = "sm: {warps: 48}";
  l.origin = calloc(l.n, sizeof *l.origin);
  l.text = calloc(l.n, sizeof *l.text);
  l.no_memory = !l.origin || !l.text;
  for (size_t i = 0; i < l.n && !l.no_memory; i++) {
    l.text[i] = hd_try_format("%s", hd_key_text(&l.keys[i], l.keys[i].dflt).text);
    l.no_memory = !l.text[i];
  }
  if (!l.no_memory)
    read_all(&l, c, path, sets, n_sets);
  for (size_t i = 0; l.text && i < l.n; i++)
    free(l.text[i]);
  free(l.text);
  free(l.origin);
  return l.no_memory ? HD_CONFIG_NO_MEMORY : l.problems;
}

unsigned hd_config_load_set(struct hd_config *c, const char *path, hd_config_find *find,
                            const char *const *sets, size_t n_sets, FILE *err) {
  return load((struct hd_load){.err = err, .find = find}, c, path, sets, n_sets);
}

unsigned hd_config_load(struct hd_config *c, const char *path, FILE *err) {
  return hd_config_load_set(c, path, NULL, NULL, 0, err);
}

unsigned hd_config_load_text(struct hd_config *c, const char *text, const char *called, hd_config_find *find,
                             const char *const *sets, size_t n_sets, FILE *err) {
  return load((struct hd_load){.err = err, .find = find, .given = text}, c, called, sets, n_sets);
}
