/* The L2 slice, as Verilog: its MSHRs, the requests that wait in them, and the steps in which these are
 * answered. Part of rtl_gen/l2/l2_slice.c. */
#include "rtl_gen/l2/l2.h"

/* Request `number` of an MSHR in `waiting`, as an address. */
struct place {
  char text[80];
};
static struct place place_of(const struct hd_config *c, const char *mshr, const char *number) {
  struct place p;
  if (hd_clog2(c->d.L2_MSHRS * c->d.L2_MERGE) > c->d.L2_MERGE_W)
    snprintf(p.text, sizeof p.text, "%s * L2_MERGE + {{WAITING_ADDR_W-L2_MERGE_W{1'b0}}, %s}", mshr, number);
  else
    snprintf(p.text, sizeof p.text, "%s * L2_MERGE + %s", mshr, number);
  return p;
}

static void put_kind(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- b: its line in flight\n"
        "\n"
        "  wire b_store = b_kind_q == 2'd2;\n",
        f);
  if (c->d.LOS)
    fputs("  wire b_query = b_req_q && b_kind_q == 2'd3;\n"
          "  wire b_asks  = b_req_q && b_kind_q != 2'd3; // for a line\n"
          "\n"
          "  // prediction 1: a line that misses is not stored, unless some of its bytes are in the memory "
          "alone\n"
          "  wire b_once        = b_pred_q == 1;\n"
          "  wire read_through  = b_once && !b_kind_q[1];\n"
          "  wire write_through = b_once && b_store && b_full_q;\n"
          "  wire stored        = !read_through && !write_through;\n",
          f);
  else
    fputs("  wire b_asks  = b_req_q; // for a line\n", f);
}

void hd_l2_put_flight(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS, ways = c->d.L2_WAYS > 1;
  put_kind(f, c);
  fprintf(f,
          "\n"
          "  wire [L2_MSHRS-1:0] flight_at;\n"
          "  wire [L2_MSHRS-1:0] mergeable;\n"
          "  wire [L2_MSHRS*L2_SET_W-1:0] mshr_set;\n"
          "  wire [L2_WAYS*L2_MSHRS-1:0] held; // the ways of b's set that lines in flight go to\n"
          "  wire [L2_WAYS-1:0] busy;\n"
          "  generate\n"
          "    for (m = 0; m < L2_MSHRS; m = m + 1) begin : flights\n"
          "      wire [LINE_W-1:0] line = mshr_line_q[m*LINE_W +: LINE_W];\n"
          "      assign mshr_set[m*L2_SET_W +: L2_SET_W] = line[L2_SET_W-1:0];\n"
          "      assign flight_at[m] = mshr_used_q[m] && line == b_line_q;\n"
          "\n"
          "      // a store%s can't pass a load that came after another store, nor come when "
          "answers have begun\n"
          "      wire for_store = %s!mshr_after_q[m] && !(f_valid_q && f_at[m]);\n"
          "      assign mergeable[m] = mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] != L2_MERGE && (!b_store || "
          "for_store);\n"
          "\n"
          "      wire in_set = mshr_used_q[m] && %sline[L2_SET_W-1:0] == b_set;\n"
          "%s"
          "      for (w = 0; w < L2_WAYS; w = w + 1) begin : ways\n"
          "        assign held[w*L2_MSHRS + m] = in_set%s;\n"
          "      end\n"
          "    end\n"
          "    for (w = 0; w < L2_WAYS; w = w + 1) begin : hold\n"
          "      assign busy[w] = |held[w*L2_MSHRS +: L2_MSHRS];\n"
          "    end\n"
          "  endgenerate\n"
          "  wire flight    = |flight_at;\n"
          "  wire can_merge = |(flight_at & mergeable); // so it is in flight\n"
          "  wire [L2_MSHRS-1:0] free_at = lowest_mshr(~mshr_used_q);\n",
          los ? " needs a line that stays," : "", los ? "mshr_keep_q[m] && " : "",
          los ? "mshr_keep_q[m] && " : "",
          ways ? "      wire [L2_WAYS-1:0] goes_to = WAY_0 << mshr_way_q[m*L2_WAY_W +: L2_WAY_W];\n" : "",
          ways ? " && goes_to[w]" : "");
}

static void put_state(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS;
  fputs("  wire [L2_MSHRS-1:0] taken_at  = {L2_MSHRS{taken}} & free_at;\n"
        "  wire [L2_MSHRS-1:0] merged_at = {L2_MSHRS{merge}} & flight_at;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      mshr_used_q <= {L2_MSHRS{1'b0}};\n"
        "    else\n"
        "      mshr_used_q <= mshr_used_q & ~({L2_MSHRS{over}} & f_at) | taken_at;\n"
        "\n",
        f);
  fprintf(f, "  generate\n"
             "    for (m = 0; m < L2_MSHRS; m = m + 1) begin : mshr\n"
             "      always @(posedge clk)\n"
             "        if (taken_at[m])\n"
             "          mshr_line_q[m*LINE_W +: LINE_W] <= b_line_q;\n"
             "\n"
             "      always @(posedge clk)\n"
             "        if (taken_at[m])\n"
             "          mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] <= 1;\n"
             "        else if (merged_at[m])\n"
             "          mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] <= mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] "
             "+ 1'b1;\n"
             "\n"
             "      always @(posedge clk)\n"
             "        if (taken_at[m])\n"
             "          mshr_store_q[m] <= b_store;\n"
             "        else if (merged_at[m] && b_store)\n"
             "          mshr_store_q[m] <= 1'b1;\n"
             "\n"
             "      always @(posedge clk)\n"
             "        if (taken_at[m])\n"
             "          mshr_after_q[m] <= 1'b0;\n"
             "        else if (merged_at[m] && !b_store && mshr_store_q[m])\n"
             "          mshr_after_q[m] <= 1'b1;\n");
  if (c->d.L2_WAYS > 1)
    fprintf(f,
            "\n"
            "      always @(posedge clk)\n"
            "        if (taken_at[m]%s)\n"
            "          mshr_way_q[m*L2_WAY_W +: L2_WAY_W] <= way;\n",
            los ? " && stored" : "");
  if (los)
    fputs("\n"
          "      always @(posedge clk)\n"
          "        if (taken_at[m])\n"
          "          mshr_keep_q[m] <= stored;\n"
          "\n"
          "      // of the accesses that are predicted the latest says whether the line is to stay\n"
          "      always @(posedge clk)\n"
          "        if (taken_at[m] && stored)\n"
          "          mshr_close_q[m] <= b_once;\n"
          "        else if (merged_at[m] && b_predicted && mshr_keep_q[m])\n"
          "          mshr_close_q[m] <= |(match & last);\n",
          f);
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

void hd_l2_put_mshrs(FILE *f, const struct hd_config *c, const struct hd_decl *decl) {
  fputs("\n"
        "  // --- MSHRs: b's request takes one, or waits in that of its line\n"
        "\n",
        f);
  put_state(f, c);
  fprintf(f,
          "\n"
          "  wire [L2_MSHR_W-1:0]  b_mshr   = number_of_mshr(flight ? flight_at : free_at);\n"
          "  wire [L2_MERGE_W-1:0] b_number = pick_count(flight_at, mshr_count_q); // 0 if it takes one\n"
          "\n"
          "  assign waiting_we    = taken || merge;\n"
          "  assign waiting_waddr = %s;\n"
          "  assign waiting_wdata = %s;\n"
          "  assign waiting_re    = step;\n"
          "  assign waiting_raddr = %s;\n"
          "\n"
          "  // the store buffer; the first store writes all of its row\n"
          "  wire                   sb_begins = !(|(flight_at & mshr_store_q));\n"
          "  wire [LINE_MASK_W-1:0] sb_bytes  = iq_wmask_rdata | {LINE_MASK_W{sb_begins}};\n"
          "\n"
          "  assign sb_we    = b_store && (taken || merge);\n"
          "  assign sb_waddr = b_mshr;\n"
          "  assign sb_wdata = iq_wdata_rdata;\n"
          "  assign sb_wmask = sb_bytes;\n"
          "  assign sb_re    = step;\n"
          "  assign sb_raddr = f_id_q;\n"
          "  assign sb_mask_we    = sb_we;\n"
          "  assign sb_mask_waddr = b_mshr;\n"
          "  assign sb_mask_wdata = iq_wmask_rdata;\n"
          "  assign sb_mask_wmask = sb_bytes;\n"
          "  assign sb_mask_re    = step;\n"
          "  assign sb_mask_raddr = f_id_q;\n",
          place_of(c, "b_mshr", "b_number").text, hd_l2_left_by_b(decl).text,
          place_of(c, "f_id_q", "f_next").text);
}

void hd_l2_put_step(FILE *f, const struct hd_config *c, const struct hd_decl *decl) {
  fputs("\n"
        "  // --- step: t, who waited for f's line, is answered\n"
        "\n",
        f);
  hd_l2_put_fields(f, decl, "waiting", "t_");
  fprintf(f,
          "  assign %s = waiting_rdata;\n"
          "\n"
          "  wire [LINE_MASK_W-1:0] t_writes = sb_mask_rdata & {LINE_MASK_W{t_kind[1]}};\n"
          "  generate\n"
          "    for (k = 0; k < LINE_MASK_W; k = k + 1) begin : bytes\n"
          "      assign f_line[k*8 +: 8] = t_writes[k] ? sb_rdata[k*8 +: 8] : f_data_q[k*8 +: 8];\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  // all that waited are answered: the line stays%s\n"
          "  assign over = b_rep_q && f_after == f_waiting;\n",
          hd_fields_of(c, "l2rsp", "t_", "").text, c->d.LOS ? ", or it sleeps, or it never had a way" : "");
  if (c->d.LOS)
    fputs("  wire f_keep  = |(f_at & mshr_keep_q);\n"
          "  wire f_close = |(f_at & mshr_close_q);\n"
          "  wire f_stays = over && f_keep && !f_close;\n"
          "  wire f_ends  = over && f_keep && f_close;\n"
          "  wire f_put   = f_ends && |(f_at & mshr_store_q); // to the memory\n",
          f);
  else
    fputs("  wire f_stays = over;\n", f);
  fprintf(f,
          "  wire [L2_SET_W-1:0] f_set = pick_set(f_at, mshr_set);\n"
          "%s",
          c->d.L2_WAYS > 1 ? "  wire [L2_WAY_W-1:0] f_way = pick_way(f_at, mshr_way_q);\n" : "");
}
