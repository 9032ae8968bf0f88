/* What expands a template: its state, and the names that a piece of it sees. Internal to the template reader.
 *
 * Invariant: a macro's body sees its parameters and what is defined above its use; a loop's body sees what stands
 * around it.
 */
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
/* Writes a piece of a template: what all kinds of nodes leave (expand.c). */
typedef void hd_put_nodes(struct hd_expander *x, FILE *f, const struct hd_node *list,
                          const struct hd_scope *scope);
struct hd_expander {
  hd_put_nodes *put;
  struct hd_reading r;
  const struct hd_templates *all;
  const struct hd_template_module *module;
  const struct hd_config *c;
  const struct hd_global *globals;
  bool check;         /* visit every branch; nothing is written that matters */
  FILE *text, *lines; /* the whole text, and the struct hd_text_line of its lines */
  bool *parts;        /* check: which templates are parts of others */
  unsigned depth;
  struct hd_tree tree;
};

/* --- what a piece sees, scope.c ------------------------------------------------------------------ */

/* What x->put writes, in memory that lives as long as the reading. */
char *hd_template_expanded(struct hd_expander *x, const struct hd_node *list, const struct hd_scope *scope);
/* A macro or terms; NULL: none of that name is defined yet. */
const struct hd_node *hd_template_global(const struct hd_expander *x, const char *name);
/* A parameter or a loop's variable; NULL: none. */
const struct hd_scope *hd_template_local(const struct hd_scope *scope, const char *name);
/* One more macro or part inside another; false and an error: too many, so it is inside itself. */
bool hd_template_deeper(struct hd_expander *x, struct hd_place at, const char *name);

/* --- values of expressions, value.c; what a template decides hangs on no free size ------------------ */

long hd_template_number(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                        const struct hd_scope *scope);

/* Whether a condition holds; an error where that is not the same in all values of the module's free sizes. */
bool hd_template_holds(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope);
/* A number for the text; an error where it is not the same in all of them. */
long hd_template_fixed(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope);

/* --- macros and terms, names.c --------------------------------------------------------------------- */

/* The lines of a macro, each with its end. */
char *hd_template_macro(struct hd_expander *x, const struct hd_node *use, const struct hd_scope *scope);
/* What a use of a name leaves inside a line. */
void hd_template_use(struct hd_expander *x, FILE *f, const struct hd_node *use, const struct hd_scope *scope);
void hd_template_define(struct hd_expander *x, const struct hd_node *node);

/* --- bundles, fields.c ------------------------------------------------------------------------- */

void hd_template_fields(struct hd_expander *x, FILE *f, const struct hd_node *n,
                        const struct hd_scope *scope);
void hd_template_each(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope);

#endif
