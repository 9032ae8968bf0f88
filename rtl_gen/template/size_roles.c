/* The roles of sizes in a module; see size_roles.h. An expression of arch/config/derived.def is evaluated as
 * far as the configuration decides it. The rest depends on free sizes. */
#include "rtl_gen/template/size_roles.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "rtl_gen/template/tree.h"

static const struct {
  const char *name;
  long value;
} constants[] = {
#define VALUE(constant, word, meaning) {#constant, constant},
#define ENUM_TYPE(type, values) values
#include "arch/config/enums.h"
#undef VALUE
#undef ENUM_TYPE
};

/* --- expressions ---------------------------------------------------------------------------------------- */

/* The result of an expression, as far as it is known. */
struct part {
  bool known;
  /* known: both are the value; else the value is never less than `least`, which is at least 0 */
  long value, least;
  const char *text; /* as Verilog */
  int strength;     /* the precedence of its outermost operator; 9: none */
};
struct folding {
  struct hd_reading *r;
  struct hd_place at;
  const struct hd_config *c;
  const struct hd_size_role *all;
};

static const char *copy(struct folding *f, char *text) {
  const char *kept = hd_template_copy(f->r, text, strlen(text));
  free(text);
  return kept;
}

static struct part number(struct folding *f, long value) {
  return (struct part){true, value, value, copy(f, hd_format("%ld", value)), 9};
}

static struct part name(struct folding *f, const char *name) {
  const size_t i = hd_size_named(name, strlen(name));
  if (i < hd_n_sizes) {
    const bool known = f->all[i].role == HD_BOUND;
    if (hd_size_is_flag(i))
      return number(f, hd_size_of(f->c, i));
    return (struct part){known, known ? hd_size_of(f->c, i) : 0, f->all[i].least, name, 9};
  }
  for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
    if (!strcmp(constants[k].name, name))
      return number(f, constants[k].value);
  const struct hd_key *key = hd_expr_key(name);
  if (!key)
    hd_template_error(f->r, f->at, "found %s, allowed a size, a key or a word of a key", name);
  return number(f, key ? hd_config_get(f->c, key) : 0);
}

static int strength_of(const char *op) {
  static const struct {
    const char *op;
    int strength;
  } all[] = {{"||", 1}, {"&&", 2}, {"&", 3}, {"==", 4}, {"!=", 4}, {"<=", 5}, {">=", 5}, {"<<", 6},
             {">>", 6}, {"<", 5},  {">", 5}, {"+", 7},  {"-", 7},  {"*", 8},  {"/", 8},  {"%", 8}};
  size_t i = 0;
  while (strcmp(all[i].op, op) != 0)
    i++;
  return all[i].strength;
}

static const char *operand(struct folding *f, struct part p, int strength) {
  return p.strength < strength ? copy(f, hd_format("(%s)", p.text)) : p.text;
}

/* The result of a comparison with a number, 1 or 0, if the least value of `a` decides it. Else returns -1. */
static int decided(const char *op, struct part a, struct part b) {
  if (!b.known)
    return -1;
  if (!strcmp(op, ">"))
    return a.least > b.value ? 1 : -1;
  if (!strcmp(op, ">=") || !strcmp(op, "<"))
    return a.least >= b.value ? *op == '>' : -1;
  if (!strcmp(op, "<=") || !strcmp(op, "==") || !strcmp(op, "!="))
    return a.least > b.value ? *op == '!' : -1;
  return -1;
}

static long least_of(const char *op, struct part a, struct part b) {
  switch (*op) {
  case '+':
    return a.least + b.least;
  case '*':
    return a.least * b.least;
  case '-':
    return b.known && a.least > b.value ? a.least - b.value : 0;
  case '/':
    return b.known && b.value ? a.least / b.value : 0;
  case '<':
    return !strcmp(op, "<<") ? hd_expr_apply(op, a.least, b.least) : 0;
  default:
    return 0;
  }
}

static struct part fold(struct folding *f, const struct hd_expr *e);

static struct part binary(struct folding *f, const char *op, struct part a, struct part b) {
  if (a.known && b.known)
    return number(f, hd_expr_apply(op, a.value, b.value));
  const bool product = !strcmp(op, "*"), sum = !strcmp(op, "+");
  if (product && (a.known ? a.value : b.known ? b.value : 1) == 0)
    return number(f, 0);
  if ((product && a.known && a.value == 1) || (sum && a.known && a.value == 0))
    return b;
  if ((product && b.known && b.value == 1) || (sum && b.known && b.value == 0))
    return a;
  const int is = decided(op, a, b);
  if (is >= 0)
    return number(f, is);
  const int strength = strength_of(op);
  return (struct part){
      false, 0, least_of(op, a, b),
      copy(f, hd_format("%s %s %s", operand(f, a, strength), op, operand(f, b, strength + 1))), strength};
}

/* hd_clog2 is never 0. $clog2(1) is 0, so an operand that may be 1 needs a condition. */
static struct part clog2(struct folding *f, struct part a) {
  if (a.known)
    return number(f, hd_clog2((unsigned)a.value));
  const char *plain = copy(f, hd_format("$clog2(%s)", a.text));
  if (a.least > 1)
    return (struct part){false, 0, hd_clog2((unsigned)a.least), plain, 9};
  return (struct part){false, 0, 1, copy(f, hd_format("%s > 1 ? $clog2(%s) : 1", operand(f, a, 6), a.text)),
                       0};
}

/* Reduces a value to 1 or 0 if all values of the free sizes agree. Else leaves it unknown. */
static struct part truth(struct folding *f, struct part p) {
  return p.known ? number(f, p.value != 0) : p.least > 0 ? number(f, 1) : p;
}

static struct part fold(struct folding *f, const struct hd_expr *e) {
  const char *const op = e->op;
  if (*op == 'n')
    return number(f, e->value);
  if (*op == 'v')
    return name(f, e->name);
  const struct part a = fold(f, e->a);
  if (*op == 'c')
    return clog2(f, a);
  if (*op == '?') {
    const struct part is = truth(f, a);
    if (is.known)
      return fold(f, is.value ? e->b : e->c);
    const struct part b = fold(f, e->b), c = fold(f, e->c);
    const char *bit = a.strength < 6 ? "" : " != 0"; /* a comparison is one bit, a number is not */
    return (struct part){false, 0, b.least < c.least ? b.least : c.least,
                         copy(f, hd_format("%s%s ? %s : %s", operand(f, a, 1), bit, b.text, c.text)), 0};
  }
  if (!e->b) {
    const struct part is = *op == '!' ? truth(f, a) : a;
    if (is.known)
      return number(f, *op == '!' ? !is.value : -is.value);
    return (struct part){false, 0, 0, copy(f, hd_format("%c%s", *op, operand(f, a, 9))), 9};
  }
  if (!strcmp(op, "&&") || !strcmp(op, "||")) {
    const struct part is = truth(f, a), that = truth(f, fold(f, e->b));
    const bool and = *op == '&';
    if (is.known)
      return !is.value == and? number(f, is.value) : that;
    if (that.known)
      return !that.value == and? number(f, that.value) : is;
    return binary(f, op, is, that);
  }
  return binary(f, op, a, fold(f, e->b));
}

/* --- sizes of a module ---------------------------------------------------------------------------------- */

/* The sizes of a module that are not bound. */
struct unbound {
  const char **name;
  size_t n;
};

/* True if the expression names one of them. A name like c->l2.queue does not count. */
static bool hangs_on_free(const char *expr, const struct unbound *unbound) {
  for (const char *p = expr; *p;) {
    if (!isalpha((unsigned char)*p) && *p != '_') {
      p++;
      continue;
    }
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.' || !strncmp(p + n, "->", 2) ||
           (p[n] == '>' && n && p[n - 1] == '-'))
      n++;
    for (size_t i = 0; i < unbound->n; i++) {
      const char *name = unbound->name[i];
      if (*name == *p && !strncmp(name, p, n) && !name[n])
        return true;
    }
    p += n;
  }
  return false;
}

/* The expression with keys by their names, without "c->", and with the answers of questions like hd_says(c,
 * "exit"). It is no longer than before. */
static const char *plain(struct hd_reading *r, const struct hd_config *c, const char *expr) {
  static const struct {
    const char *begin;
    unsigned (*answer)(const struct hd_config *, const char *);
  } questions[] = {{"hd_hears(c, \"", hd_hears},
                   {"hd_says(c, \"", hd_says},
                   {"hd_slice_says(c, \"", hd_slice_says},
                   {"hd_needed(c, \"", hd_needed}};
  const size_t n = sizeof questions / sizeof *questions;
  char *const text = hd_template_alloc(r, strlen(expr) + 1), *to = text;
  for (const char *p = expr; *p;) {
    size_t i = 0;
    while (i < n && strncmp(p, questions[i].begin, strlen(questions[i].begin)) != 0)
      i++;
    if (i < n) {
      p += strlen(questions[i].begin);
      const char *about = hd_template_copy(r, p, strcspn(p, "\""));
      to += sprintf(to, "%u", questions[i].answer(c, about));
      p += strlen(about) + strlen("\")");
    } else if (!strncmp(p, "c->", 3))
      p += 3;
    else
      *to++ = *p++;
  }
  return text;
}

static const struct hd_free *free_row(const struct hd_decl *decl, size_t i) {
  for (size_t k = 0; decl && k < decl->n_frees; k++)
    if (!strcmp(decl->frees[k].name, hd_sizes[i].name))
      return &decl->frees[k];
  return NULL;
}

static void stand(struct folding *f, const struct hd_decl *decl, bool any, struct hd_size_role *all, size_t i,
                  struct unbound *unbound) {
  const struct hd_free *row = free_row(decl, i);
  const unsigned value = hd_size_of(f->c, i);
  const bool is_free = row && (any || value >= row->least);
  f->at = (struct hd_place){hd_sizes[i].path, hd_sizes[i].line};
  all[i] = (struct hd_size_role){HD_BOUND, value, NULL};
  if (!hd_size_is_flag(i) && hangs_on_free(hd_sizes[i].expr, unbound)) {
    const char *p = plain(f->r, f->c, hd_sizes[i].expr);
    const struct hd_expr *e = hd_expr_parse(f->r, f->at, &p);
    if (e && *p)
      hd_template_error(f->r, f->at, "found \"%s\", allowed an operator", p);
    if (f->r->failed)
      return;
    const struct part part = fold(f, e);
    if (!part.known)
      all[i] = (struct hd_size_role){HD_FOLLOWS, part.least, strdup(part.text)};
  }
  if (is_free && all[i].role == HD_BOUND)
    all[i] = (struct hd_size_role){HD_FREE, row->least, NULL};
  if (all[i].role != HD_BOUND)
    unbound->name[unbound->n++] = hd_sizes[i].name;
}

struct hd_size_role *hd_size_roles_of(const struct hd_config *c, const struct hd_decl *decl, bool any,
                                      struct hd_why *why) {
  struct hd_size_role *all = hd_zeroed(hd_n_sizes, sizeof *all);
  struct hd_reading r = {.why = why};
  struct folding f = {&r, {NULL, 0}, c, all};
  obstack_init(&r.mem);
  struct unbound unbound = {hd_template_alloc(&r, hd_n_sizes * sizeof *unbound.name), 0};
  for (size_t i = 0; i < hd_n_sizes && !r.failed; i++)
    stand(&f, decl, any, all, i, &unbound);
  obstack_free(&r.mem, NULL);
  if (!r.failed)
    return all;
  hd_size_roles_free(all);
  return NULL;
}

void hd_size_roles_free(struct hd_size_role *all) {
  for (size_t i = 0; i < hd_n_sizes; i++)
    free(all[i].text);
  free(all);
}

bool hd_size_roles_decide(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                          const struct hd_size_role *all, const struct hd_expr *e) {
  struct folding f = {r, *at, c, all};
  return truth(&f, fold(&f, e)).known;
}

bool hd_size_roles_fix(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                       const struct hd_size_role *all, const struct hd_expr *e) {
  struct folding f = {r, *at, c, all};
  return fold(&f, e).known;
}

void hd_scan_size_roles(const char *text, const struct hd_size_role *all, bool used[]) {
  hd_scan_sizes(text, used);
  bool more[hd_n_sizes];
  for (size_t i = hd_n_sizes; i-- > 0;)
    if (used[i] && all[i].role == HD_FOLLOWS) {
      hd_scan_sizes(all[i].text, more);
      for (size_t k = 0; k < i; k++)
        used[k] |= more[k];
    }
}
