/* From connection rows to what drives each port, checked; see wires.h. */
#include "arch/wires/wires.h"

#include <stdlib.h>
#include <string.h>

struct wiring {
  struct hd_wiring *w;
  struct hd_why *why;
  bool failed;
};

/* ---- Sentences ---- */

static bool wrong(struct wiring *b, const struct hd_wire *by, const char *found, const char *allowed) {
  if (b->failed)
    return false;
  b->failed = true;
  if (by)
    hd_because(b->why, HD_CHECK, "%s:%d: found %s, allowed: %s", by->file, by->line, found, allowed);
  else
    hd_because(b->why, HD_CHECK, "%s: found %s, allowed: %s", b->w->decl->module, found, allowed);
  return false;
}

struct said {
  char text[200];
};
static struct said path_of(const struct hd_inst *inst, const struct hd_row *row) {
  struct said out;
  snprintf(out.text, sizeof out.text, "%s.%s", inst ? inst->name : "own", row->name);
  return out;
}

static bool two_drivers(struct wiring *b, const char *port, const struct hd_wire *one,
                        const struct hd_wire *other) {
  char found[400];
  if (one)
    snprintf(found, sizeof found, "two drivers of %s, the other at %s:%d", port, one->file, one->line);
  else
    snprintf(found, sizeof found, "two drivers of %s, the other by its name", port);
  return wrong(b, other, found, "one");
}

/* ---- Names ---- */

static bool is_out(const struct hd_row *row) {
  return hd_is_output(row->cls);
}

bool hd_wire_means(const struct hd_wiring *w, const char *word, size_t length, const struct hd_inst *inst) {
  if (strlen(inst->name) == length && !strncmp(inst->name, word, length))
    return true;
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_SOCKET && strlen(w->rows[i].name) == length &&
        !strncmp(w->rows[i].name, word, length) && !strcmp(w->rows[i].inst, inst->name))
      return true;
  return false;
}

static const struct hd_row *port_of(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && (!strcmp(d->rows[i].name, name) || !strcmp(d->rows[i].var, name)))
      return &d->rows[i];
  return NULL;
}

/* What follows in a port's variable after this prefix, which ends there or before a _; NULL: it has another. */
static const char *after(const char *var, const char *prefix) {
  const size_t n = strlen(prefix);
  return !strncmp(var, prefix, n) && (var[n] == '\0' || var[n] == '_') ? var + n : NULL;
}

/* What follows in the variable of the port after what `path` names of it, "inst.prefix"; NULL: it names another. */
static const char *named_by(const struct hd_wiring *w, const char *path, const struct hd_inst *inst,
                            const struct hd_row *port) {
  const char *dot = strchr(path, '.');
  if (!dot || !(inst ? hd_wire_means(w, path, (size_t)(dot - path), inst) : !strncmp(path, "own.", 4)))
    return NULL;
  return after(port->var, dot + 1);
}

/* The row counts; in a wiring of everything all do. */
static bool counts(const struct hd_wiring *w, const struct hd_wire *row, enum hd_wire_kind kind) {
  return row->kind == kind && (w->all || row->when);
}

static bool always(const struct hd_wire *by) {
  return !strcmp(by->when_text, "1");
}

/* ---- Hooks ---- */

/* Both are the same field of a bundle, or ports of one name. */
static bool same_field(const struct hd_row *a, const struct hd_row *b) {
  if (!a->bundle && !b->bundle)
    return !strcmp(a->name, b->name);
  const char *const of = strchr(a->name, '.'), *const other = strchr(b->name, '.');
  return a->bundle && b->bundle && !strcmp(a->bundle, b->bundle) && of && other && !strcmp(of, other);
}

/* The hook that joins this input; NULL: none does. */
static const struct hd_wire *hook_of(const struct hd_wiring *w, const struct hd_inst *inst,
                                     const struct hd_row *port) {
  for (size_t i = 0; inst && i < w->n_rows; i++) {
    const struct hd_wire *row = &w->rows[i];
    const size_t n = counts(w, row, HD_W_HOOK) ? strlen(row->name) : 0;
    if (n && hd_wire_means(w, row->inst, strlen(row->inst), inst) && !strncmp(port->name, row->name, n) &&
        port->name[n] == (port->bundle ? '.' : '\0'))
      return row;
  }
  return NULL;
}

/* Some hook joins this output. */
static bool is_hooked(const struct hd_wiring *w, const struct hd_row *port) {
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_decl *d = w->decl->insts[i].decl;
    for (size_t k = 0; k < d->n_rows; k++)
      if (d->rows[k].cls == HD_IN && same_field(&d->rows[k], port) &&
          hook_of(w, &w->decl->insts[i], &d->rows[k]))
        return true;
  }
  return false;
}

enum join { JOIN_OR, JOIN_AND, JOIN_ONE, JOIN_BAD };

static enum join join_named(const char *text) {
  static const char *const names[] = {"OR", "AND", "ONE"};
  text += strspn(text, " ");
  for (size_t i = 0; i < 3; i++)
    if (!strncmp(text, names[i], strlen(names[i])) && strchr(", ", text[strlen(names[i])]))
      return (enum join)i;
  return JOIN_BAD;
}

/* How a hook joins a field: "OR, field: AND". */
static enum join join_of(const struct hd_wire *hook, const char *field) {
  enum join join = join_named(hook->from);
  for (const char *at = strchr(hook->from, ','); at; at = strchr(at + 1, ',')) {
    const char *const name = at + 1 + strspn(at + 1, " ");
    const char *const colon = strchr(name, ':');
    if (!colon || join_named(colon + 1) == JOIN_BAD)
      return JOIN_BAD;
    const size_t length = strcspn(name, " :");
    if (strlen(field) == length && !strncmp(name, field, length))
      join = join_named(colon + 1);
  }
  return join;
}

/* ---- Nets ---- */

/* In a wiring of everything: an output may have a name by two rows, of which one counts. */
static struct hd_net *known_net(struct hd_wiring *w, const struct hd_net *net) {
  for (size_t i = 0; w->all && net->row && i < w->n_nets; i++)
    if (w->nets[i].row == net->row && w->nets[i].inst == net->inst && !strcmp(w->nets[i].name, net->name))
      return &w->nets[i];
  return NULL;
}

static struct hd_net *add_net(struct wiring *b, const char *name, const char *rest,
                              const struct hd_inst *inst, const struct hd_row *row,
                              const struct hd_wire *by) {
  struct hd_wiring *w = b->w;
  struct hd_net *net = &w->nets[w->n_nets];
  *net = (struct hd_net){.inst = inst, .row = row, .by = by};
  snprintf(net->name, sizeof net->name, "%s%s", name, rest);
  struct hd_net *known = known_net(w, net);
  if (known) {
    if (!by) /* by no row too: always */
      known->by = known->or = NULL;
    else if (known->or)
      wrong(b, by, net->name, "two rows at most that give an output the same name");
    else if (known->by)
      known->or = by;
    return known;
  }
  for (size_t i = 0; !w->all && i < w->n_nets; i++)
    if (!strcmp(w->nets[i].name, net->name)) {
      char found[300];
      snprintf(found, sizeof found, "two drivers of the net %s", net->name);
      wrong(b, by ? by : w->nets[i].by, found, "one; NAME gives an output's net another name");
    }
  w->n_nets++;
  return net;
}

/* How well a row names the net of an output: 3 exactly, 2 as one of several, 1 as part of a channel, 0 not at all. */
static int names_net(const struct hd_wiring *w, const struct hd_wire *row, const struct hd_inst *inst,
                     const struct hd_row *port, const char **rest) {
  if (counts(w, row, HD_W_NAME) && (*rest = named_by(w, row->from, inst, port)))
    return **rest ? 2 : 3;
  if (!counts(w, row, HD_W_CHANNEL))
    return 0;
  if ((*rest = named_by(w, row->from, inst, port)))
    return 1;
  return (*rest = named_by(w, row->to, inst, port)) && !strcmp(*rest, "_ready") ? 1 : 0;
}

static void name_output(struct wiring *b, const struct hd_inst *inst, const struct hd_row *port) {
  struct hd_wiring *w = b->w;
  bool named = false, sure = false;
  for (int level = 3; level > 0 && !(named && !w->all) && !sure; level--) {
    const struct hd_wire *first = NULL;
    for (size_t i = 0; i < w->n_rows; i++) {
      const char *rest;
      if (names_net(w, &w->rows[i], inst, port, &rest) != level)
        continue;
      if (first && !w->all) {
        char found[300];
        snprintf(found, sizeof found, "two names of %s, the other at %s:%d", path_of(inst, port).text,
                 first->file, first->line);
        wrong(b, &w->rows[i], found, "one");
      } else
        add_net(b, w->rows[i].name, rest, inst, port, &w->rows[i]);
      first = &w->rows[i];
      named = true;
      sure |= always(first);
    }
  }
  if (sure || (named && !w->all))
    return;
  char own[80] = "";
  if (is_hooked(w, port))
    snprintf(own, sizeof own, "%s_", !strncmp(inst->name, "u_", 2) ? inst->name + 2 : inst->name);
  add_net(b, own, port->var, inst, port, NULL);
}

static void make_nets(struct wiring *b) {
  struct hd_wiring *w = b->w;
  const struct hd_decl *d = w->decl;
  size_t most = d->n_rows;
  for (size_t i = 0; i < d->n_insts; i++)
    most += d->insts[i].decl->n_rows * (w->n_rows + 1);
  w->nets = calloc(most + w->n_rows, sizeof *w->nets);
  if (!w->nets)
    abort();
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_IN)
      add_net(b, d->rows[i].var, "", NULL, &d->rows[i], NULL);
  for (size_t i = 0; i < d->n_insts; i++)
    for (size_t k = 0; k < d->insts[i].decl->n_rows; k++)
      if (is_out(&d->insts[i].decl->rows[k]))
        name_output(b, &d->insts[i], &d->insts[i].decl->rows[k]);
}

/* ---- Expressions, their names looked up ---- */

static struct hd_wire_expr *new_expr(struct wiring *b, enum hd_wire_op op) {
  return hd_wire_expr_new(&b->w->exprs, op);
}

static unsigned net_width(const struct hd_net *net) {
  return net->row ? net->row->count * net->row->width : net->expr ? net->expr->width : 0;
}

static bool may_be(struct wiring *b, struct hd_wire_expr *e, const struct hd_net *net) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i]->inst == net->inst && e->net[i]->row == net->row && net->row)
      return true;
  if (e->n_nets == HD_X_NETS)
    return wrong(b, NULL, e->name, "fewer that it may be");
  e->net[e->n_nets++] = net;
  e->width = net_width(net);
  return true;
}

/* By name: of a net, or of one of the module's own ports. */
static void find_net(struct wiring *b, struct hd_wire_expr *e) {
  char var[sizeof e->name];
  snprintf(var, sizeof var, "%s", e->name);
  for (char *dot = var; (dot = strchr(dot, '.'));)
    *dot = '_';
  for (int own = 0; own < 2; own++) /* the module's own port last: it is there when none else is */
    for (size_t i = 0; i < b->w->n_nets; i++)
      if (!strcmp(b->w->nets[i].name, var) && own == (b->w->nets[i].row && !b->w->nets[i].inst))
        may_be(b, e, &b->w->nets[i]);
}

/* An output of an instance. */
static void find_output(struct wiring *b, struct hd_wire_expr *e, const char *dot) {
  const struct hd_wiring *w = b->w;
  e->by_path = true;
  for (size_t i = 0; i < w->n_nets; i++) {
    const struct hd_net *net = &w->nets[i];
    if (net->inst && hd_wire_means(w, e->name, (size_t)(dot - e->name), net->inst) &&
        (!strcmp(net->row->name, dot + 1) || !strcmp(net->row->var, dot + 1)))
      may_be(b, e, net);
  }
}

static bool is_inst(const struct hd_wiring *w, const char *word, size_t length) {
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_wire_means(w, word, length, &w->decl->insts[i]))
      return true;
  return false;
}

static bool look_up(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  const char *dot = strchr(e->name, '.');
  if (dot && is_inst(b->w, e->name, (size_t)(dot - e->name)))
    find_output(b, e, dot);
  else
    find_net(b, e);
  char found[100];
  snprintf(found, sizeof found, "`%s`", e->name);
  return e->n_nets || wrong(b, by, found,
                            b->w->all ? "an output of an instance, an input of the module, or a net"
                                      : "what is in this machine");
}

static bool resolve(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e);

static bool is_channel(const struct hd_wiring *w, const char *name) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (counts(w, &w->rows[i], HD_W_CHANNEL) && !strcmp(w->rows[i].name, name))
      return true;
  return false;
}

static bool resolve_meets(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  static const char *const ends[] = {"_valid", "_ready"};
  char name[sizeof e->name], found[100];
  snprintf(name, sizeof name, "%.40s", e->arg[0]->name);
  snprintf(found, sizeof found, "MEETS(%s)", name);
  if (!is_channel(b->w, name))
    return wrong(b, by, found, "the name of a channel");
  for (e->n_args = 0; e->n_args < 2; e->n_args++) {
    struct hd_wire_expr *arg = e->arg[e->n_args] = new_expr(b, HD_X_NET);
    snprintf(arg->name, sizeof arg->name, "%.40s%s", name, ends[e->n_args]);
    if (!look_up(b, by, arg))
      return false;
  }
  e->width = 1;
  return true;
}

/* A number takes the width of its place. */
static void widen(struct hd_wire_expr *e, unsigned width) {
  if (e->op == HD_X_NUMBER)
    e->width = width;
}

static bool is_wide(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e, unsigned width,
                    const char *what) {
  if (b->w->all || e->op == HD_X_OF)
    return true;
  widen(e, width);
  char found[200], allowed[60];
  snprintf(found, sizeof found, "%s: %u bits", what, e->width);
  snprintf(allowed, sizeof allowed, "%u", width);
  return e->width == width || wrong(b, by, found, allowed);
}

static bool are_bits(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  bool ok = true;
  for (unsigned i = 0; i < e->n_args; i++)
    ok = ok && is_wide(b, by, e->arg[i], 1, "an operand of ! && ||");
  e->width = 1;
  return ok;
}

/* Both sides of an operator, or of the : of ?:, are of one width. */
static bool are_equal(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *x,
                      struct hd_wire_expr *y) {
  widen(x, y->width);
  return is_wide(b, by, y, x->width, "the right side of an operator");
}

static bool judge_width(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  switch (e->op) {
  case HD_X_NOT:
  case HD_X_AND:
  case HD_X_OR:
    return are_bits(b, by, e);
  case HD_X_EQ:
  case HD_X_NE:
    e->width = 1;
    return are_equal(b, by, e->arg[0], e->arg[1]);
  case HD_X_BITAND:
  case HD_X_BITOR:
    if (!are_equal(b, by, e->arg[0], e->arg[1]))
      return false;
    e->width = e->arg[0]->width;
    return true;
  case HD_X_COND:
    e->width = e->arg[1]->op == HD_X_NUMBER ? e->arg[2]->width : e->arg[1]->width;
    return is_wide(b, by, e->arg[0], 1, "the condition of ?:") &&
           (e->arg[1]->op == HD_X_OF || are_equal(b, by, e->arg[1], e->arg[2]));
  case HD_X_CAT:
    e->width = 0;
    for (unsigned i = 0; i < e->n_args; i++)
      e->width += e->arg[i]->width;
    return true;
  case HD_X_ANY:
    e->width = 1;
    return true;
  case HD_X_GATED:
    e->width = e->arg[0]->width;
    return is_wide(b, by, e->arg[1], 1, "the second argument of GATED");
  default:
    return true;
  }
}

static bool resolve(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  if (e->op == HD_X_NET)
    return look_up(b, by, e);
  if (e->op == HD_X_MEETS)
    return resolve_meets(b, by, e);
  if (e->op == HD_X_OF)
    return wrong(b, by, "OF", "a bundle to be driven by it");
  for (unsigned i = 0; i < e->n_args; i++)
    if (!resolve(b, by, e->arg[i]))
      return false;
  return judge_width(b, by, e);
}

static struct hd_wire_expr *parsed(struct wiring *b, const struct hd_wire *by) {
  struct hd_why why;
  struct hd_wire_expr *e = hd_wire_parse(&b->w->exprs, by->from, &why);
  if (!e && !b->failed) {
    b->failed = true;
    hd_because(b->why, HD_CHECK, "%s:%d: %s", by->file, by->line, why.text);
  }
  return e;
}

static struct hd_wire_expr *expression(struct wiring *b, const struct hd_wire *by) {
  struct hd_wire_expr *e = parsed(b, by);
  return e && resolve(b, by, e) ? e : NULL;
}

/* NET rows, whose expressions see those before them. */
static void make_named(struct wiring *b) {
  for (size_t i = 0; i < b->w->n_rows && !b->failed; i++) {
    const struct hd_wire *row = &b->w->rows[i];
    if (!counts(b->w, row, HD_W_NET))
      continue;
    struct hd_wire_expr *e = expression(b, row);
    struct hd_net *net = add_net(b, row->name, "", NULL, NULL, row);
    net->expr = e;
  }
}

/* ---- Ties of inputs ---- */

static void add_tie(struct wiring *b, const struct hd_inst *inst, const struct hd_row *port,
                    struct hd_wire_expr *to, struct hd_wire_expr *expr, const struct hd_wire *by) {
  struct hd_wiring *w = b->w;
  struct hd_tie *more = realloc(w->ties, (w->n_ties + 1) * sizeof *more);
  if (!more)
    abort();
  w->ties = more;
  more[w->n_ties++] = (struct hd_tie){inst, port, to, expr, by, NULL};
  if (port && expr)
    is_wide(b, by, expr, port->count * port->width, path_of(inst, port).text);
}

/* The net of this name, as an expression; NULL: there is none. */
static struct hd_wire_expr *net_named(struct wiring *b, const char *name, const char *rest) {
  struct hd_wire_expr *e = new_expr(b, HD_X_NET);
  snprintf(e->name, sizeof e->name, "%.40s%.23s", name, rest);
  find_net(b, e);
  return e->n_nets ? e : NULL;
}

static struct hd_wire_expr *joined(struct wiring *b, const struct hd_wire *hook, const struct hd_inst *inst,
                                   const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const enum join join = join_of(hook, port->bundle ? strchr(port->name, '.') + 1 : "");
  struct hd_wire_expr *e = new_expr(b, HD_X_JOIN);
  e->value = join == JOIN_AND;
  e->field[0] = port;
  e->width = port->count * port->width;
  if (join == JOIN_BAD)
    wrong(b, hook, hook->from, "OR, AND or ONE, then field: OR, AND or ONE");
  for (size_t i = 0; i < w->n_nets && !b->failed; i++) {
    const struct hd_net *net = &w->nets[i];
    if (!net->inst || net->inst == inst || !same_field(net->row, port))
      continue;
    if ((join == JOIN_ONE && e->n_args && !w->all) || e->n_args == HD_X_ARGS)
      two_drivers(b, path_of(inst, port).text, NULL, hook);
    struct hd_wire_expr *arg = e->arg[e->n_args++] = new_expr(b, HD_X_NET);
    may_be(b, arg, net);
    is_wide(b, hook, arg, e->width, path_of(net->inst, net->row).text);
  }
  return e;
}

/* The name of the net that a channel gives to this input, or NULL; *rest is what follows. */
static const char *channel_net(const struct hd_wiring *w, const struct hd_wire *row,
                               const struct hd_inst *inst, const struct hd_row *port, const char **rest) {
  if (!counts(w, row, HD_W_CHANNEL))
    return NULL;
  if ((*rest = named_by(w, row->to, inst, port)))
    return row->name;
  return (*rest = named_by(w, row->from, inst, port)) && !strcmp(*rest, "_ready") ? row->name : NULL;
}

/* In a wiring of everything: the port is tied to the net of this name already; then by `row` too, NULL: by its name. */
static bool is_tied(struct hd_wiring *w, const struct hd_inst *inst, const struct hd_row *port,
                    const char *net, const struct hd_wire *row) {
  for (size_t i = 0; w->all && i < w->n_ties; i++) {
    struct hd_tie *tie = &w->ties[i];
    if (tie->inst != inst || tie->port != port || tie->expr->op != HD_X_NET || tie->expr->by_path ||
        strcmp(tie->expr->name, net) != 0)
      continue;
    if (row)
      tie->or = row;
    else
      tie->by = tie->or = NULL;
    return true;
  }
  return false;
}

/* All that may drive an input, the first whose row counts does; in one machine there is one. Of several rows of a kind,
 * two count. */
static void tie_input(struct wiring *b, const struct hd_inst *inst, const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const struct hd_wire *first = NULL;
  for (size_t i = 0; i < w->n_rows && !b->failed; i++) {
    const struct hd_wire *row = &w->rows[i];
    if (!counts(w, row, HD_W_WIRE) || !hd_wire_means(w, row->inst, strlen(row->inst), inst) ||
        (strcmp(row->name, port->name) != 0 && strcmp(row->name, port->var) != 0))
      continue;
    if (first && (!w->all || always(first)))
      two_drivers(b, path_of(inst, port).text, first, row);
    add_tie(b, inst, port, NULL, expression(b, row), row);
    first = row;
  }
  if (b->failed || (first && (!w->all || always(first))))
    return;
  const struct hd_wire *hook = hook_of(w, inst, port);
  if (hook) {
    add_tie(b, inst, port, NULL, joined(b, hook, inst, port), hook);
    return;
  }
  for (size_t i = 0; i < w->n_rows && !b->failed; i++) {
    const char *rest, *net = channel_net(w, &w->rows[i], inst, port, &rest);
    struct hd_wire_expr *e = net ? net_named(b, net, rest) : NULL;
    if (!e || is_tied(b->w, inst, port, e->name, &w->rows[i]))
      continue;
    if (first && !w->all)
      two_drivers(b, path_of(inst, port).text, first, &w->rows[i]);
    first = &w->rows[i];
    add_tie(b, inst, port, NULL, e, first);
  }
  if (first && (!w->all || always(first)))
    return;
  struct hd_wire_expr *e = net_named(b, port->var, "");
  if (e && !is_tied(b->w, inst, port, port->var, NULL))
    add_tie(b, inst, port, NULL, e, NULL);
  else if (!e && !first) {
    char found[300];
    snprintf(found, sizeof found, "%s without a driver", path_of(inst, port).text);
    wrong(b, NULL, found, "a WIRE of it, a CHANNEL, or a net of its name");
  }
}

/* ---- What the module itself shows ---- */

static bool in_bundle(const struct hd_row *row, const char *bundle_port) {
  const size_t n = strlen(bundle_port);
  return row->bundle && row->cls == HD_OUT && !strncmp(row->name, bundle_port, n) && row->name[n] == '.';
}

/* The expression of a field in OF: given, or the field of a port, or NULL. */
static struct hd_wire_expr *field_of(struct wiring *b, const struct hd_wire *by,
                                     struct hd_wire_expr *const *given, unsigned n, const struct hd_row *to) {
  const char *field = strchr(to->name, '.') + 1;
  for (unsigned i = 0; i < n; i++)
    if (given[i]->op == HD_X_EQ && !strcmp(given[i]->arg[0]->name, field)) {
      struct hd_wire_expr *e = given[i]->arg[1];
      return resolve(b, by, e) && is_wide(b, by, e, to->count * to->width, to->name) ? e : NULL;
    }
  for (unsigned i = 0; i < n; i++) {
    if (given[i]->op == HD_X_EQ)
      continue;
    struct hd_wire_expr *e = new_expr(b, HD_X_NET);
    e->value = 1;
    snprintf(e->name, sizeof e->name, "%.40s.%.20s", given[i]->name, field);
    const char *dot = strchr(e->name, '.');
    if (is_inst(b->w, e->name, (size_t)(dot - e->name)))
      find_output(b, e, dot);
    else
      find_net(b, e);
    if (e->n_nets)
      return is_wide(b, by, e, to->count * to->width, to->name) ? e : NULL;
  }
  return NULL;
}

/* Every `field =` names a field of the bundle. */
static void judge_given(struct wiring *b, const struct hd_wire *by, const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_args; i++) {
    if (e->arg[i]->op != HD_X_EQ)
      continue;
    bool there = false;
    for (size_t k = 0; k < b->w->decl->n_rows; k++)
      there |= in_bundle(&b->w->decl->rows[k], by->name) &&
               !strcmp(strchr(b->w->decl->rows[k].name, '.') + 1, e->arg[i]->arg[0]->name);
    if (!there)
      wrong(b, by, e->arg[i]->arg[0]->name, "a field of the bundle");
  }
}

static bool resolve_bundle(struct wiring *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  if (e->op == HD_X_COND)
    return resolve(b, by, e->arg[0]) && is_wide(b, by, e->arg[0], 1, "the condition of ?:") &&
           resolve_bundle(b, by, e->arg[1]) && resolve_bundle(b, by, e->arg[2]);
  if (e->op != HD_X_OF)
    return wrong(b, by, by->from, "OF(...), or ?: of such");
  if (b->w->all)
    judge_given(b, by, e);
  struct hd_wire_expr *given[HD_X_ARGS];
  const unsigned n = e->n_args;
  memcpy(given, e->arg, n * sizeof *given);
  e->n_args = 0;
  for (size_t i = 0; i < b->w->decl->n_rows && !b->failed; i++) {
    const struct hd_row *to = &b->w->decl->rows[i];
    if (!in_bundle(to, by->name))
      continue;
    if (e->n_args == HD_X_ARGS)
      return wrong(b, by, by->name, "a bundle of fewer fields");
    e->field[e->n_args] = to;
    e->arg[e->n_args++] = field_of(b, by, given, n, to);
  }
  return !b->failed;
}

/* The own output that an expression names; NULL: none. */
static const struct hd_row *own_output(const struct hd_wiring *w, const char *name) {
  const struct hd_row *port = port_of(w->decl, name);
  return port && is_out(port) ? port : NULL;
}

static void tie_driven(struct wiring *b, const struct hd_wire *row) {
  const struct hd_decl *d = b->w->decl;
  const struct hd_row *port = own_output(b->w, row->name);
  if (port) {
    add_tie(b, NULL, port, NULL, expression(b, row), row);
    return;
  }
  for (size_t i = 0; i < d->n_rows; i++)
    if (in_bundle(&d->rows[i], row->name)) {
      struct hd_wire_expr *e = parsed(b, row);
      if (e && resolve_bundle(b, row, e))
        add_tie(b, NULL, NULL, NULL, e, row);
      return;
    }
  struct hd_wire_expr *to = hd_wire_parse(&b->w->exprs, row->name, b->why);
  unsigned width = 0;
  bool all = to && to->op == HD_X_CAT;
  for (unsigned i = 0; all && i < to->n_args; i++) {
    const struct hd_row *part = own_output(b->w, to->arg[i]->name);
    to->field[i] = part;
    all = part != NULL;
    width += part ? part->count * part->width : 0;
  }
  if (!all) {
    wrong(b, row, row->name, "outputs of the module");
    return;
  }
  struct hd_wire_expr *e = expression(b, row);
  if (e && is_wide(b, row, e, width, row->name))
    add_tie(b, NULL, NULL, to, e, row);
}

static bool drives(const struct hd_tie *tie, const struct hd_row *port) {
  if (tie->inst || tie->port)
    return !tie->inst && tie->port == port;
  for (unsigned i = 0; tie->to && i < tie->to->n_args; i++)
    if (tie->to->field[i] == port)
      return true;
  return !tie->to && in_bundle(port, tie->by->name);
}

static void tie_output(struct wiring *b, const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const struct hd_wire *by = NULL;
  for (size_t i = 0; i < w->n_ties; i++)
    if (drives(&w->ties[i], port)) {
      if (by && (!w->all || always(by)))
        two_drivers(b, path_of(NULL, port).text, by, w->ties[i].by);
      by = w->ties[i].by;
    }
  struct hd_wire_expr *e = net_named(b, port->var, "");
  if (by && e && !w->all)
    two_drivers(b, path_of(NULL, port).text, NULL, by);
  if (e && !(by && always(by)))
    add_tie(b, NULL, port, NULL, e, NULL);
  if (e || by)
    return;
  char found[300];
  snprintf(found, sizeof found, "%s without a driver", path_of(NULL, port).text);
  wrong(b, NULL, found, "a DRIVE of it, or a net of its name");
}

/* ---- Rows that say nothing ---- */

static bool is_port(const struct hd_wiring *w, const char *path) {
  const struct hd_decl *d = w->decl;
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && named_by(w, path, NULL, &d->rows[i]))
      return true;
  for (size_t i = 0; i < d->n_insts; i++)
    for (size_t k = 0; k < d->insts[i].decl->n_rows; k++)
      if (hd_is_port(d->insts[i].decl->rows[k].cls) &&
          named_by(w, path, &d->insts[i], &d->insts[i].decl->rows[k]))
        return true;
  return false;
}

/* Each of "a, u_x.b" is a net. */
static void judge_pulse(struct wiring *b, const struct hd_wire *row) {
  for (const char *at = row->from; *at; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ", ");
    struct hd_wire_expr *e = new_expr(b, HD_X_NET);
    snprintf(e->name, sizeof e->name, "%.*s", (int)n, at);
    look_up(b, row, e);
    at += n;
  }
}

/* In a wiring of everything each row is about something. */
static void judge_row(struct wiring *b, const struct hd_wire *row) {
  const struct hd_wiring *w = b->w;
  char path[130];
  if (row->inst && !is_inst(w, row->inst, strlen(row->inst)) &&
      !(row->kind == HD_W_PART && is_port(w, row->inst)))
    wrong(b, row, row->inst, "an instance of the module");
  if (row->kind == HD_W_WIRE || row->kind == HD_W_HOOK) {
    snprintf(path, sizeof path, "%s.%s", row->inst, row->name);
    for (char *dot = strchr(path, '.') + 1; (dot = strchr(dot, '.'));)
      *dot = '_';
    if (!is_port(w, path))
      wrong(b, row, path, "an input of an instance");
  }
  if ((row->kind == HD_W_NAME || row->kind == HD_W_CHANNEL) && !is_port(w, row->from))
    wrong(b, row, row->from, "inst.port or own.port");
  if (row->kind == HD_W_CHANNEL && !is_port(w, row->to))
    wrong(b, row, row->to, "inst.port or own.port");
  const char *const sides[] = {row->from, row->to};
  for (unsigned i = 0; row->kind == HD_W_CHANNEL && i < 2; i++)
    if (!strncmp(sides[i], "own.", 4) && strcmp(sides[i] + 4, row->name) != 0)
      wrong(b, row, row->name, "the name of the module's own ports");
}

/* ---- */

struct hd_wiring *hd_wiring_new(const struct hd_decl *decl, const struct hd_wire *rows, size_t n, bool all,
                                struct hd_why *why) {
  struct hd_wiring *w = calloc(1, sizeof *w);
  if (!w)
    abort();
  *w = (struct hd_wiring){.decl = decl, .rows = rows, .n_rows = n, .all = all};
  struct wiring b = {.w = w, .why = why};
  for (size_t i = 0; all && i < n; i++)
    judge_row(&b, &rows[i]);
  make_nets(&b);
  make_named(&b);
  for (size_t i = 0; i < decl->n_insts; i++)
    for (size_t k = 0; k < decl->insts[i].decl->n_rows && !b.failed; k++)
      if (decl->insts[i].decl->rows[k].cls == HD_IN)
        tie_input(&b, &decl->insts[i], &decl->insts[i].decl->rows[k]);
  for (size_t i = 0; i < n && !b.failed; i++) {
    if (counts(w, &rows[i], HD_W_DRIVE))
      tie_driven(&b, &rows[i]);
    if (all && rows[i].kind == HD_W_PULSE)
      judge_pulse(&b, &rows[i]);
  }
  for (size_t i = 0; i < decl->n_rows && !b.failed; i++)
    if (is_out(&decl->rows[i]))
      tie_output(&b, &decl->rows[i]);
  if (!b.failed)
    return w;
  hd_wiring_free(w);
  return NULL;
}

void hd_wiring_free(struct hd_wiring *w) {
  if (!w)
    return;
  for (struct hd_wire_expr *e = w->exprs, *next; e; e = next) {
    next = e->next;
    free(e);
  }
  free(w->nets);
  free(w->ties);
  free(w);
}

const struct hd_tie *hd_wiring_tie(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port) {
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && w->ties[i].port == port)
      return &w->ties[i];
  return NULL;
}

const struct hd_net *hd_wiring_net(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port) {
  for (size_t i = 0; i < w->n_nets; i++)
    if (w->nets[i].inst == inst && w->nets[i].row == port)
      return &w->nets[i];
  return NULL;
}

bool hd_wire_reads(const struct hd_wire_expr *e, const struct hd_inst *inst, enum hd_class cls) {
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_net *net = e->net[i];
    if (net->row ? net->inst == inst && net->row->cls == cls : hd_wire_reads(net->expr, inst, cls))
      return true;
  }
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && hd_wire_reads(e->arg[i], inst, cls))
      return true;
  return false;
}
