/* From declarations to the question asked of synthesis: which modules, and how many bits each must turn out
 * to have. */
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "synth/synth.h"

static long bits_of(const struct hd_decl *d) {
  long bits = (long)hd_decl_ff_bits(d) + hd_decl_ram_bits(d);
  for (size_t i = 0; i < d->n_insts; i++)
    bits += bits_of(d->insts[i].decl);
  return bits;
}

static bool contains(const struct hd_decl *outer, const struct hd_decl *d) {
  if (outer == d)
    return true;
  for (size_t i = 0; i < outer->n_insts; i++)
    if (contains(outer->insts[i].decl, d))
      return true;
  return false;
}

int hd_synth_modules_of(const struct hd_design *design, const char *top, struct hd_synth_module **modules) {
  const struct hd_decl *root = top ? hd_design_find(design, top) : design->decls[design->n - 1];
  *modules = root ? calloc(design->n, sizeof **modules) : NULL;
  if (!*modules)
    return -1;
  int n = 0;
  for (size_t i = design->n; i-- > 0;) /* the design has inner modules first */
    if (contains(root, design->decls[i]))
      (*modules)[n++] = (struct hd_synth_module){.name = design->decls[i]->module,
                                                 .declared_bits = bits_of(design->decls[i])};
  return n;
}
