/* The coalescer, as Verilog. Spec: docs/mechanisms/coalescer.md. */
#include "rtl_gen/emit.h"

static void put_split(FILE *f) {
  fputs("\n"
        "  // --- the place in turn is split: all lanes with the line of the lowest lane left make one "
        "request\n"
        "\n"
        "  wire                    t         = turn_q;\n"
        "  wire [LANES*LINE_W-1:0] lines     = p_line_q[t*LANES*LINE_W +: LANES*LINE_W];\n"
        "  wire [LINE_W-1:0]       lead_line = first_line(mask_q, lines);\n"
        "  wire [LANES-1:0]        eq;\n"
        "  generate\n"
        "    for (lane = 0; lane < LANES; lane = lane + 1) begin : compare\n"
        "      assign eq[lane] = lines[lane*LINE_W +: LINE_W] == lead_line;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire [LANES-1:0] same = mask_q & eq;\n"
        "  wire [LANES-1:0] left = mask_q & ~eq;\n"
        "  wire last = !(|left);\n"
        "  wire emit = p_valid_q[t] && (!o_valid_q || req_ready);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst) begin\n"
        "      turn_q <= 1'b0;\n"
        "      num_q  <= {LANE_W{1'b0}};\n"
        "    end else if (emit) begin\n"
        "      turn_q <= t ^ last;\n"
        "      num_q  <= last ? {LANE_W{1'b0}} : num_q + 1'b1;\n"
        "    end\n",
        f);
}

static void put_places(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- the two places; an instruction goes to the one in turn if that is empty\n"
          "\n"
          "  wire take = issue_valid && issue_ready;\n"
          "\n"
          "  assign issue_ready = !(&p_valid_q);\n"
          "\n"
          "  // the lanes move, the lines do not: the lanes are where the slowest path begins and ends\n"
          "  always @(posedge clk)\n"
          "    if (emit)\n"
          "      mask_q <= left | {LANES{last}} & (p_valid_q[!t] ? n_mask_q : issue_mask);\n"
          "    else if (!p_valid_q[t])\n"
          "      mask_q <= issue_mask;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (take)\n"
          "      n_mask_q <= issue_mask;\n"
          "\n"
          "  generate\n"
          "    for (p = 0; p < 2; p = p + 1) begin : place\n"
          "      wire enter = take && !p_valid_q[p] && (t == p || p_valid_q[t]);\n"
          "      wire split = emit && t == p;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          p_valid_q[p] <= 1'b0;\n"
          "        else if (enter || split)\n"
          "          p_valid_q[p] <= enter || !last;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (enter) begin\n"
          "          p_write_q[p] <= issue_write;\n"
          "          p_wid_q[p*WID_W +: WID_W] <= issue_wid;\n"
          "          p_slot_q[p*SLOT_W +: SLOT_W] <= issue_slot;\n"
          "%s"
          "          p_line_q[p*LANES*LINE_W +: LANES*LINE_W] <= issue_line;\n"
          "        end\n"
          "    end\n"
          "  endgenerate\n",
          c->d.SIG_W ? "          p_sig_q[p*SIG_W +: SIG_W] <= issue_sig;\n" : "");
}

static void put_output(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- the request at the output\n"
          "\n"
          "  assign req_valid = o_valid_q;\n"
          "  assign %s =\n"
          "         %s;\n"
          "%s"
          "  assign req_lanes = o_lanes_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      o_valid_q <= 1'b0;\n"
          "    else if (emit || req_ready)\n"
          "      o_valid_q <= emit;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (emit) begin\n"
          "      o_line_q  <= lead_line;\n"
          "      o_write_q <= p_write_q[t];\n"
          "      o_wid_q   <= p_wid_q[t*WID_W +: WID_W];\n"
          "      o_slot_q  <= p_slot_q[t*SLOT_W +: SLOT_W];\n"
          "      o_num_q   <= num_q;\n"
          "      o_last_q  <= last;\n"
          "%s"
          "      o_lanes_q <= same;\n"
          "    end\n",
          hd_fields_of(c, "req", "req_", "").text, hd_fields_of(c, "req", "o_", "_q").text,
          c->d.SIG_W ? "  assign req_sig   = o_sig_q;\n" : "",
          c->d.SIG_W ? "      o_sig_q   <= p_sig_q[t*SIG_W +: SIG_W];\n" : "");
  fputs("\n"
        "  assign busy = {WARPS{p_valid_q[0]}} & (WARP_0 << p_wid_q[0 +: WID_W])\n"
        "              | {WARPS{p_valid_q[1]}} & (WARP_0 << p_wid_q[WID_W +: WID_W])\n"
        "              | {WARPS{o_valid_q}} & (WARP_0 << o_wid_q);\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  genvar lane, p;\n",
        f);
  fputs("\n"
        "  // the line of the lowest lane of at: a knock-out tournament, whose choices are made ahead of the "
        "lines\n"
        "  function [LINE_W-1:0] first_line(input [LANES-1:0] at, input [LANES*LINE_W-1:0] v);\n"
        "    reg [LANES-1:0]        any;\n"
        "    reg [LANES*LINE_W-1:0] line;\n"
        "    integer i, step;\n"
        "    begin\n"
        "      any  = at;\n"
        "      line = v;\n"
        "      for (step = 1; step < LANES; step = step * 2)\n"
        "        for (i = 0; i + step < LANES; i = i + 2 * step) begin\n"
        "          if (!any[i])\n"
        "            line[i*LINE_W +: LINE_W] = line[(i+step)*LINE_W +: LINE_W];\n"
        "          any[i] = any[i] | any[i+step];\n"
        "        end\n"
        "      first_line = line[0 +: LINE_W];\n"
        "    end\n"
        "  endfunction\n",
        f);
  put_split(f);
  put_places(f, design->c);
  put_output(f, design->c);
}

const struct hd_behaviour coalescer_rtl = {"coalescer", put, (const char *const[]){NULL}};
