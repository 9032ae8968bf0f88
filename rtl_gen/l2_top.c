/* A slice of the L2 with the power of its lines, as Verilog: nothing but instances and nets. Spec:
 * docs/mechanisms/l2.md.
 *
 * Every port of a module inside goes to the net of its own name, but for the prediction of a request.
 */
#include <stdlib.h>
#include <string.h>

#include "rtl_gen/emit.h"
#include "rtl_gen/rtl.h"

static bool is_port(const struct hd_decl *decl, const char *name) {
  for (size_t i = 0; i < decl->n_rows; i++)
    if (!strcmp(decl->rows[i].var, name))
      return true;
  return false;
}

/* What the two tell each other, declared by the one that says it. */
static void put_nets(FILE *f, const struct hd_decl *decl) {
  for (size_t i = 0; i < decl->n_insts; i++)
    for (size_t k = 0; k < decl->insts[i].decl->n_rows; k++) {
      const struct hd_row *row = &decl->insts[i].decl->rows[k];
      if ((row->cls == HD_OUT || row->cls == HD_MEALY) && !is_port(decl, row->var))
        fprintf(f, "  wire %-24s %s;\n", hd_range_of(row).text, row->var);
    }
}

/* An instance gets every size that its module knows; if its text can't be made, the set of files fails
 * anyway. */
static void put_instance(FILE *f, const struct hd_design *design, const struct hd_inst *inst) {
  struct hd_why why;
  char *text = hd_rtl_module_text(design, inst->decl->module, &why);
  const char *comma = "";
  bool used[hd_n_sizes];
  hd_scan_sizes(text ? text : "", used);
  fprintf(f, "\n  %s #(", inst->decl->module);
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (used[i]) {
      fprintf(f, "%s\n    .%s(%s)", comma, hd_sizes[i].name, hd_sizes[i].name);
      comma = ",";
    }
  free(text);
  fprintf(f, "\n  ) %s (\n    .clk(clk),\n    .rst(rst)", inst->name);
  for (size_t i = 0; i < inst->decl->n_rows; i++) {
    const struct hd_row *row = &inst->decl->rows[i];
    if (row->cls <= HD_MEALY)
      fprintf(f, ",\n    .%s(%s)", row->var, strcmp(row->var, "req_pred") ? row->var : "taken_pred");
  }
  fputs("\n  );\n", f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  fputc('\n', f);
  if (design->c->d.LOS)
    fputs("  // without the enable no access is predicted, so no line sleeps\n"
          "  wire [CNT_W-1:0] taken_pred = req_pred & {CNT_W{los_en}};\n"
          "\n",
          f);
  put_nets(f, decl);
  for (size_t i = 0; i < decl->n_insts; i++)
    put_instance(f, design, &decl->insts[i]);
}

const struct hd_behaviour l2_top_rtl = {"l2_top", put, (const char *const[]){"loscache.gate", NULL}};
