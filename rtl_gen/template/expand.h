/* The state of the expansion of a template, and the names that a piece of it sees. Internal to the template
 * reader.
 *
 * Invariant: a macro's body sees its parameters and what is defined above its use; a loop's body sees the
 * names around the loop. */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_EXPAND_H
#define HEDDLE_RTL_GEN_TEMPLATE_EXPAND_H

#include "rtl_gen/template/size_roles.h"
#include "rtl_gen/template/tree.h"

/* A parameter or the variable of a loop. */
struct hd_scope {
  const char *name, *text;
  const struct hd_scope *up;
};
/* A macro or terms. */
struct hd_global {
  const struct hd_node *node;
  const struct hd_global *up;
};
struct hd_expander;
/* Writes the text of a list of nodes of any kind (expand.c). */
typedef void hd_put_nodes(struct hd_expander *x, FILE *f, const struct hd_node *list,
                          const struct hd_scope *scope);
struct hd_expander {
  hd_put_nodes *put;
  struct hd_reading r;
  const struct hd_templates *all;
  const struct hd_template_module *module;
  const struct hd_config *c;
  const struct hd_global *globals;
  bool check;         /* visit every branch, and ignore the text */
  FILE *text, *lines; /* the whole text, and a struct hd_text_line for each of its lines */
  bool *parts;        /* check: the templates that are parts of others */
  unsigned depth;
};

/* --- the names that a piece sees, scope.c ----------------------------------------------------------- */

/* The text that x->put writes, in memory that lives as long as the reading. */
char *hd_template_expanded(struct hd_expander *x, const struct hd_node *list, const struct hd_scope *scope);
/* The macro or terms of this name. Returns NULL if none is defined yet. */
const struct hd_node *hd_template_global(const struct hd_expander *x, const char *name);
/* The parameter or loop variable of this name. Returns NULL if there is none. */
const struct hd_scope *hd_template_local(const struct hd_scope *scope, const char *name);
/* Enters a macro or part inside another. Returns false after an error if the depth is too large: then the
 * macro or part contains itself. */
bool hd_template_deeper(struct hd_expander *x, struct hd_place at, const char *name);

/* --- values of expressions, value.c; no decision of a template may depend on a free size ------------ */

long hd_template_number(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                        const struct hd_scope *scope);

/* True if a condition holds. It is an error if the answer differs between values of the module's free sizes. */
bool hd_template_holds(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope);
/* A number for the text. It is an error if it differs between values of the module's free sizes. */
long hd_template_fixed(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope);

/* --- macros and terms, names.c --------------------------------------------------------------------- */

/* The lines of a macro, each with its line end. */
char *hd_template_macro(struct hd_expander *x, const struct hd_node *use, const struct hd_scope *scope);
/* Writes the text of a use of a name inside a line. */
void hd_template_use(struct hd_expander *x, FILE *f, const struct hd_node *use, const struct hd_scope *scope);
void hd_template_define(struct hd_expander *x, const struct hd_node *node);

/* --- bundles, fields.c ------------------------------------------------------------------------- */

void hd_template_fields(struct hd_expander *x, FILE *f, const struct hd_node *n,
                        const struct hd_scope *scope);
void hd_template_each(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope);

#endif
