/* The defaults, the derived sizes and the text of a machine; see config.h. */
#include "arch/config/config.h"

#include <string.h>

/* All floors keep a set of warps, ways or MSHRs in one word. */
_Static_assert(HD_MOST(sm, warps) <= 64 && HD_MOST(sm, ctas) <= 32 && HD_MOST(sm, lanes) <= 32 &&
                   HD_MOST(sm, loads) <= 16,
               "");
_Static_assert(HD_MOST(l1d, ways) <= 64 && HD_MOST(l1d, mshrs) <= 64 && HD_MOST(l2, ways) <= 64 &&
                   HD_MOST(l2, mshrs) <= 64,
               "");

void hd_config_derive(struct hd_config *c) {
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name = (unsigned)(expr);                                                        \
  (void)name;
#include "arch/config/derived.def"
#undef DERIVED
}

void hd_config_default(struct hd_config *c) {
  memset(c, 0, sizeof *c);
  snprintf(c->name, sizeof c->name, "default");
#define SECTION(name, meaning)
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source) c->section.key = dflt;
#define BOOL(section, key, dflt, meaning, source) c->section.key = dflt;
#define ENUM(section, key, type, dflt, meaning, source) c->section.key = dflt;
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
  hd_config_derive(c);
}

/* True if no key of the section of keys[first] has an effect. Its header is then a comment too, because a
 * section without keys would be nothing to the reader. */
static bool section_is_idle(const struct hd_config *c, const struct hd_key *keys, size_t n, size_t first) {
  for (size_t i = first; i < n && !strcmp(keys[i].section, keys[first].section); i++)
    if (!hd_config_idle(c, &keys[i]))
      return false;
  return true;
}

void hd_config_print(const struct hd_config *c, FILE *f) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  const char *section = "";
  fprintf(f, "name: '%s'\n", c->name);
  for (size_t i = 0; i < n; i++) {
    const struct hd_key *k = &keys[i];
    const char *off = hd_config_idle(c, k);
    if (strcmp(section, k->section) != 0)
      fprintf(f, "\n%s%s:\n", section_is_idle(c, keys, n, i) ? "# " : "", section = k->section);
    fprintf(f, "  %s%s: %s", off ? "# " : "", k->key, hd_key_text(k, hd_config_get(c, k)).text);
    if (off)
      fprintf(f, " (changes nothing: see %s)", off);
    fprintf(f, "\n");
  }
}
