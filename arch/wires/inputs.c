/* The drivers of the inputs of instances; see wiring.h. */
#include "arch/wires/wiring.h"

#include <stdlib.h>
#include <string.h>

void hd_wires_add_tie(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port,
                      struct hd_wire_expr *to, struct hd_wire_expr *expr, const struct hd_wire *by) {
  struct hd_wiring *w = b->w;
  struct hd_tie *more = realloc(w->ties, (w->n_ties + 1) * sizeof *more);
  if (!more) {
    hd_wires_no_memory(b);
    return;
  }
  w->ties = more;
  more[w->n_ties++] = (struct hd_tie){inst, port, to, expr, by, NULL};
  if (port && expr)
    hd_wires_is_wide(b, by, expr, port->count * port->width, hd_wires_path(inst, port).text);
}

struct hd_wire_expr *hd_wires_net_named(struct hd_wiring_build *b, const char *name, const char *rest) {
  struct hd_wire_expr *e = hd_wires_new_expr(b, HD_X_NET);
  if (!e)
    return NULL;
  snprintf(e->name, sizeof e->name, "%.40s%.23s", name, rest);
  hd_wires_find_net(b, e);
  return e->n_nets ? e : NULL;
}

static struct hd_wire_expr *joined(struct hd_wiring_build *b, const struct hd_wire *hook,
                                   const struct hd_inst *inst, const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const enum hd_join join = hd_wires_join_of(hook, port->bundle ? strchr(port->name, '.') + 1 : "");
  struct hd_wire_expr *e = hd_wires_new_expr(b, HD_X_JOIN);
  if (!e)
    return NULL;
  e->value = join == HD_JOIN_AND;
  e->field[0] = port;
  e->width = port->count * port->width;
  if (join == HD_JOIN_BAD)
    hd_wires_wrong(b, hook, hook->from, "OR, AND or ONE, then field: OR, AND or ONE");
  for (size_t i = 0; i < w->n_nets && !b->failed; i++) {
    const struct hd_net *net = &w->nets[i];
    if (!net->inst || net->inst == inst || !hd_wires_same_field(net->row, port))
      continue;
    if (join == HD_JOIN_ONE && e->n_args && !w->all)
      hd_wires_two_drivers(b, hd_wires_path(inst, port).text, NULL, hook);
    if (e->n_args == HD_X_ARGS) {
      hd_wires_wrong(b, hook, hd_wires_path(net->inst, net->row).text, "fewer outputs for a hook to join");
      break;
    }
    struct hd_wire_expr *arg = hd_wires_new_expr(b, HD_X_NET);
    if (!arg)
      break;
    e->arg[e->n_args++] = arg;
    hd_wires_may_be(b, arg, net);
    hd_wires_is_wide(b, hook, arg, e->width, hd_wires_path(net->inst, net->row).text);
  }
  return e;
}

/* The name of the net that a channel gives to this input, or NULL; *rest is the rest of the port's name. */
static const char *channel_net(const struct hd_wiring *w, const struct hd_wire *row,
                               const struct hd_inst *inst, const struct hd_row *port, const char **rest) {
  if (!hd_wires_counts(w, row, HD_W_CHANNEL))
    return NULL;
  if ((*rest = hd_wire_rest(w, row->to, inst, port)))
    return row->name;
  return (*rest = hd_wire_rest(w, row->from, inst, port)) && !strcmp(*rest, "_ready") ? row->name : NULL;
}

/* For a wiring of all machines: true if the port is tied to the net of this name already. Then `row` is added
 * to that tie; `row` NULL makes it a tie by name. */
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

/* Adds all possible drivers of an input; the first whose row counts is valid. In one machine there is one. In
 * a wiring of all machines two rows of a kind may count. */
void hd_wires_tie_input(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const struct hd_wire *first = NULL;
  for (size_t i = 0; i < w->n_rows && !b->failed; i++) {
    const struct hd_wire *row = &w->rows[i];
    if (!hd_wires_counts(w, row, HD_W_WIRE) ||
        (strcmp(row->name, port->name) != 0 && strcmp(row->name, port->var) != 0) ||
        !hd_wire_means(w, row->inst, strlen(row->inst), inst))
      continue;
    if (first && (!w->all || hd_wires_always(first)))
      hd_wires_two_drivers(b, hd_wires_path(inst, port).text, first, row);
    hd_wires_add_tie(b, inst, port, NULL, hd_wires_expression(b, row), row);
    first = row;
  }
  if (b->failed || (first && (!w->all || hd_wires_always(first))))
    return;
  const struct hd_wire *hook = hd_wires_hook_of(w, inst, port);
  if (hook) {
    hd_wires_add_tie(b, inst, port, NULL, joined(b, hook, inst, port), hook);
    return;
  }
  for (size_t i = 0; i < w->n_rows && !b->failed; i++) {
    const char *rest, *net = channel_net(w, &w->rows[i], inst, port, &rest);
    struct hd_wire_expr *e = net ? hd_wires_net_named(b, net, rest) : NULL;
    if (!e || is_tied(b->w, inst, port, e->name, &w->rows[i]))
      continue;
    if (first && !w->all)
      hd_wires_two_drivers(b, hd_wires_path(inst, port).text, first, &w->rows[i]);
    first = &w->rows[i];
    hd_wires_add_tie(b, inst, port, NULL, e, first);
  }
  if (first && (!w->all || hd_wires_always(first)))
    return;
  struct hd_wire_expr *e = hd_wires_net_named(b, port->var, "");
  if (e && !is_tied(b->w, inst, port, e->name, NULL))
    hd_wires_add_tie(b, inst, port, NULL, e, NULL);
  else if (!e && !first) {
    char found[300];
    snprintf(found, sizeof found, "%s without a driver", hd_wires_path(inst, port).text);
    hd_wires_wrong(b, NULL, found, "a WIRE of it, a CHANNEL, or a net of its name");
  }
}
