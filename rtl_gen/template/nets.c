/* Writes instances and the nets between them; see nets.h. */
#include "rtl_gen/template/nets.h"

#include <stdlib.h>
#include <string.h>

#include "arch/dropin/dropin.h"
#include "rtl_gen/template/size_roles.h"
#include "rtl_gen/verilog/verilog.h"

/* ---- Expressions ---- */

/* The precedence of an expression's outermost operator; all other expressions have brackets of their own. */
static int binds(const struct hd_wire_expr *e) {
  switch (e->op) {
  case HD_X_COND:
    return 0;
  case HD_X_OR:
    return 1;
  case HD_X_AND:
  case HD_X_MEETS:
    return 2;
  case HD_X_BITOR:
  case HD_X_JOIN:
    return 3;
  case HD_X_BITAND:
  case HD_X_GATED:
    return 4;
  case HD_X_EQ:
  case HD_X_NE:
    return 5;
  default:
    return 6;
  }
}

static void put_expr(FILE *f, const struct hd_wire_expr *e);

/* Writes an operand of an operator with this precedence. */
static void put_operand(FILE *f, const struct hd_wire_expr *e, int strength) {
  const bool brackets = binds(e) < strength;
  fputs(brackets ? "(" : "", f);
  put_expr(f, e);
  fputs(brackets ? ")" : "", f);
}

static void put_list(FILE *f, const struct hd_wire_expr *e, const char *sign, int strength) {
  for (unsigned i = 0; i < e->n_args; i++) {
    fputs(i ? sign : "", f);
    put_operand(f, e->arg[i], strength);
  }
}

/* The range of the only net in an expression like a, or a & {..}; else a range with a number. */
static struct hd_range width_of(const struct hd_wire_expr *e) {
  struct hd_range out;
  if (e->op == HD_X_NET && e->net[0]->row)
    return hd_range_of(e->net[0]->row);
  if (e->op == HD_X_GATED)
    return width_of(e->arg[0]);
  snprintf(out.text, sizeof out.text, "[%u:0]", e->width - 1);
  if (e->width == 1)
    *out.text = '\0';
  return out;
}

/* Writes "{CNT_W{" for bits "[CNT_W-1:0]". */
static void put_times(FILE *f, const struct hd_wire_expr *e) {
  const struct hd_range range = width_of(e);
  const char *end = strstr(range.text, "-1:0]");
  if (end)
    fprintf(f, "{%.*s{", (int)(end - range.text - 1), range.text + 1);
  else
    fprintf(f, "{%u{", e->width);
}

static void put_zeros(FILE *f, const struct hd_wire_expr *e, unsigned from, unsigned to) {
  fputs("{", f);
  for (unsigned i = from; i < to; i++)
    fprintf(f, "%s%s", i > from ? "+" : "", e->field[i]->width_txt);
  fputs("{1'b0}}", f);
}

enum giver { NOTHING, A_PORT, A_ROW };
static enum giver giver_of(const struct hd_wire_expr *e) {
  return !e ? NOTHING : e->op == HD_X_NET && e->value ? A_PORT : A_ROW;
}

/* Writes the fields of a bundle from the top: fields of one port together, fields without a source as 0. */
static void put_bundle(FILE *f, const struct hd_wire_expr *e) {
  fputs("{", f);
  for (unsigned i = 0, next; i < e->n_args; i = next) {
    const enum giver giver = giver_of(e->arg[i]);
    fputs(i ? ", " : "", f);
    for (next = i + 1; giver != A_ROW && next < e->n_args && giver_of(e->arg[next]) == giver;)
      next++;
    if (giver == NOTHING)
      put_zeros(f, e, i, next);
    else {
      fputs(giver == A_PORT ? "{" : "", f);
      for (unsigned k = i; k < next; k++) {
        fputs(k > i ? ", " : "", f);
        put_expr(f, e->arg[k]);
      }
      fputs(giver == A_PORT ? "}" : "", f);
    }
  }
  fputs("}", f);
}

static void put_join(FILE *f, const struct hd_wire_expr *e) {
  if (e->n_args)
    put_list(f, e, e->value ? " & " : " | ", binds(e) + 1);
  else if (e->width == 1)
    fprintf(f, "1'b%u", (unsigned)e->value);
  else
    fprintf(f, "{%u{1'b%u}}", e->width, (unsigned)e->value);
}

static void put_expr(FILE *f, const struct hd_wire_expr *e) {
  const int strength = binds(e) + 1;
  switch (e->op) {
  case HD_X_NET:
    fputs(e->net[0]->name, f);
    break;
  case HD_X_NUMBER:
    fprintf(f, "%u'd%llu", e->width, (unsigned long long)e->value);
    break;
  case HD_X_NOT:
    fputs("!", f);
    put_operand(f, e->arg[0], 6);
    break;
  case HD_X_AND:
  case HD_X_MEETS:
    put_list(f, e, " && ", strength - 1);
    break;
  case HD_X_OR:
    put_list(f, e, " || ", strength - 1);
    break;
  case HD_X_EQ:
    put_list(f, e, " == ", strength);
    break;
  case HD_X_NE:
    put_list(f, e, " != ", strength);
    break;
  case HD_X_BITAND:
    put_list(f, e, " & ", strength - 1);
    break;
  case HD_X_BITOR:
    put_list(f, e, " | ", strength - 1);
    break;
  case HD_X_COND:
    put_operand(f, e->arg[0], 1);
    fputs(" ? ", f);
    put_expr(f, e->arg[1]);
    fputs(e->arg[2]->op == HD_X_OF ? " :\n    " : " : ", f);
    put_expr(f, e->arg[2]);
    break;
  case HD_X_CAT:
    fputs("{", f);
    put_list(f, e, ", ", 0);
    fputs("}", f);
    break;
  case HD_X_ANY:
    fputs("|", f);
    put_operand(f, e->arg[0], 6);
    break;
  case HD_X_GATED:
    put_operand(f, e->arg[0], strength);
    fputs(" & ", f);
    put_times(f, e->arg[0]);
    put_expr(f, e->arg[1]);
    fputs("}}", f);
    break;
  case HD_X_OF:
    put_bundle(f, e);
    break;
  case HD_X_JOIN:
    put_join(f, e);
    break;
  }
}

/* ---- Nets ---- */

static bool is_port(const struct hd_decl *decl, const char *name) {
  for (size_t i = 0; i < decl->n_rows; i++)
    if (!strcmp(decl->rows[i].var, name))
      return true;
  return false;
}

static void put_nets(FILE *f, const struct hd_wiring *w, int column) {
  for (size_t i = 0; i < w->n_nets; i++) {
    const struct hd_net *net = &w->nets[i];
    if (net->inst && !is_port(w->decl, net->name))
      fprintf(f, "  wire %-*s %s;\n", column, hd_range_of(net->row).text, net->name);
  }
}

/* True if the expression uses only the module's own ports. */
static bool is_own(const struct hd_wire_expr *e) {
  if (e->op == HD_X_NET)
    return e->net[0]->row && !e->net[0]->inst;
  for (unsigned i = 0; i < e->n_args; i++)
    if (e->arg[i] && !is_own(e->arg[i]))
      return false;
  return true;
}

/* Writes a net with its comment behind it, or above it if the line would be too long. */
static void put_named_net(FILE *f, const struct hd_net *net) {
  const char *const why = net->by->why;
  char *text = NULL;
  size_t size = 0;
  FILE *line = hd_memory_open(&text, &size);
  const struct hd_range range = width_of(net->expr);
  fprintf(line, "  wire %s%s%s = ", range.text, *range.text ? " " : "", net->name);
  put_expr(line, net->expr);
  fputs(";", line);
  hd_memory_close(line);
  if (size + strlen(why) + 4 > 100)
    fprintf(f, "  // %s\n%s\n", why, text);
  else
    fprintf(f, "%s // %s\n", text, why);
  free(text);
}

/* Writes the nets of NET rows; with `own` only those made of the module's own ports, else the others. */
static void put_named_nets(FILE *f, const struct hd_wiring *w, bool own) {
  for (size_t i = 0; i < w->n_nets; i++)
    if (w->nets[i].expr && is_own(w->nets[i].expr) == own) {
      fputs(own ? "" : "\n", f);
      put_named_net(f, &w->nets[i]);
      fputs(own ? "\n" : "", f);
    }
}

/* ---- Instances ---- */

/* Writes the free sizes of the instance's module, if it has any. */
static void put_parameters(FILE *f, const struct hd_decl *decl, const struct hd_modules *written) {
  const char *begin = "#(\n    ";
  const struct hd_module *m = written->module;
  while (m->decl != decl)
    m++;
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (m->used[i] && m->roles[i].role == HD_FREE) {
      fprintf(f, "%s.%s(%s)", begin, hd_sizes[i].name, hd_sizes[i].name);
      begin = ",\n    ";
    }
  fputs(*begin == ',' ? "\n  ) " : "", f);
}

static void put_instance(FILE *f, const struct hd_wiring *w, const struct hd_inst *inst,
                         const struct hd_modules *written) {
  fprintf(f, "\n  %s ", inst->decl->module);
  put_parameters(f, inst->decl, written);
  fprintf(f, "%s (\n    .clk(clk),\n    .rst(rst)", inst->name);
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *row = &inst->decl->rows[i];
    if (!hd_is_port(row->cls))
      continue;
    fprintf(f, ",\n    .%s(", row->var);
    if (row->cls == HD_IN)
      put_expr(f, hd_wiring_tie(w, inst, row)->expr);
    else
      fputs(hd_wiring_net(w, inst, row)->name, f);
    fputs(")", f);
  }
  fputs("\n  );\n", f);
}

/* ---- Outputs of the module that are not nets ---- */

static void put_target(FILE *f, const struct hd_config *c, const struct hd_tie *tie) {
  if (tie->port)
    fputs(tie->port->var, f);
  else if (tie->to) {
    fputs("{", f);
    for (unsigned i = 0; i < tie->to->n_args; i++)
      fprintf(f, "%s%s", i ? ", " : "", tie->to->field[i]->var);
    fputs("}", f);
  } else {
    const struct hd_wire_expr *of = tie->expr;
    while (of->op == HD_X_COND)
      of = of->arg[1];
    char prefix[70];
    snprintf(prefix, sizeof prefix, "%s_", tie->by->name);
    fputs(hd_fields_of(c, of->field[0]->bundle, prefix, "").text, f);
  }
}

static void put_driven(FILE *f, const struct hd_config *c, const struct hd_wiring *w) {
  for (size_t i = 0; i < w->n_rows; i++) {
    const struct hd_wire *row = &w->rows[i];
    if (row->kind == HD_W_ABOUT && row->when)
      fprintf(f, *row->why ? "\n  // %s\n" : "\n", row->why);
    for (size_t k = 0; row->kind == HD_W_DRIVE && k < w->n_ties; k++) {
      const struct hd_tie *tie = &w->ties[k];
      if (tie->by != row)
        continue;
      fputs("  assign ", f);
      put_target(f, c, tie);
      fputs(tie->port || tie->to ? " = " : " =\n    ", f);
      put_expr(f, tie->expr);
      fputs(";\n", f);
    }
  }
}

void hd_put_wired(FILE *f, const struct hd_config *c, const struct hd_wiring *w,
                  const struct hd_modules *written, int column) {
  fputc('\n', f);
  put_named_nets(f, w, true);
  put_nets(f, w, column);
  put_named_nets(f, w, false);
  for (size_t i = 0; i < w->decl->n_insts; i++)
    put_instance(f, w, &w->decl->insts[i], written);
  put_driven(f, c, w);
}

void hd_put_wiring(FILE *f, const struct hd_config *c, const struct hd_decl *decl,
                   const struct hd_modules *written, int column) {
  size_t n;
  struct hd_why why;
  if (decl->dropin) {
    hd_put_wired(f, c, decl->dropin->wiring, written, column);
    return;
  }
  struct hd_wire *rows = hd_wires_of(c, decl->module, &n);
  struct hd_wiring *w = hd_wiring_new(decl, rows, n, false, &why);
  if (!w) {
    fprintf(stderr, "%s\n", why.text);
    abort();
  }
  hd_put_wired(f, c, w, written, column);
  hd_wiring_free(w);
  free(rows);
}
