/* A golden model that interprets its wiring; see wired.h. */
#include "cmodel/model/wired.h"

#include "arch/dropin/dropin.h"
#include "cmodel/model/bits.h"

static void *at(const void *base, size_t offset) {
  return (char *)base + offset;
}

static struct hd_model *inner(const struct hd_model *m, const struct hd_inst *inst) {
  return *(struct hd_model **)at(m, inst->offset);
}

/* Returns element e of what a net of the model shows. */
static uint64_t net_value(const struct hd_model *m, const void *in, const struct hd_net *net, unsigned e) {
  if (!net->row)
    return hd_wired_value(m, in, net->expr, e);
  if (!net->inst)
    return *hd_elem(m->decl, net->row, in, 0, e);
  const struct hd_model *of = inner(m, net->inst);
  const void *base = net->row->cls == HD_LATE ? at(of, of->decl->late_offset) : at(m, net->inst->out_offset);
  return *hd_elem(of->decl, net->row, base, 0, e);
}

static uint64_t joined(const struct hd_model *m, const void *in, const struct hd_wire_expr *x, unsigned e) {
  uint64_t v = x->value ? UINT64_MAX : 0;
  for (unsigned i = 0; i < x->n_args; i++) {
    const uint64_t one = hd_wired_value(m, in, x->arg[i], e);
    v = x->value ? v & one : v | one;
  }
  return x->n_args ? v : v & hd_ones(x->width);
}

uint64_t hd_wired_value(const struct hd_model *m, const void *in, const struct hd_wire_expr *x, unsigned e) {
#define ARG(i) hd_wired_value(m, in, x->arg[i], e)
  uint64_t v;
  switch (x->op) {
  case HD_X_NET:
    return net_value(m, in, x->net[0], e);
  case HD_X_NUMBER:
    return x->value;
  case HD_X_NOT:
    return !ARG(0);
  case HD_X_AND:
  case HD_X_MEETS:
  case HD_X_BITAND:
    v = UINT64_MAX;
    for (unsigned i = 0; i < x->n_args; i++)
      v &= ARG(i);
    return v;
  case HD_X_OR:
  case HD_X_BITOR:
    v = 0;
    for (unsigned i = 0; i < x->n_args; i++)
      v |= ARG(i);
    return v;
  case HD_X_EQ:
    return ARG(0) == ARG(1);
  case HD_X_NE:
    return ARG(0) != ARG(1);
  case HD_X_COND:
    return ARG(0) ? ARG(1) : ARG(2);
  case HD_X_CAT:
    v = 0;
    for (unsigned i = 0; i < x->n_args; i++)
      v = v << x->arg[i]->width | ARG(i);
    return v;
  case HD_X_ANY:
    return ARG(0) != 0;
  case HD_X_GATED:
    return ARG(1) ? ARG(0) : 0;
  case HD_X_JOIN:
    return joined(m, in, x, e);
  case HD_X_OF: /* it drives only outputs of a module itself; a drop-in has none of these */
    break;
  }
#undef ARG
  return 0;
}

/* Sets the inputs of the instances from what is shown now. Returns true if one changed. */
static bool set_inputs(const struct hd_model *m, const void *in) {
  const struct hd_wiring *w = m->decl->dropin->wiring;
  bool changed = false;
  for (const struct hd_tie *tie = w->ties; tie < w->ties + w->n_ties; tie++)
    for (unsigned e = 0; e < tie->port->count; e++) {
      uint64_t *to = hd_elem(tie->inst->decl, tie->port, at(m, tie->inst->in_offset), 0, e);
      const uint64_t value = hd_wired_value(m, in, tie->expr, e);
      changed |= *to != value;
      *to = value;
    }
  return changed;
}

static void show(const struct hd_model *m, void *out, enum hd_class cls) {
  const struct hd_wiring *w = m->decl->dropin->wiring;
  for (const struct hd_row *row = m->decl->rows; row < m->decl->rows + m->decl->n_rows; row++)
    for (size_t i = 0; row->cls == cls && i < w->n_nets; i++)
      for (unsigned e = 0; !strcmp(w->nets[i].name, row->var) && e < row->count; e++)
        *hd_elem(m->decl, row, out, 0, e) = net_value(m, NULL, &w->nets[i], e);
}

static void moore(void *model, void *out) {
  struct hd_model *m = model;
  for (const struct hd_inst *inst = m->decl->insts; inst < m->decl->insts + m->decl->n_insts; inst++)
    hd_model_ops(inst->decl->module)->moore(inner(m, inst), at(m, inst->out_offset));
  show(m, out, HD_OUT);
}

/* Repeats until nothing changes: outputs that depend on inputs of the cycle may do so one after the other. Each round settles one more
 * input. There is no loop: the build finds loops in the modules from which a drop-in is taken. */
static void mealy(void *model, const void *in, void *out) {
  struct hd_model *m = model;
  size_t rounds = 0;
  do
    for (const struct hd_inst *inst = m->decl->insts; inst < m->decl->insts + m->decl->n_insts; inst++) {
      const struct hd_model_ops *ops = hd_model_ops(inst->decl->module);
      if (ops->mealy) {
        set_inputs(m, in);
        ops->mealy(inner(m, inst), at(m, inst->in_offset), at(m, inst->out_offset));
      }
    }
  while (set_inputs(m, in) && rounds++ < m->decl->dropin->wiring->n_ties);
  show(m, out, HD_MEALY);
}

static void tick(void *model, const void *in) {
  struct hd_model *m = model;
  (void)in; /* set by mealy */
  for (const struct hd_inst *inst = m->decl->insts; inst < m->decl->insts + m->decl->n_insts; inst++)
    hd_model_ops(inst->decl->module)->tick(inner(m, inst), at(m, inst->in_offset));
}

const struct hd_model_ops *hd_model_ops_of(const struct hd_decl *decl) {
  static const struct hd_model_ops wired = {NULL, moore, mealy, tick};
  return decl->dropin ? &wired : hd_model_ops(decl->module);
}
