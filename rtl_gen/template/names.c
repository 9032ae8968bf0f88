/* Macros and terms of a template; see expand.h. */
#include <string.h>

#include "rtl_gen/template/expand.h"

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

/* Writes a macro inside a line, without its indentation and its last line end. */
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
      x->put(x, f, t->body, NULL);
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
  if (node->kind == HD_N_TERMS) { /* terms are checked even if nothing uses them */
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
