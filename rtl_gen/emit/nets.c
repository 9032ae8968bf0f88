/* Instances and the nets between them; see nets.h. */
#include "rtl_gen/emit/nets.h"

#include <stdlib.h>
#include <string.h>

#include "rtl_gen/rtl.h"

static bool is_port(const struct hd_decl *decl, const char *name) {
  for (size_t i = 0; i < decl->n_rows; i++)
    if (!strcmp(decl->rows[i].var, name))
      return true;
  return false;
}

void hd_put_nets(FILE *f, const struct hd_config *c, const struct hd_decl *decl, hd_net_of *net_of,
                 int column) {
  for (size_t i = 0; i < decl->n_insts; i++)
    for (size_t k = 0; k < decl->insts[i].decl->n_rows; k++) {
      const struct hd_row *row = &decl->insts[i].decl->rows[k];
      const struct hd_net net = net_of(c, &decl->insts[i], row);
      if (hd_is_output(row->cls) && !is_port(decl, net.name))
        fprintf(f, "  wire %-*s %s;\n", column, hd_range_of(row).text, net.name);
    }
}

/* If its module's text can't be made, the set of files fails anyway. */
void hd_put_instance(FILE *f, const struct hd_design *design, const struct hd_inst *inst, hd_net_of *net_of) {
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
    if (hd_is_port(row->cls))
      fprintf(f, ",\n    .%s(%s)", row->var, net_of(design->c, inst, row).name);
  }
  fputs("\n  );\n", f);
}
