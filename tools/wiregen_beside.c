/* The instances beside the first of each part of a lazy run: when they hear, what they say, and when they tick; see
 * wiregen_lazy.h. */
#include "tools/wiregen_order.h"

#include <string.h>

static bool has_rows(const struct hd_inst *inst, bool (*ok)(const struct hd_net *net)) {
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (ok(&(struct hd_net){.inst = inst, .row = &inst->decl->rows[i]}))
      return true;
  return false;
}
static bool is_mealy(const struct hd_net *net) {
  return net->row->cls == HD_MEALY;
}

/* It is not said on which inputs it depends. */
static bool sees_all(const struct hd_net *net) {
  return net->row->cls == HD_MEALY && !net->row->sees;
}

/* Another instance beside rouses it: in a cycle in which nobody else has news, after which those that see it are to hear. */
static bool is_roused(const struct hd_wiring *w, const struct hd_inst *inst) {
  const struct hd_tie *hears = hd_parts_hears(w, inst, HD_W_HEARS);
  for (size_t i = 0; hears && i < w->decl->n_insts; i++)
    if (hd_parts_is_beside(w, &w->decl->insts[i]) && hd_wire_reads(hears->expr, &w->decl->insts[i], HD_OUT))
      return true;
  return false;
}

/* It is to hear once more, so that what it says, or is told when it ticks, ends, or what it does is seen. */
static bool settles(const struct hd_lazy_writer *x, const struct hd_inst *inst) {
  return has_rows(inst, is_mealy) || hd_parts_hears(x->c.w, inst, HD_W_TICKS) || is_roused(x->c.w, inst);
}

static void put_whether(struct hd_lazy_writer *x, const struct hd_beside *order, size_t i) {
  const struct hd_inst *inst = order->inst[i];
  const unsigned n = hd_number_of(x, inst);
  struct hd_copier bits = x->c;
  uint64_t readers = 0;
  for (size_t k = i + 1; k < order->n; k++)
    if (hd_asks(x, order->inst[k], inst))
      readers |= UINT64_C(1) << hd_number_of(x, order->inst[k]);
  bits.bits = true;
  hd_put_line(&x->c, 2, "now = (uint64_t)(%s) << %u;",
              hd_c_expr(&bits, hd_parts_hears(x->c.w, inst, HD_W_HEARS)->expr).text, n);
  hd_put_line(&x->c, 2, settles(x, inst) ? "hear |= now, ends |= now;" : "hear |= now;");
  if (readers)
    hd_put_line(&x->c, 2, "hear |= (uint64_t)((hear & there & UINT64_C(0x%llx)) != 0) << %u;",
                (unsigned long long)readers, n);
}

/* Before they hear: who does and ticks, `hear`, and who hears, `hears`, as sets of their numbers. One whose answer another hears,
 * which reads it, hears too. */
static void put_who_hears(struct hd_lazy_writer *x, const struct hd_beside *order) {
  uint64_t always = 0, stays = 0; /* until it ticks */
  for (size_t i = 0; i < order->n; i++) {
    const uint64_t bit = UINT64_C(1) << hd_number_of(x, order->inst[i]);
    const bool row = hd_parts_hears(x->c.w, order->inst[i], HD_W_HEARS);
    always |= row ? 0 : bit;
    stays |= !row && hd_parts_hears(x->c.w, order->inst[i], HD_W_TICKS) ? bit : 0;
  }
  hd_put_line(&x->c, 1, "uint64_t hear = busy->moves | UINT64_C(0x%llx), ends = 0, now;",
              (unsigned long long)always);
  hd_put_line(&x->c, 1, "(void)now;");
  for (size_t i = order->n, k; i > 0;
       i = k) { /* those of one room, one after another, are there together or not at all */
    uint64_t room = 0;
    for (k = i; k > 0 && !strcmp(order->inst[k - 1]->decl->room, order->inst[i - 1]->decl->room); k--)
      room |= UINT64_C(1) << hd_number_of(x, order->inst[k - 1]);
    hd_open_last(x, order, i - 1);
    if (room & ~always) {
      hd_put_line(&x->c, 1, "if (there & UINT64_C(0x%llx)) {", (unsigned long long)room);
      for (size_t at = i; at-- > k;)
        if (hd_parts_hears(x->c.w, order->inst[at], HD_W_HEARS))
          put_whether(x, order, at);
      hd_put_line(&x->c, 1, "}");
    }
    hd_close_first(x, order, k);
  }
  hd_put_line(&x->c, 1, "hear &= there & UINT64_C(0x%llx);", (unsigned long long)hd_all_of(x, order));
  hd_put_line(&x->c, 1, "const uint64_t hears = hear | busy->ends;");
  hd_put_line(&x->c, 1, "(void)hears;");
  hd_put_line(&x->c, 1, "busy->moves &= there & UINT64_C(0x%llx), busy->ends = ends & there;",
              (unsigned long long)stays);
}

static void put_mealy(const struct hd_lazy_writer *x, int depth, const struct hd_inst *inst) {
  if (has_rows(inst, is_mealy))
    hd_put_line(&x->c, depth, "%s_mealy(m->%s, &m->%s_in, &m->%s_out);", inst->decl->module, inst->name,
                inst->name, inst->name);
}

static void put_hear(struct hd_lazy_writer *x, const char *part, const struct hd_beside *order) {
  const char *const module = x->c.w->decl->module;
  hd_put_line(&x->c, 0, "/* Those beside the first of %s hear, and say at once; who did. */", part);
  hd_put_line(
      &x->c, 0,
      "static inline uint64_t hear_%s(struct %s *m, const struct %s_in *in, unsigned meet, uint64_t there, "
      "struct hd_lazy_busy *busy) {",
      part, module, module);
  hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x->c, 1, "(void)d, (void)m, (void)in, (void)meet;");
  put_who_hears(x, order);
  for (size_t i = 0; i < order->n; i++) {
    const struct hd_inst *inst = order->inst[i];
    hd_open_first(x, order, i);
    const bool room = hd_open_room(x, order, i);
    hd_put_line(&x->c, 1, "if (hears >> %u & 1)", hd_number_of(x, inst));
    hd_put_line(&x->c, 2, "hear_%s(m, in, meet);", inst->name);
    if (room)
      hd_close_room(x, order, i);
    hd_close_last(x, order, i);
  }
  hd_put_line(&x->c, 1, "return hear;\n}\n");
  hd_put_line(&x->c, 0, "/* After that has said what it says. */");
  hd_put_line(&x->c, 0,
              "static inline void hear_after_%s(struct %s *m, const struct %s_in *in, unsigned meet, "
              "uint64_t hear) {",
              part, module, module);
  hd_put_line(&x->c, 1, "(void)m, (void)in, (void)meet, (void)hear;");
  for (size_t i = 0; i < order->n; i++) {
    const struct hd_inst *inst = order->inst[i];
    if (!hd_put_group(x, inst, AFTER, NULL, "", true))
      continue;
    hd_put_line(&x->c, 1, "if (hear >> %u & 1) {", hd_number_of(x, inst));
    hd_put_line(&x->c, 2, "wire_%s_after(m, in, meet);", inst->name);
    if (has_rows(inst, sees_all))
      put_mealy(x, 2, inst);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 0, "}\n");
}

/* X_moore, and who takes what it makes. */
static void put_made(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst) {
  if (!has_rows(inst, hd_is_made))
    return;
  hd_put_line(&x->c, depth, "%s_moore(m->%s, &m->%s_out);", inst->decl->module, inst->name, inst->name);
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    const struct hd_inst *to = &x->c.w->decl->insts[i];
    if (!hd_put_group(x, to, PUSH, inst, "", true))
      continue;
    hd_put_line(&x->c, depth, "if (m->%s)", to->name);
    hd_put_line(&x->c, depth + 1, "wire_%s_pushed_by_%s(m, in, meet);", to->name, inst->name);
  }
}

/* The vectors of registers that it reads in place: its own are put aside, and put back after the tick. */
static void put_places(struct hd_lazy_writer *x, const struct hd_inst *inst, bool back) {
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    const struct hd_inst *from;
    if (port->cls != HD_IN || hd_group_of(x, inst, port, &from) != PLACE)
      continue;
    if (back) {
      hd_put_line(&x->c, 2, "m->%s_in.%s = own_%s;", inst->name, port->name, port->name);
      continue;
    }
    hd_put_line(&x->c, 2, "uint64_t *const own_%s = m->%s_in.%s;", port->name, inst->name, port->name);
    hd_put_line(&x->c, 2, "if (m->%s)", from->name);
    hd_put_line(&x->c, 3, "m->%s_in.%s = m->%s->s.%s;", inst->name, port->name, from->name,
                hd_wiring_tie(x->c.w, inst, port)->expr->net[0]->row->shows);
  }
}

/* What the instance heard of a net last, at whichever of its inputs brings it; a LATE output as it is. */
static struct hd_text_of read_heard(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  const struct hd_wiring *w = x->w;
  struct hd_text_of out = {""};
  for (size_t i = 0; net->row->cls != HD_LATE && i < w->n_ties; i++)
    if (w->ties[i].inst == x->ticks && w->ties[i].expr->op == HD_X_NET && w->ties[i].expr->net[0] == net) {
      hd_append(&out, "m->%s_in.%s", x->ticks->name, w->ties[i].port->name);
      return out;
    }
  return hd_read_lazily(x, net, by_path);
}

static void put_ticks(struct hd_lazy_writer *x, const char *part, const struct hd_beside *order) {
  const char *const module = x->c.w->decl->module;
  struct hd_copier in_heard = x->c;
  in_heard.read = read_heard;
  in_heard.bits = true;
  hd_put_line(&x->c, 0, "/* They tick; HD_MOVES if one moves. */");
  hd_put_line(&x->c, 0,
              "static inline uint64_t tick_beside_%s(struct %s *m, const struct %s_in *in, unsigned meet, "
              "uint64_t there, uint64_t hear, struct hd_lazy_busy *busy) {",
              part, module, module);
  hd_put_line(&x->c, 1, "uint64_t moves = 0, still = busy->moves;");
  hd_put_line(&x->c, 1, "(void)m, (void)in, (void)meet, (void)there, (void)hear;");
  for (size_t i = 0; i < order->n; i++) {
    const struct hd_inst *inst = order->inst[i];
    const struct hd_tie *ticks = hd_parts_hears(x->c.w, inst, HD_W_TICKS);
    const unsigned n = hd_number_of(x, inst);
    hd_open_first(x, order, i);
    const bool room = hd_open_room(x, order, i);
    in_heard.ticks = inst;
    if (!ticks)
      hd_put_line(&x->c, 1, "if (hear >> %u & 1) {", n);
    else if (hd_parts_hears(x->c.w, inst, HD_W_HEARS))
      hd_put_line(&x->c, 1, "if (hear >> %u & 1 || (there >> %u & 1 && %s)) {", n, n,
                  hd_c_expr(&in_heard, ticks->expr).text);
    else
      hd_put_line(&x->c, 1, "if (there >> %u & 1 && (%s | (still >> %u & 1))) {", n,
                  hd_c_expr(&in_heard, ticks->expr).text, n);
    hd_put_line(&x->c, 2, "const uint64_t ahead = tick_%s(m, in, meet);", inst->name);
    if (ticks && !hd_parts_hears(x->c.w, inst, HD_W_HEARS))
      hd_put_line(&x->c, 2, "still &= ~(UINT64_C(1) << %u);", n);
    hd_put_line(&x->c, 2, "still |= (uint64_t)(ahead != 0) << %u;", n);
    hd_put_line(&x->c, 2, "moves |= ahead;");
    hd_put_line(&x->c, 1, "}");
    if (room)
      hd_close_room(x, order, i);
    hd_close_last(x, order, i);
  }
  uint64_t made = 0;
  for (size_t i = 0; i < order->n; i++)
    made |= has_rows(order->inst[i], hd_is_made) ? UINT64_C(1) << hd_number_of(x, order->inst[i]) : 0;
  if (made)
    hd_put_line(&x->c, 1, "if (hear & UINT64_C(0x%llx)) {", (unsigned long long)made);
  for (size_t i = 0; i < order->n; i++) {
    if (!has_rows(order->inst[i], hd_is_made))
      continue;
    hd_put_line(&x->c, 1, "if (hear >> %u & 1) {", hd_number_of(x, order->inst[i]));
    put_made(x, 2, order->inst[i]);
    hd_put_line(&x->c, 1, "}");
  }
  if (made)
    hd_put_line(&x->c, 1, "}");
  hd_put_line(&x->c, 1, "busy->moves = still;");
  hd_put_line(&x->c, 1, "return moves ? HD_MOVES : 0;\n}\n");
}

static bool is_part_before(const struct hd_wiring *w, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (w->rows[i].kind == HD_W_PART && !strcmp(w->rows[i].name, w->rows[row].name))
      return true;
  return false;
}

/* An instance beside: it hears, and it ticks. Where there may be many they are not inlined, so that what a machine does not
 * have does not stand between what it has, in the cache of the processor that runs it. */
static void put_one_beside(struct hd_lazy_writer *x, const struct hd_inst *inst, const char *linkage) {
  const char *const module = x->c.w->decl->module;
  const struct hd_wire *sets = hd_parts_sets(x->c.w, inst);
  const bool late = hd_put_group(x, inst, LATE, NULL, "", true);
  hd_put_line(&x->c, 0, "%s void hear_%s(struct %s *m, const struct %s_in *in, unsigned meet) {", linkage,
              inst->name, module, module);
  hd_put_line(&x->c, 1, "wire_%s(m, in, meet);", inst->name);
  hd_put_calls_from(x, 1, inst, true);
  if (sets) {
    hd_put_line(&x->c, 1, "if (m->%s)", sets->from);
    hd_put_line(&x->c, 2, "%.*s(m);", (int)(strlen(sets->name) - 2), sets->name);
  }
  put_mealy(x, 1, inst);
  hd_put_line(&x->c, 0, "}\n");
  hd_put_line(&x->c, 0, "%s uint64_t tick_%s(struct %s *m, const struct %s_in *in, unsigned meet) {", linkage,
              inst->name, module, module);
  hd_put_line(&x->c, 1, late ? "wire_%s_late(m, in, meet);" : "(void)in, (void)meet; /* %s: nothing late */",
              inst->name);
  put_places(x, inst, false);
  hd_put_line(&x->c, 1, "const uint64_t ahead = %s_tick(m->%s, &m->%s_in);", inst->decl->module, inst->name,
              inst->name);
  put_places(x, inst, true);
  hd_put_line(&x->c, 1, "return ahead;\n}\n");
}

/* An instance of the part reads the other, and no row says when: the first of the part, or one beside that always hears. */
static bool sees(const struct hd_wiring *w, const char *part, const struct hd_inst *other) {
  for (size_t i = 0; i < w->n_ties; i++) {
    const struct hd_tie *tie = &w->ties[i];
    const struct hd_wire *of = tie->inst ? hd_part_row(w, tie->inst) : NULL;
    if (of && !strcmp(of->name, part) && !hd_parts_hears(w, tie->inst, HD_W_HEARS) &&
        (hd_wire_reads(tie->expr, other, HD_OUT) || hd_wire_reads(tie->expr, other, HD_MEALY)))
      return true;
  }
  return false;
}

/* Those after whose moves the others are to hear. */
static void put_seen(const struct hd_lazy_writer *x, const char *part, const struct hd_beside *all) {
  uint64_t seen = 0;
  for (size_t i = 0; i < all->n; i++)
    seen |= sees(x->c.w, part, all->inst[i]) ? UINT64_C(1) << hd_number_of(x, all->inst[i]) : 0;
  hd_put_line(&x->c, 0, "/* Of those beside the first of %s, whose moves the others see. */", part);
  hd_put_line(&x->c, 0, "static const uint64_t SEEN_%s = UINT64_C(0x%llx);\n", part,
              (unsigned long long)seen);
}

static void put_part(struct hd_lazy_writer *x, const char *part) {
  const struct hd_beside all = hd_beside_of(x->c.w, part);
  const struct hd_beside order = hd_in_order(x, all, hd_asks);
  const struct hd_beside ticks = hd_in_order(x, all, hd_is_looked_into);
  if (x->c.failed)
    return;
  for (size_t i = 0; i < all.n; i++)
    put_one_beside(x, all.inst[i], all.n > HD_FEW ? "static __attribute__((noinline))" : "static inline");
  put_seen(x, part, &all);
  put_hear(x, part, &order);
  put_ticks(x, part, &ticks);
}

/* Of the first of each part: what it takes from those beside. */
void hd_put_heads(struct hd_lazy_writer *x) {
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    const struct hd_inst *inst = &x->c.w->decl->insts[i];
    if (!hd_part_row(x->c.w, inst) || hd_parts_is_beside(x->c.w, inst))
      continue;
    hd_open_wire(x, inst, "_beside");
    hd_put_calls_from(x, 1, inst, true);
    hd_put_line(&x->c, 0, "}\n");
  }
}

/* It takes something from a part that ticks before its own is wired. */
static bool is_wired_before(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  const struct hd_wiring *w = x->c.w;
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_wire *to = hd_part_row(w, inst), *of = hd_part_row(w, &w->decl->insts[i]);
    if (to && of && strcmp(to->name, of->name) != 0 && hd_parts_ticks_before(w, of, to) &&
        hd_put_group(x, inst, FROM, &w->decl->insts[i], "", true))
      return true;
  }
  return false;
}

/* For all parts: what those beside are given before the first cycle, whether there are some, and what is wired before ticks. */
void hd_put_beside(struct hd_lazy_writer *x) {
  const struct hd_wiring *w = x->c.w;
  const char *const module = w->decl->module;
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_PART && strncmp(w->rows[i].inst, "own.", 4) != 0 && !is_part_before(w, i))
      put_part(x, w->rows[i].name);
  hd_put_line(&x->c, 0, "/* What they make, before the first cycle. The parts that have some. */");
  hd_put_line(&x->c, 0,
              "static inline unsigned begin_beside(struct %s *m, const struct %s_in *in, uint64_t *there) {",
              module, module);
  hd_put_line(&x->c, 1, "const unsigned meet = 0;");
  hd_put_line(&x->c, 1, "unsigned parts = 0;");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *inst = &w->decl->insts[i];
    if (!hd_parts_is_beside(w, inst))
      continue;
    hd_put_line(&x->c, 1, "if (m->%s) {", inst->name);
    hd_put_line(&x->c, 2, "parts |= %s;", hd_part_row(w, inst)->name);
    hd_put_line(&x->c, 2, "*there |= UINT64_C(1) << %u;", hd_number_of(x, inst));
    put_made(x, 2, inst);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 1, "(void)in, (void)meet;");
  hd_put_line(&x->c, 1, "return parts;\n}\n");
  hd_put_line(&x->c, 0, "/* Some take something from parts that tick before they are wired; and that. */");
  hd_put_line(&x->c, 0, "static inline bool is_wired_before_ticks(const struct %s *m) {", module);
  hd_put_line(&x->c, 1, "return false");
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (is_wired_before(x, &w->decl->insts[i]))
      hd_put_line(&x->c, 2, "|| m->%s", w->decl->insts[i].name);
  hd_put_line(&x->c, 1, ";\n}\n");
  hd_put_line(&x->c, 0,
              "static inline void wire_before_ticks(struct %s *m, const struct %s_in *in, unsigned meet) {",
              module, module);
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *inst = &w->decl->insts[i];
    if (!is_wired_before(x, inst))
      continue;
    hd_put_line(&x->c, 1, "if (m->%s) {", inst->name);
    hd_put_calls_from(x, 2, inst, false);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 0, "}\n");
}
