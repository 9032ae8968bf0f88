/* The drivers of the outputs of the module itself; see wiring.h. */
#include "arch/wires/wiring.h"

#include <string.h>

static bool in_bundle(const struct hd_row *row, const char *bundle_port) {
  const size_t n = strlen(bundle_port);
  return row->bundle && row->cls == HD_OUT && !strncmp(row->name, bundle_port, n) && row->name[n] == '.';
}

/* The expression of a field in OF: the given one, or the field of a port. Returns NULL if there is none. */
static struct hd_wire_expr *field_of(struct hd_wiring_build *b, const struct hd_wire *by,
                                     struct hd_wire_expr *const *given, unsigned n, const struct hd_row *to) {
  const char *field = strchr(to->name, '.') + 1;
  for (unsigned i = 0; i < n; i++)
    if (given[i]->op == HD_X_EQ && !strcmp(given[i]->arg[0]->name, field)) {
      struct hd_wire_expr *e = given[i]->arg[1];
      return hd_wires_resolve(b, by, e) && hd_wires_is_wide(b, by, e, to->count * to->width, to->name) ? e
                                                                                                       : NULL;
    }
  for (unsigned i = 0; i < n; i++) {
    if (given[i]->op == HD_X_EQ)
      continue;
    struct hd_wire_expr *e = hd_wires_new_expr(b, HD_X_NET);
    if (!e)
      return NULL;
    e->value = 1;
    snprintf(e->name, sizeof e->name, "%.40s.%.20s", given[i]->name, field);
    const char *dot = strchr(e->name, '.');
    if (hd_wires_is_inst(b->w, e->name, (size_t)(dot - e->name)))
      hd_wires_find_output(b, e, dot);
    else
      hd_wires_find_net(b, e);
    if (e->n_nets)
      return hd_wires_is_wide(b, by, e, to->count * to->width, to->name) ? e : NULL;
  }
  return NULL;
}

/* Checks that every `field =` names a field of the bundle. */
static void check_given(struct hd_wiring_build *b, const struct hd_wire *by, const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_args; i++) {
    if (e->arg[i]->op != HD_X_EQ)
      continue;
    bool there = false;
    for (size_t k = 0; k < b->w->decl->n_rows; k++)
      there |= in_bundle(&b->w->decl->rows[k], by->name) &&
               !strcmp(strchr(b->w->decl->rows[k].name, '.') + 1, e->arg[i]->arg[0]->name);
    if (!there)
      hd_wires_wrong(b, by, e->arg[i]->arg[0]->name, "a field of the bundle");
  }
}

static bool resolve_bundle(struct hd_wiring_build *b, const struct hd_wire *by, struct hd_wire_expr *e) {
  if (e->op == HD_X_COND)
    return hd_wires_resolve(b, by, e->arg[0]) &&
           hd_wires_is_wide(b, by, e->arg[0], 1, "the condition of ?:") && resolve_bundle(b, by, e->arg[1]) &&
           resolve_bundle(b, by, e->arg[2]);
  if (e->op != HD_X_OF)
    return hd_wires_wrong(b, by, by->from, "OF(...), or ?: of such");
  if (b->w->all)
    check_given(b, by, e);
  struct hd_wire_expr *given[HD_X_ARGS];
  const unsigned n = e->n_args;
  memcpy(given, e->arg, n * sizeof *given);
  e->n_args = 0;
  for (size_t i = 0; i < b->w->decl->n_rows && !b->failed; i++) {
    const struct hd_row *to = &b->w->decl->rows[i];
    if (!in_bundle(to, by->name))
      continue;
    if (e->n_args == HD_X_ARGS)
      return hd_wires_wrong(b, by, by->name, "a bundle of fewer fields");
    e->field[e->n_args] = to;
    e->arg[e->n_args++] = field_of(b, by, given, n, to);
  }
  return !b->failed;
}

/* The module's own output with this name. Returns NULL if there is none. */
static const struct hd_row *own_output(const struct hd_wiring *w, const char *name) {
  const struct hd_row *port = hd_wires_port(w->decl, name);
  return port && hd_is_output(port->cls) ? port : NULL;
}

void hd_wires_tie_driven(struct hd_wiring_build *b, const struct hd_wire *row) {
  const struct hd_decl *d = b->w->decl;
  const struct hd_row *port = own_output(b->w, row->name);
  if (port) {
    hd_wires_add_tie(b, NULL, port, NULL, hd_wires_expression(b, row), row);
    return;
  }
  for (size_t i = 0; i < d->n_rows; i++)
    if (in_bundle(&d->rows[i], row->name)) {
      struct hd_wire_expr *e = hd_wires_parsed(b, row);
      if (e && resolve_bundle(b, row, e))
        hd_wires_add_tie(b, NULL, NULL, NULL, e, row);
      return;
    }
  struct hd_wire_expr *to = hd_wires_parsed_text(b, row, row->name);
  unsigned width = 0;
  bool all = to && to->op == HD_X_CAT;
  for (unsigned i = 0; all && i < to->n_args; i++) {
    const struct hd_row *part = own_output(b->w, to->arg[i]->name);
    to->field[i] = part;
    all = part != NULL;
    width += part ? part->count * part->width : 0;
  }
  if (!all) {
    hd_wires_wrong(b, row, row->name, "outputs of the module");
    return;
  }
  struct hd_wire_expr *e = hd_wires_expression(b, row);
  if (e && hd_wires_is_wide(b, row, e, width, row->name))
    hd_wires_add_tie(b, NULL, NULL, to, e, row);
}

static bool drives(const struct hd_tie *tie, const struct hd_row *port) {
  if (tie->inst || tie->port)
    return !tie->inst && tie->port == port;
  for (unsigned i = 0; tie->to && i < tie->to->n_args; i++)
    if (tie->to->field[i] == port)
      return true;
  return !tie->to && in_bundle(port, tie->by->name);
}

void hd_wires_tie_output(struct hd_wiring_build *b, const struct hd_row *port) {
  const struct hd_wiring *w = b->w;
  const struct hd_wire *by = NULL;
  for (size_t i = 0; i < w->n_ties; i++)
    if (drives(&w->ties[i], port)) {
      if (by && (!w->all || hd_wires_always(by)))
        hd_wires_two_drivers(b, hd_wires_path(NULL, port).text, by, w->ties[i].by);
      by = w->ties[i].by;
    }
  struct hd_wire_expr *e = hd_wires_net_named(b, port->var, "");
  if (by && e && !w->all)
    hd_wires_two_drivers(b, hd_wires_path(NULL, port).text, NULL, by);
  if (e && !(by && hd_wires_always(by)))
    hd_wires_add_tie(b, NULL, port, NULL, e, NULL);
  if (e || by)
    return;
  char found[300];
  snprintf(found, sizeof found, "%s without a driver", hd_wires_path(NULL, port).text);
  hd_wires_wrong(b, NULL, found, "a DRIVE of it, or a net of its name");
}
