/* The coalescer, as Verilog. Spec: docs/mechanisms/coalescer.md. */
#include <string.h>

#include "rtl_gen/emit.h"

/* An instruction in place w or n, but its lanes: "{w_write_q, w_wid_q, ...}" for ("w_", "_q"). */
static struct hd_fields instruction(const struct hd_config *c, const char *place, const char *suffix) {
  struct hd_fields out;
  snprintf(out.text, sizeof out.text, "{%swrite%s, %swid%s, %sslot%s", place, suffix, place, suffix, place,
           suffix);
  const size_t n = strlen(out.text);
  if (c->d.SIG_W)
    snprintf(out.text + n, sizeof out.text - n, ", %ssig%s, %sline%s}", place, suffix, place, suffix);
  else
    snprintf(out.text + n, sizeof out.text - n, ", %sline%s}", place, suffix);
  return out;
}

static void put_split(FILE *f) {
  fputs("\n"
        "  // --- w is split: all lanes with the line of the lowest lane left make one request\n"
        "\n"
        "  wire [LANES-1:0]  leader      = lowest(w_mask_q);\n"
        "  wire [LINE_W-1:0] leader_line = pick_line(leader, w_line_q);\n"
        "  wire [LANES-1:0]  same;\n"
        "  generate\n"
        "    for (lane = 0; lane < LANES; lane = lane + 1) begin : compare\n"
        "      assign same[lane] = w_mask_q[lane] && w_line_q[lane*LINE_W +: LINE_W] == leader_line;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire last   = same == w_mask_q;\n"
        "  wire emit   = w_valid_q && (!o_valid_q || req_ready);\n"
        "  wire w_free = !w_valid_q || (emit && last);\n",
        f);
}

static void put_places(FILE *f, const struct hd_config *c) {
  const struct hd_fields w = instruction(c, "w_", "_q"), n = instruction(c, "n_", "_q"),
                         issue = instruction(c, "issue_", "");
  fprintf(f,
          "\n"
          "  // --- an instruction goes to w, or behind it to n\n"
          "\n"
          "  assign issue_ready = !n_valid_q;\n"
          "  wire take   = issue_valid && !n_valid_q;\n"
          "  wire n_to_w = n_valid_q && w_free;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst) begin\n"
          "      w_valid_q <= 1'b0;\n"
          "      n_valid_q <= 1'b0;\n"
          "    end else begin\n"
          "      if (w_free)\n"
          "        w_valid_q <= n_valid_q || issue_valid;\n"
          "      n_valid_q <= (n_valid_q || take) && !w_free;\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (n_to_w) begin\n"
          "      w_mask_q <= n_mask_q;\n"
          "      w_num_q  <= {LANE_W{1'b0}};\n"
          "    end else if (w_free && take) begin\n"
          "      w_mask_q <= issue_mask;\n"
          "      w_num_q  <= {LANE_W{1'b0}};\n"
          "    end else if (emit) begin\n"
          "      w_mask_q <= w_mask_q & ~same;\n"
          "      w_num_q  <= w_num_q + 1'b1;\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (n_to_w)\n"
          "      %s <=\n"
          "        %s;\n"
          "    else if (w_free && take)\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (take && !w_free) begin\n"
          "      n_mask_q <= issue_mask;\n"
          "      %s <=\n"
          "        %s;\n"
          "    end\n",
          w.text, n.text, w.text, issue.text, n.text, issue.text);
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
          "      o_line_q  <= leader_line;\n"
          "      o_write_q <= w_write_q;\n"
          "      o_wid_q   <= w_wid_q;\n"
          "      o_slot_q  <= w_slot_q;\n"
          "      o_num_q   <= w_num_q;\n"
          "      o_last_q  <= last;\n"
          "%s"
          "      o_lanes_q <= same;\n"
          "    end\n",
          hd_fields_of("req", "req_", "").text, hd_fields_of("req", "o_", "_q").text,
          c->d.SIG_W ? "  assign req_sig   = o_sig_q;\n" : "",
          c->d.SIG_W ? "      o_sig_q   <= w_sig_q;\n" : "");
  fputs("\n"
        "  assign busy = {WARPS{w_valid_q}} & (WARP_0 << w_wid_q)\n"
        "              | {WARPS{n_valid_q}} & (WARP_0 << n_wid_q)\n"
        "              | {WARPS{o_valid_q}} & (WARP_0 << o_wid_q);\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  genvar lane;\n",
        f);
  hd_put_lowest(f, "lowest", "LANES");
  hd_put_pick(f, "pick_line", "LANES", "LINE_W");
  put_split(f);
  put_places(f, design->c);
  put_output(f, design->c);
}

const struct hd_behaviour coalescer_rtl = {"coalescer", put, (const char *const[]){NULL}};
