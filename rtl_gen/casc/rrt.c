/* The re-reference table, as Verilog. Spec: docs/mechanisms/casc.md.
 *
 * What an update makes of its entry is worked out for each place the old value may come from, and chosen at the
 * end: which one it is takes as long to know as the sums do.
 */
#include "rtl_gen/emit/emit.h"

static void put_learn(FILE *f) {
  fputs("\n"
        "  // an entry, sum above count, with one more line; both halve when the count overflows\n"
        "  function [UPDATE_WORD_W-1:0] learn(input [UPDATE_WORD_W-1:0] old, input [RR_W-1:0] line);\n"
        "    reg [RRSUM_W-1:0]  sum;\n"
        "    reg [SAMPLE_W-1:0] count;\n"
        "    begin\n"
        "      sum   = old[SAMPLE_W +: RRSUM_W] + {{SAMPLE_W{1'b0}}, line};\n"
        "      count = old[0 +: SAMPLE_W] + 1'b1;\n"
        "      learn = &old[0 +: SAMPLE_W] ? {1'b0, sum[RRSUM_W-1:1], 1'b1, {SAMPLE_W-1{1'b0}}} : {sum, "
        "count};\n"
        "    end\n"
        "  endfunction\n",
        f);
}

static void put_update(FILE *f) {
  fputs("\n"
        "  // --- update: an eviction reads its entry, and writes it in the next cycle\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst) begin\n"
        "      u_valid_q <= 1'b0;\n"
        "      w_valid_q <= 1'b0;\n"
        "    end else begin\n"
        "      u_valid_q <= ev_valid && !clear;\n"
        "      w_valid_q <= u_valid_q && !clear;\n"
        "    end\n"
        "\n"
        "  always @(posedge clk) begin\n"
        "    u_hpc_q   <= ev_hpc;\n"
        "    u_count_q <= ev_count;\n"
        "  end\n"
        "\n"
        "  wire                     near    = w_valid_q && w_hpc_q == u_hpc_q; // written while it was read\n"
        "  wire [UPDATE_WORD_W-1:0] begun   = {{SAMPLE_W{1'b0}}, u_count_q, {SAMPLE_W-1{1'b0}}, 1'b1};\n"
        "  wire [UPDATE_WORD_W-1:0] learned = near ? learn({w_sum_q, w_count_q}, u_count_q)\n"
        "                                          : learn(update_rdata, u_count_q);\n"
        "  wire [UPDATE_WORD_W-1:0] written = known_q[u_hpc_q] ? learned : begun;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear)\n"
        "      known_q <= {RRT{1'b0}};\n"
        "    else\n"
        "      known_q <= known_q | {RRT{u_valid_q}} & (ENTRY_0 << u_hpc_q);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (u_valid_q) begin\n"
        "      w_hpc_q <= u_hpc_q;\n"
        "      {w_sum_q, w_count_q} <= written;\n"
        "    end\n"
        "\n"
        "  assign update_we    = u_valid_q;\n"
        "  assign update_waddr = u_hpc_q;\n"
        "  assign update_wdata = written;\n"
        "  assign update_re    = 1'b1;\n"
        "  assign update_raddr = ev_hpc;\n",
        f);
}

static void put_lookup(FILE *f) {
  fputs("\n"
        "  // --- lookup, of the other copy\n"
        "\n"
        "  assign lookup_we    = update_we;\n"
        "  assign lookup_waddr = update_waddr;\n"
        "  assign lookup_wdata = update_wdata;\n"
        "  assign lookup_re    = 1'b1;\n"
        "  assign lookup_raddr = lk_hpc;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    l_hpc_q <= lk_hpc;\n"
        "\n"
        "  assign lk_known = known_q[l_hpc_q];\n"
        "  assign {lk_sum, lk_count} = w_valid_q && w_hpc_q == l_hpc_q ? {w_sum_q, w_count_q} : "
        "lookup_rdata;\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)design, (void)decl;
  fputs("\n"
        "  localparam [RRT-1:0] ENTRY_0 = 1;\n",
        f);
  put_learn(f);
  put_update(f);
  put_lookup(f);
}

const struct hd_behaviour rrt_rtl = {"rrt", put, (const char *const[]){"casc.scheme", NULL}};
