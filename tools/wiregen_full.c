/* Writes the C wiring of a whole cycle: X_moore, X_mealy, X_tick of a module that only holds instances; see wiregen.h.
 *
 * The wires are <inst>_in and <inst>_out. A channel's payload is copied only in cycles in which its valid is set: no module
 * looks at it in others. The input of a WIRE row is copied always. Mealy calls come when their inputs are known. An
 * instance is called a second time if others need one of its outputs before the rest of its inputs is known.
 *
 * A module whose instances are all of one part sleeps as a whole, so performance runs use this wiring too. They read
 * registers of SHOW rows in place: X_mealy and X_tick need no X_moore before, which is for readers of X's outputs. */
#include "base/alloc.h"
#include "tools/wiregen_known.h"
#include "tools/wiregen_parts.h"

#include <stdlib.h>
#include <string.h>

struct full {
  struct hd_copier c;
  struct hd_known k;
};

static struct hd_text_of read_out(const struct hd_copier *x, const struct hd_net *net, bool by_path) {
  struct hd_text_of out = {""};
  (void)by_path;
  if (x->in_place && net->inst && net->row->shows)
    return hd_c_shown(net);
  if (!net->inst)
    hd_append(&out, "in->%s", net->row->name);
  else if (net->row->cls == HD_LATE)
    hd_append(&out, "m->%s->late.%s", net->inst->name, net->row->name);
  else
    hd_append(&out, "m->%s_out.%s", net->inst->name, net->row->name);
  return out;
}

/* True if the expression reads an output that X_moore makes; with `inst` NULL, one of any instance. */
static bool reads_made(const struct hd_wire_expr *e, const struct hd_inst *inst) {
  bool made = false;
  for (unsigned i = 0; i < e->n_nets; i++)
    made |= e->net[i]->row ? (!inst || e->net[i]->inst == inst) && hd_is_made(e->net[i])
                           : reads_made(e->net[i]->expr, inst);
  for (unsigned i = 0; i < e->n_args; i++)
    made |= e->arg[i] && reads_made(e->arg[i], inst);
  return made;
}

/* Reports an input that can't be read in place: it depends on an output of X_moore, or on a value that ticks have changed. */
static void check_in_place(struct full *x, const struct hd_inst *inst, const struct hd_row *port) {
  for (size_t i = 0; i < x->c.w->n_ties && x->c.in_place; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    if (tie->inst != inst || tie->port != port || (!reads_made(tie->expr, NULL) && !hd_reads_late(tie->expr)))
      continue;
    hd_because(
        x->c.why, HD_CHECK,
        "%s: found %s.%s, which reads a LATE output, or one without a SHOW row; allowed: one with it, or "
        "ASKED(input, 0)",
        x->k.decl->module, inst->name, port->name);
    x->c.failed = true;
  }
}

/* The condition in C under which the golden model reads the input in a cycle. "": it always does. */
static struct hd_text_of asked_when(const struct hd_inst *inst, const struct hd_row *port) {
  struct hd_text_of out = {""};
  for (const char *at = port->asked; at && *at; at += strspn(at, " |")) {
    const int length = (int)strcspn(at, " |");
    hd_append(&out, "%sm->%s->s.%.*s", *out.text ? " | " : "", inst->name, length, at);
    at += length;
  }
  return out;
}

/* When an input is set: with its channel, or when the golden model reads it. */
static struct hd_text_of set_when(const struct full *x, const struct hd_inst *inst,
                                  const struct hd_row *port) {
  const struct hd_prefix channel = hd_channel_of(x->c.w, inst, port, true);
  struct hd_text_of out = {""};
  if (!*channel.text)
    return asked_when(inst, port);
  hd_append(&out, "m->%s_in.%s_valid", inst->name, channel.text);
  return out;
}

/* True if the input is known and not yet set. */
static bool to_be_set(const struct full *x, size_t number, size_t row) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  const struct hd_row *port = &inst->decl->rows[row];
  return port->cls == HD_IN && !hd_is_unread(port) && !x->k.in[number][row] &&
         !hd_known_late(&x->k, inst, port) && hd_known_input(&x->k, inst, port);
}

/* Sets the inputs whose condition is `when`. */
static void put_inputs(struct full *x, size_t number, int depth, const char *when) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  const struct hd_decl *d = inst->decl;
  char to[80];
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = hd_fields_from(d, i);
    bool ready = true;
    for (size_t k = 0; k < n; k++)
      ready = ready && to_be_set(x, number, i + k);
    if (!ready || strcmp(set_when(x, inst, &d->rows[i]).text, when) != 0)
      continue;
    memset(&x->k.in[number][i], 1, n);
    for (size_t k = 0; k < n; k++)
      check_in_place(x, inst, &d->rows[i + k]);
    hd_copy_rows(&x->c, depth, to, inst, &d->rows[i], n);
  }
}

static void set_inputs(struct full *x, size_t number, int depth) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  put_inputs(x, number, depth, "");
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    if (!to_be_set(x, number, i))
      continue;
    const struct hd_text_of when = set_when(x, inst, &inst->decl->rows[i]);
    hd_put_line(&x->c, depth, "if (%s) {", when.text);
    put_inputs(x, number, depth + 1, when.text);
    hd_put_line(&x->c, depth, "}");
  }
}

/* Opens `if (d->X) {`, if the instance has a condition. Returns the depth inside. */
static int open_inst(struct full *x, size_t number) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  if (!strcmp(inst->when_text, "1"))
    return 1;
  hd_put_line(&x->c, 1, "if (%s) {", hd_c_size(inst->when_text).text);
  return 2;
}

static void close_inst(struct full *x, int depth) {
  if (depth == 2)
    hd_put_line(&x->c, 1, "}");
}

static void call(struct full *x, size_t number, int depth, const char *what) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  if (!strcmp(what, "moore"))
    hd_put_line(&x->c, depth, "%s_moore(m->%s, &m->%s_out);", inst->decl->module, inst->name, inst->name);
  else if (!strcmp(what, "mealy"))
    hd_put_line(&x->c, depth, "%s_mealy(m->%s, &m->%s_in, &m->%s_out);", inst->decl->module, inst->name,
                inst->name, inst->name);
  else
    hd_put_line(&x->c, depth, "%s%s_tick(m->%s, &m->%s_in);", x->c.in_place ? "ahead |= " : "",
                inst->decl->module, inst->name, inst->name);
}

/* Reports that instances wait for each other, with the first unknown input of each. */
static void refuse(struct full *x, const bool *done) {
  struct hd_text_of waits = {""};
  for (size_t i = 0; i < x->k.decl->n_insts; i++)
    for (size_t k = 0; !done[i] && k < hd_known_inst(&x->k, i)->decl->n_rows; k++) {
      const struct hd_row *port = &hd_known_inst(&x->k, i)->decl->rows[k];
      if (port->cls == HD_IN && !hd_known_late(&x->k, hd_known_inst(&x->k, i), port) &&
          !hd_known_input(&x->k, hd_known_inst(&x->k, i), port)) {
        hd_append(&waits, "%s%s for its %s", *waits.text ? ", " : "", hd_known_inst(&x->k, i)->name,
                  port->name);
        break;
      }
    }
  hd_because(x->c.why, HD_CHECK,
             "%s: found mealy outputs that wait for each other: %s; allowed: an order, which SEES rows of "
             "the modules may give",
             x->k.decl->module, waits.text);
  x->c.failed = true;
}

/* The condition in C under which the MEALY outputs of the instance are needed. "": always, or not known. */
static struct hd_text_of needed_when(const struct full *x, const struct hd_inst *inst) {
  struct hd_text_of out = {""};
  for (size_t i = 0; i < x->c.w->n_ties; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    if (!hd_wire_reads(tie->expr, inst, HD_MEALY))
      continue;
    if (!tie->inst || strcmp(tie->inst->when_text, "1") != 0 || !tie->port->asked)
      return (struct hd_text_of){""};
    const struct hd_text_of when = asked_when(tie->inst, tie->port);
    if (*out.text && strcmp(out.text, when.text) != 0)
      return (struct hd_text_of){""};
    out = when;
  }
  return hd_known_leaves_nothing(inst) ? out : (struct hd_text_of){""};
}

static void put_mealy(struct full *x, size_t number, int depth) {
  const struct hd_text_of when = needed_when(x, hd_known_inst(&x->k, number));
  if (*when.text)
    hd_put_line(&x->c, depth++, "if (%s)", when.text);
  call(x, number, depth, "mealy");
}

static void put_call(struct full *x, size_t number, bool everything) {
  const int depth = open_inst(x, number);
  set_inputs(x, number, depth);
  /* its mealy call sets the inputs of the instances inside */
  const bool wires = everything && hd_known_inst(&x->k, number)->decl->n_insts;
  if (hd_known_lacks(&x->k, number) || wires)
    put_mealy(x, number, depth);
  close_inst(x, depth);
  hd_known_learn(&x->k, number, everything);
}

static void put_mealy_calls(struct full *x) {
  bool done[HD_INSTS] = {false};
  for (;;) {
    size_t whole = SIZE_MAX, part = SIZE_MAX;
    bool left = false;
    for (size_t i = 0; i < x->k.decl->n_insts; i++) {
      left |= !done[i];
      if (!done[i] && whole == SIZE_MAX && hd_known_inputs(&x->k, i))
        whole = i;
      else if (!done[i] && part == SIZE_MAX && hd_known_could_learn(&x->k, i))
        part = i;
    }
    if (!left)
      return;
    if (whole == SIZE_MAX && part == SIZE_MAX) {
      refuse(x, done);
      return;
    }
    put_call(x, whole != SIZE_MAX ? whole : part, whole != SIZE_MAX);
    if (whole != SIZE_MAX)
      done[whole] = true;
  }
}

static bool shown(const struct full *x, const struct hd_row *row) {
  return row->cls == (x->k.own ? HD_MEALY : HD_OUT);
}

/* Writes the ports of each CAT, each with its piece. */
static void put_concatenated(struct full *x) {
  for (size_t i = 0; i < x->c.w->n_ties; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    for (unsigned k = 0; tie->to && k < tie->to->n_args; k++)
      if (shown(x, tie->to->field[k])) {
        struct hd_choice one = {hd_tie_when(&x->c, tie), {""}};
        hd_append(&one.text, "out->%s = %s;", tie->to->field[k]->name,
                  hd_c_expr(&x->c, tie->expr->arg[k]).text);
        hd_put_choices(&x->c, 1, &one, 1);
      }
  }
}

/* Checks that an OUT port does not depend on the module's inputs. */
static void check_shown(struct full *x) {
  for (size_t i = 0; i < x->c.w->n_ties && !x->k.own; i++) {
    const struct hd_tie *tie = &x->c.w->ties[i];
    const struct hd_row *port = tie->port ? tie->port : tie->to ? tie->to->field[0] : NULL;
    if (tie->inst || (port && !shown(x, port)) || hd_known_expr(&x->k, tie->expr))
      continue;
    hd_because(x->c.why, HD_CHECK,
               "%s: found %s, which depends on inputs of the cycle; allowed: MEALY in its declaration",
               x->k.decl->module, port ? port->name : tie->by->name);
    x->c.failed = true;
  }
}

static void put_shown(struct full *x) {
  const struct hd_decl *d = x->k.decl;
  check_shown(x);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = 1;
    if (!shown(x, &d->rows[i]))
      continue;
    n = hd_fields_from(d, i);
    if (n > 1) {
      struct hd_choice choice[HD_CHOICES];
      const size_t first = hd_driven_whole(&x->c, &d->rows[i], choice);
      hd_copy_whole(&x->c, 1, "out->", NULL, &d->rows[i], n, choice, first);
    } else if (hd_wiring_tie(x->c.w, NULL, &d->rows[i]))
      hd_copy_port(&x->c, 1, "out->", NULL, &d->rows[i]);
  }
  put_concatenated(x);
}

/* Before the module's inputs are known: calls of instances whose MEALY outputs an OUT port shows. */
static void put_early_calls(struct full *x) {
  for (size_t i = 0; i < x->k.decl->n_insts; i++) {
    const struct hd_inst *inst = hd_known_inst(&x->k, i);
    bool needed = false;
    for (size_t k = 0; k < x->c.w->n_ties; k++)
      needed |= !x->c.w->ties[k].inst && hd_wire_reads(x->c.w->ties[k].expr, inst, HD_MEALY) &&
                !(x->c.w->ties[k].port && x->c.w->ties[k].port->cls == HD_MEALY);
    if (needed && hd_known_could_learn(&x->k, i))
      put_call(x, i, false);
  }
}

static bool tick_ready(const struct full *x, size_t number, const bool *done) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  for (size_t i = 0; i < x->c.w->n_ties; i++)
    for (size_t k = 0; x->c.w->ties[i].inst == inst && k < x->k.decl->n_insts; k++)
      if (!done[k] && k != number && hd_wire_reads(x->c.w->ties[i].expr, hd_known_inst(&x->k, k), HD_LATE))
        return false;
  return true;
}

static void put_tick(struct full *x, size_t number) {
  const struct hd_inst *inst = hd_known_inst(&x->k, number);
  char to[80];
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  const int depth = open_inst(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (inst->decl->rows[i].cls == HD_IN && hd_known_late(&x->k, inst, &inst->decl->rows[i])) {
      check_in_place(x, inst, &inst->decl->rows[i]);
      hd_copy_port(&x->c, depth, to, inst, &inst->decl->rows[i]);
    }
  call(x, number, depth, "tick");
  close_inst(x, depth);
}

static void put_ticks(struct full *x) {
  bool done[HD_INSTS] = {false};
  for (size_t n = 0; n < x->k.decl->n_insts; n++) {
    size_t next = 0;
    while (next < x->k.decl->n_insts && (done[next] || !tick_ready(x, next, done)))
      next++;
    if (next == x->k.decl->n_insts) {
      hd_because(x->c.why, HD_CHECK, "%s: found LATE outputs that wait for each other, allowed: an order",
                 x->k.decl->module);
      x->c.failed = true;
      return;
    }
    put_tick(x, next);
    done[next] = true;
  }
}

/* True if all instances are of one part. */
static bool is_one_part(const struct hd_wiring *w) {
  bool one = true;
  for (size_t i = 0; i < w->decl->n_insts; i++)
    one = one && hd_parts_same(w, &w->decl->insts[0], &w->decl->insts[i]);
  return one;
}

/* True if an output of the module shows an output that the instance's X_moore makes. */
static bool is_shown_made(const struct full *x, size_t number) {
  bool made = false;
  for (size_t i = 0; i < x->c.w->n_ties; i++)
    made |= !x->c.w->ties[i].inst && reads_made(x->c.w->ties[i].expr, hd_known_inst(&x->k, number));
  return made;
}

bool hd_write_full(FILE *f, const struct hd_wiring *w, struct hd_why *why) {
  struct full x = {.c = {.f = f, .w = w, .why = why, .read = read_out, .in_place = is_one_part(w)},
                   .k = {.w = w, .decl = w->decl}};
  const char *const module = w->decl->module;
  if (!hd_within_insts(w, why))
    return false;
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    x.k.out[i] = hd_zeroed(w->decl->insts[i].decl->n_rows, 1);
    x.k.in[i] = hd_zeroed(w->decl->insts[i].decl->n_rows, 1);
  }
  hd_put_line(&x.c, 0,
              "#ifndef HD_WIRED\n#define HD_WIRED /* storage class of the functions below */\n#endif");
  hd_put_line(&x.c, 0, "HD_WIRED void %s_moore(struct %s *m, struct %s_out *out) {", module, module, module);
  hd_put_line(&x.c, 1, "const struct hd_derived *d = &m->base.c->d;");
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (!x.c.in_place || is_shown_made(&x, i)) {
      const int depth = open_inst(&x, i);
      call(&x, i, depth, "moore");
      close_inst(&x, depth);
    }
  put_early_calls(&x);
  put_shown(&x);
  hd_put_line(&x.c, 0, "}\n");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    memset(x.k.in[i], 0, w->decl->insts[i].decl->n_rows);
    memset(x.k.out[i], 0, w->decl->insts[i].decl->n_rows);
  }
  x.k.own = true;
  hd_put_line(&x.c, 0, "HD_WIRED void %s_mealy(struct %s *m, const struct %s_in *in, struct %s_out *out) {",
              module, module, module, module);
  hd_put_line(&x.c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x.c, 1, "(void)out;");
  put_mealy_calls(&x);
  put_shown(&x);
  hd_put_line(&x.c, 0, "}\n");
  hd_put_line(&x.c, 0, "/* %s_mealy has set all wires from the same `in`. */", module);
  hd_put_line(&x.c, 0, "HD_WIRED uint64_t %s_tick(struct %s *m, const struct %s_in *in) {", module, module,
              module);
  hd_put_line(&x.c, 1, "const struct hd_derived *d = &m->base.c->d;");
  hd_put_line(&x.c, 1, "(void)in, (void)d;");
  if (x.c.in_place)
    hd_put_line(&x.c, 1, "uint64_t ahead = 0;");
  put_ticks(&x);
  hd_put_line(&x.c, 1, "%s",
              x.c.in_place ? "return ahead ? HD_MOVES : 0; /* events of the instances are not the module's */"
                           : "return HD_MOVES; /* ports inside may meet */");
  hd_put_line(&x.c, 0, "}");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    free(x.k.out[i]);
    free(x.k.in[i]);
  }
  return !x.c.failed;
}
