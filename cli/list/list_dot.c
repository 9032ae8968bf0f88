/* A machine's block diagram for Graphviz, from its connection rows (docs/connections.md). */
#include "cli/list/list.h"

#include <stdlib.h>
#include <string.h>

#include "arch/wires/wires.h"

struct diagram {
  FILE *f;
  const struct hd_wiring *w;
};

/* The title up to its colon. */
static void put_box(FILE *f, const struct hd_inst *inst) {
  const char *title = inst->decl->title;
  fprintf(f, "    %s [label=\"%s\\n%.*s\"];\n", inst->name, inst->decl->module, (int)strcspn(title, ":,;"),
          title);
}

/* The port is one of the channel's: of the side that the row names by `path`. */
static bool is_of(const struct diagram *g, const char *path, const struct hd_inst *inst,
                  const struct hd_row *port) {
  const char *rest = hd_wire_rest(g->w, path, inst, port);
  return rest && *rest == '_';
}

static bool is_row(const struct hd_wire *row, enum hd_wire_kind kind) {
  return row->kind == kind && row->when;
}

/* Some channel connects this input. */
static bool in_channel(const struct diagram *g, const struct hd_tie *tie) {
  if (tie->by && tie->by->kind == HD_W_WIRE)
    return false;
  for (size_t i = 0; tie->port && i < g->w->n_rows; i++) {
    const struct hd_wire *row = &g->w->rows[i];
    if (is_row(row, HD_W_CHANNEL) &&
        (is_of(g, row->to, tie->inst, tie->port) || is_of(g, row->from, tie->inst, tie->port)))
      return true;
  }
  return false;
}

/* ---- Channels ---- */

/* Sets *inst to the instance at this side of the channel, or to NULL if the side is the module itself. Returns false if it
 * is neither. */
static bool side_of(const struct diagram *g, const char *path, const struct hd_inst **inst) {
  *inst = NULL;
  if (!strncmp(path, "own.", 4))
    return true;
  for (size_t i = 0; i < g->w->decl->n_insts && !*inst; i++)
    if (hd_wire_means(g->w, path, strcspn(path, "."), &g->w->decl->insts[i]))
      *inst = &g->w->decl->insts[i];
  return *inst != NULL;
}

static void put_channel(const struct diagram *g, const struct hd_wire *row) {
  const struct hd_inst *from, *to;
  if (!side_of(g, row->from, &from) || !side_of(g, row->to, &to))
    return;
  const struct hd_decl *d = to ? to->decl : g->w->decl;
  const char *bundle = "";
  unsigned bits = 0;
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *port = &d->rows[i];
    const char *const last = strrchr(port->var, '_');
    if ((to ? port->cls != HD_IN : !hd_is_output(port->cls)) || !is_of(g, row->to, to, port) ||
        !strcmp(last, "_valid"))
      continue;
    bits += port->count * port->width;
    bundle = port->bundle && !*bundle ? port->bundle : bundle;
  }
  if (!from || !to)
    fprintf(g->f, "  %s [shape=plaintext];\n", row->name);
  fprintf(g->f, "  %s -> %s [label=\"%s%s%u bits\", penwidth=2];\n", from ? from->name : row->name,
          to ? to->name : row->name, bundle, *bundle ? ", " : "", bits);
}

/* ---- Hooks, and other wires: one line from instance to instance ---- */

static unsigned bits_from(const struct hd_wire_expr *e, const struct hd_inst *from) {
  unsigned bits = 0;
  for (unsigned i = 0; i < e->n_nets; i++)
    bits += !e->net[i]->row           ? bits_from(e->net[i]->expr, from)
            : e->net[i]->inst == from ? e->net[i]->row->count * e->net[i]->row->width
                                      : 0;
  for (unsigned i = 0; i < e->n_args; i++)
    bits += e->arg[i] ? bits_from(e->arg[i], from) : 0;
  return bits;
}

static void put_line(const struct diagram *g, const struct hd_inst *from, const struct hd_inst *to) {
  unsigned bits = 0, joined = 0;
  const char *bundle = "";
  for (size_t i = 0; i < g->w->n_ties; i++) {
    const struct hd_tie *tie = &g->w->ties[i];
    if (tie->inst != to || in_channel(g, tie))
      continue;
    if (tie->expr->op == HD_X_JOIN) {
      joined += bits_from(tie->expr, from);
      bundle = tie->port->bundle;
    } else
      bits += bits_from(tie->expr, from);
  }
  if (joined)
    fprintf(g->f, "  %s -> %s [label=\"%s, %u bits\", style=dotted, penwidth=2];\n", from->name, to->name,
            bundle, joined);
  if (bits)
    fprintf(g->f, "  %s -> %s [label=\"%u\", color=gray50, fontcolor=gray50];\n", from->name, to->name, bits);
}

/* A bundle of the module's own that several instances drive. */
static void put_driven(const struct diagram *g, const struct hd_tie *tie) {
  fprintf(g->f, "  %s [shape=plaintext];\n", tie->by->name);
  for (size_t i = 0; i < g->w->decl->n_insts; i++) {
    const unsigned bits = bits_from(tie->expr, &g->w->decl->insts[i]);
    if (bits)
      fprintf(g->f, "  %s -> %s [label=\"%u bits\", penwidth=2];\n", g->w->decl->insts[i].name, tie->by->name,
              bits);
  }
}

static void put_module(FILE *f, const struct hd_design *design, const char *module) {
  const struct hd_decl *decl = hd_design_find(design, module);
  if (!decl)
    return;
  size_t n;
  struct hd_why why;
  struct hd_wire *rows = hd_wires_of(design->c, module, &n);
  struct hd_wiring *w = hd_wiring_new(decl, rows, n, false, &why);
  if (!w) /* the build has checked the rows */
    abort();
  const struct diagram g = {f, w};
  fprintf(f, "  subgraph cluster_%s {\n    label=\"%s\";\n", module, module);
  for (size_t i = 0; i < decl->n_insts; i++)
    put_box(f, &decl->insts[i]);
  fprintf(f, "  }\n");
  for (size_t i = 0; i < n; i++)
    if (is_row(&rows[i], HD_W_CHANNEL))
      put_channel(&g, &rows[i]);
  for (size_t i = 0; i < decl->n_insts; i++)
    for (size_t k = 0; k < decl->n_insts; k++)
      if (i != k)
        put_line(&g, &decl->insts[i], &decl->insts[k]);
  for (size_t i = 0; i < w->n_ties; i++)
    if (!w->ties[i].inst && !w->ties[i].port && !w->ties[i].to)
      put_driven(&g, &w->ties[i]);
  hd_wiring_free(w);
  free(rows);
}

void hd_list_dot(const struct hd_design *design, FILE *f) {
  fprintf(f,
          "digraph \"%s\" {\n"
          "  rankdir=LR;\n"
          "  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n"
          "  edge [fontname=\"Helvetica\", fontsize=9];\n",
          design->c->name);
  put_module(f, design, "sm_mem");
  fprintf(f, "}\n");
}
