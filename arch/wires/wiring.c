/* Turns connection rows into the checked drivers of all ports; see wires.h. */
#include "arch/wires/wiring.h"

#include <stdlib.h>
#include <string.h>

/* Makes the nets of NET rows. Their expressions may use those before them. */
static void make_named(struct hd_wiring_build *b) {
  for (size_t i = 0; i < b->w->n_rows && !b->failed; i++) {
    const struct hd_wire *row = &b->w->rows[i];
    if (!hd_wires_counts(b->w, row, HD_W_NET))
      continue;
    struct hd_wire_expr *e = hd_wires_expression(b, row);
    if (!e)
      return;
    struct hd_net *net = hd_wires_add_net(b, row->name, "", NULL, NULL, row);
    net->expr = e;
  }
}

/* Checks that each of "a, u_x.b" is a net. */
static void check_pulse(struct hd_wiring_build *b, const struct hd_wire *row) {
  for (const char *at = row->from; *at; at += strspn(at, ", ")) {
    const size_t n = strcspn(at, ", ");
    struct hd_wire_expr *e = hd_wires_new_expr(b, HD_X_NET);
    if (!e)
      return;
    snprintf(e->name, sizeof e->name, "%.*s", (int)n, at);
    hd_wires_look_up(b, row, e);
    at += n;
  }
}

/* Adds the condition under which an instance hears, or ticks. */
static void make_hears(struct hd_wiring_build *b, const struct hd_wire *row) {
  struct hd_wiring *w = b->w;
  struct hd_wire_expr *e = hd_wires_expression(b, row);
  for (size_t i = 0; e && i < w->decl->n_insts; i++) {
    if (!hd_wire_means(w, row->inst, strlen(row->inst), &w->decl->insts[i]))
      continue;
    struct hd_tie *more = realloc(w->hears, (w->n_hears + 1) * sizeof *more);
    if (!more) {
      hd_wires_no_memory(b);
      return;
    }
    w->hears = more;
    more[w->n_hears++] = (struct hd_tie){.inst = &w->decl->insts[i], .expr = e, .by = row};
  }
}

struct hd_wiring *hd_wiring_new(const struct hd_decl *decl, const struct hd_wire *rows, size_t n, bool all,
                                struct hd_why *why) {
  struct hd_wiring *w = calloc(1, sizeof *w);
  const struct hd_wire **sockets = calloc(n + 1, sizeof *sockets);
  if (!w || !sockets || (n && !rows)) {
    hd_because(why, HD_TOOL, "out of memory");
    free(w);
    free(sockets);
    return NULL;
  }
  *w = (struct hd_wiring){.decl = decl, .rows = rows, .n_rows = n, .sockets = sockets, .all = all};
  for (size_t i = 0; i < n; i++)
    if (rows[i].kind == HD_W_SOCKET)
      w->sockets[w->n_sockets++] = &rows[i];
  struct hd_wiring_build b = {.w = w, .why = why};
  for (size_t i = 0; all && i < n; i++)
    hd_wires_check_row(&b, &rows[i]);
  hd_wires_make_nets(&b);
  make_named(&b);
  for (size_t i = 0; i < decl->n_insts; i++)
    for (size_t k = 0; k < decl->insts[i].decl->n_rows && !b.failed; k++)
      if (decl->insts[i].decl->rows[k].cls == HD_IN)
        hd_wires_tie_input(&b, &decl->insts[i], &decl->insts[i].decl->rows[k]);
  for (size_t i = 0; i < n && !b.failed; i++) {
    if (hd_wires_counts(w, &rows[i], HD_W_DRIVE))
      hd_wires_tie_driven(&b, &rows[i]);
    if (all && (rows[i].kind == HD_W_PULSE || rows[i].kind == HD_W_LEVEL))
      check_pulse(&b, &rows[i]);
    if (all && (rows[i].kind == HD_W_HEARS || rows[i].kind == HD_W_TICKS))
      make_hears(&b, &rows[i]);
  }
  for (size_t i = 0; i < decl->n_rows && !b.failed; i++)
    if (hd_is_output(decl->rows[i].cls))
      hd_wires_tie_output(&b, &decl->rows[i]);
  if (!b.failed)
    return w;
  hd_wiring_free(w);
  return NULL;
}

void hd_wiring_free(struct hd_wiring *w) {
  if (!w)
    return;
  for (struct hd_wire_expr *e = w->exprs, *next; e; e = next) {
    next = e->next;
    free(e);
  }
  free(w->sockets);
  free(w->nets);
  free(w->ties);
  free(w->hears);
  free(w);
}

const struct hd_tie *hd_wiring_tie(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port) {
  for (size_t i = 0; i < w->n_ties; i++)
    if (w->ties[i].inst == inst && w->ties[i].port == port)
      return &w->ties[i];
  return NULL;
}

const struct hd_net *hd_wiring_net(const struct hd_wiring *w, const struct hd_inst *inst,
                                   const struct hd_row *port) {
  for (size_t i = 0; i < w->n_nets; i++)
    if (w->nets[i].inst == inst && w->nets[i].row == port)
      return &w->nets[i];
  return NULL;
}

bool hd_wire_reads(const struct hd_wire_expr *e, const struct hd_inst *inst, enum hd_class cls) {
  for (unsigned i = 0; i < e->n_nets; i++) {
    const struct hd_net *net = e->net[i];
    if (net->row ? net->inst == inst && net->row->cls == cls : hd_wire_reads(net->expr, inst, cls))
      return true;
  }
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && hd_wire_reads(e->arg[i], inst, cls))
      return true;
  return false;
}
