/* The L1 data cache, as Verilog: what APCM knows of d's load, the ways that it pins, and what APCM is told of
 * requests. Part of rtl_gen/l1d/l1d.c.
 *
 * Which ways are pinned is asked while a request's tags are compared; d_stuck says before d decides whether they
 * leave it none, and every change of its set up to then is in it.
 */
#include "rtl_gen/l1d/l1d.h"

static void put_protection(FILE *f) {
  hd_put_pick(f, "pick_final", "LAT", "LID_W");
  hd_put_pick(f, "pick_until", "WARPS", "LID_W");
  fputs("\n"
        "  // a warp protects for one load at a time: for which, the load that ends it says\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  wire [WARPS-1:0] c_warp_at = WARP_0 << c_wid_q;\n"
        "  wire [LID_W-1:0] c_final   = pick_final(c_load_at, m_last);\n"
        "  wire             c_alone   = !(|(psb_on & c_warp_at));\n"
        "  wire             c_same    = pick_until(c_warp_at, psb_last) == c_final &&\n"
        "                               |(psb_loop & c_warp_at) == (c_final == c_lid_q);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (advance) begin\n"
        "      d_keep_q  <= c_known && |(m_protect & c_load_at) && (c_alone || c_same);\n"
        "      d_final_q <= c_final;\n"
        "    end\n",
        f);
}

void hd_l1d_put_pattern(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- what the pattern of a load says, asked while its tags are compared\n"
        "\n"
        "  localparam [LAT-1:0] LOAD_0 = 1;\n"
        "  wire           c_known   = apcm_en && c_trk_q && !c_write_q;\n"
        "  wire [LAT-1:0] c_load_at = LOAD_0 << c_lid_q;\n",
        f);
  if (c->d.APCM_B)
    fputs("\n"
          "  always @(posedge clk)\n"
          "    if (advance)\n"
          "      d_apb_q <= c_known && |(m_bypass & c_load_at);\n",
          f);
  if (c->d.APCM_P)
    put_protection(f);
}

/* Which lines are protected and for whom; a row of the owner is there with its line's tag. */
static void put_owners(FILE *f) {
  fputs("\n"
        "  // --- protected lines, and whose they are\n"
        "\n"
        "  wire protects = miss && d_keep_q;\n"
        "\n"
        "  assign owner_we    = reserve_at & {WAYS{d_keep_q}};\n"
        "  assign owner_waddr = d_set_q;\n"
        "  assign owner_wdata = d_wid_q;\n"
        "  assign owner_re    = tags_re;\n"
        "  assign owner_raddr = tags_raddr;\n"
        "\n"
        "  generate\n"
        "    for (s = 0; s < SETS; s = s + 1) begin : protection\n"
        "      for (w = 0; w < WAYS; w = w + 1) begin : line\n"
        "        always @(posedge clk)\n"
        "          if (rst)\n"
        "            prot_q[s*WAYS + w] <= 1'b0;\n"
        "          else if (miss && d_at[s] && victims[s*WAYS + w])\n"
        "            prot_q[s*WAYS + w] <= d_keep_q;\n"
        "      end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  // for the board of who protects\n"
        "  assign ps_valid = ps_v_q;\n"
        "  assign ps_wid   = ps_w_q;\n"
        "  assign ps_last  = ps_f_q;\n"
        "  assign ps_loop  = ps_l_q;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      ps_v_q <= 1'b0;\n"
        "    else\n"
        "      ps_v_q <= protects;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (protects) begin\n"
        "      ps_w_q <= d_wid_q;\n"
        "      ps_f_q <= d_final_q;\n"
        "      ps_l_q <= d_final_q == d_lid_q;\n"
        "    end\n",
        f);
}

void hd_l1d_put_pins(FILE *f) {
  put_owners(f);
  fputs("\n"
        "  // --- pinned ways: protected lines of warps that protect\n"
        "\n"
        "  // Asked for c, as it will be after this cycle. A row of the owners that was written in the last "
        "cycle "
        "is not\n"
        "  // needed: its warp protects.\n"
        "  wire [WAYS-1:0] c_recent = {WAYS{t1_valid_q && t1_set_q == c_set_q}} & (WAY_0 << t1_way_q);\n"
        "  wire [WAYS-1:0] c_held;\n"
        "  generate\n"
        "    for (w = 0; w < WAYS; w = w + 1) begin : holder\n"
        "      wire [WID_W-1:0] who = owner_rdata[w*OWNER_WORD_W +: OWNER_WORD_W];\n"
        "      assign c_held[w] = |(psb_on & (WARP_0 << who)) || ps_v_q && ps_w_q == who;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire [WAYS-1:0] c_pinned  = pick_ways(c_at, prot_q) & (c_recent | c_held);\n"
        "  wire [WAYS-1:0] c_taken   = {WAYS{d_set_q == c_set_q}} & reserve_at;\n"
        "  wire [WAYS-1:0] c_pin     = c_taken & {WAYS{d_keep_q}} | c_pinned & ~c_taken;\n"
        "  wire [WAYS-1:0] c_blocked = c_reserved | c_lines & ~c_dropped & c_pinned;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      d_pin_q <= {WAYS{1'b0}};\n"
        "    else if (advance)\n"
        "      d_pin_q <= {WAYS{c_valid_q}} & c_pin;\n"
        "\n"
        "  // a way that a fill ends the waiting of is still not to be had only if it is pinned and the line "
        "stays\n"
        "  wire c_opens = fill_now && f_set_q == c_set_q && !(fill_stays && |(f_way_at & c_pinned));\n"
        "  wire d_opens = fill_now && f_set_q == d_set_q && !(fill_stays && |(f_way_at & d_pin_q));\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      d_stuck_q <= 1'b0;\n"
        "    else if (advance)\n"
        "      d_stuck_q <= c_valid_q && |c_pin && &c_blocked && !c_opens;\n"
        "    else if (d_opens)\n"
        "      d_stuck_q <= 1'b0;\n",
        f);
}

void hd_l1d_put_access(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- what is told of a load's request\n"
          "\n"
          "  wire report = done && !d_write_q;\n"
          "  wire there  = hit || can_merge; // its line is, or is on its way\n"
          "  wire [WAYS*RR_W-1:0] d_uses; // with this one; added before a way is chosen\n"
          "  generate\n"
          "    for (w = 0; w < WAYS; w = w + 1) begin : uses\n"
          "      wire [RR_W-1:0] counter = d_counters[w*RR_W +: RR_W];\n"
          "      assign d_uses[w*RR_W +: RR_W] = (&counter) ? counter : counter + 1'b1;\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  assign acc_valid = x_valid_q;\n"
          "  assign %s = %s;\n"
          "%s"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      x_valid_q <= 1'b0;\n"
          "    else\n"
          "      x_valid_q <= report;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (report) begin\n"
          "      x_wid_q   <= d_wid_q;\n"
          "      x_trk_q   <= d_trk_q;\n"
          "      x_lid_q   <= d_lid_q;\n"
          "      x_two_q   <= !(|d_num_q[LANE_W-1:1]);\n"
          "%s"
          "      x_line_q  <= d_line_q;\n"
          "      x_count_q <= {RR_W{there}} & %s;\n"
          "    end\n",
          hd_fields_of(c, "access", "acc_", "").text, hd_fields_of(c, "access", "x_", "_q").text,
          c->d.APCM_P ? "  assign acc_last = x_last_q;\n" : "",
          c->d.APCM_P ? "      x_last_q  <= d_last_q;\n" : "",
          c->d.WAYS > 1 ? "pick_counter(used_at, d_uses)" : "d_uses");
}
