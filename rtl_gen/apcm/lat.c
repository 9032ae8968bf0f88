/* The load alias table, as Verilog. Spec: docs/mechanisms/apcm.md.
 *
 * Ids are given in order, so that the one to be given next is known ahead of the search. What is searched meets the
 * coalescer's registers in the same cycle: everything else waits for it.
 */
#include "rtl_gen/emit/emit.h"

static void put_search(FILE *f) {
  fputs("\n"
        "  // --- the load: its id, or the one that it gets\n"
        "\n"
        "  wire [LAT-1:0] found_at;\n"
        "  wire [LAT-1:0] free_at = lowest(~used_q);\n"
        "  wire           found   = |found_at;\n"
        "  wire           give    = load_valid && !found && !clear;\n"
        "  generate\n"
        "    for (k = 0; k < LAT; k = k + 1) begin : id\n"
        "      assign found_at[k] = used_q[k] && pc_q[k*PC_W +: PC_W] == load_pc;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (give && free_at[k])\n"
        "          pc_q[k*PC_W +: PC_W] <= load_pc;\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear)\n"
        "      used_q <= {LAT{1'b0}};\n"
        "    else if (give)\n"
        "      used_q <= used_q | free_at;\n"
        "\n"
        "  assign load_trk = found || !(&used_q);\n"
        "  assign load_lid = found ? number(found_at) : number(free_at);\n",
        f);
}

static void put_ask(FILE *f) {
  fputs("\n"
        "  // --- and back\n"
        "\n"
        "  wire [LAT-1:0] ask_at = used_q & (ID_0 << ask_id);\n"
        "  assign ask_pc = pick_pc(ask_at, pc_q);\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const bool asked = design->c->d.APCM_P;
  if (asked)
    fputs("\n  localparam [LAT-1:0] ID_0 = 1;", f);
  fputs("\n  genvar k;\n", f);
  hd_put_lowest(f, "lowest", "LAT");
  hd_put_number(f, "number", "LAT", "LID_W");
  if (asked)
    hd_put_pick(f, "pick_pc", "LAT", "PC_W");
  put_search(f);
  if (asked)
    put_ask(f);
}

const struct hd_behaviour lat_rtl = {"lat", put, (const char *const[]){"apcm.manage", NULL}};
