/* A slice of the L2 with the power of its lines, as Verilog: its connection rows, arch/l2/l2_top.wires. Spec:
 * docs/mechanisms/l2.md. */
#include "rtl_gen/emit/nets.h"

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  hd_put_wiring(f, design, decl, 24);
}

const struct hd_behaviour l2_top_rtl = {"l2_top", put, (const char *const[]){"loscache.gate", NULL}};
