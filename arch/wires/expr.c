/* Parses the expressions of connection rows; see wires.h. */
#include "arch/wires/wires.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/declaration/modules.h"

struct parser {
  struct hd_wire_expr **all;
  const char *text, *at;
  struct hd_why *why;
  bool failed;
};

struct hd_wire_expr *hd_wire_expr_new(struct hd_wire_expr **all, enum hd_wire_op op) {
  struct hd_wire_expr *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->op = op;
  e->next = *all;
  *all = e;
  return e;
}

static struct hd_wire_expr *fail(struct parser *p, const char *allowed) {
  if (!p->failed)
    hd_because(p->why, HD_CHECK, "`%s`: found %s%.20s, allowed: %s", p->text, *p->at ? "" : "the end", p->at,
               allowed);
  p->failed = true;
  return NULL;
}

/* Returns NULL if memory is out. */
static struct hd_wire_expr *new_expr(struct parser *p, enum hd_wire_op op) {
  struct hd_wire_expr *e = hd_wire_expr_new(p->all, op);
  if (!e && !p->failed)
    hd_because(p->why, HD_TOOL, "out of memory");
  p->failed |= !e;
  return e;
}

static bool take(struct parser *p, const char *sign) {
  while (isspace((unsigned char)*p->at))
    p->at++;
  if (strncmp(p->at, sign, strlen(sign)) != 0)
    return false;
  p->at += strlen(sign);
  return true;
}

static struct hd_wire_expr *node(struct parser *p, enum hd_wire_op op, struct hd_wire_expr *a,
                                 struct hd_wire_expr *b) {
  struct hd_wire_expr *e = new_expr(p, op);
  if (!e)
    return NULL;
  e->arg[e->n_args++] = a;
  if (b)
    e->arg[e->n_args++] = b;
  return e;
}

static struct hd_wire_expr *conditional(struct parser *p);

/* Reads a name with its dots, or a number. Returns false if there is none. */
static bool word(struct parser *p, char *name, size_t size) {
  size_t n = 0;
  take(p, "");
  while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_' || p->at[n] == '.')
    n++;
  if (n == 0 || n >= size)
    return false;
  snprintf(name, size, "%.*s", (int)n, p->at);
  p->at += n;
  return true;
}

static const struct {
  const char *name;
  enum hd_wire_op op;
  unsigned args; /* 0: any number */
} functions[] = {{"CAT", HD_X_CAT, 0},
                 {"ANY", HD_X_ANY, 1},
                 {"GATED", HD_X_GATED, 2},
                 {"MEETS", HD_X_MEETS, 1},
                 {"OF", HD_X_OF, 0}};

static const struct {
  const char *name;
  unsigned value;
} constants[] = {
    {"HD_FILL", HD_FILL}, {"HD_BYPASSED", HD_BYPASSED}, {"HD_STORE", HD_STORE}, {"HD_QUERY", HD_QUERY}};

/* Parses an argument of OF: a port, or field = expression. */
static struct hd_wire_expr *given(struct parser *p) {
  struct hd_wire_expr *e = conditional(p);
  if (!e || e->op != HD_X_NET || strncmp(p->at, "==", 2) == 0 || !take(p, "="))
    return e;
  struct hd_wire_expr *value = conditional(p);
  return value ? node(p, HD_X_EQ, e, value) : NULL;
}

static struct hd_wire_expr *call(struct parser *p, size_t f) {
  struct hd_wire_expr *e = new_expr(p, functions[f].op);
  if (!e)
    return NULL;
  snprintf(e->name, sizeof e->name, "%s", functions[f].name);
  do {
    struct hd_wire_expr *arg = e->op == HD_X_OF ? given(p) : conditional(p);
    if (!arg)
      return NULL;
    if (e->n_args == HD_X_ARGS)
      return fail(p, "fewer arguments");
    e->arg[e->n_args++] = arg;
  } while (take(p, ","));
  if (!take(p, ")"))
    return fail(p, ", or )");
  if (functions[f].args && e->n_args != functions[f].args)
    return fail(p, functions[f].args == 1 ? "one argument before" : "two arguments before");
  return e;
}

static struct hd_wire_expr *primary(struct parser *p) {
  if (take(p, "(")) {
    struct hd_wire_expr *e = conditional(p);
    return !e || take(p, ")") ? e : fail(p, ")");
  }
  char name[64];
  if (!word(p, name, sizeof name))
    return fail(p, "a name, a number, ! or (");
  if (take(p, "(")) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      if (!strcmp(functions[i].name, name))
        return call(p, i);
    return fail(p, "CAT, ANY, GATED, MEETS or OF before (");
  }
  struct hd_wire_expr *e = new_expr(p, HD_X_NET);
  if (!e)
    return NULL;
  snprintf(e->name, sizeof e->name, "%s", name);
  if (isdigit((unsigned char)*name)) {
    e->op = HD_X_NUMBER;
    e->value = strtoull(name, NULL, 0);
  }
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (!strcmp(constants[i].name, name)) {
      e->op = HD_X_NUMBER;
      e->value = constants[i].value;
    }
  return e;
}

static struct hd_wire_expr *unary(struct parser *p) {
  take(p, "");
  if (strncmp(p->at, "!=", 2) == 0 || !take(p, "!"))
    return primary(p);
  struct hd_wire_expr *e = unary(p);
  return e ? node(p, HD_X_NOT, e, NULL) : NULL;
}

/* Binary operators, by rising precedence. */
static const struct {
  const char *sign;
  enum hd_wire_op op;
} binary[] = {{"||", HD_X_OR},    {"&&", HD_X_AND}, {"|", HD_X_BITOR},
              {"&", HD_X_BITAND}, {"==", HD_X_EQ},  {"!=", HD_X_NE}};
enum { BINARY = sizeof binary / sizeof *binary };

static bool operator(struct parser *p, size_t i) {
  take(p, "");
  const bool longer = strlen(binary[i].sign) == 1 && p->at[0] == *binary[i].sign && p->at[1] == p->at[0];
  return !longer && take(p, binary[i].sign);
}

static struct hd_wire_expr *level(struct parser *p, size_t i) {
  if (i == BINARY)
    return unary(p);
  struct hd_wire_expr *e = level(p, i + 1);
  while (e && operator(p, i)) {
    struct hd_wire_expr *right = level(p, i + 1);
    e = right ? node(p, binary[i].op, e, right) : NULL;
  }
  return e;
}

static struct hd_wire_expr *conditional(struct parser *p) {
  struct hd_wire_expr *e = level(p, 0);
  if (!e || !take(p, "?"))
    return e;
  struct hd_wire_expr *yes = conditional(p);
  if (!yes)
    return NULL;
  if (!take(p, ":"))
    return fail(p, ":");
  struct hd_wire_expr *no = conditional(p);
  if (!no)
    return NULL;
  struct hd_wire_expr *all = node(p, HD_X_COND, e, yes);
  if (all)
    all->arg[all->n_args++] = no;
  return all;
}

struct hd_wire_expr *hd_wire_parse(struct hd_wire_expr **all, const char *text, struct hd_why *why) {
  struct parser p = {.all = all, .text = text, .at = text, .why = why};
  struct hd_wire_expr *e = conditional(&p);
  if (e) {
    take(&p, "");
    if (*p.at)
      return fail(&p, "an operator, or the end");
  }
  return e;
}
