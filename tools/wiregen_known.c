/* The state of knowledge at a point of a cycle; see wiregen_known.h. */
#include "tools/wiregen_known.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool net_known(const struct hd_known *x, const struct hd_net *net);

static size_t number_of(const struct hd_known *x, const struct hd_inst *inst) {
  return (size_t)(inst - x->decl->insts);
}

const struct hd_inst *hd_known_inst(const struct hd_known *x, size_t i) {
  return &x->decl->insts[i];
}

bool hd_known_expr(const struct hd_known *x, const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (!net_known(x, e->net[i]))
      return false;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && !hd_known_expr(x, e->arg[i]))
      return false;
  return true;
}

static bool net_known(const struct hd_known *x, const struct hd_net *net) {
  if (!net->row)
    return hd_known_expr(x, net->expr);
  if (!net->inst)
    return x->own;
  return net->row->cls == HD_OUT || x->out[number_of(x, net->inst)][net->row - net->inst->decl->rows];
}

/* True if all possible drivers of a port satisfy `ok`. */
static bool all_ties(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port,
                     bool (*ok)(const struct hd_known *x, const struct hd_wire_expr *e)) {
  for (size_t i = 0; i < x->w->n_ties; i++)
    if (x->w->ties[i].inst == inst && x->w->ties[i].port == port && !ok(x, x->w->ties[i].expr))
      return false;
  return true;
}

static bool not_late(const struct hd_known *x, const struct hd_wire_expr *e) {
  (void)x;
  return !hd_reads_late(e);
}

bool hd_known_late(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port) {
  return !all_ties(x, inst, port, not_late);
}

bool hd_known_input(const struct hd_known *x, const struct hd_inst *inst, const struct hd_row *port) {
  return all_ties(x, inst, port, hd_known_expr);
}

bool hd_known_inputs(const struct hd_known *x, size_t number) {
  const struct hd_inst *inst = hd_known_inst(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    if (port->cls == HD_IN && !hd_known_late(x, inst, port) && !hd_known_input(x, inst, port))
      return false;
  }
  return true;
}

/* True if `list`, "a, b", names the port, or the bundle that it is a field of. */
static bool lists(const char *list, const struct hd_row *port) {
  for (const char *at = list; *at; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ", ");
    if (!strncmp(port->name, at, n) && (port->name[n] == '\0' || port->name[n] == '.'))
      return true;
    at += n;
  }
  return false;
}

/* True for a MEALY output that is not known, although its SEES inputs are. */
static bool could_be_known(const struct hd_known *x, size_t number, const struct hd_row *out) {
  const struct hd_inst *inst = hd_known_inst(x, number);
  if (out->cls != HD_MEALY || !out->sees || x->out[number][out - inst->decl->rows])
    return false;
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (inst->decl->rows[i].cls == HD_IN && lists(out->sees, &inst->decl->rows[i]) &&
        !hd_known_input(x, inst, &inst->decl->rows[i]))
      return false;
  return true;
}

bool hd_known_lacks(const struct hd_known *x, size_t number) {
  const struct hd_decl *d = hd_known_inst(x, number)->decl;
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_MEALY && !x->out[number][i])
      return true;
  return false;
}

bool hd_known_leaves_nothing(const struct hd_inst *inst) {
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (inst->decl->rows[i].cls == HD_MEALY && !inst->decl->rows[i].sees)
      return false;
  return true;
}

void hd_known_learn(struct hd_known *x, size_t number, bool everything) {
  const struct hd_decl *d = hd_known_inst(x, number)->decl;
  /* an output that becomes known does not make others known in the same call */
  unsigned char *news = hd_zeroed(d->n_rows, 1);
  for (size_t i = 0; i < d->n_rows; i++)
    news[i] = d->rows[i].cls == HD_MEALY && (everything || could_be_known(x, number, &d->rows[i]));
  for (size_t i = 0; i < d->n_rows; i++)
    x->out[number][i] |= news[i];
  free(news);
}

bool hd_known_could_learn(const struct hd_known *x, size_t number) {
  const struct hd_inst *inst = hd_known_inst(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (could_be_known(x, number, &inst->decl->rows[i]))
      return true;
  return false;
}
