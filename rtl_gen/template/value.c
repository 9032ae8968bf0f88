/* The values of a template's expressions. They also check that a decision is the same for all values of the
 * module's free sizes; see expand.h. */
#include <string.h>

#include "rtl_gen/template/expand.h"

static const struct hd_expr *local_expr(struct hd_expander *x, struct hd_place at,
                                        const struct hd_scope *local) {
  const char *p = local->text;
  const struct hd_expr *e = hd_expr_parse(&x->r, at, &p);
  if (e && *p)
    hd_template_error(&x->r, at, "found %s in a condition, allowed: its text \"%s\" is a size or a number",
                      local->name, local->text);
  return x->r.failed ? NULL : e;
}

struct looking {
  struct hd_expander *x;
  const struct hd_scope *scope;
};

static bool lookup(void *ctx, struct hd_place at, const char *name, long *value) {
  const struct looking *l = ctx;
  const struct hd_scope *here = hd_template_local(l->scope, name);
  if (here) {
    const struct hd_expr *e = local_expr(l->x, at, here);
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

/* The expression with the texts of parameters and variables instead of their names. */
static const struct hd_expr *inlined(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                                     const struct hd_scope *scope) {
  if (!e || *e->op == 'n')
    return e;
  const struct hd_scope *here = *e->op == 'v' ? hd_template_local(scope, e->name) : NULL;
  if (*e->op == 'v')
    return here ? local_expr(x, at, here) : e;
  struct hd_expr *n = hd_template_alloc(&x->r, sizeof *n);
  *n = (struct hd_expr){.op = e->op,
                        .a = inlined(x, at, e->a, scope),
                        .b = inlined(x, at, e->b, scope),
                        .c = inlined(x, at, e->c, scope)};
  return n;
}

/* True if the expression has a size that is not bound. It ignores terms, because each term is checked where
 * it stands. */
static bool varies(const struct hd_expander *x, const struct hd_expr *e) {
  if (!e || *e->op == 'n')
    return false;
  if (*e->op != 'v')
    return varies(x, e->a) || varies(x, e->b) || varies(x, e->c);
  const size_t i = hd_size_named(e->name, strlen(e->name));
  return i < hd_n_sizes && x->module->roles[i].role != HD_BOUND;
}

/* The first size in the expression that is not bound. */
static const char *varying(const struct hd_expander *x, const struct hd_expr *e) {
  while (*e->op != 'v')
    e = varies(x, e->a) ? e->a : varies(x, e->b) ? e->b : e->c;
  return e->name;
}

static void refuse(struct hd_expander *x, struct hd_place at, const struct hd_expr *e, const char *allowed) {
  if (!x->r.failed)
    hd_template_error(&x->r, at, "found %s, which free sizes change, allowed %s", varying(x, e), allowed);
}

/* Checks that a condition has one answer for all values of the free sizes. In a check of all branches
 * (x->check) each operand must have one answer, because there is no machine to decide the other. */
static void check(struct hd_expander *x, struct hd_place at, const struct hd_expr *e) {
  if (!varies(x, e))
    return;
  const char *const op = e->op;
  if (!strcmp(op, "!")) {
    check(x, at, e->a);
  } else if (!strcmp(op, "&&") || !strcmp(op, "||")) {
    for (int i = 0; i < 2 && !x->check; i++) {
      const struct hd_expr *one = i ? e->b : e->a;
      if (!varies(x, one) && !hd_template_number(x, at, one, NULL) == (*op == '&'))
        return;
    }
    check(x, at, e->a);
    check(x, at, e->b);
  } else if (!hd_size_roles_decide(&x->r, &at, x->c, x->module->roles, e))
    refuse(x, at, e, "what is so from the least of them up (FREE rows)");
}

bool hd_template_holds(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope) {
  const struct hd_expr *whole = inlined(x, at, e, scope);
  if (!x->r.failed)
    check(x, at, whole);
  return hd_template_number(x, at, e, scope) != 0;
}

long hd_template_fixed(struct hd_expander *x, struct hd_place at, const struct hd_expr *e,
                       const struct hd_scope *scope) {
  const struct hd_expr *whole = inlined(x, at, e, scope);
  if (!x->r.failed && varies(x, whole) && !hd_size_roles_fix(&x->r, &at, x->c, x->module->roles, whole))
    refuse(x, at, whole, "bound sizes in a number of the text");
  return hd_template_number(x, at, e, scope);
}
