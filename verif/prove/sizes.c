/* Sets free sizes; see sizes.h. */
#include "verif/prove/sizes.h"

#include <stdlib.h>
#include <string.h>

/* Returns the row of the free size that a word names; NULL if it is not free. */
static const struct hd_free *row_of(const struct hd_decl *d, const char *word) {
  const size_t size = strcspn(word, "=");
  for (size_t f = 0; f < d->n_frees; f++)
    if (!strncmp(d->frees[f].name, word, size) && !d->frees[f].name[size])
      return &d->frees[f];
  return NULL;
}

/* Returns the given value of a size if it is free and given, else its own value. */
static unsigned chosen(const struct hd_decl *d, const char *name, unsigned own, const char *const *given,
                       size_t n) {
  const size_t size = strlen(name);
  for (size_t i = 0; i < n; i++)
    if (!strncmp(given[i], name, size) && given[i][size] == '=' && row_of(d, given[i]))
      own = (unsigned)strtoul(given[i] + size + 1, NULL, 10);
  return own;
}

static void derive(struct hd_config *c, const struct hd_decl *d, const char *const *given, size_t n) {
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name = chosen(d, #name, (unsigned)(expr), given, n);                            \
  (void)name;
#include "arch/config/derived.def"
#undef DERIVED
}

enum hd_rc hd_proof_sizes(const struct hd_design *design, const char *module, const char *const *given,
                          size_t n, size_t own, struct hd_config *c, struct hd_why *why) {
  const struct hd_decl *d = hd_design_find(design, module);
  for (size_t i = 0; i < n; i++) {
    const struct hd_free *row = row_of(d, given[i]);
    if (!row && i < own)
      continue;
    if (!row)
      return hd_because(why, HD_INPUT, "found %s; allowed a free size of %s: see docs/reference.md", given[i],
                        module);
    const char *said = strchr(given[i], '=');
    char *end;
    const unsigned long value = said ? strtoul(said + 1, &end, 10) : 0;
    if (!said || *end || end == said + 1 || value < row->least || value > 1 << 20)
      return hd_because(why, HD_INPUT, "found %s; allowed %u or more", given[i], row->least);
  }
  *c = *design->c;
  derive(c, d, given, n);
  return HD_OK;
}
