/* Translates expressions of rows to C; see wiregen.h. */
#include "tools/wiregen.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void hd_append(struct hd_text_of *t, const char *format, ...) {
  const size_t used = strlen(t->text);
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->text + used, sizeof t->text - used, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof t->text - used) {
    fprintf(stderr, "wiregen: a text is too long: %.60s\n", t->text);
    exit(1);
  }
}

bool hd_within_insts(const struct hd_wiring *w, struct hd_why *why) {
  if (w->decl->n_insts > HD_INSTS)
    hd_because(why, HD_CHECK, "%s: found %zu instances, allowed: %d", w->decl->module, w->decl->n_insts,
               HD_INSTS);
  return w->decl->n_insts <= HD_INSTS;
}

static bool is_among(const char *const *names, size_t n, const char *name, size_t length) {
  for (size_t i = 0; i < n; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], name, length))
      return true;
  return false;
}

static bool is_size(const char *name, size_t length) {
  static const char *const names[] = {
#define DERIVED(size, expr, meaning) #size,
#include "arch/config/derived.def"
#undef DERIVED
  };
  return is_among(names, sizeof names / sizeof *names, name, length);
}

/* True for a size that is a constant if the lazy run is compiled for a machine. */
static bool is_specialized(const char *name, size_t length) {
  static const char *const names[] = {
#define SPECIALIZED(size) #size,
#define SPECIALIZED_SOME(size)
#include "arch/config/specialized.def"
#undef SPECIALIZED
#undef SPECIALIZED_SOME
  };
  return is_among(names, sizeof names / sizeof *names, name, length);
}

struct hd_text_of hd_c_if_there(const struct hd_row *row) {
  static const char *const names[] = {
#define SPECIALIZED(size)
#define SPECIALIZED_SOME(size) #size,
#include "arch/config/specialized.def"
#undef SPECIALIZED
#undef SPECIALIZED_SOME
  };
  struct hd_text_of out = {""};
  if (is_among(names, sizeof names / sizeof *names, row->width_txt, strlen(row->width_txt)))
    hd_append(&out, "if (HD_THERE(%s)) ", row->width_txt);
  return out;
}

bool hd_is_bytes(const struct hd_row *port) {
  const char *const other = strstr(port->count_txt, " : ");
  const char *const count = other ? other + strlen(" : ") : port->count_txt;
  return !strcmp(count, "WORDS") || !strcmp(count, "L2_WORDS");
}

struct hd_text_of hd_c_size(const char *text) {
  struct hd_text_of out = {""};
  for (const char *at = text; *at;) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
      n++;
    const bool member = at > text && (at[-1] == '.' || at[-1] == '>');
    if (n && !member && is_size(at, n))
      hd_append(&out, is_specialized(at, n) ? "HD_IS(m, %.*s)" : "d->%.*s", (int)n, at);
    else if (n == 1 && *at == 'c' && !member)
      hd_append(&out, "m->base.c");
    else
      hd_append(&out, "%.*s", n ? (int)n : 1, at);
    at += n ? n : 1;
  }
  return out;
}

/* True if one is "!" and the other. */
static bool are_opposite(const char *a, const char *b) {
  return (*a == '!' && !strcmp(a + 1, b)) || (*b == '!' && !strcmp(b + 1, a));
}

struct hd_text_of hd_c_when(const struct hd_wire *by, const struct hd_wire * or) {
  struct hd_text_of out = {"1"};
  if (!by || (or &&are_opposite(by->when_text, or->when_text)))
    return out;
  *out.text = '\0';
  hd_append(&out, or ? "(%s) || (%s)" : "%s", by->when_text, or ? or->when_text : "");
  return out;
}

/* A condition in C. If x->pointers, the condition of an instance becomes a test of its pointer. */
static struct hd_text_of condition(const struct hd_copier *x, const char *text) {
  const struct hd_decl *d = x->w->decl;
  for (size_t i = 0; x->pointers && i < d->n_insts; i++) {
    struct hd_text_of out = {""};
    if (!strcmp(d->insts[i].when_text, text))
      hd_append(&out, "HD_HAS(m, %s)", d->insts[i].name);
    else if (*text == '!' && !strcmp(d->insts[i].when_text, text + 1))
      hd_append(&out, "!HD_HAS(m, %s)", d->insts[i].name);
    if (*out.text)
      return out;
  }
  return hd_c_size(text);
}

struct hd_text_of hd_c_there(const struct hd_copier *x, const struct hd_net *net, bool by_name) {
  const char *const inst = net->inst ? net->inst->when_text : "1";
  const struct hd_text_of named = hd_c_when(net->by, net->or);
  const char *const row = by_name || !net->inst ? named.text : "1";
  if (strcmp(inst, "1") != 0 && strcmp(row, "1") != 0 && strcmp(inst, row) != 0) {
    struct hd_text_of out = {""};
    hd_append(&out, "(%s)", condition(x, row).text);
    hd_append(&out, " && (%s)", condition(x, inst).text);
    return out;
  }
  const char *const one = strcmp(row, "1") != 0 ? row : inst;
  struct hd_text_of own = {""};
  if (x->pointers && net->inst && strcmp(one, "1") != 0 &&
      !strcmp(one, inst)) { /* not the condition of another instance that exists in the same machines */
    hd_append(&own, "HD_HAS(m, %s)", net->inst->name);
    return own;
  }
  return !strcmp(one, "1") ? (struct hd_text_of){""} : condition(x, one);
}

struct hd_text_of hd_tie_when(const struct hd_copier *x, const struct hd_tie *tie) {
  const struct hd_text_of when = hd_c_when(tie->by, tie->or);
  return strcmp(when.text, "1") != 0 ? condition(x, when.text) : (struct hd_text_of){""};
}

bool hd_reads_all(const struct hd_wire_expr *e, bool (*ok)(const struct hd_net *net)) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i]->row ? !ok(e->net[i]) : !hd_reads_all(e->net[i]->expr, ok))
      return false;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && !hd_reads_all(e->arg[i], ok))
      return false;
  return true;
}

bool hd_is_unread(const struct hd_row *port) {
  return port->asked && !strcmp(port->asked, "0");
}

bool hd_is_made(const struct hd_net *net) {
  return net->inst && net->row->cls == HD_OUT && !net->row->shows;
}

struct hd_text_of hd_c_shown(const struct hd_net *net) {
  const char *const shows = net->row->shows, *const dot =
                                                 net->row->bundle ? strchr(net->row->name, '.') : NULL;
  const size_t n = strlen(shows);
  const bool call = n > 2 && !strcmp(shows + n - 2, "()"), always = dot || !strcmp(net->inst->when_text, "1");
  struct hd_text_of out = {""};
  if (!always)
    hd_append(&out, "(HD_HAS(m, %s) ? ", net->inst->name);
  if (call)
    hd_append(&out, "%.*s(m->%s)", (int)n - 2, shows, net->inst->name);
  else
    hd_append(&out, "m->%s->s.%s", net->inst->name, shows);
  hd_append(&out, "%s%s", dot ? dot : "", always ? "" : " : 0)");
  return out;
}

bool hd_reads_late(const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i]->row ? e->net[i]->row->cls == HD_LATE : hd_reads_late(e->net[i]->expr))
      return true;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && hd_reads_late(e->arg[i]))
      return true;
  return false;
}

static struct hd_text_of of_net(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  return net->row ? x->read(x, net, by_path) : hd_c_expr(x, net->expr);
}

/* The source that exists, of several. */
static struct hd_text_of of_nets(const struct hd_copier *x, const struct hd_wire_expr *e) {
  const struct hd_text_of first = of_net(x, e->net[0], e->by_path);
  bool same = true; /* all sources have the same text */
  for (unsigned i = 1; i < e->n_nets; i++)
    same = same && !strcmp(of_net(x, e->net[i], e->by_path).text, first.text);
  if (same)
    return first;
  struct hd_text_of out = {"("};
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_text_of there = hd_c_there(x, e->net[i], !e->by_path);
    if (i + 1 < e->n_nets && *there.text)
      hd_append(&out, "%s ? ", there.text);
    hd_append(&out, "%s", of_net(x, e->net[i], e->by_path).text);
    if (!*there.text)
      break;
    hd_append(&out, i + 1 < e->n_nets ? " : " : "");
  }
  hd_append(&out, ")");
  return out;
}

static struct hd_text_of width_of(const struct hd_wire_expr *e) {
  struct hd_text_of out = {""};
  if (e->op == HD_X_NET && e->net[0]->row)
    hd_append(&out, "(%s)", hd_c_size(e->net[0]->row->width_txt).text);
  else {
    fprintf(stderr, "wiregen: CAT of %s: found an expression, allowed: a port\n", e->name);
    exit(1);
  }
  return out;
}

static struct hd_text_of of_cat(const struct hd_copier *x, const struct hd_wire_expr *e) {
  struct hd_text_of out = {""};
  for (unsigned i = 0; i < e->n_args; i++) {
    hd_append(&out, "%s%s", i ? " | " : "(", hd_c_expr(x, e->arg[i]).text);
    for (unsigned k = i + 1; k < e->n_args; k++)
      hd_append(&out, "%s%s", k > i + 1 ? " + " : " << (", width_of(e->arg[k]).text);
    hd_append(&out, ")");
  }
  return out;
}

static struct hd_text_of of_join(const struct hd_copier *x, const struct hd_wire_expr *e, const char *ones) {
  struct hd_text_of out = {"("};
  for (unsigned i = 0; i < e->n_args; i++) {
    const struct hd_text_of arg = of_nets(x, e->arg[i]), there = hd_c_there(x, e->arg[i]->net[0], false);
    hd_append(&out, "%s", i ? e->value ? " & " : " | " : "");
    if (e->value && *there.text)
      hd_append(&out, "(%s ? %s : %s)", there.text, arg.text, ones);
    else
      hd_append(&out, "%s", arg.text); /* 0 if the instance does not exist */
  }
  hd_append(&out, "%s)", e->n_args ? "" : e->value ? ones : "0");
  return out;
}

static struct hd_text_of infix(const struct hd_copier *x, const struct hd_wire_expr *e, const char *sign) {
  struct hd_text_of out = {"("};
  for (unsigned i = 0; i < e->n_args; i++)
    hd_append(&out, "%s%s", i ? sign : "", hd_c_expr(x, e->arg[i]).text);
  hd_append(&out, ")");
  return out;
}

static struct hd_text_of of_bundle(const struct hd_copier *x, const struct hd_wire_expr *e) {
  struct hd_text_of out = {""};
  hd_append(&out, "(struct %s){", e->n_args ? e->field[0]->bundle : "");
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i])
      hd_append(&out, ".%s = %s, ", strchr(e->field[i]->name, '.') + 1, hd_c_expr(x, e->arg[i]).text);
  hd_append(&out, "}");
  return out;
}

struct hd_text_of hd_c_expr(const struct hd_copier *x, const struct hd_wire_expr *e) {
  struct hd_text_of out = {""};
  switch (e->op) {
  case HD_X_NET:
    return of_nets(x, e);
  case HD_X_NUMBER:
    hd_append(&out, "%s", e->name);
    return out;
  case HD_X_NOT:
    hd_append(&out, "!%s", hd_c_expr(x, e->arg[0]).text);
    return out;
  case HD_X_AND:
  case HD_X_MEETS:
    return infix(x, e, x->bits ? " & " : " && ");
  case HD_X_OR:
    return infix(x, e, x->bits ? " | " : " || ");
  case HD_X_EQ:
    return infix(x, e, " == ");
  case HD_X_NE:
    return infix(x, e, " != ");
  case HD_X_BITAND:
    return infix(x, e, " & ");
  case HD_X_BITOR:
    return infix(x, e, " | ");
  case HD_X_COND:
    hd_append(&out, "(%s ? ", hd_c_expr(x, e->arg[0]).text);
    hd_append(&out, "%s : ", hd_c_expr(x, e->arg[1]).text);
    hd_append(&out, "%s)", hd_c_expr(x, e->arg[2]).text);
    return out;
  case HD_X_CAT:
    return of_cat(x, e);
  case HD_X_ANY:
    hd_append(&out, "(%s != 0)", hd_c_expr(x, e->arg[0]).text);
    return out;
  case HD_X_GATED:
    hd_append(&out, "(%s ? ", hd_c_expr(x, e->arg[1]).text);
    hd_append(&out, "%s : 0)", hd_c_expr(x, e->arg[0]).text);
    return out;
  case HD_X_OF:
    return of_bundle(x, e);
  case HD_X_JOIN: {
    struct hd_text_of ones = {""};
    hd_append(&ones, "hd_ones(%s)", hd_c_size(e->field[0]->width_txt).text);
    return of_join(x, e, ones.text);
  }
  }
  return out;
}
