/* A module's behaviour as a template: Verilog with directives in comments. The language: docs/templates.md.
 *
 * Invariant: reading, checking and expanding a template need no file of the disk; its text depends on the
 * configuration alone. Every error names the template's file and line. */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_TEMPLATE_H
#define HEDDLE_RTL_GEN_TEMPLATE_TEMPLATE_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/template/size_roles.h"

struct hd_template_file {
  const char *path, *text; /* "rtl_gen/ROOM/NAME.v", "verif/ROOM/NAME.props.sv" */
};
struct hd_templates {
  const struct hd_template_file *file;
  size_t n;
};
/* All .v files of rtl_gen, and the properties of verif, as they were when the program was built. */
extern const struct hd_templates hd_templates;

/* The template of a module or of a memory wrapper. Returns NULL if it has none. */
const struct hd_template_file *hd_template_of(const struct hd_templates *all, const char *module);

/* The properties of a module, also a template: verif/ROOM/MODULE.props.sv. Returns NULL if it has none. */
const struct hd_template_file *hd_template_checker_of(const struct hd_templates *all, const char *module);
/* The directive in that file with the keys that make a machine small enough for proofs. */
#define HD_TEMPLATE_SMALL "small"
/* The directive in that file with the ports whose `ready` depends on their own `valid`, as the module's page
 * says. */
#define HD_TEMPLATE_LOOKS "looks"

/* The template that all drop-ins share (arch/dropin/dropin.h). */
#define HD_DROPIN_TEMPLATE "dropin"

/* A template, expanded for one configuration. */
struct hd_template_text {
  char *text, **keys; /* the keys that the module's banner prints; ends with NULL */
  struct hd_text_line {
    size_t offset; /* of a line in the text */
    const char *path;
    unsigned line; /* the line of the template; for the lines of a macro the line of its use */
  } * lines;
  size_t n_lines;
};
/* The module that a template is expanded for. */
struct hd_template_module {
  const struct hd_design *design;
  const struct hd_decl *decl; /* //@ wiring writes its connection rows; NULL: a memory wrapper */
  const struct hd_size_role *roles;
  const struct hd_modules *written; /* all modules inside it */
};
/* Returns false and a sentence after an error in the template; then there is nothing to free. */
bool hd_template_expand(const struct hd_templates *all, const struct hd_template_file *file,
                        const struct hd_template_module *module, struct hd_template_text *out,
                        struct hd_why *why);
void hd_template_free(struct hd_template_text *text);
/* The line of the text that contains byte `offset`. */
const struct hd_text_line *hd_template_line_at(const struct hd_template_text *text, size_t offset);

/* Reads every template and visits every branch of it. Prints a line to `err` for each template with an error
 * and returns their number. */
unsigned hd_template_check(const struct hd_templates *all, FILE *err);

#endif
