/* The instances beside the first of each part of a lazy run: how they hear, say and tick; see wiregen_lazy.h. */
#include "tools/wiregen_order.h"

#include <string.h>

/* True if no row names the inputs that this MEALY output depends on. */
static bool sees_all(const struct hd_net *net) {
  return net->row->cls == HD_MEALY && !net->row->sees;
}

static void put_mealy(const struct hd_lazy_writer *x, int depth, const struct hd_inst *inst) {
  if (hd_has_rows(inst, hd_is_mealy))
    hd_put_line(&x->c, depth, "%s_mealy(m->%s, &m->%s_in, &m->%s_out);", inst->decl->module, inst->name,
                inst->name, inst->name);
}

static void put_hear(struct hd_lazy_writer *x, const char *part, const struct hd_beside *order) {
  const char *const module = x->c.w->decl->module;
  hd_put_line(&x->c, 0,
              "/* The instances beside the first of %s hear, and set their outputs at once; returns those "
              "that did. */",
              part);
  hd_put_line(
      &x->c, 0,
      "ALWAYS_INLINE uint64_t hear_%s(struct %s *m, const struct %s_in *in, unsigned meet, uint64_t there, "
      "struct hd_lazy_busy *busy) {",
      part, module, module);
  hd_put_line(&x->c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x->c, 1, "(void)d, (void)m, (void)in, (void)meet;");
  hd_put_who_hears(x, order);
  for (size_t i = 0; i < order->n; i++) {
    const struct hd_inst *inst = order->inst[i];
    hd_open_first(x, order, i, "hears");
    const bool room = hd_open_room(x, order, i, "hears");
    hd_put_line(&x->c, 1, "if (hears >> %u & 1)", hd_number_of(x, inst));
    hd_put_line(&x->c, 2, "hear_%s(m, in, meet);", inst->name);
    if (room)
      hd_close_room(x, order, i);
    hd_close_last(x, order, i);
  }
  hd_put_line(&x->c, 1, "return hear;\n}\n");
  hd_put_line(&x->c, 0, "/* Inputs from the first instance, after it has set its outputs. */");
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
    if (hd_has_rows(inst, sees_all))
      put_mealy(x, 2, inst);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 0, "}\n");
}

/* Writes the call of X_moore, and of the functions that pass its outputs to their readers. */
static void put_made(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst) {
  if (!hd_has_rows(inst, hd_is_made))
    return;
  hd_put_line(&x->c, depth, "%s_moore(m->%s, &m->%s_out);", inst->decl->module, inst->name, inst->name);
  for (size_t i = 0; i < x->c.w->decl->n_insts; i++) {
    const struct hd_inst *to = &x->c.w->decl->insts[i];
    if (!hd_put_group(x, to, PUSH, inst, "", true))
      continue;
    hd_put_line(&x->c, depth, "if (HD_HAS(m, %s))", to->name);
    hd_put_line(&x->c, depth + 1, "wire_%s_pushed_by_%s(m, in, meet);", to->name, inst->name);
  }
}

/* Redirects the input vectors that are read in place to the other's registers; `back` restores its own after
 * the tick. */
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
    hd_put_line(&x->c, 2, "if (HD_HAS(m, %s))", from->name);
    hd_put_line(&x->c, 3, "m->%s_in.%s = m->%s->s.%s;", inst->name, port->name, from->name,
                hd_wiring_tie(x->c.w, inst, port)->expr->net[0]->row->shows);
  }
}

static void put_ticks(struct hd_lazy_writer *x, const char *part, const struct hd_beside *order) {
  const char *const module = x->c.w->decl->module;
  hd_put_line(&x->c, 0, "/* These instances tick; returns HD_MOVES if one moves. */");
  hd_put_line(&x->c, 0,
              "ALWAYS_INLINE uint64_t tick_beside_%s(struct %s *m, const struct %s_in *in, unsigned meet, "
              "uint64_t there, uint64_t hear, struct hd_lazy_busy *busy) {",
              part, module, module);
  hd_put_line(&x->c, 1, "(void)m, (void)in, (void)meet, (void)there, (void)hear;");
  if (order->n)
    hd_put_who_ticks(x, order);
  hd_put_line(&x->c, 1, "uint64_t moves = 0;");
  for (size_t i = 0; i < order->n; i++) {
    const unsigned n = hd_number_of(x, order->inst[i]);
    hd_open_first(x, order, i, "ticks");
    const bool room = hd_open_room(x, order, i, "ticks");
    hd_put_line(&x->c, 1, "if (ticks >> %u & 1)", n);
    hd_put_line(&x->c, 2, "moves |= (uint64_t)(tick_%s(m, in, meet%s) != 0) << %u;", order->inst[i]->name,
                hd_parts_is_alone(x->c.w, order->inst[i]) ? ", busy" : "", n);
    if (room)
      hd_close_room(x, order, i);
    hd_close_last(x, order, i);
  }
  uint64_t made = 0;
  for (size_t i = 0; i < order->n; i++)
    made |= hd_has_rows(order->inst[i], hd_is_made) ? UINT64_C(1) << hd_number_of(x, order->inst[i]) : 0;
  if (made)
    hd_put_line(&x->c, 1, "if (hear & UINT64_C(0x%llx)) {", (unsigned long long)made);
  for (size_t i = 0; i < order->n; i++) {
    if (!hd_has_rows(order->inst[i], hd_is_made))
      continue;
    hd_put_line(&x->c, 1, "if (hear >> %u & 1) {", hd_number_of(x, order->inst[i]));
    put_made(x, 2, order->inst[i]);
    hd_put_line(&x->c, 1, "}");
  }
  if (made)
    hd_put_line(&x->c, 1, "}");
  hd_put_line(&x->c, 1, "busy->moves = moves;");
  hd_put_line(&x->c, 1, "return moves ? HD_MOVES : 0;\n}\n");
}

static bool is_part_before(const struct hd_wiring *w, size_t row) {
  for (size_t i = 0; i < row; i++)
    if (w->rows[i].kind == HD_W_PART && !strcmp(w->rows[i].name, w->rows[row].name))
      return true;
  return false;
}

/* The number of this instance among those of its part with an ALONE row. */
static unsigned number_alone(const struct hd_wiring *w, const struct hd_inst *inst) {
  unsigned n = 0;
  for (const struct hd_inst *other = w->decl->insts; other < inst; other++)
    n += hd_parts_is_alone(w, other) && hd_parts_same(w, other, inst);
  return n;
}

/* Writes the call for the cycles up to `now` in which the instance has worked alone. `busy` is the C name of
 * its part's. */
static void put_makes_up(struct hd_lazy_writer *x, int depth, const struct hd_inst *inst, const char *now,
                         const char *busy) {
  hd_put_line(&x->c, depth, "_Static_assert(%u < LAZY_MOST_ALONE, \"instances of a part with ALONE rows\");",
              number_alone(x->c.w, inst));
  hd_put_line(&x->c, depth, "%s_alone(m->%s, &m->%s_in, %s - %salone[%u].since);", inst->decl->module,
              inst->name, inst->name, now, busy, number_alone(x->c.w, inst));
}

/* Writes hear_X and tick_X of an instance beside. */
static void put_one_beside(struct hd_lazy_writer *x, const struct hd_inst *inst) {
  const char *const module = x->c.w->decl->module;
  const struct hd_wire *sets = hd_parts_sets(x->c.w, inst);
  const bool late = hd_put_group(x, inst, LATE, NULL, "", true);
  hd_put_line(&x->c, 0, "static inline void hear_%s(struct %s *m, const struct %s_in *in, unsigned meet) {",
              inst->name, module, module);
  hd_put_line(&x->c, 1, "wire_%s(m, in, meet);", inst->name);
  hd_put_calls_from(x, 1, inst, true);
  if (sets) {
    hd_put_line(&x->c, 1, "if (HD_HAS(m, %s))", sets->from);
    hd_put_line(&x->c, 2, "%.*s(m);", (int)(strlen(sets->name) - 2), sets->name);
  }
  put_mealy(x, 1, inst);
  hd_put_line(&x->c, 0, "}\n");
  const bool alone = hd_parts_is_alone(x->c.w, inst);
  hd_put_line(&x->c, 0,
              "static inline uint64_t tick_%s(struct %s *m, const struct %s_in *in, unsigned meet%s) {",
              inst->name, module, module, alone ? ", struct hd_lazy_busy *busy" : "");
  hd_put_line(&x->c, 1,
              late ? "wire_%s_late(m, in, meet);" : "(void)in, (void)meet; /* %s has no late inputs */",
              inst->name);
  put_places(x, inst, false);
  if (alone)
    put_makes_up(x, 1, inst, "busy->now", "busy->");
  hd_put_line(&x->c, 1, "const uint64_t ahead = %s_tick(m->%s, &m->%s_in);", inst->decl->module, inst->name,
              inst->name);
  put_places(x, inst, true);
  if (alone) {
    const unsigned n = number_alone(x->c.w, inst);
    hd_put_line(&x->c, 1, "const uint64_t next = busy->now + 1, cycles = ahead & (HD_ALONE - 1);");
    hd_put_line(&x->c, 1, "busy->alone[%u].since = next;", n);
    hd_put_line(&x->c, 1, "busy->alone[%u].until = ahead & HD_ALONE ? next + cycles : UINT64_MAX;", n);
  }
  hd_put_line(&x->c, 1, alone ? "return ahead & HD_MOVES;\n}\n" : "return ahead;\n}\n");
}

/* True if an instance of the part without a HEARS row reads the other: the first of the part, or one beside
 * that always hears. */
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

/* Writes the set of instances after whose moves the others must hear. */
static void put_seen(const struct hd_lazy_writer *x, const char *part, const struct hd_beside *all) {
  uint64_t seen = 0;
  for (size_t i = 0; i < all->n; i++)
    seen |= sees(x->c.w, part, all->inst[i]) ? UINT64_C(1) << hd_number_of(x, all->inst[i]) : 0;
  hd_put_line(&x->c, 0, "/* The instances beside the first of %s; those whose moves the others see. */",
              part);
  hd_put_line(&x->c, 0, "#define ALL_BESIDE_%s UINT64_C(0x%llx)", part,
              (unsigned long long)hd_all_of(x, all));
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
    put_one_beside(x, all.inst[i]);
  put_seen(x, part, &all);
  put_hear(x, part, &order);
  put_ticks(x, part, &ticks);
}

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

/* True if an input comes from a part that ticks before the instance's own is wired. */
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

/* Writes four functions for the instances with an ALONE row. is_somebody_alone: one exists. alone_until: the
 * cycle in which the first of them ticks again by itself. wake_alone: those that are due tick. settle_alone:
 * all are brought up to date. `busy` is the array of all parts. */
static void put_alone(struct hd_lazy_writer *x) {
  const struct hd_wiring *w = x->c.w;
  const char *const module = w->decl->module;
  struct hd_text_of there = {"false"};
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_parts_is_alone(w, &w->decl->insts[i]))
      hd_append(&there, " || HD_HAS(m, %s)", w->decl->insts[i].name);
  hd_put_line(&x->c, 0, "/* True if an instance exists that may run alone. */");
  hd_put_line(&x->c, 0, "static inline bool is_somebody_alone(const struct %s *m) {", module);
  hd_put_line(&x->c, 1, "(void)m;\n  return %s;\n}\n", there.text);
  enum { UNTIL, WAKE, SETTLE, FUNCTIONS };
  static const char *const heads[FUNCTIONS] = {
      "/* The cycle in which the first of these ticks if no input wakes it before. */\n"
      "static inline uint64_t alone_until(const struct %s *m, const struct hd_lazy_busy *busy) {",
      "/* The instances that were alone until this cycle tick in it; returns their parts. */\n"
      "static inline unsigned wake_alone(const struct %s *m, struct hd_lazy_busy *busy, uint64_t now) {",
      "/* Brings these instances up to this cycle. */\n"
      "static inline void settle_alone(struct %s *m, struct hd_lazy_busy *busy, uint64_t now) {"};
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    hd_put_line(&x->c, 0, heads[f], module);
    hd_put_line(&x->c, 1,
                f == UNTIL  ? "uint64_t until = UINT64_MAX;"
                : f == WAKE ? "unsigned parts = 0;"
                            : "(void)now;");
    hd_put_line(&x->c, 1, "(void)m, (void)busy;");
    for (size_t i = 0; i < w->decl->n_insts; i++) {
      const struct hd_inst *inst = &w->decl->insts[i];
      if (!hd_parts_is_alone(w, inst))
        continue;
      const char *const part = hd_part_row(w, inst)->name;
      const unsigned n = number_alone(w, inst);
      char of[64];
      snprintf(of, sizeof of, "busy[LAZY_%s].", part);
      if (f == UNTIL) {
        hd_put_line(&x->c, 1, "if (HD_HAS(m, %s) && %salone[%u].until < until)", inst->name, of, n);
        hd_put_line(&x->c, 2, "until = %salone[%u].until;", of, n);
      } else if (f == WAKE) {
        hd_put_line(&x->c, 1, "if (HD_HAS(m, %s) && %salone[%u].until == now)", inst->name, of, n);
        hd_put_line(&x->c, 2, "parts |= %s, %smoves |= UINT64_C(1) << %u;", part, of, hd_number_of(x, inst));
      } else {
        hd_put_line(&x->c, 1, "if (HD_HAS(m, %s)) {", inst->name);
        put_makes_up(x, 2, inst, "now", of);
        hd_put_line(&x->c, 2, "%salone[%u].since = now;\n  }", of, n);
      }
    }
    if (f != SETTLE)
      hd_put_line(&x->c, 1, f == UNTIL ? "return until;" : "return parts;");
    hd_put_line(&x->c, 0, "}\n");
  }
}

/* Writes for all parts: which instances beside exist, their outputs before the first cycle, and the wiring
 * before ticks. */
void hd_put_beside(struct hd_lazy_writer *x) {
  const struct hd_wiring *w = x->c.w;
  const char *const module = w->decl->module;
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_PART && strncmp(w->rows[i].inst, "own.", 4) != 0 && !is_part_before(w, i))
      put_part(x, w->rows[i].name);
  hd_put_line(&x->c, 0, "/* The instances beside the first of a part that exist. */");
  hd_put_line(&x->c, 0, "ALWAYS_INLINE uint64_t all_beside(const struct %s *m) {", module);
  hd_put_line(&x->c, 1, "uint64_t there = 0;");
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_parts_is_beside(w, &w->decl->insts[i]))
      hd_put_line(&x->c, 1, "there |= (uint64_t)HD_HAS(m, %s) << %u;", w->decl->insts[i].name,
                  hd_number_of(x, &w->decl->insts[i]));
  hd_put_line(&x->c, 1, "(void)m;");
  hd_put_line(&x->c, 1, "return there;\n}\n");
  hd_put_line(&x->c, 0, "/* Sets the outputs of these instances before the first cycle. */");
  hd_put_line(&x->c, 0, "static inline void begin_beside(struct %s *m, const struct %s_in *in) {", module,
              module);
  hd_put_line(&x->c, 1, "const unsigned meet = 0;");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *inst = &w->decl->insts[i];
    if (!hd_parts_is_beside(w, inst))
      continue;
    hd_put_line(&x->c, 1, "if (HD_HAS(m, %s)) {", inst->name);
    put_made(x, 2, inst);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 1, "(void)in, (void)meet;\n}\n");
  hd_put_line(
      &x->c, 0,
      "/* True if an instance has inputs from a part that ticks before it is wired; and those inputs. */");
  hd_put_line(&x->c, 0, "static inline bool is_wired_before_ticks(const struct %s *m) {", module);
  hd_put_line(&x->c, 1, "return false");
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (is_wired_before(x, &w->decl->insts[i]))
      hd_put_line(&x->c, 2, "|| HD_HAS(m, %s)", w->decl->insts[i].name);
  hd_put_line(&x->c, 1, ";\n}\n");
  hd_put_line(&x->c, 0,
              "static inline void wire_before_ticks(struct %s *m, const struct %s_in *in, unsigned meet) {",
              module, module);
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *inst = &w->decl->insts[i];
    if (!is_wired_before(x, inst))
      continue;
    hd_put_line(&x->c, 1, "if (HD_HAS(m, %s)) {", inst->name);
    hd_put_calls_from(x, 2, inst, false);
    hd_put_line(&x->c, 1, "}");
  }
  hd_put_line(&x->c, 0, "}\n");
  put_alone(x);
}
