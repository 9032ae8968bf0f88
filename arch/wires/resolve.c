/* Looks up the names in expressions and checks their widths; see wiring.h. */
#include "arch/wires/wiring.h"

#include <string.h>

struct hd_wire_expr *hd_wires_new_expr(struct hd_wiring_build *b, enum hd_wire_op op) {
  struct hd_wire_expr *e = hd_wire_expr_new(&b->w->exprs, op);
  if (!e)
    hd_wires_no_memory(b);
  return e;
}

static unsigned net_width(const struct hd_net *net) {
  return net->row ? net->row->count * net->row->width : net->expr ? net->expr->width : 0;
}

bool hd_wires_may_be(struct hd_wiring_build *b, struct hd_wire_expr *e, const struct hd_net *net) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i]->inst == net->inst && e->net[i]->row == net->row && net->row)
      return true;
  if (e->n_nets == HD_X_NETS)
    return hd_wires_wrong(b, NULL, e->name, "fewer that it may be");
  e->net[e->n_nets++] = net;
  e->width = net_width(net);
  return true;
}

/* Finds a net, or one of the module's own ports, by its name. */
void hd_wires_find_net(struct hd_wiring_build *b, struct hd_wire_expr *e) {
  char var[sizeof e->name];
  snprintf(var, sizeof var, "%s", e->name);
  for (char *dot = var; (dot = strchr(dot, '.'));)
    *dot = '_';
  for (int own = 0; own < 2; own++) /* the module's own port last: it counts only if there is no net */
    for (size_t i = 0; i < b->w->n_nets; i++)
      if (!strcmp(b->w->nets[i].name, var) && own == (b->w->nets[i].row && !b->w->nets[i].inst))
        hd_wires_may_be(b, e, &b->w->nets[i]);
}

void hd_wires_find_output(struct hd_wiring_build *b, struct hd_wire_expr *e, const char *dot) {
  const struct hd_wiring *w = b->w;
  e->by_path = true;
  for (size_t i = 0; i < w->n_nets; i++) {
    const struct hd_net *net = &w->nets[i];
    if (net->inst && hd_wire_means(w, e->name, (size_t)(dot - e->name), net->inst) &&
        (!strcmp(net->row->name, dot + 1) || !strcmp(net->row->var, dot + 1)))
      hd_wires_may_be(b, e, net);
  }
}

bool hd_wires_look_up(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  const char *dot = strchr(e->name, '.');
  if (dot && hd_wires_is_inst(b->w, e->name, (size_t)(dot - e->name)))
    hd_wires_find_output(b, e, dot);
  else
    hd_wires_find_net(b, e);
  char found[100];
  snprintf(found, sizeof found, "`%s`", e->name);
  return e->n_nets || hd_wires_wrong(b, by, found,
                                     b->w->all ? "an output of an instance, an input of the module, or a net"
                                               : "what is in this machine");
}

static bool is_channel(const struct hd_wiring *w, const char *name) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (hd_wires_counts(w, &w->rows[i], HD_W_CHANNEL) && !strcmp(w->rows[i].name, name))
      return true;
  return false;
}

static bool resolve_meets(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  static const char *const ends[] = {"_valid", "_ready"};
  char name[sizeof e->name], found[100];
  snprintf(name, sizeof name, "%.40s", e->arg[0]->name);
  snprintf(found, sizeof found, "MEETS(%s)", name);
  if (!is_channel(b->w, name))
    return hd_wires_wrong(b, by, found, "the name of a channel");
  for (e->n_args = 0; e->n_args < 2; e->n_args++) {
    struct hd_wire_expr *arg = e->arg[e->n_args] = hd_wires_new_expr(b, HD_X_NET);
    if (!arg)
      return false;
    snprintf(arg->name, sizeof arg->name, "%.40s%s", name, ends[e->n_args]);
    if (!hd_wires_look_up(b, by, arg))
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

bool hd_wires_is_wide(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e,
                      unsigned width, const char *what) {
  if (b->w->all || e->op == HD_X_OF)
    return true;
  widen(e, width);
  char found[200], allowed[60];
  snprintf(found, sizeof found, "%s: %u bits", what, e->width);
  snprintf(allowed, sizeof allowed, "%u", width);
  return e->width == width || hd_wires_wrong(b, by, found, allowed);
}

static bool are_bits(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  bool ok = true;
  for (unsigned i = 0; i < e->n_args; i++)
    ok = ok && hd_wires_is_wide(b, by, e->arg[i], 1, "an operand of ! && ||");
  e->width = 1;
  return ok;
}

/* Both sides of an operator, or of the : of ?:, must have the same width. */
static bool are_equal(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *x,
                      struct hd_wire_expr *y) {
  widen(x, y->width);
  return hd_wires_is_wide(b, by, y, x->width, "the right side of an operator");
}

static bool check_width(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
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
    return hd_wires_is_wide(b, by, e->arg[0], 1, "the condition of ?:") &&
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
    return hd_wires_is_wide(b, by, e->arg[1], 1, "the second argument of GATED");
  default:
    return true;
  }
}

bool hd_wires_resolve(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  if (e->op == HD_X_NET)
    return hd_wires_look_up(b, by, e);
  if (e->op == HD_X_MEETS)
    return resolve_meets(b, by, e);
  if (e->op == HD_X_OF)
    return hd_wires_wrong(b, by, "OF", "a bundle to be driven by it");
  for (unsigned i = 0; i < e->n_args; i++)
    if (!hd_wires_resolve(b, by, e->arg[i]))
      return false;
  return check_width(b, by, e);
}

struct hd_wire_expr *hd_wires_parsed_text(struct hd_wiring_build *b, const struct hd_wire *by,
                                          const char *text) {
  struct hd_why why;
  struct hd_wire_expr *e = hd_wire_parse(&b->w->exprs, text, &why);
  if (!e && !b->failed) {
    b->failed = true;
    hd_because(b->why, HD_CHECK, "%s:%d: %s", by->file, by->line, why.text);
  }
  return e;
}

struct hd_wire_expr *hd_wires_parsed(struct hd_wiring_build *b, const struct hd_wire *by) {
  return hd_wires_parsed_text(b, by, by->from);
}

struct hd_wire_expr *hd_wires_expression(struct hd_wiring_build *b, const struct hd_wire *by) {
  struct hd_wire_expr *e = hd_wires_parsed(b, by);
  return e && hd_wires_resolve(b, by, e) ? e : NULL;
}
