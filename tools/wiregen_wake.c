/* Everything that wakes parts of a lazy run: the ports between them as sets, pulses, levels, and parts that
 * follow others; see wiregen_lazy.h. */
#include "tools/wiregen_lazy.h"

#include <string.h>

static bool is_first_of_name(const struct hd_wiring *w, const struct hd_wire *row) {
  for (const struct hd_wire *other = w->rows; other < row; other++)
    if (other->kind == row->kind && !strcmp(other->name, row->name))
      return false;
  return true;
}

/* True if the row is the first PULSE of its part. */
static bool shows_first(const struct hd_wiring *w, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (w->rows[i].kind == HD_W_PULSE && !strcmp(w->rows[i].to, w->rows[row].to))
      return false;
  return true;
}

void hd_put_ports(const struct hd_copier *x) {
  unsigned n = 0;
  hd_put_line(x, 0, "/* The ports between the parts, one bit each. */\nenum {");
  for (size_t i = 0; i < x->w->n_rows; i++)
    if ((hd_parts_crossed(x->w, &x->w->rows[i]) || x->w->rows[i].kind == HD_W_PULSE) &&
        is_first_of_name(x->w, &x->w->rows[i]))
      hd_put_line(x, 1, "%s = 1 << %u,", hd_parts_bit_named(x->w->rows[i].name).text, n++);
  hd_put_line(x, 1, "LAZY_PORTS = %u,", n);
  for (size_t i = 0; i < x->w->n_rows; i++) {
    struct hd_text_of pulses = {"0"};
    for (size_t k = 0; x->w->rows[i].kind == HD_W_PULSE && k < x->w->n_rows; k++)
      if (x->w->rows[k].kind == HD_W_PULSE && !strcmp(x->w->rows[i].to, x->w->rows[k].to))
        hd_append(&pulses, " | %s", hd_parts_bit_named(x->w->rows[k].name).text);
    if (x->w->rows[i].kind == HD_W_PULSE && shows_first(x->w, i))
      hd_put_line(x, 1, "PULSES_%s = %s,", x->w->rows[i].to, pulses.text);
  }
  hd_put_line(x, 0, "};\n");
}

/* Writes a pulse that an instance shows: it is set if a net of it that another part hears is not 0. */
static void put_pulse(const struct hd_copier *x, const struct hd_wire *row) {
  const struct hd_parts_bit name = hd_parts_bit_named(row->name);
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    const struct hd_wire *part = tie->inst ? hd_part_row(x->w, tie->inst) : NULL;
    if (!part || !strcmp(part->name, row->to) || !hd_parts_hear(x->w, tie->expr, row))
      continue;
    hd_put_line(x, 1, "if (HD_HAS(m, %s) && %s)", tie->inst->name, hd_c_expr(x, tie->expr).text);
    hd_put_line(x, 2, "pulses |= %s;", name.text);
  }
}

/* True if the part is no part of instances: the SM or the memory. */
static bool is_own(const struct hd_wiring *w, const char *part) {
  const struct hd_wire *head = hd_parts_head(w, part);
  return head && !strncmp(head->inst, "own.", 4);
}

/* Appends a pulse of the SM or the memory as C: to `first` if that is empty, else to `others`. `any` is a
 * condition: some net of `others` is not 0. */
static void put_own_pulse(const struct hd_wire *row, struct hd_text_of *first, struct hd_text_of *any,
                          struct hd_text_of *others) {
  for (const char *at = row->from; *at; at += strspn(at, ", ")) {
    const int n = (int)strcspn(at, ", ");
    const struct hd_parts_bit name = hd_parts_bit_named(row->name);
    if (!*first->text)
      hd_append(first, "(in->%.*s != 0) * %s", n, at, name.text);
    else {
      hd_append(any, "%sin->%.*s", *any->text ? " | " : "", n, at);
      hd_append(others, " | (in->%.*s != 0) * %s", n, at, name.text);
    }
    at += n;
  }
}

/* Writes the pulses of a part: pulses_<PART>(m) for instances, pulses_<PART>(in) for the SM and the memory.
 * There the first mostly comes alone, so one test covers all others. */
static void put_pulses(const struct hd_copier *x, const char *part) {
  const char *const module = x->w->decl->module;
  const bool own = is_own(x->w, part);
  struct hd_text_of first = {""}, any = {""}, others = {""};
  hd_put_line(x, 0, "/* The pulses that %s shows. */", part);
  hd_put_line(x, 0, "static inline unsigned pulses_%s(const struct %s%s) {", part, module,
              own ? "_in *in" : " *m");
  if (!own)
    hd_put_line(x, 1, "const struct hd_derived *d = &m->base.c->d;\n  (void)d;\n  unsigned pulses = 0;");
  for (size_t i = 0; i < x->w->n_rows; i++) {
    const struct hd_wire *row = &x->w->rows[i];
    if (row->kind != HD_W_PULSE || strcmp(row->to, part) != 0)
      continue;
    if (own)
      put_own_pulse(row, &first, &any, &others);
    else
      put_pulse(x, row);
  }
  if (own)
    hd_put_line(x, 1, "const unsigned pulses = %s;", first.text);
  if (*any.text)
    hd_put_line(x, 1, "if (%s)\n    return pulses%s;", any.text, others.text);
  hd_put_line(x, 1, "return pulses;\n}\n");
}

/* The instance that a NOTICES row of the part names. Returns NULL if the row is no such row. */
static const struct hd_inst *notices(const struct hd_copier *x, const struct hd_wire *row, const char *part) {
  for (size_t i = 0; row->kind == HD_W_NOTICES && !strcmp(row->to, part) && i < x->w->decl->n_insts; i++)
    if (hd_wire_means(x->w, row->inst, strlen(row->inst), &x->w->decl->insts[i]))
      return &x->w->decl->insts[i];
  return NULL;
}

/* True if the input hears a LEVEL of the part. Not if its instance has a NOTICES row for the part, which
 * replaces the LEVEL. */
static bool hears_level(const struct hd_copier *x, const struct hd_wire *row, const char *part,
                        const struct hd_tie *tie) {
  for (size_t r = 0; r < x->w->n_rows; r++)
    if (tie->inst && notices(x, &x->w->rows[r], part) == tie->inst)
      return false;
  return row->kind == HD_W_LEVEL && !strcmp(row->to, part) && tie->inst && hd_part_row(x->w, tie->inst) &&
         tie->expr->op == HD_X_NET && tie->expr->n_nets == 1 && hd_parts_lists(row->from, tie->expr->net[0]);
}

/* Writes changed_<PART>(m), for the SM changed_<PART>(m, in): a part that hears a LEVEL takes part if the
 * level is not the one that it heard last; so does an instance that notices something. Writes
 * is_level_heard_<PART>(m): true if an instance exists to which that can happen. */
static void put_levels(const struct hd_copier *x, const char *part) {
  const char *const module = x->w->decl->module;
  const bool own = is_own(x->w, part);
  hd_put_line(x, 0, "/* The parts for which an input from %s differs from that of their last cycle. */",
              part);
  if (own)
    hd_put_line(x, 0, "static inline unsigned changed_%s(const struct %s *m, const struct %s_in *in) {", part,
                module, module);
  else
    hd_put_line(x, 0, "static inline unsigned changed_%s(const struct %s *m) {", part, module);
  hd_put_line(x, 1, "unsigned parts = 0;");
  for (size_t r = 0; r < x->w->n_rows; r++)
    for (size_t i = 0; i < x->w->n_ties; i++) {
      const struct hd_tie *tie = &x->w->ties[i];
      if (!hears_level(x, &x->w->rows[r], part, tie))
        continue;
      hd_put_line(x, 1, "if (HD_HAS(m, %s) && m->%s_in.%s != %s)", tie->inst->name, tie->inst->name,
                  tie->port->name, hd_c_expr(x, tie->expr).text);
      hd_put_line(x, 2, "parts |= %s;", hd_part_row(x->w, tie->inst)->name);
    }
  for (size_t r = 0; r < x->w->n_rows; r++) {
    const struct hd_inst *inst = notices(x, &x->w->rows[r], part);
    if (!inst)
      continue;
    hd_put_line(x, 1, "if (HD_HAS(m, %s) && %.*s(m%s))", inst->name, (int)strlen(x->w->rows[r].name) - 2,
                x->w->rows[r].name, own ? ", in" : "");
    hd_put_line(x, 2, "parts |= %s;", hd_part_row(x->w, inst)->name);
  }
  hd_put_line(x, 1, "return parts;\n}\n");
  if (!own) {
    hd_put_line(x, 0, "static inline bool is_level_heard_%s(const struct %s *m) {", part, module);
    hd_put_line(x, 1, "bool heard = false;\n  (void)m;");
    for (size_t r = 0; r < x->w->n_rows; r++)
      for (size_t i = 0; i < x->w->n_ties; i++)
        if (hears_level(x, &x->w->rows[r], part, &x->w->ties[i]))
          hd_put_line(x, 1, "heard |= HD_HAS(m, %s);", x->w->ties[i].inst->name);
    for (size_t r = 0; r < x->w->n_rows; r++)
      if (notices(x, &x->w->rows[r], part))
        hd_put_line(x, 1, "heard |= HD_HAS(m, %s);", notices(x, &x->w->rows[r], part)->name);
    hd_put_line(x, 1, "return heard;\n}\n");
  }
}

/* True if the expression reads a register of the other part that no channel brings and no pulse shows. */
static bool reads_part(const struct hd_wiring *w, const struct hd_wire_expr *e, const char *part,
                       bool by_path) {
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_net *net = e->net[i];
    bool shown = net->row && *hd_parts_bit_of(w, net, by_path).text;
    for (size_t k = 0; net->row && k < w->n_rows; k++)
      shown |= w->rows[k].kind == HD_W_PULSE && hd_parts_lists(w->rows[k].from, net);
    const struct hd_wire *of = net->row && net->inst ? hd_part_row(w, net->inst) : NULL;
    if (net->row ? !shown && of && !strcmp(of->name, part) : reads_part(w, net->expr, part, by_path))
      return true;
  }
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && reads_part(w, e->arg[i], part, e->arg[i]->by_path))
      return true;
  return false;
}

/* Writes follows: an instance beside without a HEARS row hears after each cycle of the parts that it reads. */
static void put_follows(const struct hd_copier *x) {
  hd_put_line(x, 0, "/* The parts that take part in the cycle after one of `parts` did. */");
  hd_put_line(x, 0, "static inline unsigned follows(const struct %s *m, unsigned parts) {",
              x->w->decl->module);
  hd_put_line(x, 1, "unsigned follow = 0;\n  (void)m, (void)parts;");
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (!tie->inst || !hd_parts_is_beside(x->w, tie->inst) || hd_parts_hears(x->w, tie->inst, HD_W_HEARS))
      continue;
    const char *const own = hd_part_row(x->w, tie->inst)->name;
    for (size_t k = 0; k < x->w->n_rows; k++) {
      const struct hd_wire *part = &x->w->rows[k];
      if (part->kind != HD_W_PART || part != hd_parts_head(x->w, part->name) || !strcmp(part->name, own) ||
          !reads_part(x->w, tie->expr, part->name, tie->expr->by_path))
        continue;
      hd_put_line(x, 1, "if (HD_HAS(m, %s) && parts & %s)", tie->inst->name, part->name);
      hd_put_line(x, 2, "follow |= %s;", own);
    }
  }
  hd_put_line(x, 1, "return follow;\n}\n");
}

/* Reads a net as a register in place, also if a bit of `meet` stands for it. A MEALY output of another
 * instance counts as 0: it wakes no part, because that instance has heard of the pulse itself. */
static struct hd_text_of read_register(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  if (net->inst && net->row->cls == HD_MEALY)
    return (struct hd_text_of){"0"};
  return net->inst && net->row->shows ? hd_c_shown(net) : hd_read_lazily(x, net, by_path);
}

void hd_put_wakes(const struct hd_copier *x) {
  struct hd_copier in_place = *x;
  in_place.read = read_register;
  for (size_t i = 0; i < x->w->n_rows; i++)
    if (x->w->rows[i].kind == HD_W_PULSE && shows_first(x->w, i)) {
      put_pulses(&in_place, x->w->rows[i].to);
      put_levels(&in_place, x->w->rows[i].to);
    }
  put_follows(x);
}
