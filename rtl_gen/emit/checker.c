/* The checker of a module: a separate module that sees all its ports and registers, and holds its properties.
 *
 * Invariant: a property uses names of the declaration only, none of the behaviour. */
#include <stdlib.h>
#include <string.h>

#include "rtl_gen/emit/emit.h"
#include "rtl_gen/rtl.h"
#include "rtl_gen/template/template.h"

char *hd_rtl_checker(const struct hd_design *design, const char *module, const char *more,
                     struct hd_why *why) {
  const struct hd_decl *decl = hd_design_find(design, module);
  if (!decl) {
    hd_because(why, HD_INPUT, "no module %s in configuration %s", module, design->c->name);
    return NULL;
  }
  const struct hd_template_file *file = hd_template_checker_of(&hd_templates, module);
  struct hd_size_role *roles = hd_size_roles_of(design->c, NULL, false, why);
  struct hd_template_text body = {.text = NULL};
  const struct hd_template_module in = {.design = design, .decl = decl, .roles = roles};
  char *text = NULL;
  if (roles && (!file || hd_template_expand(&hd_templates, file, &in, &body, why))) {
    char *all = hd_format("%s%s", body.text ? body.text : "", more);
    text = hd_frame_checker(design, decl, all, roles);
    free(all);
  }
  if (body.text)
    hd_template_free(&body);
  if (roles)
    hd_size_roles_free(roles);
  return text;
}

/* The words after the first directive of that name, to be freed. Returns NULL if there is none. */
static char *words_of(const char *module, const char *directive) {
  const struct hd_template_file *file = hd_template_checker_of(&hd_templates, module);
  char *begin = hd_format("//@ %s ", directive);
  const char *at = file ? strstr(file->text, begin) : NULL;
  at = at ? at + strlen(begin) : NULL;
  free(begin);
  return at ? hd_format("%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

char *hd_rtl_checker_small(const char *module) {
  return words_of(module, HD_TEMPLATE_SMALL);
}

char *hd_rtl_checker_looks(const char *module) {
  return words_of(module, HD_TEMPLATE_LOOKS);
}
