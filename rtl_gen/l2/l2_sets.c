/* The L2 slice, as Verilog: the ways of b's set. Part of rtl_gen/l2/l2_slice.c. */
#include "rtl_gen/l2/l2.h"

/* Of the ways that may go the one that was used least recently; each way asks all others at once. */
static void put_ages(FILE *f) {
  fputs("  wire [L2_LRU_N*L2_LRU_C-1:0] b_lru = w_valid_q ? w_lru_q : lru_rdata;\n"
        "  wire [L2_WAYS-1:0] oldest_at; // of those that are not in flight the least recently used\n"
        "  generate\n"
        "    for (w = 0; w < L2_WAYS; w = w + 1) begin : age\n"
        "      wire [L2_WAYS-1:0] older; // bit o: way w was used before way o\n"
        "      for (o = 0; o < L2_WAYS; o = o + 1) begin : than\n"
        "        if (w == o)\n"
        "          assign older[o] = 1'b1;\n"
        "        else if (w < o)\n"
        "          assign older[o] = !b_lru[w*(2*L2_WAYS-w-1)/2 + o-w-1];\n"
        "        else\n"
        "          assign older[o] = b_lru[o*(2*L2_WAYS-o-1)/2 + w-o-1];\n"
        "      end\n"
        "      assign oldest_at[w] = !busy[w] && &(busy | older);\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

void hd_l2_put_spare(FILE *f, const struct hd_config *c) {
  const bool ways = c->d.L2_WAYS > 1;
  fputs("\n"
        "  // --- the way for a line that is not there: an empty one, else one that is not in flight\n"
        "\n",
        f);
  if (ways)
    put_ages(f);
  else
    fputs("  wire [L2_WAYS-1:0] oldest_at = ~busy; // the only way\n", f);
  fprintf(f,
          "  wire [L2_WAYS-1:0] empty_at = %s;\n"
          "  wire [L2_WAYS-1:0] gone_at  = {L2_WAYS{&b_valid}} & oldest_at;\n"
          "  wire [L2_WAYS-1:0] spare_at = empty_at | gone_at;\n"
          "\n"
          "  // is there one, and has it bytes that the memory has not? Not if it is empty%s\n"
          "  wire [L2_WAYS-1:0] unsaved     = b_dirty%s;\n"
          "  wire [L2_WAYS-1:0] clean_at    = empty_at | gone_at & ~unsaved;\n"
          "  wire               spare_there = !(&(b_valid & busy));\n"
          "  wire               spare_dirty = |(gone_at & unsaved);\n",
          ways ? "lowest_way(~b_valid)" : "~b_valid", c->d.LOS ? " or sleeps" : "", c->d.LOS ? " & on" : "");
}

static void put_recency(FILE *f) {
  fputs("\n"
        "  // recency: bit (i<j) of the matrix = way i was used after way j\n"
        "  wire [L2_LRU_N*L2_LRU_C-1:0] now_after, now_before;\n"
        "  generate\n"
        "    for (w = 0; w < L2_WAYS; w = w + 1) begin : order\n"
        "      for (o = w + 1; o < L2_WAYS; o = o + 1) begin : pair\n"
        "        assign now_after[w*(2*L2_WAYS-w-1)/2 + o-w-1]  = used_at[w];\n"
        "        assign now_before[w*(2*L2_WAYS-w-1)/2 + o-w-1] = used_at[o];\n"
        "      end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  assign lru_we    = rows_we;\n"
        "  assign lru_waddr = b_set;\n"
        "  assign lru_wdata = b_lru & ~now_before | now_after;\n"
        "  assign lru_re    = look;\n"
        "  assign lru_raddr = q_set;\n",
        f);
}

void hd_l2_put_sets(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS, ways = c->d.L2_WAYS > 1;
  fprintf(
      f,
      "\n"
      "  // --- what b writes of its set, and what is read of the next one\n"
      "\n"
      "  wire rows_we = touch || back;\n"
      "  wire to_w    = look && q_set == b_set; // what is written is to be looked up\n"
      "\n"
      "  assign tags_we    = used_at & {L2_WAYS{fresh && !%s && may_miss}};\n"
      "  assign tags_waddr = b_set;\n"
      "  assign tags_wdata = b_tag;\n"
      "  assign tags_re    = look;\n"
      "  assign tags_raddr = q_set;\n"
      "\n"
      "  generate\n"
      "    for (s = 0; s < L2_SETS; s = s + 1) begin : lines\n"
      "      always @(posedge clk)\n"
      "        if (rst)\n"
      "          valid_q[s*L2_WAYS +: L2_WAYS] <= {L2_WAYS{1'b0}};\n"
      "        else\n"
      "          valid_q[s*L2_WAYS +: L2_WAYS] <= valid_q[s*L2_WAYS +: L2_WAYS] | {L2_WAYS{b_at[s]}} & "
      "tags_we;\n"
      "    end\n"
      "  endgenerate\n"
      "\n"
      "  // dirty: a load in a line that stays changes nothing\n"
      "  wire wipe = fresh && %s;\n"
      "  wire mark = b_store%s;\n"
      "  wire [L2_WAYS-1:0] dirty_now = b_dirty & ~(way_at & {L2_WAYS{wipe}}) | used_at & {L2_WAYS{mark}};\n"
      "\n"
      "  assign dirty_we    = rows_we;\n"
      "  assign dirty_waddr = b_set;\n"
      "  assign dirty_wdata = dirty_now;\n"
      "  assign dirty_re    = look;\n"
      "  assign dirty_raddr = q_set;\n",
      los ? "hit" : "found", los ? "(!hit || closes)" : "!found",
      los ? " && (flight || (hit ? !closes : stored))" : "");
  if (ways)
    put_recency(f);
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst) begin\n"
          "      w_valid_q  <= 1'b0;\n"
          "      w_tagged_q <= 1'b0;\n"
          "    end else begin\n"
          "      w_valid_q  <= to_w && rows_we;\n"
          "      w_tagged_q <= to_w && new_tag;\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rows_we) begin\n"
          "%s"
          "      w_dirty_q <= dirty_now;\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (new_tag) begin\n"
          "%s"
          "      w_tag_q <= b_tag;\n"
          "    end\n",
          ways ? "      w_lru_q   <= lru_wdata;\n" : "", ways ? "      w_way_q <= way;\n" : "");
}
