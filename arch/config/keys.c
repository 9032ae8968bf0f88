/* The table of keys, and their values as configuration files write them; see config.h.
 *
 * Invariant: everything here is expanded from params.def and enums.def, so no key is written twice. */
#include "arch/config/config.h"

#include <string.h>

#define VALUE(constant, word, meaning) {word, meaning, constant},
#define ENUM_TYPE(type, values) static const struct hd_word type##_words[] = {values};
#include "arch/config/enums.h"
#undef VALUE
#undef ENUM_TYPE

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(section, key)                                                                                     \
  offsetof(struct hd_config, section.key), sizeof(((struct hd_config *)NULL)->section.key)

static const struct hd_key keys[] = {
#define SECTION(name, meaning)
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source)                                             \
  {#section, #key, meaning, unit, source, HD_KEY_INT, dflt, min, max, NULL, 0, AT(section, key)},
#define BOOL(section, key, dflt, meaning, source)                                                            \
  {#section, #key, meaning, "", source, HD_KEY_BOOL, dflt, 0, 1, NULL, 0, AT(section, key)},
#define ENUM(section, key, type, dflt, meaning, source)                                                      \
  {#section,                                                                                                 \
   #key,                                                                                                     \
   meaning,                                                                                                  \
   "",                                                                                                       \
   source,                                                                                                   \
   HD_KEY_ENUM,                                                                                              \
   dflt,                                                                                                     \
   0,                                                                                                        \
   COUNT(type##_words) - 1,                                                                                  \
   type##_words,                                                                                             \
   COUNT(type##_words),                                                                                      \
   AT(section, key)},
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
};

const struct hd_key *hd_keys(size_t *n) {
  *n = COUNT(keys);
  return keys;
}

const struct hd_key *hd_key_called(const char *name, size_t length) {
  for (size_t i = 0; i < COUNT(keys); i++) {
    const size_t section = strlen(keys[i].section), key = strlen(keys[i].key);
    if (length == section + 1 + key && !memcmp(name, keys[i].section, section) && name[section] == '.' &&
        !memcmp(name + section + 1, keys[i].key, key))
      return &keys[i];
  }
  return NULL;
}

unsigned hd_clog2(unsigned n) {
  unsigned w = 1;
  while (w < 32 && (UINT64_C(1) << w) < n)
    w++;
  return w;
}

long hd_config_get(const struct hd_config *c, const struct hd_key *k) {
  const char *field = (const char *)c + k->offset;
  if (k->type == HD_KEY_BOOL)
    return *(const bool *)field;
  unsigned value; /* enum constants are never negative, so enums are unsigned int here */
  memcpy(&value, field, sizeof value);
  return value;
}

static const char *word_of(const struct hd_key *k, long value) {
  if (k->type == HD_KEY_BOOL)
    return value ? "true" : "false";
  return k->type == HD_KEY_ENUM ? k->words[value].word : NULL;
}

struct hd_text hd_key_text(const struct hd_key *k, long value) {
  struct hd_text t;
  const char *word = word_of(k, value);
  if (word)
    snprintf(t.text, sizeof t.text, "%s", word);
  else
    snprintf(t.text, sizeof t.text, "%ld", value);
  return t;
}

const char *hd_config_word(const struct hd_config *c, const char *section, const char *key) {
  for (size_t i = 0; i < COUNT(keys); i++)
    if (!strcmp(keys[i].section, section) && !strcmp(keys[i].key, key))
      return word_of(&keys[i], hd_config_get(c, &keys[i]));
  return NULL;
}
