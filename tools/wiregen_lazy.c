/* What the lazy run calls (cmodel/step): who takes part if ports meet, and what sets the inputs of each instance; see wiregen.h.
 *
 * A channel between two parts, and a PULSE, is a bit of `meet`: its valid and its ready are that bit, its payload moves only
 * if the bit is set. Registers that ports show (SHOW rows) are read in place. All other outputs are read in <inst>_out,
 * which the lazy run has set. Line bytes are not carried. What an instance takes from a later one of its own part, or from
 * a part that is wired before its own, is a function of its own, wire_X_from_Y; so is what LATE outputs bring, wire_X_late. */
#include "tools/wiregen_parts.h"

#include <string.h>

static struct hd_text_of read_shown(const struct hd_net *net) {
  const char *const shows = net->row->shows, *const dot =
                                                 net->row->bundle ? strchr(net->row->name, '.') : NULL;
  const size_t n = strlen(shows);
  const bool call = n > 2 && !strcmp(shows + n - 2, "()"), always = dot || !strcmp(net->inst->when_text, "1");
  struct hd_text_of out = {""};
  if (!always)
    hd_append(&out, "(m->%s ? ", net->inst->name);
  if (call)
    hd_append(&out, "%.*s(m->%s)", (int)n - 2, shows, net->inst->name);
  else
    hd_append(&out, "m->%s->s.%s", net->inst->name, shows);
  hd_append(&out, "%s%s", dot ? dot : "", always ? "" : " : 0)");
  return out;
}

static struct hd_text_of read_lazily(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  const struct hd_parts_bit bit = hd_parts_bit_of(x->w, net, by_path);
  struct hd_text_of out = {""};
  if (*bit.text)
    hd_append(&out, "((meet & %s) != 0)", bit.text);
  else if (!net->inst)
    hd_append(&out, "in->%s", net->row->name);
  else if (net->row->shows)
    return read_shown(net);
  else if (net->row->cls == HD_LATE)
    hd_append(&out, "m->%s->late.%s", net->inst->name, net->row->name);
  else
    hd_append(&out, "m->%s_out.%s", net->inst->name, net->row->name);
  return out;
}

/* LATE: what ticks leave, and the ticks of others read. */
enum group { HERE, MORE, FROM, LATE };

/* The only instance that the expression reads, *one so far; false: it reads others, or ports of the module, unless these
 * stand in for an instance that is not there. */
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

/* X is to have a function for what it takes from Y. */
static bool apart(const struct hd_wiring *w, const struct hd_inst *x, const struct hd_inst *y) {
  const struct hd_wire *to = hd_part_row(w, x), *from = y ? hd_part_row(w, y) : NULL;
  if (!to || !from || x == y)
    return false;
  if (!strcmp(to->name, from->name))
    return to < from;
  const struct hd_wire *first = to, *first_from = from;
  for (size_t i = w->n_rows; i-- > 0;) {
    const struct hd_wire *row = &w->rows[i];
    if (row->kind == HD_W_PART && !strcmp(row->name, to->name))
      first = row;
    if (row->kind == HD_W_PART && !strcmp(row->name, from->name))
      first_from = row;
  }
  return first_from < first;
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

struct lazy {
  struct hd_copier c;
  const struct hd_decl *plain;
};

/* Which function sets the input, FROM whom. */
static enum group group_of(const struct lazy *x, const struct hd_inst *inst, const struct hd_row *port,
                           const struct hd_inst **from) {
  const struct hd_wiring *w = x->c.w;
  *from = NULL;
  if (*hd_channel_of(w, inst, port, false).text || is_handshake(w, inst, port))
    return HERE;
  bool one = true, late = false;
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && w->ties[i].port == port) {
      one = one && reads_one(w->ties[i].expr, from);
      late = late || hd_reads_late(w->ties[i].expr);
    }
  if (late) {
    *from = NULL;
    return LATE;
  }
  if (one && apart(w, inst, *from))
    return FROM;
  *from = NULL;
  for (size_t i = 0; i < x->plain->n_insts; i++)
    if (!strcmp(x->plain->insts[i].name, inst->name) && !strcmp(inst->when_text, "1") &&
        !in_decl(x->plain->insts[i].decl, port))
      return MORE;
  return HERE;
}

/* Vectors are copied in wire_X_from_Y alone, and no line bytes; where they are else, the lazy run knows. */
static bool is_copied(const struct lazy *x, const struct hd_inst *inst, const struct hd_row *port,
                      enum group group) {
  const struct hd_wire_expr *e = hd_wiring_tie(x->c.w, inst, port)->expr;
  const bool vector = port->pointer && e->op == HD_X_NET && e->net[0]->row && e->net[0]->row->pointer;
  return !vector || (group == FROM && strcmp(port->count_txt, "WORDS") != 0);
}

/* Those of one group and one channel ("": of none); dry: says whether there are some. */
static bool put_group(struct lazy *x, const struct hd_inst *inst, enum group group,
                      const struct hd_inst *from, const char *channel, bool dry) {
  const struct hd_decl *d = inst->decl;
  char to[80];
  bool any = false;
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    const struct hd_inst *of;
    n = 1;
    if (d->rows[i].cls != HD_IN || group_of(x, inst, &d->rows[i], &of) != group || of != from ||
        !is_copied(x, inst, &d->rows[i], group) ||
        strcmp(hd_channel_of(x->c.w, inst, &d->rows[i], false).text, channel) != 0)
      continue;
    n = hd_fields_from(d, i);
    for (size_t k = 1; k < n; k++) /* fields of a bundle may be of several groups */
      if (group_of(x, inst, &d->rows[i + k], &of) != group || of != from)
        n = 1;
    any = true;
    if (!dry)
      hd_copy_rows(&x->c, *channel ? 2 : 1, to, inst, &d->rows[i], n);
  }
  return any;
}

static void open_function(struct lazy *x, const struct hd_inst *inst, const char *rest) {
  hd_put_line(&x->c, 0, "static inline void wire_%s%s(struct %s *m, const struct %s_in *in, unsigned meet) {",
              inst->name, rest, x->c.w->decl->module, x->c.w->decl->module);
  hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x->c, 1, "(void)d, (void)in, (void)meet;");
}

static void put_payloads(struct lazy *x, const struct hd_inst *inst) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    const struct hd_prefix channel =
        port->cls == HD_IN ? hd_channel_of(w, inst, port, false) : (struct hd_prefix){""};
    bool before = !*channel.text;
    for (size_t k = 0; k < i && !before; k++)
      before = inst->decl->rows[k].cls == HD_IN &&
               !strcmp(hd_channel_of(w, inst, &inst->decl->rows[k], false).text, channel.text);
    if (before || !put_group(x, inst, HERE, NULL, channel.text, true))
      continue;
    hd_put_line(&x->c, 1, "if (m->%s_in.%s_valid) {", inst->name, channel.text);
    put_group(x, inst, HERE, NULL, channel.text, false);
    hd_put_line(&x->c, 1, "}");
  }
}

static void put_inst(struct lazy *x, const struct hd_inst *inst) {
  open_function(x, inst, "");
  put_group(x, inst, HERE, NULL, "", false);
  put_payloads(x, inst);
  hd_put_line(&x->c, 0, "}\n");
  if (put_group(x, inst, MORE, NULL, "", true)) {
    hd_put_line(&x->c, 0, "/* What not every machine has. */");
    open_function(x, inst, "_more");
    put_group(x, inst, MORE, NULL, "", false);
    hd_put_line(&x->c, 0, "}\n");
  }
  if (put_group(x, inst, LATE, NULL, "", true)) {
    open_function(x, inst, "_late");
    put_group(x, inst, LATE, NULL, "", false);
    hd_put_line(&x->c, 0, "}\n");
  }
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    const struct hd_inst *from = &x->c.w->decl->insts[i];
    if (!put_group(x, inst, FROM, from, "", true))
      continue;
    struct hd_text_of rest = {""};
    hd_append(&rest, "_from_%s", from->name);
    open_function(x, inst, rest.text);
    put_group(x, inst, FROM, from, "", false);
    hd_put_line(&x->c, 0, "}\n");
  }
}

static void put_given(struct lazy *x, const struct hd_wire *row) {
  const struct hd_decl *d = x->c.w->decl;
  const char *const prefix = row->to + strlen("own.");
  const size_t length = strlen(prefix);
  hd_put_line(&x->c, 1, "if (meet & %s) {", hd_parts_bit_named(row->name).text);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = hd_fields_from(d, i);
    if (d->rows[i].cls != HD_OUT || strncmp(d->rows[i].var, prefix, length) != 0 ||
        d->rows[i].var[length] != '_' || d->rows[i].pointer || !d->rows[i].bundle)
      continue;
    struct hd_choice choice[HD_CHOICES];
    const size_t first = hd_driven_whole(&x->c, &d->rows[i], choice);
    hd_copy_whole(&x->c, 2, "out->", NULL, &d->rows[i], n, choice, first);
  }
  hd_put_line(&x->c, 1, "}");
}

bool hd_write_lazy(FILE *f, const struct hd_wiring *w, const struct hd_decl *plain, struct hd_why *why) {
  struct lazy x = {.c = {.f = f, .w = w, .why = why, .read = read_lazily, .pointers = true}, .plain = plain};
  const char *const module = w->decl->module;
  hd_put_takes_part(&x.c);
  for (size_t i = 0; i < w->decl->n_insts; i++)
    put_inst(&x, &w->decl->insts[i]);
  hd_put_line(&x.c, 0, "/* Payloads of channels that leave %s. */", module);
  hd_put_line(&x.c, 0, "static inline void wire_own(const struct %s *m, struct %s_out *out, unsigned meet) {",
              module, module);
  for (size_t i = 0; i < w->n_rows; i++)
    if (hd_parts_crossed(w, &w->rows[i]) && !strncmp(w->rows[i].to, "own.", 4))
      put_given(&x, &w->rows[i]);
  hd_put_line(&x.c, 0, "}");
  return !x.c.failed;
}
