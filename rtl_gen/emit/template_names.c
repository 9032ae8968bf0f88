/* The names of a template: parameters, variables of loops, macros, terms. */
#include <string.h>

#include "rtl_gen/emit/template_expand.h"

enum { DEPTH = 64 }; /* of macros and parts in one another */

/* --- names ---------------------------------------------------------------------------------------------- */

const struct hd_scope *hd_template_local(const struct hd_scope *scope, const char *name) {
  while (scope && strcmp(scope->name, name) != 0)
    scope = scope->up;
  return scope;
}

const struct hd_node *hd_template_global(const struct hd_expander *x, const char *name) {
  const struct hd_global *g = x->globals;
  while (g && strcmp(g->node->name, name) != 0)
    g = g->up;
  return g ? g->node : NULL;
}

struct looking {
  struct hd_expander *x;
  const struct hd_scope *scope;
};

static bool lookup(void *ctx, struct hd_place at, const char *name, long *value) {
  const struct looking *l = ctx;
  const struct hd_scope *here = hd_template_local(l->scope, name);
  if (here) {
    const struct hd_expr *e = hd_template_local_expr(l->x, at, here);
    *value = l->x->r.failed ? 0 : hd_template_number(l->x, at, e, NULL);
    return true;
  }
  const struct hd_node *node = hd_template_global(l->x, name);
  if (!node || node->kind != HD_N_TERMS)
    return false;
  for (const struct hd_node *term = node->body; term; term = term->next)
    *value |= hd_template_holds(l->x, term->at, term->expr, NULL);
  return true;
}

long hd_template_number(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                        const struct hd_scope *scope) {
  struct looking l = {x, scope};
  return hd_expr_value(&x->r, at, e, x->c, !x->check, lookup, &l);
}

/* --- macros and terms ----------------------------------------------------------------------------------- */

bool hd_template_deeper(struct hd_expander *x, struct hd_place at, const char *name) {
  if (x->depth == DEPTH)
    hd_template_error(&x->r, at, "found %s inside itself, allowed %d macros and parts in one another", name,
                      DEPTH);
  x->depth++;
  return !x->r.failed;
}

char *hd_template_macro(struct hd_expander *x, const struct hd_node *use, const struct hd_scope *scope) {
  const struct hd_node *def = hd_template_global(x, use->name);
  const struct hd_scope *inside = NULL;
  unsigned found = 0, allowed = 0;
  for (const struct hd_arg *a = use->args; a; a = a->next)
    found++;
  for (const struct hd_arg *p = def->args; p; p = p->next)
    allowed++;
  if (found != allowed)
    hd_template_error(&x->r, use->at, "found %u arguments of %s, allowed %u", found, use->name, allowed);
  char *text = "";
  if (hd_template_deeper(x, use->at, use->name)) {
    const struct hd_arg *a = use->args;
    for (const struct hd_arg *p = def->args; p && a; p = p->next, a = a->next) {
      struct hd_scope *s = hd_template_alloc(&x->r, sizeof *s);
      *s = (struct hd_scope){p->name, hd_template_expanded(x, a->text, scope), inside};
      inside = s;
    }
    text = hd_template_expanded(x, def->body, inside);
  }
  x->depth--;
  return text;
}

/* Inside a line: without the indentation and the last end. */
static void put_macro(struct hd_expander *x, FILE *f, const struct hd_node *use,
                      const struct hd_scope *scope) {
  const char *text = hd_template_macro(x, use, scope);
  text += strspn(text, " \t");
  const size_t n = strlen(text);
  fprintf(f, "%.*s", (int)(n - (n && text[n - 1] == '\n')), text);
}

static void put_terms(struct hd_expander *x, FILE *f, const struct hd_node *use,
                      const struct hd_node *terms) {
  bool any = false;
  if (use->args)
    hd_template_error(&x->r, use->at, "found arguments of terms %s, allowed none", use->name);
  for (const struct hd_node *t = terms->body; t; t = t->next)
    if (hd_template_holds(x, t->at, t->expr, NULL) || x->check) {
      if (any)
        fprintf(f, " %s ", terms->op);
      hd_template_put(x, f, t->body, NULL);
      any = true;
    }
  if (!any)
    hd_template_error(&x->r, use->at, "found no term of %s that holds, allowed inside if %s", use->name,
                      use->name);
}

void hd_template_use(struct hd_expander *x, FILE *f, const struct hd_node *use,
                     const struct hd_scope *scope) {
  const struct hd_scope *here = hd_template_local(scope, use->name);
  const struct hd_node *node = hd_template_global(x, use->name);
  if (here && use->args)
    hd_template_error(&x->r, use->at, "found arguments of %s, allowed none: it is no macro", use->name);
  else if (here)
    fputs(here->text, f);
  else if (!node)
    hd_template_error(&x->r, use->at,
                      "found %s, allowed a parameter, a loop's variable, a macro or terms defined above",
                      use->name);
  else if (node->kind == HD_N_DEF)
    put_macro(x, f, use, scope);
  else
    put_terms(x, f, use, node);
}

void hd_template_define(struct hd_expander *x, const struct hd_node *node) {
  const struct hd_node *before = hd_template_global(x, node->name);
  if (before)
    hd_template_error(&x->r, node->at, "found a second %s, allowed one: it is defined at %s:%u", node->name,
                      before->at.path, before->at.line);
  struct hd_global *g = hd_template_alloc(&x->r, sizeof *g);
  *g = (struct hd_global){node, x->globals};
  x->globals = g;
  if (!x->check)
    return;
  if (node->kind == HD_N_TERMS) { /* that nothing uses it is no reason not to look */
    const struct hd_node use = {.at = node->at, .name = node->name};
    FILE *f = fopen("/dev/null", "w");
    put_terms(x, f, &use, node);
    fclose(f);
    return;
  }
  const struct hd_scope *inside = NULL;
  for (const struct hd_arg *p = node->args; p; p = p->next) {
    struct hd_scope *s = hd_template_alloc(&x->r, sizeof *s);
    *s = (struct hd_scope){p->name, "1", inside};
    inside = s;
  }
  hd_template_expanded(x, node->body, inside);
}
