/* The L2 slice, as Verilog: the data macro, gate_ctrl's orders, and what a slot leaves. Part of
 * rtl_gen/l2/l2_slice.c. */
#include "rtl_gen/l2/l2.h"

/* The row of way `way` of set `set`. */
struct row {
  char text[80];
};
static struct row row_of(const struct hd_config *c, const char *set, const char *way) {
  struct row r;
  if (c->d.L2_WAYS > 1)
    snprintf(r.text, sizeof r.text, "%s * L2_WAYS + {{DATA_ADDR_W-L2_WAY_W{1'b0}}, %s}", set, way);
  else
    snprintf(r.text, sizeof r.text, "%s", set);
  return r;
}

void hd_l2_put_data(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS;
  fprintf(f,
          "\n"
          "  // --- data: b's line, one that is to be written back, or f's\n"
          "\n"
          "  wire b_writes = %s && b_store%s; // its bytes\n"
          "\n"
          "  assign data_en    = hit_done || back || f_stays;\n"
          "  assign data_we    = b_rep_q || b_writes;\n"
          "  assign data_addr  = b_rep_q ? %s : %s;\n"
          "  assign data_wdata = b_rep_q ? f_line : iq_wdata_rdata;\n"
          "  assign data_wmask = iq_wmask_rdata | {LINE_MASK_W{b_rep_q}};\n"
          "%s",
          los ? "hit" : "found", los ? " && !closes" : "", row_of(c, "f_set", "f_way").text,
          row_of(c, "b_set", "way").text, los ? "  assign data_sleep = sleep;\n" : "");
}

void hd_l2_put_gate(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // --- gate_ctrl\n"
      "\n"
      "  assign look_valid  = look;\n"
      "  assign look_set    = q_set;\n"
      "  assign looked_set  = b_set;\n"
      "  assign looked_pred = b_pred_q;\n"
      "\n"
      "  // 1 count, 2 wake, 3 keep the tag, 4 count and sleep, 5 sleep: all but the last with a touch\n"
      "  assign act[0]  = hit_done && !closes || merge && found || new_tag && !stored || f_ends;\n"
      "  assign act[1]  = new_tag;\n"
      "  assign act[2]  = hit_done && closes || f_ends;\n"
      "  assign act_set = b_rep_q ? f_set : b_set;\n"
      "  wire touches = merge || fresh && (hit ? !leaves || out_room : may_miss); // used_at, if anything\n"
      "  assign act_at  = used_at & {L2_WAYS{touches}} | %s{L2_WAYS{f_ends}};\n",
      c->d.L2_WAYS > 1 ? "(WAY_0 << f_way) & " : "");
}

/* Which bytes of the line that leaves are in c. */
static void put_mask(FILE *f, const struct hd_config *c) {
  if (c->d.LOS)
    fputs(
        "  // of a store that is its line's last access those that it writes; of one that is not stored all\n"
        "  wire c_all  = b_rep_q || fresh && !hit && write_through && !back;\n"
        "  wire c_some = fresh && closes && b_store;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (slot)\n"
        "      c_mask_q <= iq_wmask_rdata & {LINE_MASK_W{c_some}} | {LINE_MASK_W{c_all}};\n",
        f);
  else
    fputs("  always @(posedge clk)\n"
          "    if (slot)\n"
          "      c_mask_q <= b_rep_q;\n",
          f);
}

void hd_l2_put_leaves(FILE *f, const struct hd_config *c, const struct hd_decl *decl) {
  const bool los = c->d.LOS;
  fprintf(f,
          "\n"
          "  // --- c: what the slot leaves, an answer and something for the memory\n"
          "\n"
          "  wire c_answers = answered || b_rep_q;\n"
          "  wire c_goes    = goes_out%s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst) begin\n"
          "      c_rsp_q <= 1'b0;\n"
          "      c_out_q <= 1'b0;\n"
          "    end else begin\n"
          "      c_rsp_q <= c_answers;\n"
          "      c_out_q <= c_goes;\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (c_answers)\n"
          "      %s <= b_rep_q ? %s :\n"
          "        %s;\n"
          "\n"
          "  // of the line that is written back; the tag has been read: one written since is of a line that "
          "is in flight or clean\n"
          "  wire [L2_TAG_W-1:0] back_tag = pick_tag(oldest_at, tags_rdata);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (c_goes) begin\n"
          "      co_write_q <= !taken;\n"
          "      co_line_q  <= %sback ? {back_tag, b_set} : b_line_q;\n"
          "      co_id_q    <= number_of_mshr(free_at) & {L2_MSHR_W{taken}};\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (slot)\n"
          "      c_data_q <= b_rep_q ? f_line : iq_wdata_rdata;\n"
          "\n",
          los ? " || f_put" : "", hd_fields_of(c, "l2rsp", "c_", "_q").text,
          hd_fields_of(c, "l2rsp", "t_", "").text, hd_l2_left_by_b(decl).text,
          los ? "b_rep_q ? pick_line(f_at, mshr_line_q) : " : "");
  put_mask(f, c);
  if (los)
    fputs("\n"
          "  generate\n"
          "    for (k = 0; k < LINE_MASK_W; k = k + 1) begin : left\n"
          "      assign c_line[k*8 +: 8] = c_mask_q[k] ? c_data_q[k*8 +: 8] : data_rdata[k*8 +: 8];\n"
          "    end\n"
          "  endgenerate\n",
          f);
  else
    fputs("\n"
          "  assign c_line = c_mask_q ? c_data_q : data_rdata;\n",
          f);
}
