/* Parts of a lazy run whose first is the instance in a socket (SOCKET rows): a function of the part calls the
 * function of the instance that exists. Also the outputs of the module that show registers, for callers that
 * read them rarely; see wiregen_lazy.h. */
#include "tools/wiregen_lazy.h"

#include <string.h>

static const struct hd_inst *inst_of(const struct hd_lazy_writer *x, size_t i) {
  return &x->c.w->decl->insts[i];
}

/* True if the instance may be the first of the part. */
static bool is_first(const struct hd_lazy_writer *x, const struct hd_wire *part, const struct hd_inst *inst) {
  return hd_wire_means(x->c.w, part->inst, strlen(part->inst), inst);
}

/* True if the row names a socket and is the first row of its part. */
static bool is_of_socket(const struct hd_wiring *w, const struct hd_wire *row) {
  bool socket = false;
  for (size_t i = 0; i < w->n_rows && row->kind == HD_W_PART; i++)
    socket |= w->rows[i].kind == HD_W_SOCKET && !strcmp(w->rows[i].name, row->inst);
  return socket && hd_parts_head(w, row->name) == row;
}

/* Calls `put` for each instance that may be the first, inside a test that it exists. */
static void put_each(struct hd_lazy_writer *x, const struct hd_wire *part,
                     void (*put)(struct hd_lazy_writer *x, const struct hd_inst *inst)) {
  const char *word = "if";
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    if (!is_first(x, part, inst_of(x, i)))
      continue;
    hd_put_line(&x->c, 1, "%s (HD_HAS(m, %s)) {", word, inst_of(x, i)->name);
    put(x, inst_of(x, i));
    word = "} else if";
  }
  hd_put_line(&x->c, 1, "}");
}

static void put_model(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  hd_put_line(&x->c, 2, "return &m->%s->base;", inst->name);
}

static void put_wire(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  hd_put_line(&x->c, 2, "wire_%s(m, in, meet);", inst->name);
  hd_put_line(&x->c, 2, "wire_%s_beside(m, in, meet);", inst->name);
}

static void put_tick(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  const struct hd_wire *leads = hd_parts_leads(x->c.w, inst);
  if (!leads) {
    hd_put_line(&x->c, 2, "return %s_tick(m->%s, &m->%s_in);", inst->decl->module, inst->name, inst->name);
    return;
  }
  hd_put_line(&x->c, 2, "const uint64_t ahead = %s_tick(m->%s, &m->%s_in);", inst->decl->module, inst->name,
              inst->name);
  hd_put_line(&x->c, 2, "if (HD_HAS(m, %s))", leads->from);
  hd_put_line(&x->c, 3, "return %.*s(m, ahead);", (int)(strlen(leads->name) - strlen("()")), leads->name);
  hd_put_line(&x->c, 2, "return ahead;");
}

/* The net of the instance that this output of the module may show. Returns NULL if it shows another
 * instance's. */
static const struct hd_net *net_from(const struct hd_tie *own, const struct hd_inst *inst) {
  for (unsigned i = 0; own->port && own->expr->op == HD_X_NET && i < own->expr->n_nets; i++)
    if (own->expr->net[i]->inst == inst && own->expr->net[i]->row)
      return own->expr->net[i];
  return NULL;
}

static bool is_own_mealy(const struct hd_tie *tie, const struct hd_inst *inst) {
  return !tie->inst && tie->port && tie->port->cls == HD_MEALY && net_from(tie, inst);
}

static void put_say(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  hd_put_line(&x->c, 2, "%s_mealy(m->%s, &m->%s_in, &m->%s_out);", inst->decl->module, inst->name, inst->name,
              inst->name);
  for (size_t i = 0; i < x->c.w->n_ties; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    if (!is_own_mealy(tie, inst))
      continue;
    const char *const from = net_from(tie, inst)->row->name, *const to = tie->port->name;
    if (tie->port->pointer)
      hd_put_line(&x->c, 2, "hd_copy(out->%s, m->%s_out.%s, %s);", to, inst->name, from,
                  hd_c_size(tie->port->count_txt).text);
    else
      hd_put_line(&x->c, 2, "out->%s = m->%s_out.%s;", to, inst->name, from);
  }
}

/* ---- Ports ---- */

/* The port with this name and ending, "enq" and "_ready". Returns NULL if there is none. */
static const struct hd_row *port_of(const struct hd_inst *inst, const char *side, const char *end) {
  const char *const name = strchr(side, '.') + 1;
  const size_t n = strlen(name);
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *row = &inst->decl->rows[i];
    if (hd_is_output(row->cls) && !strncmp(row->name, name, n) && !strcmp(row->name + n, end))
      return row;
  }
  return NULL;
}

static bool is_side_of(const struct hd_lazy_writer *x, const char *side, const struct hd_inst *inst) {
  return hd_wire_means(x->c.w, side, strcspn(side, "."), inst);
}

/* C that is true if an output is 1: a register, or a function of the golden model over registers. For a ready
 * that depends on the ready behind it, `behind` is the value of that. */
static struct hd_text_of port_in_c(struct hd_lazy_writer *x, const struct hd_inst *inst,
                                   const struct hd_row *port, bool behind) {
  struct hd_text_of out = {""};
  if (port->cls == HD_MEALY && port->sees && !strchr(port->sees, ','))
    hd_append(&out, "%s_%s(m->%s, %s)", inst->decl->module, port->name, inst->name,
              behind ? "true" : "false");
  else if (port->shows)
    hd_append(&out, "(%s != 0)", hd_c_shown(hd_wiring_net(x->c.w, inst, port)).text);
  else {
    hd_because(
        x->c.why, HD_CHECK,
        "%s: found %s.%s without a SHOW row; allowed, as its part is of a socket: one, or SEES of one ready",
        x->c.w->decl->module, inst->name, port->name);
    x->c.failed = true;
  }
  return out;
}

/* True for a row of a channel between parts, if it is the first of its name. */
static bool is_crossed(const struct hd_wiring *w, size_t row) {
  bool first = hd_parts_crossed(w, &w->rows[row]);
  for (size_t i = 0; i < row && first; i++)
    first = w->rows[i].kind != HD_W_CHANNEL || strcmp(w->rows[i].name, w->rows[row].name) != 0;
  return first;
}

/* Its bits of ports, in C. `of`: all bits that it decides; else those that are set. */
static struct hd_text_of bits_of(struct hd_lazy_writer *x, const struct hd_inst *inst, bool of) {
  struct hd_text_of out = {"0"};
  for (size_t i = 0; i < x->c.w->n_rows; i++) {
    const struct hd_wire *row = &x->c.w->rows[i];
    if (!is_crossed(x->c.w, i))
      continue;
    const struct hd_parts_bit bit = hd_parts_bit_named(row->name);
    const struct hd_row *valid = is_side_of(x, row->from, inst) ? port_of(inst, row->from, "_valid") : NULL;
    const struct hd_row *ready = is_side_of(x, row->to, inst) ? port_of(inst, row->to, "_ready") : NULL;
    if (valid && of)
      hd_append(&out, " | %s", bit.text);
    else if (valid)
      hd_append(&out, " | %s * %s", port_in_c(x, inst, valid, false).text, bit.text);
    for (int behind = 0; ready && behind < (ready->cls == HD_MEALY ? 2 : 1); behind++) {
      hd_append(&out, " | ");
      if (!of)
        hd_append(&out, "%s * ", port_in_c(x, inst, ready, behind).text);
      hd_append(&out, "(%s << %d * LAZY_PORTS)", bit.text, 1 + behind);
    }
  }
  return out;
}

static void put_bits(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  hd_put_line(&x->c, 2, "return %s;", bits_of(x, inst, false).text);
}

/* ---- A part ---- */

static void put_function(struct hd_lazy_writer *x, const struct hd_wire *part, const char *head,
                         const char *tail,
                         void (*put)(struct hd_lazy_writer *x, const struct hd_inst *inst)) {
  hd_put_line(&x->c, 0, "static inline %s {", head);
  put_each(x, part, put);
  if (*tail)
    hd_put_line(&x->c, 1, "%s", tail);
  hd_put_line(&x->c, 0, "}\n");
}

static void put_part(struct hd_lazy_writer *x, const struct hd_wire *part) {
  const char *const module = x->c.w->decl->module;
  struct hd_text_of head = {""}, bits = {"0"};
  bool says = false;
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    if (is_first(x, part, inst_of(x, i)) && !strcmp(bits.text, "0")) /* it is the same for all of them */
      bits = bits_of(x, inst_of(x, i), true);
    for (size_t k = 0; is_first(x, part, inst_of(x, i)) && k < x->c.w->n_ties; k++)
      says |= is_own_mealy(&x->c.w->ties[k], inst_of(x, i));
  }
  hd_put_line(&x->c, 0, "/* %s: the instance of socket %s that exists. */", part->name, part->inst);
  hd_append(&head, "struct hd_model *model_%s(const struct %s *m)", part->name, module);
  put_function(x, part, head.text, "return NULL;", put_model);
  *head.text = '\0';
  hd_append(&head, "void wire_%s(struct %s *m, const struct %s_in *in, unsigned meet)", part->name, module,
            module);
  put_function(x, part, head.text, "", put_wire);
  *head.text = '\0';
  hd_append(&head, "uint64_t tick_%s(struct %s *m)", part->name, module);
  put_function(x, part, head.text, "return 0;", put_tick);
  if (strcmp(bits.text, "0") != 0) {
    hd_put_line(&x->c, 0, "enum { SHOWN_%s = %s };", part->name, bits.text);
    *head.text = '\0';
    hd_append(&head, "unsigned shows_%s(const struct %s *m)", part->name, module);
    put_function(x, part, head.text, "return 0;", put_bits);
  }
  if (says) {
    hd_put_line(&x->c, 0, "static inline void say_%s(struct %s *m, struct %s_out *out) {", part->name, module,
                module);
    hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;\n  (void)d;");
    put_each(x, part, put_say);
    hd_put_line(&x->c, 0, "}\n");
  }
}

/* ---- Outputs of the module that are registers ---- */

static bool is_shown(const struct hd_net *net) {
  return net->inst && net->row->cls == HD_OUT && net->row->shows;
}

/* True if all possible drivers of the port are shown registers. */
static bool is_own_shown(const struct hd_wiring *w, const struct hd_row *port) {
  bool shown = port->cls == HD_OUT && !port->pointer && !port->bundle;
  for (size_t i = 0; i < w->n_ties && shown; i++)
    if (!w->ties[i].inst && w->ties[i].port == port)
      shown = hd_reads_all(w->ties[i].expr, is_shown);
  return shown && hd_wiring_tie(w, NULL, port);
}

static struct hd_text_of read_shown(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  (void)x, (void)by_path;
  return hd_c_shown(net);
}

static void put_own(struct hd_lazy_writer *x, const struct hd_row *port) {
  struct hd_copier in_place = x->c;
  in_place.read = read_shown;
  struct hd_choice choice[HD_CHOICES];
  size_t n = 0;
  for (size_t i = 0; i < x->c.w->n_ties; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    if (tie->inst || tie->port != port)
      continue;
    struct hd_choice *one = hd_next_choice(&x->c, port, choice, &n);
    one->when = hd_tie_when(&x->c, tie);
    hd_append(&one->text, "return %s;", hd_c_expr(&in_place, tie->expr).text);
  }
  hd_put_line(&x->c, 0, "static inline uint64_t shows_%s(const struct %s *m) {", port->name,
              x->c.w->decl->module);
  hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;\n  (void)d;");
  hd_put_choices(&x->c, 1, choice, n);
  hd_put_line(&x->c, 0, "}\n");
}

void hd_put_sockets(struct hd_lazy_writer *x) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < w->n_rows; i++)
    if (is_of_socket(w, &w->rows[i]))
      put_part(x, &w->rows[i]);
  for (size_t i = 0; i < w->decl->n_rows; i++)
    if (is_own_shown(w, &w->decl->rows[i]))
      put_own(x, &w->decl->rows[i]);
}
