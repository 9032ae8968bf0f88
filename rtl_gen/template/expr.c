/* Expressions of templates: C's operators over derived sizes, configuration keys and names of the template. */
#include <ctype.h>
#include <string.h>

#include "rtl_gen/template/tree.h"
#include "rtl_gen/verilog/sizes.h"

/* Binary operators and their precedence. An operator stands before those that are its beginning. */
static const struct {
  const char *op;
  int strength;
} binary[] = {{"||", 1}, {"&&", 2}, {"==", 4}, {"!=", 4}, {"<<", 6}, {">>", 6}, {"<=", 5}, {">=", 5},
              {"<", 5},  {">", 5},  {"&", 3},  {"+", 7},  {"-", 7},  {"*", 8},  {"/", 8},  {"%", 8}};

struct parser {
  struct hd_reading *r;
  struct hd_place at;
  const char *p;
};

static void blanks(struct parser *s) {
  s->p += strspn(s->p, " \t");
}

static const struct hd_expr *node(struct parser *s, struct hd_expr e) {
  struct hd_expr *n = hd_template_alloc(s->r, sizeof *n);
  *n = e;
  return n;
}

static const struct hd_expr *conditional(struct parser *s);

static const struct hd_expr *missing(struct parser *s, const char *allowed) {
  hd_template_error(s->r, s->at, "found \"%.*s\", allowed %s", (int)strcspn(s->p, "\n"), s->p, allowed);
  return NULL;
}

static const struct hd_expr *primary(struct parser *s) {
  blanks(s);
  if (isdigit((unsigned char)*s->p)) {
    char *end;
    const long value = strtol(s->p, &end, 10);
    s->p = end;
    return node(s, (struct hd_expr){.op = "n", .value = value});
  }
  if (isalpha((unsigned char)*s->p) || *s->p == '_') {
    size_t n = 0;
    while (isalnum((unsigned char)s->p[n]) || s->p[n] == '_' || s->p[n] == '.')
      n++;
    s->p += n;
    const char *const name = hd_template_copy(s->r, s->p - n, n);
    if (strcmp(name, "hd_clog2") != 0)
      return node(s, (struct hd_expr){.op = "v", .name = name});
    const struct hd_expr *of = *s->p == '(' ? primary(s) : missing(s, "(");
    return of ? node(s, (struct hd_expr){.op = "clog2", .a = of}) : NULL;
  }
  if (*s->p == '!' || *s->p == '-') {
    const char *const op = *s->p++ == '!' ? "!" : "-1";
    const struct hd_expr *a = primary(s);
    return a ? node(s, (struct hd_expr){.op = op, .a = a}) : NULL;
  }
  if (*s->p != '(')
    return missing(s, "a name, a number, ! - or (");
  s->p++;
  const struct hd_expr *e = conditional(s);
  if (!e)
    return NULL;
  blanks(s);
  if (*s->p != ')')
    return missing(s, "an operator or )");
  s->p++;
  return e;
}

static const struct hd_expr *binaries(struct parser *s, int least) {
  const struct hd_expr *a = primary(s);
  while (a) {
    size_t i = 0;
    blanks(s);
    while (i < sizeof binary / sizeof *binary && strncmp(s->p, binary[i].op, strlen(binary[i].op)) != 0)
      i++;
    if (i == sizeof binary / sizeof *binary || binary[i].strength < least)
      break;
    s->p += strlen(binary[i].op);
    const struct hd_expr *b = binaries(s, binary[i].strength + 1);
    a = b ? node(s, (struct hd_expr){.op = binary[i].op, .a = a, .b = b}) : NULL;
  }
  return a;
}

static const struct hd_expr *conditional(struct parser *s) {
  const struct hd_expr *a = binaries(s, 1);
  if (!a || (blanks(s), *s->p != '?'))
    return a;
  s->p++;
  const struct hd_expr *b = conditional(s);
  if (!b)
    return NULL;
  blanks(s);
  if (*s->p != ':')
    return missing(s, "an operator or :");
  s->p++;
  const struct hd_expr *c = conditional(s);
  return c ? node(s, (struct hd_expr){.op = "?", .a = a, .b = b, .c = c}) : NULL;
}

const struct hd_expr *hd_expr_parse(struct hd_reading *r, struct hd_place at, const char **text) {
  struct parser s = {r, at, *text};
  const struct hd_expr *e = conditional(&s);
  blanks(&s);
  *text = s.p;
  return e;
}

/* --- values --------------------------------------------------------------------------------------------- */

struct valuing {
  struct hd_reading *r;
  struct hd_place at;
  const struct hd_config *c;
  hd_expr_lookup *lookup;
  void *ctx;
};

const struct hd_key *hd_expr_key(const char *name) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  const size_t section = strcspn(name, ".");
  for (size_t i = 0; name[section] && i < n; i++)
    if (strlen(keys[i].section) == section && !memcmp(keys[i].section, name, section) &&
        !strcmp(keys[i].key, name + section + 1))
      return &keys[i];
  return NULL;
}

static long name_value(const struct valuing *v, const char *name) {
  long value = 0;
  if (v->lookup(v->ctx, v->at, name, &value))
    return value;
  const size_t i = hd_size_named(name, strlen(name));
  if (i < hd_n_sizes)
    return hd_size_of(v->c, i);
  const struct hd_key *key = hd_expr_key(name);
  if (!key)
    hd_template_error(v->r, v->at,
                      "found %s, allowed a name of arch/config/derived.def, a key of the configuration, a "
                      "name of the template",
                      name);
  else if (key->type == HD_KEY_ENUM)
    hd_template_error(v->r, v->at, "found %s alone, allowed with == or != and one of its words", name);
  else
    return hd_config_get(v->c, key);
  return 0;
}

/* The number of the word in `key == word`. */
static long word_value(const struct valuing *v, const struct hd_key *key, const struct hd_expr *word) {
  char allowed[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < key->n_words; i++) {
    if (!strcmp(word->op, "v") && !strcmp(word->name, key->words[i].word))
      return key->words[i].value;
    if (used < sizeof allowed)
      used += (size_t)snprintf(allowed + used, sizeof allowed - used, " %s", key->words[i].word);
  }
  hd_template_error(v->r, v->at, "found %s, allowed for %s.%s:%s", word->name ? word->name : "no word",
                    key->section, key->key, allowed);
  return 0;
}

long hd_expr_apply(const char *op, long a, long b) {
  switch (*op) {
  case '|':
    return a || b;
  case '&':
    return op[1] ? a && b : a & b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case '<':
    return op[1] == '<' ? (b < 0 || b > 62 ? 0 : a << b) : op[1] ? a <= b : a < b;
  case '>':
    return op[1] == '>' ? (b < 0 || b > 62 ? 0 : a >> b) : op[1] ? a >= b : a > b;
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return b ? a / b : 0;
  default:
    return b ? a % b : 0;
  }
}

static long value(const struct valuing *v, const struct hd_expr *e, bool live) {
  const char *const op = e->op;
  if (*op == 'n')
    return e->value;
  if (*op == 'v')
    return name_value(v, e->name);
  const struct hd_key *key = *e->a->op == 'v' ? hd_expr_key(e->a->name) : NULL;
  if (key && key->type == HD_KEY_ENUM && (!strcmp(op, "==") || !strcmp(op, "!=")))
    return (hd_config_get(v->c, key) == word_value(v, key, e->b)) == (*op == '=');
  const long a = value(v, e->a, live);
  if (*op == '?') {
    const long b = value(v, e->b, live && a), c = value(v, e->c, live && !a);
    return a ? b : c;
  }
  if (*op == 'c')
    return hd_clog2((unsigned)a);
  if (!e->b)
    return *op == '!' ? !a : -a;
  const long b = value(v, e->b, live && (strcmp(op, "&&") == 0 ? a : strcmp(op, "||") == 0 ? !a : true));
  if ((*op == '/' || *op == '%') && !b && live)
    hd_template_error(v->r, v->at, "found a division by 0, allowed another divisor");
  return hd_expr_apply(op, a, b);
}

long hd_expr_value(struct hd_reading *r, struct hd_place at, const struct hd_expr *e,
                   const struct hd_config *c, bool live, hd_expr_lookup *lookup, void *ctx) {
  const struct valuing v = {r, at, c, lookup, ctx};
  return value(&v, e, live);
}
