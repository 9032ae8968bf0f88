/* The L1 data cache, as Verilog: the probe units of MemSched. Part of rtl_gen/l1d/l1d.c.
 *
 * Each unit reads tags of its own, so no probe ever stands in the way of a request.
 */
#include "rtl_gen/l1d/l1d.h"

/* The units' copies of the tags, a macro a way: written with the tags. */
static void put_copies(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "  wire [PROBES*SET_W-1:0]      ask_sets;\n"
          "  wire [PROBES*WAYS*TAG_W-1:0] copies;\n"
          "  generate\n"
          "    for (u = 0; u < PROBES; u = u + 1) begin : ask\n"
          "      wire [LINE_W-1:0] line = pr_line[u*LINE_W +: LINE_W];\n"
          "      assign ask_sets[u*SET_W +: SET_W] = %s;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        pr_q_q[u*LINE_W +: LINE_W] <= line;\n"
          "    end\n"
          "  endgenerate\n",
          hd_l1d_set_of(c, "line").text);
  for (unsigned u = 0; u < c->d.PROBES; u++)
    fprintf(f,
            "\n"
            "  assign tags_%u_we    = tags_we;\n"
            "  assign tags_%u_waddr = tags_waddr;\n"
            "  assign tags_%u_wdata = tags_wdata;\n"
            "  assign tags_%u_re    = 1'b1;\n"
            "  assign tags_%u_raddr = ask_sets[%u*SET_W +: SET_W];\n"
            "  assign copies[%u*WAYS*TAG_W +: WAYS*TAG_W] = tags_%u_rdata;\n",
            u, u, u, u, u, u, u, u);
}

/* One set of flip-flops for all units. */
static void put_flops(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "  wire [SETS-1:0] tag_set_at = %s;\n"
          "  generate\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : probed\n"
          "      for (w = 0; w < WAYS; w = w + 1) begin : line\n"
          "        always @(posedge clk)\n"
          "          if (tag_written && tag_set_at[s] && victims[s*WAYS + w])\n"
          "            ptag_q[(s*WAYS + w)*TAG_W +: TAG_W] <= tag;\n"
          "      end\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  always @(posedge clk)\n"
          "    pr_q_q <= pr_line;\n",
          c->d.ON_MISS ? "d_at" : "f_set_at");
}

void hd_l1d_put_probes(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- probe units: lines that may be asked for next are looked up in tags of their own\n"
        "\n"
        "  genvar u;\n"
        "  wire mq_takes = mq_count_q != MQ;\n",
        f);
  if (c->d.PTAG_FF)
    put_flops(f, c);
  else
    put_copies(f, c);
  fprintf(f,
          "\n"
          "  // a tag written in the last cycle may not be what a copy shows\n"
          "  wire [WAYS-1:0] written_at = {WAYS{t1_valid_q}} & (WAY_0 << t1_way_q);\n"
          "  generate\n"
          "    for (u = 0; u < PROBES; u = u + 1) begin : probe\n"
          "      wire [LINE_W-1:0]     line   = pr_q_q[u*LINE_W +: LINE_W];\n"
          "      wire [SET_W-1:0]      set    = %s;\n"
          "      wire [SETS-1:0]       set_at = SET_0 << set;\n"
          "      wire [TAG_W-1:0]      ltag   = %s;\n"
          "      wire [WAYS*TAG_W-1:0] stored = %s;\n"
          "      wire [WAYS-1:0]       held   = pick_ways(set_at, valid_q);\n"
          "      wire                  fresh  = t1_set_q == set;\n"
          "      wire [WAYS-1:0]       match;\n"
          "      for (w = 0; w < WAYS; w = w + 1) begin : compare\n"
          "        assign match[w] = stored[w*TAG_W +: TAG_W] == ltag && !(fresh && written_at[w]);\n"
          "      end\n",
          hd_l1d_set_of(c, "line").text, hd_l1d_tag_of(c, "line").text,
          c->d.PTAG_FF ? "pick_tags(set_at, ptag_q)" : "copies[u*WAYS*TAG_W +: WAYS*TAG_W]");
  if (c->d.ON_MISS)
    fputs(
        "      wire [WAYS-1:0]       waiting = pick_ways(set_at, reserved_q);\n"
        "      wire                  can     = |(match & waiting) || !(&waiting) && m_free_q && mq_takes;\n",
        f);
  else
    fputs("      wire                  can     = m_free_q && mq_takes;\n", f);
  fputs("\n"
        "      always @(posedge clk)\n"
        "        if (rst) begin\n"
        "          pr_h_q[u] <= 1'b0;\n"
        "          pr_c_q[u] <= 1'b0;\n"
        "        end else begin\n"
        "          pr_h_q[u] <= |(match & held);\n"
        "          pr_c_q[u] <= can;\n"
        "        end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  assign pr_hit = pr_h_q;\n"
        "  assign pr_can = pr_c_q;\n",
        f);
}
