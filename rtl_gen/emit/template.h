/* A module's behaviour as a template: Verilog with directives in comments. The language: docs/templates.md.
 *
 * Invariant: a template is read, checked and expanded without a look at the disk; what it says depends on the
 * configuration alone. Every error names the template's file and line.
 */
#ifndef HEDDLE_RTL_GEN_EMIT_TEMPLATE_H
#define HEDDLE_RTL_GEN_EMIT_TEMPLATE_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

struct hd_template_file {
  const char *path, *text; /* "rtl_gen/ROOM/NAME.v" */
};
struct hd_templates {
  const struct hd_template_file *file;
  size_t n;
};
/* All .v files of rtl_gen, as they were when the program was built. */
extern const struct hd_templates hd_templates;

/* The template of a module or of a memory wrapper; NULL: it has none. */
const struct hd_template_file *hd_template_of(const struct hd_templates *all, const char *module);

/* Its text, and the keys that the module's banner prints (an array that ends with NULL; `keys` may be NULL): both to be
 * freed. `decl`: the module, whose connection rows //@ wiring writes. NULL and a sentence: an error in the template. */
char *hd_template_text(const struct hd_templates *all, const struct hd_template_file *file,
                       const struct hd_design *design, const struct hd_decl *decl, char ***keys,
                       struct hd_why *why);

/* Reads every template and visits every branch of it; a line to `err` for each template with an error. Returns their
 * number. */
unsigned hd_template_check(const struct hd_templates *all, FILE *err);

#endif
