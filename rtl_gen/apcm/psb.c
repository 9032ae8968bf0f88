/* The protection status board, as Verilog. Spec: docs/mechanisms/apcm.md.
 *
 * Every warp's entry says for itself whether an event ends its protection; which warp the event is of comes beside
 * that.
 */
#include "rtl_gen/emit/emit.h"

static void put_events(FILE *f) {
  fputs("\n"
        "  // --- what happens, and to whom\n"
        "\n"
        "  wire [WARPS-1:0] done_at = {WARPS{acc_valid && acc_trk && acc_last}} & (WARP_0 << acc_wid);\n"
        "  wire [WARPS-1:0] set_at  = {WARPS{ps_valid}} & (WARP_0 << ps_wid);\n"
        "  wire [WARPS-1:0] left_at = {WARPS{l_valid_q}} & (WARP_0 << l_wid_q);\n"
        "  wire             in_loop = ask_pc >= l_to_q && ask_pc <= l_from_q;\n"
        "\n"
        "  // a loop that is left: the program counter of its warp's load is known in the next cycle\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      l_valid_q <= 1'b0;\n"
        "    else\n"
        "      l_valid_q <= leave_valid && !clear;\n"
        "\n"
        "  always @(posedge clk) begin\n"
        "    l_wid_q  <= leave_wid;\n"
        "    l_from_q <= leave_from;\n"
        "    l_to_q   <= leave_to;\n"
        "    l_id_q   <= pick_id(WARP_0 << leave_wid, last_q);\n"
        "  end\n"
        "\n"
        "  assign ask_id = l_id_q;\n",
        f);
}

static void put_board(FILE *f) {
  fputs("\n"
        "  // --- the board\n"
        "\n"
        "  generate\n"
        "    for (w = 0; w < WARPS; w = w + 1) begin : warp\n"
        "      wire [LID_W-1:0] last   = last_q[w*LID_W +: LID_W];\n"
        "      wire             served = done_at[w] && !loop_q[w] && last == acc_lid;\n"
        "      wire             left   = left_at[w] && loop_q[w] && last == l_id_q && in_loop;\n"
        "      wire             set    = set_at[w] && !on_q[w] && !clear;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst || clear || exit[w])\n"
        "          on_q[w] <= 1'b0;\n"
        "        else\n"
        "          on_q[w] <= set || on_q[w] && !served && !left;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (set) begin\n"
        "          last_q[w*LID_W +: LID_W] <= ps_last;\n"
        "          loop_q[w] <= ps_loop;\n"
        "        end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  assign psb_on   = on_q;\n"
        "  assign psb_last = last_q;\n"
        "  assign psb_loop = loop_q;\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)design, (void)decl;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  genvar w;\n",
        f);
  hd_put_pick(f, "pick_id", "WARPS", "LID_W");
  put_events(f);
  put_board(f);
}

const struct hd_behaviour psb_rtl = {"psb", put, (const char *const[]){NULL}};
