/* The C wiring of a whole cycle: X_moore, X_mealy, X_tick of a module that is nothing but instances; see wiregen.h.
 *
 * The wires are <inst>_in and <inst>_out. What a channel brings beside its valid is copied only in cycles in which that is
 * set: else no module looks at it. What a WIRE row brings is copied always. Mealy calls come when their inputs are known;
 * an instance is called again if it has an output that others need before the rest of its inputs is known. */
#include "tools/wiregen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum state { UNKNOWN, KNOWN };

struct full {
  FILE *f;
  const struct hd_wiring *w;
  const struct hd_decl *decl;
  struct hd_why *why;
  unsigned char *out[64]; /* of each instance and row: a MEALY output is known */
  unsigned char *in[64];  /* an input has been set */
  bool own;               /* the module's inputs are known */
  bool late;              /* ticks: LATE outputs are known where out says so */
  bool failed;
};

static const struct hd_inst *inst_of(const struct full *x, size_t i) {
  return &x->decl->insts[i];
}

static size_t number_of(const struct full *x, const struct hd_inst *inst) {
  return (size_t)(inst - x->decl->insts);
}

__attribute__((format(printf, 3, 4))) static void line(struct full *x, int depth, const char *format, ...) {
  va_list args;
  fprintf(x->f, "%*s", 2 * depth, "");
  va_start(args, format);
  vfprintf(x->f, format, args);
  va_end(args);
  fputc('\n', x->f);
}

/* ---- What is known ---- */

static bool net_known(const struct full *x, const struct hd_net *net);

static bool expr_known(const struct full *x, const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (!net_known(x, e->net[i]))
      return false;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && !expr_known(x, e->arg[i]))
      return false;
  return true;
}

static bool net_known(const struct full *x, const struct hd_net *net) {
  if (!net->row)
    return expr_known(x, net->expr);
  if (!net->inst)
    return x->own;
  return net->row->cls == HD_OUT || x->out[number_of(x, net->inst)][net->row - net->inst->decl->rows];
}

static bool reads_late(const struct hd_wire_expr *e) {
  for (unsigned i = 0; i < e->n_nets; i++)
    if (e->net[i]->row ? e->net[i]->row->cls == HD_LATE : reads_late(e->net[i]->expr))
      return true;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && reads_late(e->arg[i]))
      return true;
  return false;
}

/* Of a port: all that may drive it satisfies `ok`. */
static bool all_ties(const struct full *x, const struct hd_inst *inst, const struct hd_row *port,
                     bool (*ok)(const struct full *x, const struct hd_wire_expr *e)) {
  for (size_t i = 0; i < x->w->n_ties; i++)
    if (x->w->ties[i].inst == inst && x->w->ties[i].port == port && !ok(x, x->w->ties[i].expr))
      return false;
  return true;
}

static bool not_late(const struct full *x, const struct hd_wire_expr *e) {
  (void)x;
  return !reads_late(e);
}

static bool is_late(const struct full *x, const struct hd_inst *inst, const struct hd_row *port) {
  return !all_ties(x, inst, port, not_late);
}

static bool input_known(const struct full *x, const struct hd_inst *inst, const struct hd_row *port) {
  return all_ties(x, inst, port, expr_known);
}

/* ---- Assignments ---- */

static struct hd_text_of read_out(void *user, const struct hd_net *net) {
  struct hd_text_of out = {""};
  (void)user;
  if (!net->inst)
    hd_append(&out, "in->%s", net->row->name);
  else if (net->row->cls == HD_LATE)
    hd_append(&out, "m->%s->late.%s", net->inst->name, net->row->name);
  else
    hd_append(&out, "m->%s_out.%s", net->inst->name, net->row->name);
  return out;
}

/* One of several things that may be done, the first whose condition holds. */
struct choice {
  struct hd_text_of when, text;
};

static void put_choices(struct full *x, int depth, const struct choice *choice, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const bool last = i + 1 == n || !*choice[i].when.text, only = i == 0 && last;
    if (only)
      line(x, depth, "%s", choice[i].text.text);
    else {
      if (last && !*choice[i].when.text)
        line(x, depth, "else");
      else
        line(x, depth, "%sif (%s)", i ? "else " : "", choice[i].when.text);
      line(x, depth + 1, "%s", choice[i].text.text);
    }
    if (last)
      break;
  }
}

enum { CHOICES = 16 };

static struct hd_text_of when_of(const struct hd_tie *tie) {
  const struct hd_text_of when = hd_c_when(tie->by, tie->or);
  return strcmp(when.text, "1") != 0 ? hd_c_size(when.text) : (struct hd_text_of){""};
}

static struct hd_text_of both(const struct hd_text_of *a, const struct hd_text_of *b) {
  struct hd_text_of out = {""};
  if (*a->text && *b->text && strcmp(a->text, b->text) != 0)
    hd_append(&out, "(%s) && (%s)", a->text, b->text);
  else
    hd_append(&out, "%s", *a->text ? a->text : b->text);
  return out;
}

static void copy_vector(struct full *x, int depth, const char *to, const struct hd_inst *inst,
                        const struct hd_row *port) {
  struct choice choice[CHOICES];
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst != inst || tie->port != port)
      continue;
    const struct hd_text_of when = when_of(tie);
    if (tie->expr->op != HD_X_NET) {
      hd_because(x->why, HD_CHECK, "%s.%s: found an expression, allowed of a vector: a port",
                 inst ? inst->name : "own", port->name);
      x->failed = true;
      return;
    }
    for (unsigned k = 0; k < tie->expr->n_nets && n < CHOICES; k++) {
      const struct hd_net *net = tie->expr->net[k];
      const struct hd_text_of there = hd_c_there(net, !tie->expr->by_path), from = read_out(NULL, net);
      choice[n].when = both(&when, &there);
      choice[n].text = (struct hd_text_of){""};
      if (net->row->pointer)
        hd_append(&choice[n].text, "hd_copy(%s%s, %s, %s);", to, port->name, from.text,
                  hd_c_size(port->count_txt).text);
      else
        hd_append(&choice[n].text, "%s%s[0] = %s;", to, port->name, from.text);
      n++;
    }
  }
  if (!strcmp(port->count_txt, "WORDS"))
    line(x, depth, "if (m->base.data) {");
  else
    line(x, depth, "if ((%s) > 0) {", hd_c_size(port->count_txt).text);
  put_choices(x, depth + 1, choice, n);
  line(x, depth, "}");
}

static void copy_scalar(struct full *x, int depth, const char *to, const struct hd_inst *inst,
                        const struct hd_row *port) {
  struct choice choice[CHOICES];
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties && n < CHOICES; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst != inst || tie->port != port)
      continue;
    choice[n].when = when_of(tie);
    choice[n].text = (struct hd_text_of){""};
    hd_append(&choice[n].text, "%s%s = %s;", to, port->name, hd_c_expr(tie->expr, read_out, NULL).text);
    n++;
  }
  put_choices(x, depth, choice, n);
}

static void copy_port(struct full *x, int depth, const char *to, const struct hd_inst *inst,
                      const struct hd_row *port) {
  (port->pointer ? copy_vector : copy_scalar)(x, depth, to, inst, port);
}

/* ---- Bundles ---- */

/* The rows from `first` on that are fields of the same bundle port: their number. */
static size_t fields_of(const struct hd_decl *d, size_t first) {
  const struct hd_row *row = &d->rows[first];
  const char *dot = row->bundle ? strchr(row->name, '.') : NULL;
  size_t n = 1;
  while (dot && first + n < d->n_rows && d->rows[first + n].cls == row->cls &&
         !strncmp(d->rows[first + n].name, row->name, (size_t)(dot - row->name) + 1))
    n++;
  return n;
}

/* The port that this is a field of, in C. */
static struct hd_text_of bundle_port(const struct hd_net *net) {
  struct hd_text_of out = read_out(NULL, net);
  *strrchr(out.text, '.') = '\0';
  return out;
}

/* The only tie of a field, if it is a net by its name or port; else NULL. */
static const struct hd_tie *plain_tie(const struct full *x, const struct hd_inst *inst,
                                      const struct hd_row *field) {
  const struct hd_tie *found = NULL;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst != inst || tie->port != field)
      continue;
    if (found || tie->expr->op != HD_X_NET || tie->expr->by_path)
      return NULL;
    found = tie;
  }
  for (unsigned i = 0; found && i < found->expr->n_nets; i++)
    if (!found->expr->net[i]->row || !found->expr->net[i]->row->bundle ||
        strcmp(strchr(found->expr->net[i]->row->name, '.'), strchr(field->name, '.')) != 0)
      return NULL;
  return found;
}

/* Whole bundles, by their ports; false: some field is not that simple. */
static bool copy_whole(struct full *x, int depth, const char *to, const struct hd_inst *inst,
                       const struct hd_row *field, size_t n_fields, struct choice *first, size_t n) {
  struct choice choice[CHOICES];
  struct hd_text_of from[CHOICES];
  const struct hd_net *of[CHOICES];
  const size_t before = n;
  memcpy(choice, first, n * sizeof *first);
  for (size_t i = 0; i < n_fields; i++) {
    const struct hd_tie *tie = plain_tie(x, inst, &field[i]);
    if (!tie && all_ties(x, inst, &field[i], expr_known) && hd_wiring_tie(x->w, inst, &field[i]))
      return false;
    for (unsigned k = 0; tie && k < tie->expr->n_nets; k++) {
      const struct hd_net *net = tie->expr->net[k];
      const struct hd_text_of port = bundle_port(net);
      size_t at = before;
      while (at < n && strcmp(from[at].text, port.text) != 0)
        at++;
      if (at == CHOICES)
        return false;
      from[at] = port;
      of[at] = net;
      choice[at].when = hd_c_there(net, true);
      n += at == n;
    }
  }
  const size_t length = (size_t)(strchr(field->name, '.') - field->name);
  for (size_t at = before; at < n; at++) {
    choice[at].text = (struct hd_text_of){""};
    hd_append(&choice[at].text, "%s%.*s = ", to, (int)length, field->name);
    if (!strcmp(of[at]->row->bundle, field->bundle)) {
      hd_append(&choice[at].text, "%s;", from[at].text);
      continue;
    }
    hd_append(&choice[at].text, "(struct %s){", field->bundle);
    for (size_t i = 0; i < n_fields; i++) {
      const struct hd_tie *tie = plain_tie(x, inst, &field[i]);
      for (unsigned k = 0; tie && k < tie->expr->n_nets; k++)
        if (!strcmp(bundle_port(tie->expr->net[k]).text, from[at].text))
          hd_append(&choice[at].text, ".%s = %s, ", field[i].name + length + 1,
                    read_out(NULL, tie->expr->net[k]).text);
    }
    hd_append(&choice[at].text, "};");
  }
  put_choices(x, depth, choice, n);
  return true;
}

static void copy_bundle(struct full *x, int depth, const char *to, const struct hd_inst *inst,
                        const struct hd_row *field, size_t n) {
  if (!copy_whole(x, depth, to, inst, field, n, NULL, 0))
    for (size_t i = 0; i < n; i++)
      copy_port(x, depth, to, inst, &field[i]);
}

/* ---- Inputs of an instance ---- */

/* The variable before _valid of the channel whose payload this input is; "" if it is none. */
struct prefix {
  char text[64];
};
static struct prefix channel_of(const struct full *x, const struct hd_inst *inst, const struct hd_row *port) {
  struct prefix out = {""};
  for (size_t i = 0; i < x->w->n_rows; i++) {
    const struct hd_wire *row = &x->w->rows[i];
    const char *dot = row->kind == HD_W_CHANNEL ? strchr(row->to, '.') : NULL;
    if (!dot || !hd_wire_means(x->w, row->to, (size_t)(dot - row->to), inst))
      continue;
    const size_t n = strlen(dot + 1);
    if (strncmp(port->var, dot + 1, n) != 0 || port->var[n] != '_' || !strcmp(port->var + n, "_valid") ||
        !strcmp(port->var + n, "_ready"))
      continue;
    for (size_t k = 0; k < x->w->n_ties; k++)
      if (x->w->ties[k].inst == inst && x->w->ties[k].port == port && x->w->ties[k].by &&
          x->w->ties[k].by->kind == HD_W_WIRE)
        return out;
    snprintf(out.text, sizeof out.text, "%s", dot + 1);
  }
  return out;
}

/* Sets those inputs that are known and have not been set: of this channel, or if it is "", of none. */
static void put_inputs(struct full *x, size_t number, int depth, const char *channel) {
  const struct hd_inst *inst = inst_of(x, number);
  const struct hd_decl *d = inst->decl;
  char to[80];
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = 1;
    if (d->rows[i].cls != HD_IN)
      continue;
    n = fields_of(d, i);
    bool ready = true;
    for (size_t k = 0; k < n; k++)
      ready = ready && !x->in[number][i + k] && !is_late(x, inst, &d->rows[i + k]) &&
              input_known(x, inst, &d->rows[i + k]);
    if (!ready || strcmp(channel_of(x, inst, &d->rows[i]).text, channel) != 0)
      continue;
    memset(&x->in[number][i], KNOWN, n);
    if (n > 1)
      copy_bundle(x, depth, to, inst, &d->rows[i], n);
    else
      copy_port(x, depth, to, inst, &d->rows[i]);
  }
}

static void set_inputs(struct full *x, size_t number, int depth) {
  const struct hd_inst *inst = inst_of(x, number);
  put_inputs(x, number, depth, "");
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    const struct prefix channel = port->cls == HD_IN ? channel_of(x, inst, port) : (struct prefix){""};
    if (!*channel.text || x->in[number][i] || !input_known(x, inst, port))
      continue;
    line(x, depth, "if (m->%s_in.%s_valid) {", inst->name, channel.text);
    put_inputs(x, number, depth + 1, channel.text);
    line(x, depth, "}");
  }
}

/* ---- Calls ---- */

static bool is_mealy(const struct hd_decl *d) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_MEALY)
      return true;
  return false;
}

/* Opens `if (d->X) {`, or a block; the depth inside. */
static int open_inst(struct full *x, size_t number) {
  const struct hd_inst *inst = inst_of(x, number);
  if (!strcmp(inst->when_text, "1"))
    return 1;
  line(x, 1, "if (%s) {", hd_c_size(inst->when_text).text);
  return 2;
}

static void close_inst(struct full *x, int depth) {
  if (depth == 2)
    line(x, 1, "}");
}

static void call(struct full *x, size_t number, int depth, const char *what) {
  const struct hd_inst *inst = inst_of(x, number);
  if (!strcmp(what, "moore"))
    line(x, depth, "%s_moore(m->%s, &m->%s_out);", inst->decl->module, inst->name, inst->name);
  else if (!strcmp(what, "mealy"))
    line(x, depth, "%s_mealy(m->%s, &m->%s_in, &m->%s_out);", inst->decl->module, inst->name, inst->name,
         inst->name);
  else
    line(x, depth, "%s_tick(m->%s, &m->%s_in);", inst->decl->module, inst->name, inst->name);
}

/* ---- The order of mealy calls ---- */

static bool all_inputs_known(const struct full *x, size_t number) {
  const struct hd_inst *inst = inst_of(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *port = &inst->decl->rows[i];
    if (port->cls == HD_IN && !is_late(x, inst, port) && !input_known(x, inst, port))
      return false;
  }
  return true;
}

/* `list`, "a, b", names the port, or the bundle that it is a field of. */
static bool lists(const char *list, const struct hd_row *port) {
  for (const char *at = list; *at; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ", ");
    if (!strncmp(port->name, at, n) && (port->name[n] == '\0' || port->name[n] == '.'))
      return true;
    at += n;
  }
  return false;
}

/* A MEALY output is not known, and what it sees is. */
static bool could_be_known(const struct full *x, size_t number, const struct hd_row *out) {
  const struct hd_inst *inst = inst_of(x, number);
  if (out->cls != HD_MEALY || !out->sees || x->out[number][out - inst->decl->rows])
    return false;
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (inst->decl->rows[i].cls == HD_IN && lists(out->sees, &inst->decl->rows[i]) &&
        !input_known(x, inst, &inst->decl->rows[i]))
      return false;
  return true;
}

/* What a call that comes now makes known: everything, or what sees enough. True: something. */
static bool learn(struct full *x, size_t number, bool everything) {
  const struct hd_inst *inst = inst_of(x, number);
  bool more = false;
  unsigned char news[512] = {0};
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    news[i] = inst->decl->rows[i].cls == HD_MEALY &&
              (everything || could_be_known(x, number, &inst->decl->rows[i]));
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    more |= news[i] && !x->out[number][i];
    x->out[number][i] |= news[i];
  }
  return more;
}

static bool could_learn(const struct full *x, size_t number) {
  const struct hd_inst *inst = inst_of(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (could_be_known(x, number, &inst->decl->rows[i]))
      return true;
  return false;
}

/* The first input that is not known, for the sentence. */
static void refuse(struct full *x, const bool *done) {
  struct hd_text_of waits = {""};
  for (size_t i = 0; i < x->decl->n_insts; i++)
    for (size_t k = 0; !done[i] && k < inst_of(x, i)->decl->n_rows; k++) {
      const struct hd_row *port = &inst_of(x, i)->decl->rows[k];
      if (port->cls == HD_IN && !is_late(x, inst_of(x, i), port) && !input_known(x, inst_of(x, i), port)) {
        hd_append(&waits, "%s%s for its %s", *waits.text ? ", " : "", inst_of(x, i)->name, port->name);
        break;
      }
    }
  hd_because(x->why, HD_CHECK,
             "%s: found mealy outputs that wait for each other: %s; allowed: an order, which SEES rows of "
             "the modules may "
             "give",
             x->decl->module, waits.text);
  x->failed = true;
}

static void put_call(struct full *x, size_t number, bool everything) {
  const int depth = open_inst(x, number);
  set_inputs(x, number, depth);
  if (is_mealy(inst_of(x, number)->decl))
    call(x, number, depth, "mealy");
  close_inst(x, depth);
  learn(x, number, everything);
}

static void put_mealy_calls(struct full *x) {
  bool done[64] = {false};
  for (;;) {
    size_t whole = SIZE_MAX, part = SIZE_MAX;
    bool left = false;
    for (size_t i = 0; i < x->decl->n_insts; i++) {
      left |= !done[i];
      if (!done[i] && whole == SIZE_MAX && all_inputs_known(x, i))
        whole = i;
      else if (!done[i] && part == SIZE_MAX && could_learn(x, i))
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

/* ---- What the module shows ---- */

/* The bundle that DRIVE rows give as a whole, as choices before those of its fields. */
static size_t driven_whole(const struct full *x, const struct hd_row *field, struct choice *choice) {
  const size_t length = (size_t)(strchr(field->name, '.') - field->name);
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst || tie->port || tie->to || strlen(tie->by->name) != length ||
        strncmp(tie->by->name, field->name, length) != 0)
      continue;
    choice[n].when = when_of(tie);
    choice[n].text = (struct hd_text_of){""};
    hd_append(&choice[n].text, "out->%s = %s;", tie->by->name, hd_c_expr(tie->expr, read_out, NULL).text);
    n++;
  }
  return n;
}

static bool shown(const struct full *x, const struct hd_row *row) {
  return row->cls == (x->own ? HD_MEALY : HD_OUT);
}

/* Of a CAT of ports: each its part. */
static void put_parts(struct full *x) {
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    for (unsigned k = 0; tie->to && k < tie->to->n_args; k++)
      if (shown(x, tie->to->field[k])) {
        struct choice one = {when_of(tie), {""}};
        hd_append(&one.text, "out->%s = %s;", tie->to->field[k]->name,
                  hd_c_expr(tie->expr->arg[k], read_out, NULL).text);
        put_choices(x, 1, &one, 1);
      }
  }
}

/* An OUT port does not depend on the module's inputs. */
static void judge_shown(struct full *x) {
  for (size_t i = 0; i < x->w->n_ties && !x->own; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    const struct hd_row *port = tie->port ? tie->port : tie->to ? tie->to->field[0] : NULL;
    if (tie->inst || (port && !shown(x, port)) || expr_known(x, tie->expr))
      continue;
    hd_because(x->why, HD_CHECK,
               "%s: found %s, which depends on inputs of the cycle; allowed: MEALY in its declaration",
               x->decl->module, port ? port->name : tie->by->name);
    x->failed = true;
  }
}

static void put_shown(struct full *x) {
  const struct hd_decl *d = x->decl;
  judge_shown(x);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = 1;
    if (!shown(x, &d->rows[i]))
      continue;
    n = fields_of(d, i);
    if (n > 1) {
      struct choice choice[CHOICES];
      const size_t first = driven_whole(x, &d->rows[i], choice);
      copy_whole(x, 1, "out->", NULL, &d->rows[i], n, choice, first);
    } else if (hd_wiring_tie(x->w, NULL, &d->rows[i]))
      copy_port(x, 1, "out->", NULL, &d->rows[i]);
  }
  put_parts(x);
}

/* Before the module's inputs are known: calls of those whose MEALY outputs an OUT port shows. */
static void put_early_calls(struct full *x) {
  for (size_t i = 0; i < x->decl->n_insts; i++) {
    const struct hd_inst *inst = inst_of(x, i);
    bool needed = false;
    for (size_t k = 0; k < x->w->n_ties; k++)
      needed |= !x->w->ties[k].inst && hd_wire_reads(x->w->ties[k].expr, inst, HD_MEALY) &&
                !(x->w->ties[k].port && x->w->ties[k].port->cls == HD_MEALY);
    if (needed && could_learn(x, i))
      put_call(x, i, false);
  }
}

/* ---- Ticks, who gives a LATE output before who takes it ---- */

static bool tick_ready(const struct full *x, size_t number, const bool *done) {
  const struct hd_inst *inst = inst_of(x, number);
  for (size_t i = 0; i < x->w->n_ties; i++)
    for (size_t k = 0; x->w->ties[i].inst == inst && k < x->decl->n_insts; k++)
      if (!done[k] && k != number && hd_wire_reads(x->w->ties[i].expr, inst_of(x, k), HD_LATE))
        return false;
  return true;
}

static void put_tick(struct full *x, size_t number) {
  const struct hd_inst *inst = inst_of(x, number);
  char to[80];
  snprintf(to, sizeof to, "m->%s_in.", inst->name);
  const int depth = open_inst(x, number);
  for (size_t i = 0; i < inst->decl->n_rows; i++)
    if (inst->decl->rows[i].cls == HD_IN && is_late(x, inst, &inst->decl->rows[i]))
      copy_port(x, depth, to, inst, &inst->decl->rows[i]);
  call(x, number, depth, "tick");
  close_inst(x, depth);
}

static void put_ticks(struct full *x) {
  bool done[64] = {false};
  for (size_t n = 0; n < x->decl->n_insts; n++) {
    size_t next = 0;
    while (next < x->decl->n_insts && (done[next] || !tick_ready(x, next, done)))
      next++;
    if (next == x->decl->n_insts) {
      hd_because(x->why, HD_CHECK, "%s: found LATE outputs that wait for each other, allowed: an order",
                 x->decl->module);
      x->failed = true;
      return;
    }
    put_tick(x, next);
    done[next] = true;
  }
}

/* ---- */

bool hd_write_full(FILE *f, const struct hd_wiring *w, struct hd_why *why) {
  struct full x = {.f = f, .w = w, .decl = w->decl, .why = why};
  const char *const module = w->decl->module;
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    x.out[i] = calloc(w->decl->insts[i].decl->n_rows, 1);
    x.in[i] = calloc(w->decl->insts[i].decl->n_rows, 1);
  }
  line(&x, 0, "void %s_moore(struct %s *m, struct %s_out *out) {", module, module, module);
  line(&x, 1, "const struct hd_derived *d = &m->base.c->d;");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const int depth = open_inst(&x, i);
    call(&x, i, depth, "moore");
    close_inst(&x, depth);
  }
  put_early_calls(&x);
  put_shown(&x);
  line(&x, 0, "}\n");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    memset(x.in[i], UNKNOWN, w->decl->insts[i].decl->n_rows);
    memset(x.out[i], UNKNOWN, w->decl->insts[i].decl->n_rows);
  }
  x.own = true;
  line(&x, 0, "void %s_mealy(struct %s *m, const struct %s_in *in, struct %s_out *out) {", module, module,
       module, module);
  line(&x, 1, "const struct hd_derived *d = &m->base.c->d;");
  put_mealy_calls(&x);
  put_shown(&x);
  line(&x, 0, "}\n");
  line(&x, 0, "/* %s_mealy has set all wires from the same `in`. */", module);
  line(&x, 0, "uint64_t %s_tick(struct %s *m, const struct %s_in *in) {", module, module, module);
  line(&x, 1, "const struct hd_derived *d = &m->base.c->d;");
  line(&x, 1, "(void)in;");
  put_ticks(&x);
  line(&x, 1, "return HD_MOVES; /* ports inside may meet */");
  line(&x, 0, "}");
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    free(x.out[i]);
    free(x.in[i]);
  }
  return !x.failed;
}
