/* Writes the sets of the instances beside the first of a part that hear in a cycle, and that tick, as sets of
 * their numbers in sm_mem; see wiregen_order.h.
 *
 * The rows' expressions are split at ||. Each net that some of them read is tested once for all readers, if
 * one of them exists. If the compiler knows which instances exist, it drops the other tests. */
#include "tools/wiregen_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool hd_has_rows(const struct hd_inst *inst, bool (*ok)(const struct hd_net *net)) {
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (ok(&(struct hd_net){.inst = inst, .row = &inst->decl->rows[i]}))
      return true;
  return false;
}

bool hd_is_mealy(const struct hd_net *net) {
  return net->row->cls == HD_MEALY;
}

/* True if another instance beside wakes this one. That may be the only news in a cycle; the instances that
 * see this one must hear afterwards. */
static bool is_woken(const struct hd_wiring *w, const struct hd_inst *inst) {
  const struct hd_tie *hears = hd_parts_hears(w, inst, HD_W_HEARS);
  for (size_t i = 0; hears && i < w->decl->n_insts; i++)
    if (hd_parts_is_beside(w, &w->decl->insts[i]) && hd_wire_reads(hears->expr, &w->decl->insts[i], HD_OUT))
      return true;
  return false;
}

/* True if the instance must hear once more: so that its outputs, or the inputs of its ticks, end, or its
 * actions are seen. */
static bool settles(const struct hd_lazy_writer *x, const struct hd_inst *inst) {
  return hd_has_rows(inst, hd_is_mealy) || hd_parts_hears(x->c.w, inst, HD_W_TICKS) || is_woken(x->c.w, inst);
}

/* ---- Terms ---- */

/* A condition under which some instances hear, or tick. */
struct term {
  struct hd_text_of text, pulse; /* pulse: the bit of `meet` without which the condition is 0, or "" */
  uint64_t who;
};
struct terms {
  struct term *term;
  size_t n;
};

/* The pulse of the SM or the memory that lists the nets of the term. */
static struct hd_text_of pulse_of(const struct hd_wiring *w, const struct hd_wire_expr *e) {
  struct hd_text_of out = {""};
  for (size_t i = 0; i < w->n_rows && !*out.text; i++) {
    const struct hd_wire *head = w->rows[i].kind == HD_W_PULSE ? hd_parts_head(w, w->rows[i].to) : NULL;
    if (head && !strncmp(head->inst, "own.", 4) && hd_parts_hear(w, e, &w->rows[i]))
      hd_append(&out, "%s", hd_parts_bit_named(w->rows[i].name).text);
  }
  return out;
}

static void add_term(struct terms *t, struct hd_text_of text, struct hd_text_of pulse, uint64_t who) {
  size_t i = 0;
  while (i < t->n && strcmp(t->term[i].text.text, text.text) != 0)
    i++;
  if (i == t->n) {
    t->term = hd_resized(t->term, ++t->n, sizeof *t->term);
    t->term[i] = (struct term){.text = text, .pulse = pulse};
  }
  t->term[i].who |= who;
}

static void add_terms(struct terms *t, const struct hd_copier *x, const struct hd_wire_expr *e,
                      uint64_t who) {
  for (unsigned i = 0; e->op == HD_X_OR && i < e->n_args; i++)
    add_terms(t, x, e->arg[i], who);
  if (e->op != HD_X_OR)
    add_term(t, hd_c_expr(x, e), pulse_of(x->w, e), who);
}

static void put_term(const struct hd_copier *x, int depth, const struct term *t, const char *set) {
  hd_put_line(x, depth, "if (there & UINT64_C(0x%llx))", (unsigned long long)t->who);
  hd_put_line(x, depth + 1, "%s |= -(uint64_t)%s & UINT64_C(0x%llx);", set, t->text.text,
              (unsigned long long)t->who);
}

/* True if an earlier term has the same pulse. */
static bool has_before(const struct terms *t, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (!strcmp(t->term[i].pulse.text, t->term[at].pulse.text))
      return true;
  return false;
}

/* Writes: `set` gets the instances for which some term is 1. A machine without any of them skips the tests. */
static void put_terms(const struct hd_copier *x, struct terms *t, const char *set) {
  struct hd_text_of pulses = {""};
  uint64_t all = 0;
  for (size_t i = 0; i < t->n; i++) {
    all |= t->term[i].who;
    if (*t->term[i].pulse.text && !has_before(t, i))
      hd_append(&pulses, "%s%s", *pulses.text ? " | " : "", t->term[i].pulse.text);
  }
  if (all)
    hd_put_line(x, 1, "if (there & UINT64_C(0x%llx)) {", (unsigned long long)all);
  for (size_t i = 0; i < t->n; i++)
    if (!*t->term[i].pulse.text)
      put_term(x, 2, &t->term[i], set);
  if (*pulses.text)
    hd_put_line(x, 2, "if (meet & (%s)) {", pulses.text);
  for (size_t i = 0; i < t->n; i++)
    if (*t->term[i].pulse.text)
      put_term(x, 3, &t->term[i], set);
  if (*pulses.text)
    hd_put_line(x, 2, "}");
  if (all)
    hd_put_line(x, 1, "}");
  free(t->term);
}

/* ---- Instances that hear ---- */

/* The instances beside that read MEALY outputs of number i. */
static uint64_t readers_of(const struct hd_lazy_writer *x, const struct hd_beside *order, size_t i) {
  uint64_t readers = 0;
  for (size_t k = i + 1; k < order->n; k++)
    if (hd_asks(x, order->inst[k], order->inst[i]))
      readers |= UINT64_C(1) << hd_number_of(x, order->inst[k]);
  return readers;
}

void hd_put_who_hears(struct hd_lazy_writer *x, const struct hd_beside *order) {
  const struct hd_wiring *w = x->c.w;
  struct hd_copier bits = x->c;
  struct terms terms = {NULL, 0};
  uint64_t always = 0, stays = 0, settle = 0; /* stays: it moves until it ticks */
  bits.bits = true;
  for (size_t i = 0; i < order->n; i++) {
    const struct hd_inst *inst = order->inst[i];
    const uint64_t bit = UINT64_C(1) << hd_number_of(x, inst);
    const struct hd_tie *row = hd_parts_hears(w, inst, HD_W_HEARS);
    if (row)
      add_terms(&terms, &bits, row->expr, bit);
    always |= row ? 0 : bit;
    stays |= !row && hd_parts_hears(w, inst, HD_W_TICKS) ? bit : 0;
    settle |= row && settles(x, inst) ? bit : 0;
  }
  hd_put_line(&x->c, 1, "uint64_t news = 0;");
  put_terms(&x->c, &terms, "news");
  hd_put_line(&x->c, 1,
              "const uint64_t hear = (busy->moves | news | UINT64_C(0x%llx)) & there & UINT64_C(0x%llx);",
              (unsigned long long)always, (unsigned long long)hd_all_of(x, order));
  hd_put_line(&x->c, 1,
              "uint64_t asks = hear; /* and the instances that these read at once: they hear, but tick "
              "by their own rows alone */");
  for (size_t i = order->n; i-- > 0;)
    if (hd_parts_hears(w, order->inst[i], HD_W_HEARS) && readers_of(x, order, i))
      hd_put_line(&x->c, 1, "asks |= (uint64_t)((asks & UINT64_C(0x%llx)) != 0) << %u;",
                  (unsigned long long)readers_of(x, order, i), hd_number_of(x, order->inst[i]));
  hd_put_line(&x->c, 1, "const uint64_t hears = (asks | busy->ends) & there;");
  hd_put_line(&x->c, 1, "(void)hears;");
  hd_put_line(&x->c, 1,
              "busy->moves &= there & UINT64_C(0x%llx), busy->ends = news & there & UINT64_C(0x%llx);",
              (unsigned long long)stays, (unsigned long long)settle);
}

/* ---- Instances that tick ---- */

/* The value of a net that the instance heard last, at the input that brings it. A LATE output is read
 * directly. */
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

void hd_put_who_ticks(struct hd_lazy_writer *x, const struct hd_beside *order) {
  struct hd_copier in_heard = x->c;
  struct terms terms = {NULL, 0};
  uint64_t waits = 0; /* instances without a HEARS row, with a TICKS row */
  in_heard.read = read_heard;
  in_heard.bits = true;
  for (size_t i = 0; i < order->n; i++) {
    const uint64_t bit = UINT64_C(1) << hd_number_of(x, order->inst[i]);
    const struct hd_tie *row = hd_parts_hears(x->c.w, order->inst[i], HD_W_TICKS);
    in_heard.ticks = order->inst[i];
    if (row)
      add_terms(&terms, &in_heard, row->expr, bit);
    waits |= row && !hd_parts_hears(x->c.w, order->inst[i], HD_W_HEARS) ? bit : 0;
  }
  hd_put_line(&x->c, 1, "uint64_t ticks = busy->moves | (hear & ~UINT64_C(0x%llx));",
              (unsigned long long)waits);
  put_terms(&x->c, &terms, "ticks");
  hd_put_line(&x->c, 1, "ticks &= there;");
}
