/* `heddle list params`: the table of keys for people. */
#include "arch/config/config.h"

#include <string.h>

static const char *section_meaning(const char *section) {
#define SECTION(name, meaning)                                                                               \
  if (!strcmp(section, #name))                                                                               \
    return meaning;
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source)
#define BOOL(section, key, dflt, meaning, source)
#define ENUM(section, key, type, dflt, meaning, source)
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
  return "";
}

void hd_config_manual(FILE *f) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  fprintf(
      f,
      "A configuration is a YAML file: sections of keys, each with a default. Besides sections it may have\n"
      "  name: how the machine is called, else the file's name without its ending\n"
      "  base: a file whose values it starts from, beside it; .yaml may be left out\n");
  for (size_t i = 0; i < n; i++) {
    const struct hd_key *k = &keys[i];
    if (!i || strcmp(k->section, keys[i - 1].section) != 0)
      fprintf(f, "\n%s: %s\n  %-15s %-8s %-18s %s\n", k->section, section_meaning(k->section), "key",
              "default", "allowed", "meaning [source]");
    char allowed[64] = "true, false";
    if (k->type == HD_KEY_INT)
      snprintf(allowed, sizeof allowed, "%ld..%ld %s", k->min, k->max, k->unit);
    else if (k->type == HD_KEY_ENUM)
      strcpy(allowed, "a word:");
    fprintf(f, "  %-15s %-8s %-18s %s [%s]\n", k->key, hd_key_text(k, k->dflt).text, allowed, k->meaning,
            k->source);
    for (size_t w = 0; w < k->n_words; w++)
      fprintf(f, "  %-15s %-8s   %-16s %s\n", "", "", k->words[w].word, k->words[w].meaning);
  }
}
