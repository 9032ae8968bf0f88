/* Makes the instances, ports and wires of a drop-in from the wirings of the modules that it is taken from;
 * see extract.h. */
#include "arch/dropin/extract.h"

#include <stdlib.h>
#include <string.h>

struct taking {
  struct hd_decl *decl;
  struct hd_dropin *dropin;
  struct hd_wiring *w;
  const struct hd_dropin_part *part;  /* the current one */
  const struct hd_inst **of;          /* the original of each instance of the drop-in */
  const struct hd_dropin_part **from; /* and the part that holds that */
  const char *twice;                  /* a name that two nets have; NULL: none */
  bool no_memory;
};

bool hd_dropin_takes(const struct hd_decl *top, const char *room) {
  for (size_t i = 0; i < top->n_insts; i++)
    if (!strcmp(top->insts[i].decl->room, room))
      return true;
  return false;
}

static void *array(struct taking *t, size_t n, size_t size) {
  void *out = calloc(n + 1, size);
  t->no_memory |= !out;
  return out;
}

/* Allocates room for all that the parts have. Returns false if memory is out. */
static bool make_room(struct taking *t) {
  size_t insts = 0, ports = 0, nets = 0;
  for (const struct hd_dropin_part *p = t->dropin->part; p < t->dropin->part + t->dropin->n_parts; p++) {
    insts += p->decl->n_insts;
    nets += p->wiring->n_nets;
    for (size_t i = 0; i < p->decl->n_insts; i++)
      ports += p->decl->insts[i].decl->n_rows;
  }
  const size_t both = 2 * ports + nets; /* outputs; inputs, named by port for hooks, else by net */
  t->of = array(t, insts, sizeof *t->of);
  t->from = array(t, insts, sizeof *t->from);
  t->decl->insts = array(t, insts, sizeof *t->decl->insts);
  t->decl->rows = array(t, both, sizeof *t->decl->rows);
  t->dropin->input = array(t, both, sizeof *t->dropin->input);
  t->w->nets = array(t, both, sizeof *t->w->nets);
  t->w->ties = array(t, ports, sizeof *t->w->ties);
  return !t->no_memory;
}

/* --- instances ------------------------------------------------------------------------------------------- */

static bool reads(const struct hd_wire_expr *e, const struct hd_inst *inst) {
  return hd_wire_reads(e, inst, HD_OUT) || hd_wire_reads(e, inst, HD_MEALY) ||
         hd_wire_reads(e, inst, HD_LATE);
}

/* True if an instance of the room takes an output of this one. */
static bool serves(const struct hd_wiring *w, const struct hd_inst *inst, const char *room) {
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst && !strcmp(w->ties[i].inst->decl->room, room) && reads(w->ties[i].expr, inst))
      return true;
  return false;
}

static void take_instances(struct taking *t) {
  struct hd_decl *d = t->decl;
  d->n_insts = 0;
  for (const struct hd_dropin_part *p = t->dropin->part; p < t->dropin->part + t->dropin->n_parts; p++)
    for (size_t i = 0; i < p->decl->n_insts; i++) {
      const struct hd_inst *inst = &p->decl->insts[i];
      const bool shared = !strcmp(inst->decl->room, "reuse");
      if (strcmp(inst->decl->room, d->room) != 0 && !(shared && serves(p->wiring, inst, d->room)))
        continue;
      if (!d->n_insts)
        d->source = inst->decl->source;
      t->of[d->n_insts] = inst;
      t->from[d->n_insts] = p;
      d->insts[d->n_insts++] = *inst;
    }
}

/* The instance of the drop-in for an instance of the current part. Returns NULL if that stays outside. */
static const struct hd_inst *inside(const struct taking *t, const struct hd_inst *inst) {
  for (size_t i = 0; inst && i < t->decl->n_insts; i++)
    if (t->of[i] == inst)
      return &t->decl->insts[i];
  return NULL;
}

/* --- ports and nets --------------------------------------------------------------------------------------- */

static struct hd_net *net_called(const struct taking *t, const char *name) {
  for (size_t i = 0; i < t->w->n_nets; i++)
    if (!strcmp(t->w->nets[i].name, name))
      return &t->w->nets[i];
  return NULL;
}

static struct hd_net *add_net(struct taking *t, const struct hd_net *net) {
  t->w->nets[t->w->n_nets] = *net;
  return &t->w->nets[t->w->n_nets++];
}

/* Adds a port with this name and class; all else is as in row `as`. */
static struct hd_row *add_port(struct taking *t, const char *name, const struct hd_row *as,
                               enum hd_class cls) {
  struct hd_decl *d = t->decl;
  struct hd_row *row = &d->rows[d->n_rows++];
  *row = *as;
  row->cls = cls;
  row->bundle = row->sees = row->shows = NULL;
  snprintf(row->name, sizeof row->name, "%s", name);
  snprintf(row->var, sizeof row->var, "%s", name);
  return row;
}

/* The input of the drop-in that brings this net from outside; for a hook, the input that brings the join of
 * all outputs outside. */
static const struct hd_net *input(struct taking *t, const char *name, const struct hd_row *as,
                                  const struct hd_wire_expr *from) {
  const struct hd_net *known = net_called(t, name);
  if (known && (!known->row || known->inst || t->dropin->input[known->row - t->decl->rows].part != t->part))
    t->twice = known->name;
  if (known)
    return known;
  struct hd_row *row = add_port(t, name, as, HD_IN);
  t->dropin->input[row - t->decl->rows] = (struct hd_dropin_input){t->part, from};
  struct hd_net net = {.row = row};
  snprintf(net.name, sizeof net.name, "%s", name);
  return add_net(t, &net);
}

/* The net of an output of an instance inside. */
static const struct hd_net *inner_net(const struct taking *t, const struct hd_inst *inst,
                                      const struct hd_row *row) {
  return hd_wiring_net(t->w, inst, row);
}

static struct hd_wire_expr *translate(struct taking *t, const struct hd_wire_expr *e,
                                      const struct hd_row *port);

/* The net of the drop-in that stands for a net of the current part. */
static const struct hd_net *net_for(struct taking *t, const struct hd_wire_expr *e) {
  const struct hd_net *net = e->net[0];
  const struct hd_inst *inst = inside(t, net->inst);
  if (inst)
    return inner_net(t, inst, net->row);
  if (net->row)
    return input(t, net->name, net->row, e);
  const struct hd_net *known = net_called(t, net->name);
  if (known)
    return known;
  struct hd_net named = *net;
  named.expr = translate(t, net->expr, NULL);
  return add_net(t, &named);
}

/* Returns NULL if memory is out. */
static struct hd_wire_expr *new_expr(struct taking *t, enum hd_wire_op op) {
  struct hd_wire_expr *out = hd_wire_expr_new(&t->w->exprs, op);
  t->no_memory |= !out;
  return out;
}

/* Returns NULL if memory is out. */
static struct hd_wire_expr *copy_of(struct taking *t, const struct hd_wire_expr *e) {
  struct hd_wire_expr *out = new_expr(t, e->op);
  if (!out)
    return NULL;
  struct hd_wire_expr *next = out->next;
  *out = *e;
  out->next = next;
  return out;
}

/* Translates the join of a hook: all outputs outside become one input with the hook's name. */
static struct hd_wire_expr *translate_join(struct taking *t, const struct hd_wire_expr *e,
                                           const struct hd_row *port) {
  struct hd_wire_expr *out = copy_of(t, e), *others = copy_of(t, e);
  if (!out || !others)
    return NULL;
  out->n_args = others->n_args = 0;
  for (unsigned i = 0; i < e->n_args; i++)
    if (inside(t, e->arg[i]->net[0]->inst))
      out->arg[out->n_args++] = translate(t, e->arg[i], NULL);
    else
      others->arg[others->n_args++] = e->arg[i];
  if (others->n_args) {
    struct hd_wire_expr *net = new_expr(t, HD_X_NET);
    if (!net)
      return NULL;
    net->net[net->n_nets++] = input(t, port->var, port, others);
    net->width = e->width;
    out->arg[out->n_args++] = net;
  }
  return out;
}

/* Translates an expression of the current part to the nets of the drop-in. `port` is the input that it
 * drives. Returns NULL if memory is out. */
static struct hd_wire_expr *translate(struct taking *t, const struct hd_wire_expr *e,
                                      const struct hd_row *port) {
  if (e->op == HD_X_JOIN)
    return translate_join(t, e, port);
  struct hd_wire_expr *out = copy_of(t, e);
  if (!out)
    return NULL;
  if (e->op == HD_X_NET)
    out->net[0] = net_for(t, e);
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i])
      out->arg[i] = translate(t, e->arg[i], NULL);
  return out;
}

/* --- outputs ---------------------------------------------------------------------------------------------- */

static bool reads_net(const struct hd_wire_expr *e, const struct hd_net *net) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i] == net || (e->net[i]->expr && reads_net(e->net[i]->expr, net)))
      return true;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && reads_net(e->arg[i], net))
      return true;
  return false;
}

/* True if something outside reads the net, or nothing reads it. */
static bool is_shown(const struct taking *t, const struct hd_wiring *w, const struct hd_net *net) {
  bool read = false;
  for (size_t i = 0; i < w->n_ties; i++)
    if (reads_net(w->ties[i].expr, net)) {
      if (!inside(t, w->ties[i].inst))
        return true;
      read = true;
    }
  return !read;
}

/* Adds all outputs of instances inside as nets, with the names of the originals. An output of a hook gets the
 * port's own name, unless two instances inside have the same. */
static void take_nets(struct taking *t) {
  for (size_t i = 0; i < t->decl->n_insts; i++) {
    const struct hd_decl *d = t->of[i]->decl;
    for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++) {
      if (!hd_is_output(row->cls))
        continue;
      const struct hd_net *there = hd_wiring_net(t->from[i]->wiring, t->of[i], row);
      struct hd_net net = {.inst = &t->decl->insts[i], .row = row};
      const bool hooked = !there->by && strcmp(there->name, row->var) != 0;
      snprintf(net.name, sizeof net.name, "%s", hooked && !net_called(t, row->var) ? row->var : there->name);
      add_net(t, &net);
    }
  }
}

/* Adds the ports that show these nets. */
static void take_outputs(struct taking *t) {
  for (size_t i = 0; i < t->decl->n_insts; i++) {
    const struct hd_decl *d = t->of[i]->decl;
    const struct hd_wiring *w = t->from[i]->wiring;
    for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
      if (hd_is_output(row->cls) && is_shown(t, w, hd_wiring_net(w, t->of[i], row)))
        add_port(t, inner_net(t, &t->decl->insts[i], row)->name, row, row->cls);
  }
}

static void take_inputs(struct taking *t) {
  for (size_t i = 0; i < t->decl->n_insts; i++) {
    const struct hd_decl *d = t->of[i]->decl;
    t->part = t->from[i];
    for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++) {
      if (row->cls != HD_IN)
        continue;
      struct hd_wire_expr *e = translate(t, hd_wiring_tie(t->part->wiring, t->of[i], row)->expr, row);
      t->w->ties[t->w->n_ties++] = (struct hd_tie){.inst = &t->decl->insts[i], .port = row, .expr = e};
    }
  }
}

/* --- structs ---------------------------------------------------------------------------------------------- */

static size_t lay(size_t *end, size_t size) {
  const size_t at = *end;
  *end += (size + 15) / 16 * 16;
  return at;
}

/* Lays out struct X_in, X_out and X as a compiler would (cmodel/model/models.h). */
static void lay_out(struct hd_decl *d) {
  size_t in = 0, out = 0, model = 0;
  for (struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    row->offset = lay(row->cls == HD_IN ? &in : &out, sizeof(uint64_t));
  lay(&model, sizeof(struct hd_model));
  for (struct hd_inst *inst = d->insts; inst < d->insts + d->n_insts; inst++) {
    inst->offset = lay(&model, sizeof(void *));
    inst->in_offset = lay(&model, inst->decl->in_size);
    inst->out_offset = lay(&model, inst->decl->out_size);
  }
  d->in_size = in + 16;
  d->out_size = out + 16;
  d->st_size = 16;
  d->st_offset = d->late_offset = lay(&model, 16);
  d->model_size = model;
}

enum hd_rc hd_dropin_take(struct hd_decl *decl, struct hd_dropin *dropin, struct hd_why *why) {
  struct taking t = {.decl = decl, .dropin = dropin};
  dropin->wiring = t.w = array(&t, 0, sizeof *t.w);
  if (t.w)
    t.w->decl = decl;
  if (t.w && make_room(&t)) {
    take_instances(&t);
    take_nets(&t);
    take_inputs(&t);
    take_outputs(&t);
    lay_out(decl);
  }
  free(t.of);
  free(t.from);
  if (t.no_memory)
    return hd_because(why, HD_TOOL, "out of memory");
  return t.twice ? hd_because(why, HD_CHECK, "%s: found two nets %s; allowed one: a mistake in Heddle",
                              decl->module, t.twice)
                 : HD_OK;
}
