/* Sets free sizes; see sizes.h. */
#include "verif/prove/sizes.h"

#include <stdlib.h>
#include <string.h>

/* The value that is given for a size, else its own. */
static unsigned chosen(const char *name, unsigned own, const char *const *given, size_t n) {
  const size_t size = strlen(name);
  for (size_t i = 0; i < n; i++)
    if (!strncmp(given[i], name, size) && given[i][size] == '=')
      own = (unsigned)strtoul(given[i] + size + 1, NULL, 10);
  return own;
}

static void derive(struct hd_config *c, const char *const *given, size_t n) {
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name = chosen(#name, (unsigned)(expr), given, n);                               \
  (void)name;
#include "arch/config/derived.def"
#undef DERIVED
}

enum hd_rc hd_proof_sizes(const struct hd_design *design, const char *module, const char *const *given,
                          size_t n, struct hd_config *c, struct hd_why *why) {
  const struct hd_decl *d = hd_design_find(design, module);
  for (size_t i = 0; i < n; i++) {
    const size_t size = strcspn(given[i], "=");
    size_t f = 0;
    while (f < d->n_frees && (strncmp(d->frees[f].name, given[i], size) || d->frees[f].name[size]))
      f++;
    if (f == d->n_frees)
      return hd_because(why, HD_INPUT, "found %s; allowed a free size of %s: see docs/reference.md", given[i],
                        module);
    char *end;
    const unsigned long value = strtoul(given[i] + size + 1, &end, 10);
    if (!given[i][size] || *end || end == given[i] + size + 1 || value < d->frees[f].least || value > 1 << 20)
      return hd_because(why, HD_INPUT, "found %s; allowed %u or more", given[i], d->frees[f].least);
  }
  *c = *design->c;
  derive(c, given, n);
  return HD_OK;
}
