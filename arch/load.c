/* Reading a machine from YAML: see hd_config_load in config.h.
 *
 * Two libraries, one job each. libyaml parses every file of the `base:` chain into a document whose nodes know their
 * lines; walk.c judges all of it against the table of keys and keeps, for each key, the text that wins. What
 * is left is one flat document that names every key once, and libcyaml, with a schema made from the same params.def and
 * enums.def, turns that into the struct. libcyaml alone would stop at the first mistake and could not inherit.
 *
 * Invariant: a text that is kept is one that libcyaml takes, so its answer is never in doubt.
 */
#include "arch/load.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VALUE(constant, word, meaning) {word, constant},
#define ENUM_TYPE(type, values) static const cyaml_strval_t type##_strings[] = {values};
#include "arch/enums.def"
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
#include "arch/params.def"
#include "arch/params_undef.h"

/* The fields of a section know their place in struct hd_config, so a section is the whole struct at offset 0. */
static const cyaml_schema_field_t top_fields[] = {
    CYAML_FIELD_STRING("name", CYAML_FLAG_DEFAULT, struct hd_config, name, 1),
#define SECTION(name, meaning)                                                                               \
  {.key = #name, .value = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct hd_config, name##_fields)}},
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source)
#define BOOL(section, key, dflt, meaning, source)
#define ENUM(section, key, type, dflt, meaning, source)
#include "arch/params.def"
#include "arch/params_undef.h"
    CYAML_FIELD_END};
static const cyaml_schema_value_t top_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct hd_config, top_fields)};


/* The flat document of all keys into the struct. */
static void fill(const struct hd_load *l, struct hd_config *c) {
  char *flat = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&flat, &size);
  if (!f)
    abort();
  fprintf(f, "name: '%s'\n", l->name);
  for (size_t i = 0; i < l->n; i++) {
    if (!i || strcmp(l->keys[i].section, l->keys[i - 1].section))
      fprintf(f, "%s:\n", l->keys[i].section);
    fprintf(f, "  %s: %s\n", l->keys[i].key, l->text[i]);
  }
  fclose(f);
  const cyaml_config_t config = {.mem_fn = cyaml_mem};
  struct hd_config *loaded = NULL;
  if (cyaml_load_data((const uint8_t *)flat, size, &config, &top_schema, (cyaml_data_t **)&loaded, NULL) != CYAML_OK)
    abort(); /* out of memory: every text was judged */
  *c = *loaded;
  cyaml_free(&config, &top_schema, loaded, 0);
  free(flat);
}

/* Parses text into at->doc; false: not YAML, or no mapping, and said so (then there is no document). */
static bool parse(struct hd_load *l, struct hd_layer *at, const char *text) {
  const char *file = at->file;
  const size_t size = strlen(text);
  yaml_parser_t parser;
  yaml_document_t second;
  if (!yaml_parser_initialize(&parser))
    abort();
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool good = yaml_parser_load(&parser, &at->doc), tail = good && yaml_parser_load(&parser, &second);
  if (!good || !tail) {
    unsigned line = (unsigned)parser.problem_mark.line + 1;
    if (parser.error == YAML_READER_ERROR)
      for (size_t i = line = 1; i <= parser.problem_offset && i <= size; i++)
        line += text[i - 1] == '\n';
    hd_problem(l, file, at->line ? at->line : line, NULL, NULL,
               "found what is not YAML (%s); allowed YAML; correct the line: indentation, a colon, a quote?",
               parser.problem);
    if (good)
      yaml_document_delete(&at->doc);
    good = false;
  } else {
    const yaml_node_t *root = yaml_document_get_root_node(&at->doc), *more = yaml_document_get_root_node(&second);
    if (!root || root->type != YAML_MAPPING_NODE)
      hd_problem(l, file, root ? hd_line(at, root) : 1, NULL, NULL,
                 "found %s; allowed a mapping of sections; write for example sm: {warps: 48}",
                 root ? hd_show(root).text : "nothing");
    else if (more)
      hd_problem(l, file, hd_line(at, more), NULL, NULL, "found a second document; allowed one; make it a file of "
                                                        "its own");
    good = root && root->type == YAML_MAPPING_NODE && !more;
    yaml_document_delete(&second);
    if (!good)
      yaml_document_delete(&at->doc);
  }
  yaml_parser_delete(&parser);
  return good;
}

/* The text of a file; NULL: why not is in errno. */
static char *read_file(struct hd_layer *at) {
  if (stat(at->file, &at->id))
    return NULL;
  errno = S_ISDIR(at->id.st_mode) ? EISDIR : 0;
  return errno ? NULL : hd_slurp(at->file);
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

/* The path a base is at: beside the file that names it, .yaml added. */
static char *base_path(const char *file, const char *base) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(base, '.');
  return hd_format("%.*s%s%s", *base == '/' || !slash ? 0 : (int)(slash - file + 1), file, base,
                   dot && !strcmp(dot, ".yaml") ? "" : ".yaml");
}
