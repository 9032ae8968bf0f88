/* Writes the functions that set the inputs of each instance in a lazy run; see wiregen_lazy.h. */
#include "tools/wiregen_lazy.h"

#include <string.h>

struct hd_text_of hd_read_lazily(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  const struct hd_parts_bit bit = hd_parts_bit_of(x->w, net, by_path);
  struct hd_text_of out = {""};
  if (*bit.text)
    hd_append(&out, "((meet & %s) != 0)", bit.text);
  else if (!net->inst)
    hd_append(&out, "in->%s", net->row->name);
  else if (net->row->shows)
    return hd_c_shown(net);
  else if (net->row->cls == HD_LATE)
    hd_append(&out, "m->%s->late.%s", net->inst->name, net->row->name);
  else if (net->row->pointer || net->row->bundle || !strcmp(net->inst->when_text, "1"))
    hd_append(&out, "m->%s_out.%s", net->inst->name, net->row->name);
  else /* 0 if the instance does not exist; code that is compiled for one machine knows that */
    hd_append(&out, "(HD_HAS(m, %s) ? m->%s_out.%s : 0)", net->inst->name, net->inst->name, net->row->name);
  return out;
}

/* *one: the only instance that the expression reads. Returns false if it reads several, or ports of the
 * module; ports that replace an instance that does not exist are allowed. */
static bool reads_one(const struct hd_wire_expr *e, const struct hd_inst **one) {
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_net *net = e->net[i];
    if (!net->row) {
      if (!reads_one(net->expr, one))
        return false;
      continue;
    }
    if (!net->inst && e->n_nets > 1)
      continue;
    if (!net->inst || (*one && *one != net->inst))
      return false;
    *one = net->inst;
  }
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && !reads_one(e->arg[i], one))
      return false;
  return true;
}

static bool is_handshake(const struct hd_wiring *w, const struct hd_inst *inst, const struct hd_row *port) {
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && w->ties[i].port == port && w->ties[i].expr->op == HD_X_NET &&
        *hd_parts_bit_of(w, w->ties[i].expr->net[0], w->ties[i].expr->by_path).text)
      return true;
  return false;
}

static bool in_decl(const struct hd_decl *d, const struct hd_row *port) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (!strcmp(d->rows[i].var, port->var))
      return true;
  return false;
}

/* True if the expression reads MEALY outputs of the first of the instance's part. */
static bool reads_head(const struct hd_wiring *w, const struct hd_inst *inst, const struct hd_wire_expr *e) {
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *other = &w->decl->insts[i];
    if (hd_parts_same(w, inst, other) && !hd_parts_is_beside(w, other) && hd_wire_reads(e, other, HD_MEALY))
      return true;
  }
  return false;
}

/* True if the input is a vector of registers of another instance beside the same part. */
static bool is_in_place(const struct hd_wiring *w, const struct hd_inst *inst, const struct hd_row *port,
                        const struct hd_inst *from) {
  const struct hd_wire_expr *e = hd_wiring_tie(w, inst, port)->expr;
  return port->pointer && e->op == HD_X_NET && e->n_nets == 1 && e->net[0]->row && e->net[0]->row->pointer &&
         e->net[0]->row->shows && hd_parts_is_beside(w, from) && hd_parts_same(w, inst, from);
}

/* The group of an input that reads one other instance only; HERE if it needs no group of its own. */
static enum hd_group group_from(const struct hd_wiring *w, const struct hd_inst *inst,
                                const struct hd_row *port, const struct hd_inst *from) {
  const struct hd_wire *to = hd_part_row(w, inst), *of = hd_part_row(w, from);
  const bool beside = hd_parts_is_beside(w, inst), head = !beside && hd_parts_is_beside(w, from);
  if (beside && hd_parts_is_beside(w, from) && hd_parts_same(w, inst, from) &&
      hd_reads_all(hd_wiring_tie(w, inst, port)->expr, hd_is_made))
    return PUSH;
  if (beside && is_in_place(w, inst, port, from))
    return PLACE;
  if (to && of && strcmp(to->name, of->name) != 0 && hd_parts_ticks_before(w, of, to))
    return FROM;
  return strcmp(from->when_text, "1") != 0 && (beside || (head && hd_parts_same(w, inst, from))) ? FROM
                                                                                                 : HERE;
}

/* The function that sets the input; *from: the instance for FROM, PUSH and PLACE. */
enum hd_group hd_group_of(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                          const struct hd_row *port, const struct hd_inst **from) {
  const struct hd_wiring *w = x->c.w;
  *from = NULL;
  if (*hd_channel_of(w, inst, port, false).text || is_handshake(w, inst, port))
    return HERE;
  bool one = true, late = false, after = false;
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && w->ties[i].port == port) {
      one = one && reads_one(w->ties[i].expr, from);
      late = late || hd_reads_late(w->ties[i].expr);
      after = after || (hd_parts_is_beside(w, inst) && reads_head(w, inst, w->ties[i].expr));
    }
  const enum hd_group group = one && *from && *from != inst ? group_from(w, inst, port, *from) : HERE;
  if (!late && !after && group != HERE)
    return group;
  *from = NULL;
  if (late || after)
    return late ? LATE : AFTER;
  for (size_t i = 0; i < x->plain->n_insts; i++)
    if (!strcmp(x->plain->insts[i].name, inst->name) && !strcmp(inst->when_text, "1") &&
        !in_decl(x->plain->insts[i].decl, port))
      return MORE;
  return HERE;
}

/* Vectors are copied only for instances beside, or in wire_X_from_Y, and line bytes never. The lazy run knows
 * where all other vectors are. */
static bool is_copied(const struct hd_lazy_writer *x, const struct hd_inst *inst, const struct hd_row *port,
                      enum hd_group group) {
  const struct hd_wire_expr *e = hd_wiring_tie(x->c.w, inst, port)->expr;
  const bool vector = port->pointer && e->op == HD_X_NET && e->net[0]->row && e->net[0]->row->pointer;
  return !vector || ((hd_parts_is_beside(x->c.w, inst) || group == FROM) && !hd_parts_sets(x->c.w, inst) &&
                     !hd_is_bytes(port));
}

bool hd_put_group(struct hd_lazy_writer *x, const struct hd_inst *inst, enum hd_group group,
                  const struct hd_inst *from, const char *channel, bool dry) {
  const struct hd_decl *d = inst->decl;
  char to[80];
  bool any = false;
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    const struct hd_inst *of;
    n = 1;
    if (d->rows[i].cls != HD_IN || hd_is_unread(&d->rows[i]) ||
        hd_group_of(x, inst, &d->rows[i], &of) != group || of != from ||
        !is_copied(x, inst, &d->rows[i], group) ||
        strcmp(hd_channel_of(x->c.w, inst, &d->rows[i], false).text, channel) != 0)
      continue;
    n = hd_fields_from(d, i);
    for (size_t k = 1; k < n; k++) /* fields of a bundle may be in several groups */
      if (hd_group_of(x, inst, &d->rows[i + k], &of) != group || of != from)
        n = 1;
    any = true;
    if (!dry)
      hd_copy_rows(&x->c, *channel ? 2 : 1, to, inst, &d->rows[i], n);
  }
  return any;
}

void hd_open_wire(struct hd_lazy_writer *x, const struct hd_inst *inst, const char *rest) {
  hd_put_line(&x->c, 0, "static inline void wire_%s%s(struct %s *m, const struct %s_in *in, unsigned meet) {",
              inst->name, rest, x->c.w->decl->module, x->c.w->decl->module);
  hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x->c, 1, "(void)d, (void)in, (void)meet;");
}

static void put_payloads(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    const struct hd_prefix channel =
        port->cls == HD_IN ? hd_channel_of(w, inst, port, false) : (struct hd_prefix){""};
    bool before = !*channel.text;
    for (size_t k = 0; k < i && !before; k++)
      before = inst->decl->rows[k].cls == HD_IN &&
               !strcmp(hd_channel_of(w, inst, &inst->decl->rows[k], false).text, channel.text);
    if (before || !hd_put_group(x, inst, HERE, NULL, channel.text, true))
      continue;
    hd_put_line(&x->c, 1, "if (m->%s_in.%s_valid) {", inst->name, channel.text);
    hd_put_group(x, inst, HERE, NULL, channel.text, false);
    hd_put_line(&x->c, 1, "}");
  }
}

/* Writes wire_X<rest> if there are inputs of the group. */
static void put_function(struct hd_lazy_writer *x, const struct hd_inst *inst, enum hd_group group,
                         const struct hd_inst *from, const char *rest) {
  if (!hd_put_group(x, inst, group, from, "", true))
    return;
  hd_open_wire(x, inst, rest);
  hd_put_group(x, inst, group, from, "", false);
  hd_put_line(&x->c, 0, "}\n");
}

void hd_put_inputs(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  hd_open_wire(x, inst, "");
  hd_put_group(x, inst, HERE, NULL, "", false);
  put_payloads(x, inst);
  hd_put_line(&x->c, 0, "}\n");
  if (hd_put_group(x, inst, MORE, NULL, "", true)) {
    hd_put_line(&x->c, 0, "/* Inputs that not every machine has. */");
    put_function(x, inst, MORE, NULL, "_more");
  }
  put_function(x, inst, LATE, NULL, "_late");
  put_function(x, inst, AFTER, NULL, "_after");
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    const struct hd_inst *from = &x->c.w->decl->insts[i];
    struct hd_text_of rest = {""}, pushed = {""};
    hd_append(&rest, "_from_%s", from->name);
    put_function(x, inst, FROM, from, rest.text);
    hd_append(&pushed, "_pushed_by_%s", from->name);
    put_function(x, inst, PUSH, from, pushed.text);
  }
}

/* True if some input of the group may come from the module's own ports, if the other instance does not exist. */
static bool has_other(const struct hd_lazy_writer *x, const struct hd_inst *inst,
                      const struct hd_inst *from) {
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_inst *of;
    const struct hd_row *port = &inst->decl->rows[i];
    if (port->cls == HD_IN && hd_group_of(x, inst, port, &of) == FROM && of == from &&
        hd_wiring_tie(x->c.w, inst, port)->expr->n_nets > 1)
      return true;
  }
  return false;
}

void hd_put_calls_from(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst, bool own_part) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *from = &w->decl->insts[i];
    const struct hd_wire *to = hd_part_row(w, inst), *of = hd_part_row(w, from);
    const bool before = to && of && strcmp(to->name, of->name) != 0 && hd_parts_ticks_before(w, of, to);
    if (before == own_part || !hd_put_group(x, inst, FROM, from, "", true))
      continue;
    if (strcmp(from->when_text, "1") != 0 && !has_other(x, inst, from))
      hd_put_line(&x->c, depth, "if (HD_HAS(m, %s))", from->name);
    hd_put_line(&x->c, depth + 1, "wire_%s_from_%s(m, in, meet);", inst->name, from->name);
  }
}
