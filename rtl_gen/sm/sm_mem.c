/* One SM's memory path, as Verilog: its connection rows, arch/sm/sm_mem.wires. Spec: docs/mechanisms/sm_mem.md. */
#include "rtl_gen/emit/nets.h"

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  hd_put_wiring(f, design, decl, 16);
}

const struct hd_behaviour sm_mem_rtl = {"sm_mem", put, (const char *const[]){"request_buffer.kind", NULL}};
