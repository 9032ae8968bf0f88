/* Parts of a lazy run; see wiregen_parts.h. */
#include "tools/wiregen_parts.h"

#include <ctype.h>
#include <string.h>

const struct hd_wire *hd_part_row(const struct hd_wiring *w, const struct hd_inst *inst) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_PART && hd_wire_means(w, w->rows[i].inst, strlen(w->rows[i].inst), inst))
      return &w->rows[i];
  return NULL;
}

/* The part of one side of a channel, "inst.prefix" or "own.prefix". "" if it is in none. */
static const char *part_of_side(const struct hd_wiring *w, const char *side) {
  const size_t inst = strcspn(side, ".");
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_PART && !strcmp(w->rows[i].inst, side))
      return w->rows[i].name;
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_wire_means(w, side, inst, &w->decl->insts[i]) && hd_part_row(w, &w->decl->insts[i]))
      return hd_part_row(w, &w->decl->insts[i])->name;
  return "";
}

bool hd_parts_crossed(const struct hd_wiring *w, const struct hd_wire *row) {
  return row->kind == HD_W_CHANNEL && strcmp(part_of_side(w, row->from), part_of_side(w, row->to)) != 0;
}

const struct hd_wire *hd_parts_head(const struct hd_wiring *w, const char *part) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_PART && !strcmp(w->rows[i].name, part))
      return &w->rows[i];
  return NULL;
}

/* True if a channel leads to or from the instance. */
static bool in_channel(const struct hd_wiring *w, const struct hd_inst *inst) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_CHANNEL &&
        (hd_wire_means(w, w->rows[i].from, strcspn(w->rows[i].from, "."), inst) ||
         hd_wire_means(w, w->rows[i].to, strcspn(w->rows[i].to, "."), inst)))
      return true;
  return false;
}

bool hd_parts_is_beside(const struct hd_wiring *w, const struct hd_inst *inst) {
  const struct hd_wire *part = hd_part_row(w, inst);
  return part && part != hd_parts_head(w, part->name) && !in_channel(w, inst);
}

bool hd_parts_same(const struct hd_wiring *w, const struct hd_inst *a, const struct hd_inst *b) {
  const struct hd_wire *one = hd_part_row(w, a), *other = hd_part_row(w, b);
  return one && other && !strcmp(one->name, other->name);
}

bool hd_parts_ticks_before(const struct hd_wiring *w, const struct hd_wire *part,
                           const struct hd_wire *other) {
  const struct hd_wire *l1d = hd_parts_head(w, "L1D"), *one = hd_parts_head(w, part->name);
  return l1d && one >= l1d && one < hd_parts_head(w, other->name);
}

const struct hd_tie *hd_parts_hears(const struct hd_wiring *w, const struct hd_inst *inst,
                                    enum hd_wire_kind kind) {
  for (size_t i = 0; i < w->n_hears; i++)
    if (w->hears[i].inst == inst && w->hears[i].by->kind == kind)
      return &w->hears[i];
  return NULL;
}

/* The row of this kind of an instance. Returns NULL if it has none. */
static const struct hd_wire *row_of(const struct hd_wiring *w, const struct hd_inst *inst,
                                    enum hd_wire_kind kind) {
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == kind && hd_wire_means(w, w->rows[i].inst, strlen(w->rows[i].inst), inst))
      return &w->rows[i];
  return NULL;
}

const struct hd_wire *hd_parts_leads(const struct hd_wiring *w, const struct hd_inst *inst) {
  return row_of(w, inst, HD_W_LEADS);
}

const struct hd_wire *hd_parts_sets(const struct hd_wiring *w, const struct hd_inst *inst) {
  return row_of(w, inst, HD_W_SETS);
}

bool hd_parts_is_alone(const struct hd_wiring *w, const struct hd_inst *inst) {
  return row_of(w, inst, HD_W_ALONE) != NULL;
}

bool hd_parts_lists(const char *list, const struct hd_net *net) {
  for (const char *at = list; *at; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ", ");
    char path[140];
    snprintf(path, sizeof path, "%s%s%s", net->inst ? net->inst->name : "", net->inst ? "." : "",
             net->row->name);
    if (strlen(path) == n && !strncmp(at, path, n))
      return true;
    at += n;
  }
  return false;
}

struct hd_parts_bit hd_parts_bit_named(const char *name) {
  struct hd_parts_bit out = {""};
  for (size_t i = 0; name[i] && i + 1 < sizeof out.text; i++)
    out.text[i] = (char)toupper((unsigned char)name[i]);
  return out;
}

struct hd_parts_bit hd_parts_bit_of(const struct hd_wiring *w, const struct hd_net *net, bool by_path) {
  for (size_t i = 0; net->row && i < w->n_rows; i++) {
    const struct hd_wire *row = &w->rows[i];
    const char *const name = row->name ? row->name : "";
    const size_t n = strlen(name);
    if (hd_parts_crossed(w, row) && !by_path && !strncmp(net->name, name, n) &&
        (!strcmp(net->name + n, "_valid") || !strcmp(net->name + n, "_ready")))
      return hd_parts_bit_named(row->name);
    if (row->kind == HD_W_PULSE && net->inst && !strchr(row->from, ',') && hd_parts_lists(row->from, net))
      return hd_parts_bit_named(row->name);
  }
  return (struct hd_parts_bit){""};
}

bool hd_parts_hear(const struct hd_wiring *w, const struct hd_wire_expr *e, const struct hd_wire *row) {
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_net *net = e->net[i];
    if (!net->row ? hd_parts_hear(w, net->expr, row)
        : row->kind == HD_W_PULSE
            ? hd_parts_lists(row->from, net)
            : !strcmp(hd_parts_bit_of(w, net, e->by_path).text, hd_parts_bit_named(row->name).text))
      return true;
  }
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && hd_parts_hear(w, e->arg[i], row))
      return true;
  return false;
}

/* True if the part is in "A | B". */
static bool has_part(const struct hd_text_of *parts, const char *part) {
  for (const char *at = parts->text; *at; at += strspn(at, " |")) {
    const size_t n = strcspn(at, " |");
    if (strlen(part) == n && !strncmp(at, part, n))
      return true;
    at += n;
  }
  return false;
}

static void add_part(struct hd_text_of *parts, const char *part) {
  if (*part && !has_part(parts, part))
    hd_append(parts, "%s%s", *parts->text ? " | " : "", part);
}

/* The parts at both ends of a channel, or the part of a pulse, and the parts that hear of it in all machines. */
static struct hd_text_of parts_always(const struct hd_wiring *w, const struct hd_wire *row) {
  struct hd_text_of parts = {""};
  for (size_t i = 0; i < w->n_rows; i++)
    if (row->kind == HD_W_CHANNEL && hd_parts_crossed(w, &w->rows[i]) &&
        !strcmp(w->rows[i].name, row->name)) {
      add_part(&parts, part_of_side(w, w->rows[i].from));
      add_part(&parts, part_of_side(w, w->rows[i].to));
    }
  if (row->kind == HD_W_PULSE)
    add_part(&parts, row->to);
  for (size_t i = 0; i < w->n_ties; i++) {
    const struct hd_inst *inst = w->ties[i].inst;
    if (inst && hd_part_row(w, inst) && !strcmp(inst->when_text, "1") &&
        hd_parts_hear(w, w->ties[i].expr, row))
      add_part(&parts, hd_part_row(w, inst)->name);
  }
  return parts;
}

/* The parts that hear of it in some machines only: each takes part if the instance and its input exist. */
static struct hd_text_of parts_there(const struct hd_wiring *w, const struct hd_wire *row,
                                     const struct hd_text_of *always) {
  struct hd_text_of parts = {""};
  for (size_t i = 0; i < w->n_ties; i++) {
    const struct hd_tie *tie = &w->ties[i];
    const struct hd_wire *part = tie->inst ? hd_part_row(w, tie->inst) : NULL;
    if (!part || has_part(always, part->name) || !hd_parts_hear(w, tie->expr, row))
      continue;
    struct hd_text_of one = {""};
    hd_append(&one, "(m->%s", tie->inst->name);
    if (strcmp(tie->port->width_txt, "1") != 0)
      hd_append(&one, " && (%s) > 0", hd_c_size(tie->port->width_txt).text);
    hd_append(&one, " ? %s : 0)", part->name);
    if (!strstr(parts.text, one.text))
      hd_append(&parts, " | %s", one.text);
  }
  return parts;
}

static void put_takers(const struct hd_copier *x, const struct hd_wire *row) {
  const struct hd_text_of always = parts_always(x->w, row);
  hd_put_line(x, 1, "if (meet & %s)", hd_parts_bit_named(row->name).text);
  hd_put_line(x, 2, "parts |= %s%s;", always.text, parts_there(x->w, row, &always).text);
}

void hd_put_takes_part(const struct hd_copier *x) {
  hd_put_line(x, 0, "/* The parts that take part if these ports meet. */");
  hd_put_line(x, 0, "static inline unsigned takes_part(const struct %s *m, unsigned meet) {",
              x->w->decl->module);
  hd_put_line(x, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(x, 1, "unsigned parts = 0;");
  for (size_t i = 0; i < x->w->n_rows; i++) {
    const struct hd_wire *row = &x->w->rows[i];
    bool before = false;
    for (size_t k = 0; k < i; k++)
      before |= row->kind == HD_W_CHANNEL && x->w->rows[k].kind == HD_W_CHANNEL &&
                !strcmp(x->w->rows[k].name, row->name);
    if (!before && (hd_parts_crossed(x->w, row) || row->kind == HD_W_PULSE))
      put_takers(x, row);
  }
  hd_put_line(x, 1, "return parts;\n}\n");
}
