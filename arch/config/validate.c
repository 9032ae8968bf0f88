/* Checks one parsed file against the table of keys: unknown, repeated, of the wrong kind, out of range. See
 * load.h. */
#include "arch/config/load.h"
#include "base/nearest_name.h"
#include "base/printable.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void hd_problem(struct hd_load *l, const char *file, unsigned line, const char *section, const char *key,
                const char *format, ...) {
  l->problems++;
  fprintf(l->err, line ? "%s:%u: " : "%s: ", file, line);
  if (section)
    fprintf(l->err, key ? "%s.%s: " : "%s: ", section, key);
  va_list args;
  va_start(args, format);
  vfprintf(l->err, format, args);
  va_end(args);
  fputc('\n', l->err);
}

unsigned hd_line(const struct hd_layer *at, const yaml_node_t *node) {
  return at->set ? 0 : at->line ? at->line : (unsigned)node->start_mark.line + 1;
}

struct hd_shown hd_show(const yaml_node_t *node) {
  struct hd_shown s = {"a mapping"};
  if (node->type == YAML_SEQUENCE_NODE)
    strcpy(s.text, "a list");
  if (node->type != YAML_SCALAR_NODE)
    return s;
  const char *value = (const char *)node->data.scalar.value;
  const bool quoted = node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  if (!*value && !quoted)
    strcpy(s.text, "nothing");
  else
    snprintf(s.text, sizeof s.text, quoted ? "\"%.40s%s\"" : "%.40s%s", value,
             strlen(value) > 40 ? "..." : "");
  hd_printable(s.text);
  return s;
}

/* The names that would be right, while they are gathered: their list, and the one nearest to the name that
 * was found. */
struct names {
  struct hd_near near;
  char list[512];
};
static struct names names_for(const char *found) {
  return (struct names){hd_near_to(found), ""};
}
static void allow(struct names *n, const char *name) {
  const size_t at = strlen(n->list);
  snprintf(n->list + at, sizeof n->list - at, "%s%s", at ? ", " : "", name);
  hd_near_try(&n->near, name);
}

static size_t key_at(const struct hd_load *l, const char *section, const char *key) {
  size_t i = 0;
  while (i < l->n && (strcmp(l->keys[i].section, section) != 0 || strcmp(l->keys[i].key, key) != 0))
    i++;
  return i;
}

/* Marks key `key` (NULL: every key) of a section: it was meant, but its value is not known, so rules must
 * ignore it. */
static void unusable(struct hd_load *l, const char *section, const char *key) {
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(l->keys[i].section, section) && (!key || !strcmp(l->keys[i].key, key)))
      l->origin[i].unusable = true;
}

/* True if the text can be the key's value. Else reports the problem and returns false. */
static bool check(struct hd_load *l, const struct hd_layer *at, const struct hd_key *k, unsigned line,
                  const yaml_node_t *node) {
  const bool plain = node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  const char *text = node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
  const struct hd_shown found = hd_show(node);
  if (k->type == HD_KEY_INT) {
    const char *digits = text + (*text == '-');
    const long value = strtol(text, NULL, 10);
    if (!plain || !*digits || digits[strspn(digits, "0123456789")] || (*digits == '0' && digits[1]))
      hd_problem(l, at->file, line, k->section, k->key,
                 "found %s; allowed a whole number, %ld to %ld %s; write one, such as %ld", found.text,
                 k->min, k->max, k->unit, k->dflt);
    else if (value < k->min || value > k->max)
      hd_problem(l, at->file, line, k->section, k->key, "found %s; allowed %ld to %ld %s; %s it to %ld",
                 found.text, k->min, k->max, k->unit, value < k->min ? "raise" : "lower",
                 value < k->min ? k->min : k->max);
    else
      return true;
  } else if (k->type == HD_KEY_BOOL) {
    if (plain && (!strcmp(text, "true") || !strcmp(text, "false")))
      return true;
    hd_problem(l, at->file, line, k->section, k->key, "found %s; allowed true or false; write one of these",
               found.text);
  } else {
    struct names words = names_for(text);
    for (size_t i = 0; i < k->n_words; i++) {
      if (!strcmp(text, k->words[i].word))
        return true;
      allow(&words, k->words[i].word);
    }
    hd_problem(l, at->file, line, k->section, k->key, "found %s; allowed %s; write %s", found.text,
               words.list, words.near.name ? words.near.name : "one of these");
  }
  return false;
}

/* The text of pair i's key, after the check that it is a word and not repeated. Returns NULL after reporting
 * that it is not usable. */
static const char *pair_key(struct hd_load *l, struct hd_layer *at, yaml_node_t *map, size_t i,
                            const char *section) {
  const yaml_node_pair_t *pairs = map->data.mapping.pairs.start;
  const yaml_node_t *key = yaml_document_get_node(&at->doc, pairs[i].key);
  if (key->type != YAML_SCALAR_NODE) {
    hd_problem(l, at->file, hd_line(at, key), section, NULL,
               "found %s as a key; allowed a word; write key: value", hd_show(key).text);
    return NULL;
  }
  const char *text = (const char *)key->data.scalar.value;
  for (size_t j = 0; j < i; j++) {
    const yaml_node_t *before = yaml_document_get_node(&at->doc, pairs[j].key);
    if (before->type == YAML_SCALAR_NODE && !strcmp((const char *)before->data.scalar.value, text)) {
      hd_problem(l, at->file, hd_line(at, key), section ? section : text, section ? text : NULL,
                 "found a second time; allowed once, and line %u has it; remove one of the two",
                 /* in a --set the key is in line 1 */
                 at->set ? (unsigned)before->start_mark.line : hd_line(at, before));
      break;
    }
  }
  return text;
}

static void walk_section(struct hd_load *l, struct hd_layer *at, const char *section, yaml_node_t *map) {
  const size_t n = (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
  for (size_t p = 0; p < n; p++) {
    const yaml_node_pair_t *pair = &map->data.mapping.pairs.start[p];
    const char *key = pair_key(l, at, map, p, section);
    if (!key)
      continue;
    const yaml_node_t *value = yaml_document_get_node(&at->doc, pair->value);
    const unsigned line = hd_line(at, yaml_document_get_node(&at->doc, pair->key));
    const size_t i = key_at(l, section, key);
    if (i < l->n) {
      const bool good = check(l, at, &l->keys[i], line, value);
      l->origin[i] = (struct hd_origin){at->file, line, at->number, !good};
      if (good) {
        char *text = hd_try_format("%s", (const char *)value->data.scalar.value);
        l->no_memory |= !text;
        free(text ? l->text[i] : NULL);
        l->text[i] = text ? text : l->text[i];
      }
      continue;
    }
    struct names names = names_for(key);
    char elsewhere[64] = ""; /* sections that have this key */
    for (size_t k = 0; k < l->n; k++)
      if (!strcmp(l->keys[k].section, section))
        allow(&names, l->keys[k].key);
      else if (!strcmp(l->keys[k].key, key)) {
        snprintf(elsewhere + strlen(elsewhere), sizeof elsewhere - strlen(elsewhere), "%s%s",
                 *elsewhere ? " or " : "", l->keys[k].section);
        unusable(l, l->keys[k].section, key);
      }
    hd_problem(l, at->file, line, section, key, "found an unknown key; allowed %s; %s%s", names.list,
               *elsewhere        ? "move it to "
               : names.near.name ? "write "
                                 : "remove it",
               *elsewhere        ? elsewhere
               : names.near.name ? names.near.name
                                 : "");
    if (!*elsewhere && names.near.name)
      unusable(l, section, names.near.name);
  }
}

static void walk_name(struct hd_load *l, const struct hd_layer *at, unsigned line, const yaml_node_t *value) {
  const char *name = value->type == YAML_SCALAR_NODE ? (const char *)value->data.scalar.value : "";
  const size_t n = strspn(name, HD_NAME_CHARS);
  if (!*name || name[n] || n >= sizeof l->name)
    hd_problem(l, at->file, line, "name", NULL,
               "found %s; allowed 1 to %zu letters, digits, '_', '-' and '.'; write another",
               hd_show(value).text, sizeof l->name - 1);
  else
    snprintf(l->name, sizeof l->name, "%s", name);
}

/* Reports a top-level key that is no section. */
static void unknown_section(struct hd_load *l, const struct hd_layer *at, unsigned line, const char *key) {
  struct names names = names_for(key);
  const char *last = "", *holder = NULL;
  allow(&names, "name");
  allow(&names, "base");
  for (size_t k = 0; k < l->n; k++) {
    if (strcmp(l->keys[k].section, last) != 0)
      allow(&names, last = l->keys[k].section);
    if (!strcmp(l->keys[k].key, key))
      holder = l->keys[k].section;
  }
  hd_problem(l, at->file, line, key, NULL, "found an unknown section; allowed %s; %s%s", names.list,
             holder            ? "put it under "
             : names.near.name ? "write "
                               : "remove it",
             holder            ? holder
             : names.near.name ? names.near.name
                               : "");
  if (holder || names.near.name)
    unusable(l, holder ? holder : names.near.name, holder ? key : NULL);
}

static bool is_section(const struct hd_load *l, const char *name) {
  for (size_t k = 0; k < l->n; k++)
    if (!strcmp(l->keys[k].section, name))
      return true;
  return false;
}

void hd_walk(struct hd_load *l, struct hd_layer *at) {
  yaml_node_t *root = yaml_document_get_root_node(&at->doc);
  const size_t n = (size_t)(root->data.mapping.pairs.top - root->data.mapping.pairs.start);
  for (size_t p = 0; p < n; p++) {
    const char *key = pair_key(l, at, root, p, NULL);
    if (!key)
      continue;
    const yaml_node_pair_t *pair = &root->data.mapping.pairs.start[p];
    yaml_node_t *value = yaml_document_get_node(&at->doc, pair->value);
    const unsigned line = hd_line(at, yaml_document_get_node(&at->doc, pair->key));
    if (!strcmp(key, "name"))
      walk_name(l, at, line, value);
    else if (!strcmp(key, "base"))
      ; /* the chain is open already */
    else if (!is_section(l, key))
      unknown_section(l, at, line, key);
    else if (value->type == YAML_MAPPING_NODE)
      walk_section(l, at, key, value);
    else {
      hd_problem(l, at->file, line, key, NULL,
                 "found %s; allowed a mapping of keys; write the keys indented below it, or remove it",
                 hd_show(value).text);
      unusable(l, key, NULL);
    }
  }
}
