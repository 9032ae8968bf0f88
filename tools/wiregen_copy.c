/* Assignments made from ties; see wiregen.h. */
#include "tools/wiregen.h"

#include <stdarg.h>
#include <string.h>

void hd_put_line(const struct hd_copier *x, int depth, const char *format, ...) {
  va_list args;
  fprintf(x->f, "%*s", 2 * depth, "");
  va_start(args, format);
  vfprintf(x->f, format, args);
  va_end(args);
  fputc('\n', x->f);
}

void hd_put_choices(const struct hd_copier *x, int depth, const struct hd_choice *choice, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const bool last = i + 1 == n || !*choice[i].when.text, only = i == 0 && last;
    if (only)
      hd_put_line(x, depth, "%s", choice[i].text.text);
    else {
      if (last && !*choice[i].when.text)
        hd_put_line(x, depth, "else");
      else
        hd_put_line(x, depth, "%sif (%s)", i ? "else " : "", choice[i].when.text);
      hd_put_line(x, depth + 1, "%s", choice[i].text.text);
    }
    if (last)
      break;
  }
}

static struct hd_text_of both(const struct hd_text_of *a, const struct hd_text_of *b) {
  struct hd_text_of out = {""};
  if (*a->text && *b->text && strcmp(a->text, b->text) != 0)
    hd_append(&out, "(%s) && (%s)", a->text, b->text);
  else
    hd_append(&out, "%s", *a->text ? a->text : b->text);
  return out;
}

struct hd_choice *hd_next_choice(struct hd_copier *x, const struct hd_row *port, struct hd_choice *choice,
                                 size_t *n) {
  if (*n == HD_CHOICES) {
    hd_because(x->why, HD_CHECK, "%s: found more than %d rows that give it, allowed: %d", port->name,
               HD_CHOICES, HD_CHOICES);
    x->failed = true;
    --*n;
  }
  struct hd_choice *one = &choice[(*n)++];
  one->text = (struct hd_text_of){""};
  return one;
}

static void copy_vector(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                        const struct hd_row *port) {
  struct hd_choice choice[HD_CHOICES];
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst != inst || tie->port != port)
      continue;
    const struct hd_text_of when = hd_tie_when(x, tie);
    if (tie->expr->op != HD_X_NET) {
      hd_because(x->why, HD_CHECK, "%s.%s: found an expression, allowed of a vector: a port",
                 inst ? inst->name : "own", port->name);
      x->failed = true;
      return;
    }
    for (unsigned k = 0; k < tie->expr->n_nets; k++) {
      const struct hd_net *net = tie->expr->net[k];
      const struct hd_text_of there = hd_c_there(x, net, !tie->expr->by_path),
                              from = x->read(x, net, tie->expr->by_path);
      struct hd_choice *one = hd_next_choice(x, port, choice, &n);
      one->when = both(&when, &there);
      if (net->row->pointer)
        hd_append(&one->text, "hd_copy(%s%s, %s, %s);", to, port->name, from.text,
                  hd_c_size(port->count_txt).text);
      else
        hd_append(&one->text, "%s%s[0] = %s;", to, port->name, from.text);
    }
  }
  if (hd_is_bytes(port))
    hd_put_line(x, depth, "if (m->base.data) {");
  else
    hd_put_line(x, depth, "if ((%s) > 0) {", hd_c_size(port->count_txt).text);
  hd_put_choices(x, depth + 1, choice, n);
  hd_put_line(x, depth, "}");
}

static void copy_scalar(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                        const struct hd_row *port) {
  struct hd_choice choice[HD_CHOICES];
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst != inst || tie->port != port)
      continue;
    struct hd_choice *one = hd_next_choice(x, port, choice, &n);
    one->when = hd_tie_when(x, tie);
    const bool field = tie->expr->op == HD_X_NET && tie->expr->net[0]->row && tie->expr->net[0]->row->bundle;
    hd_append(&one->text, "%s%s%s = %s;", field ? hd_c_if_there(port).text : "", to, port->name,
              hd_c_expr(x, tie->expr).text);
  }
  hd_put_choices(x, depth, choice, n);
}

void hd_copy_port(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *port) {
  (port->pointer ? copy_vector : copy_scalar)(x, depth, to, inst, port);
}

/* ---- Bundles ---- */

size_t hd_fields_from(const struct hd_decl *d, size_t first) {
  const struct hd_row *row = &d->rows[first];
  const char *dot = row->bundle ? strchr(row->name, '.') : NULL;
  size_t n = 1;
  while (dot && first + n < d->n_rows && d->rows[first + n].cls == row->cls &&
         !strncmp(d->rows[first + n].name, row->name, (size_t)(dot - row->name) + 1))
    n++;
  return n;
}

/* The bundle port of this field, in C. */
static struct hd_text_of bundle_port(const struct hd_copier *x, const struct hd_net *net) {
  struct hd_text_of out = x->read(x, net, false);
  *strrchr(out.text, '.') = '\0';
  return out;
}

/* The only tie of a field, if that is a net by its name or port. Else returns NULL. */
static const struct hd_tie *plain_tie(const struct hd_copier *x, const struct hd_inst *inst,
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

/* True if the port has this field. */
static bool has_field(const struct hd_copier *x, const struct hd_inst *inst, const struct hd_row *field,
                      const char *port) {
  const struct hd_tie *tie = plain_tie(x, inst, field);
  for (unsigned k = 0; tie && k < tie->expr->n_nets; k++)
    if (!strcmp(bundle_port(x, tie->expr->net[k]).text, port))
      return true;
  return false;
}

bool hd_copy_whole(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                   const struct hd_row *field, size_t n_fields, const struct hd_choice *first, size_t n) {
  struct hd_choice choice[HD_CHOICES];
  struct hd_text_of from[HD_CHOICES];
  const struct hd_net *of[HD_CHOICES];
  const size_t before = n;
  for (size_t i = 0; i < n; i++)
    choice[i] = first[i];
  for (size_t i = 0; i < n_fields; i++) {
    const struct hd_tie *tie = plain_tie(x, inst, &field[i]);
    if (!tie && hd_wiring_tie(x->w, inst, &field[i]))
      return false;
    for (unsigned k = 0; tie && k < tie->expr->n_nets; k++) {
      const struct hd_net *net = tie->expr->net[k];
      const struct hd_text_of port = bundle_port(x, net);
      size_t at = before;
      while (at < n && strcmp(from[at].text, port.text) != 0)
        at++;
      if (at == HD_CHOICES)
        return false;
      from[at] = port;
      of[at] = net;
      choice[at].when = hd_c_there(x, net, true);
      n += at == n;
    }
  }
  const size_t length = (size_t)(strchr(field->name, '.') - field->name);
  for (size_t at = before; at < n; at++) {
    const char *const shows = of[at]->row->shows;
    choice[at].text = (struct hd_text_of){""};
    if (!strcmp(of[at]->row->bundle, field->bundle) && !(shows && strchr(shows, '('))) {
      hd_append(&choice[at].text, "%s%.*s = %s;", to, (int)length, field->name, from[at].text);
      continue;
    }
    /* Field by field. A struct literal would be set to 0 first, which costs more than everything else; or it
     * would be written in some pieces and read in others, for which the host waits (hd_copy_words). The
     * source is copied first, because to the compiler each field that is written might change it. The copy
     * saves 0.5 % of the instructions of heddle sim (fermi_16k on syrk:small). */
    hd_append(&choice[at].text, "{ const struct %s from = %s;", of[at]->row->bundle, from[at].text);
    for (size_t i = 0; i < n_fields; i++) {
      const bool has = has_field(x, inst, &field[i], from[at].text);
      hd_append(&choice[at].text, " %s%s%s = %s%s;", hd_c_if_there(&field[i]).text, to, field[i].name,
                has ? "from" : "0", has ? strchr(field[i].name, '.') : "");
    }
    hd_append(&choice[at].text, " }");
  }
  hd_put_choices(x, depth, choice, n);
  return true;
}

size_t hd_driven_whole(struct hd_copier *x, const struct hd_row *field, struct hd_choice *choice) {
  const size_t length = (size_t)(strchr(field->name, '.') - field->name);
  size_t n = 0;
  for (size_t i = 0; i < x->w->n_ties; i++) {
    const struct hd_tie *tie = &x->w->ties[i];
    if (tie->inst || tie->port || tie->to || strlen(tie->by->name) != length ||
        strncmp(tie->by->name, field->name, length) != 0)
      continue;
    struct hd_choice *one = hd_next_choice(x, field, choice, &n);
    one->when = hd_tie_when(x, tie);
    hd_append(&one->text, "out->%s = %s;", tie->by->name, hd_c_expr(x, tie->expr).text);
  }
  return n;
}

void hd_copy_rows(struct hd_copier *x, int depth, const char *to, const struct hd_inst *inst,
                  const struct hd_row *row, size_t n) {
  if (n == 1 || !hd_copy_whole(x, depth, to, inst, row, n, NULL, 0))
    for (size_t i = 0; i < n; i++)
      hd_copy_port(x, depth, to, inst, &row[i]);
}

/* ---- Channels ---- */

struct hd_prefix hd_channel_of(const struct hd_wiring *w, const struct hd_inst *inst,
                               const struct hd_row *port, bool bare) {
  struct hd_prefix out = {""};
  for (size_t i = 0; i < w->n_rows; i++) {
    const struct hd_wire *row = &w->rows[i];
    const char *rest = row->kind == HD_W_CHANNEL ? hd_wire_rest(w, row->to, inst, port) : NULL;
    if (!rest || *rest != '_' || !strcmp(rest, "_valid") || !strcmp(rest, "_ready"))
      continue;
    for (size_t k = 0; bare && k < w->n_ties; k++)
      if (w->ties[k].inst == inst && w->ties[k].port == port && w->ties[k].by &&
          w->ties[k].by->kind == HD_W_WIRE)
        return out;
    snprintf(out.text, sizeof out.text, "%s", strchr(row->to, '.') + 1);
  }
  return out;
}
