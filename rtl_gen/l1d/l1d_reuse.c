/* The L1 data cache, as Verilog: what its lines know of the loads that brought them, and what is made of it.
 * Part of rtl_gen/l1d/l1d.c.
 *
 * What is asked of the counters of d's set is asked of one choice among all.
 */
#include "rtl_gen/emit/fold.h"
#include "rtl_gen/l1d/l1d.h"

void hd_l1d_put_table(FILE *f, const struct hd_config *c) {
  hd_put_fold(f, "entry_of", "HPC_W", "RFT_W", 0);
  fputs("\n"
        "  // --- what the reuse-frequency table says of a load, asked while its tags are compared\n"
        "\n"
        "  wire [RFT_W-1:0] c_entry  = entry_of(c_hpc_q);\n"
        "  wire             c_unused = rft_en && !c_write_q && rft_bypass[c_entry];\n"
        "\n",
        f);
  if (!c->d.RESAMPLE) {
    fputs("  always @(posedge clk)\n"
          "    if (advance)\n"
          "      d_rft_q <= c_unused;\n",
          f);
    return;
  }
  fputs("  // every RESAMPLE-th of them is cached, to see (D-RFT-3)\n"
        "  wire [RFT-1:0] seen_long_ago;\n"
        "  wire           c_again = c_unused && seen_long_ago[c_entry];\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (advance) begin\n"
        "      d_rft_q <= c_unused && !c_again;\n"
        "      d_res_q <= c_again;\n"
        "    end\n"
        "\n"
        "  localparam [RFT-1:0]        RFT_0 = 1;\n"
        "  localparam [RESAMPLE_W-1:0] LAST  = RESAMPLE[RESAMPLE_W-1:0] - 1'b1;\n"
        "  genvar e;\n"
        "  wire [RFT-1:0] d_entry_at = RFT_0 << entry_of(d_hpc_q);\n"
        "  wire           went_past  = bypass && d_rft_q;\n"
        "  wire           was_seen   = done && d_res_q;\n"
        "  generate\n"
        "    for (e = 0; e < RFT; e = e + 1) begin : resample\n"
        "      wire [RESAMPLE_W-1:0] passed = rs_q[e*RESAMPLE_W +: RESAMPLE_W];\n"
        "      assign seen_long_ago[e] = passed == LAST;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};\n"
        "        else if (was_seen && d_entry_at[e])\n"
        "          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};\n"
        "        else if (went_past && d_entry_at[e] && !seen_long_ago[e])\n"
        "          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= passed + 1'b1;\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

/* Each counter adds for itself: one adder for the chosen set would stand behind a choice and before many. */
void hd_l1d_put_counters(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- re-references of lines%s\n"
          "\n"
          "  wire [WAYS*RR_W-1:0] d_counters = pick_counters(d_found_at, rr_q);\n"
          "  wire used_again = load_hit || load_merge%s;\n"
          "  generate\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : reuse\n"
          "      for (w = 0; w < WAYS; w = w + 1) begin : line\n"
          "        wire [RR_W-1:0] counter = rr_q[(s*WAYS + w)*RR_W +: RR_W];\n"
          "\n"
          "        always @(posedge clk)\n"
          "          if (miss && d_at[s] && victims[s*WAYS + w])\n"
          "            rr_q[(s*WAYS + w)*RR_W +: RR_W] <= {RR_W{1'b0}};\n"
          "          else if (used_again && d_at[s] && %s && !(&counter))\n"
          "            rr_q[(s*WAYS + w)*RR_W +: RR_W] <= counter + 1'b1;\n"
          "      end\n"
          "    end\n"
          "  endgenerate\n",
          c->d.REUSE ? ", and the loads that brought them" : "", c->d.FORWARD ? " || bypass && hit" : "",
          c->d.WAYS > 1 ? "used_at[w]" : "1'b1");
}

/* Whether a line goes is known without asking which: where there is an empty way, none does. */
static void put_evictions(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // a line that goes tells what became of it\n"
      "  wire [WAYS-1:0] d_lines    = pick_ways(d_found_at, valid_q);\n"
      "  wire [WAYS-1:0] d_reserved = pick_ways(d_found_at, reserved_q);\n"
      "  wire            d_room     = !(&(d_lines | d_reserved));\n"
      "  wire            evicts     = miss && %s;\n"
      "  wire [LINE_ROW_W-1:0] victim_row = d_set_q * WAYS + %s;\n"
      "\n"
      "  assign line_hpc_re    = evicts;\n"
      "  assign line_hpc_raddr = victim_row;\n"
      "\n"
      "  assign evict_valid = e_valid_q;\n"
      "  assign evict_count = e_count_q;\n"
      "  assign evict_hpc   = line_hpc_rdata;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      e_valid_q <= 1'b0;\n"
      "    else\n"
      "      e_valid_q <= evicts;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (evicts)\n"
      "      e_count_q <= pick_counter(victim_at, d_counters);\n",
      c->d.LOC ? "(by_degree || !d_room)" : "!d_room",
      hd_l1d_widen("victim_way", "WAY_W", c->d.WAY_W, "LINE_ROW_W", hd_clog2(c->d.SETS * c->d.WAYS)).text);
}

/* Where the line comes is also where its tag was written; the registers are there only where nobody else
 * remembers that. */
static void put_arrivals(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // one that comes remembers its load\n"
        "  always @(posedge clk)\n"
        "    if (miss)\n"
        "      lp_hpc_q <= d_hpc_q;\n"
        "\n"
        "  assign line_hpc_wdata = lp_hpc_q;\n",
        f);
  if (c->d.LP)
    fputs("  assign line_hpc_we    = lp_valid_q;\n"
          "  assign line_hpc_waddr = lp_row_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      lp_valid_q <= 1'b0;\n"
          "    else\n"
          "      lp_valid_q <= miss;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (miss)\n"
          "      lp_row_q <= victim_row;\n",
          f);
  else
    fprintf(
        f,
        "  assign line_hpc_we    = t1_valid_q;\n"
        "  assign line_hpc_waddr = t1_set_q * WAYS + %s;\n",
        hd_l1d_widen("t1_way_q", "WAY_W", c->d.WAY_W, "LINE_ROW_W", hd_clog2(c->d.SETS * c->d.WAYS)).text);
}

void hd_l1d_put_reuse(FILE *f, const struct hd_config *c) {
  put_evictions(f, c);
  put_arrivals(f, c);
}

void hd_l1d_put_degree(FILE *f, const struct hd_config *c) {
  /* No line that is pinned gives way, whatever its counter. */
  const char *const lines = c->d.APCM_P ? "d_loose" : "d_lines";
  fprintf(f,
          "\n"
          "  // --- the locality degree of d's load: what there is in its set, then what it promises\n"
          "\n"
          "  genvar x;\n"
          "  wire looks = load && looking;\n"
          "%s"
          "  wire [WAYS-1:0] d_least; // all are compared with all at once, and not one after another\n"
          "  generate\n"
          "    for (w = 0; w < WAYS; w = w + 1) begin : degree\n"
          "      wire [WAYS-1:0] more; // bit x: way x is no better to give away than way w\n"
          "      for (x = 0; x < WAYS; x = x + 1) begin : than\n"
          "        if (w == x)\n"
          "          assign more[x] = 1'b1;\n"
          "        else\n"
          "          assign more[x] = !%s[x] ||\n"
          "                           d_counters[w*RR_W +: RR_W] <= d_counters[x*RR_W +: RR_W];\n"
          "      end\n"
          "      assign d_least[w] = %s[w] && (&more);\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  wire [RR_W-1:0] d_min = pick_counter(d_least, d_counters); // several pick what is the same\n"
          "  // the average of what is known, without dividing: sum > minimum * count if this is below 0\n"
          "  wire [RRSUM_W:0] promise = {{SAMPLE_W+1{1'b0}}, l_min_q} * {{RR_W+1{1'b0}}, lk_count} - {1'b0, "
          "lk_sum};\n"
          "\n"
          "  assign lk_hpc = d_hpc_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst || advance)\n"
          "      l_step_q <= 2'd0;\n"
          "    else if (looks)\n"
          "      l_step_q <= {l_step_q[0], !l_step_q[0]};\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (looks && !l_step_q[0]) begin\n"
          "      l_room_q  <= d_room;\n"
          "      l_least_q <= d_least;\n"
          "      l_min_q   <= (|%s) ? d_min : {RR_W{1'b1}};\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (looks && l_step_q[0])\n"
          "      l_better_q <= !lk_known || promise[RRSUM_W];\n",
          c->d.APCM_P ? "  wire [WAYS-1:0] d_loose = d_lines & ~d_pin_q; // no pinned line gives way\n" : "",
          lines, lines, lines);
}
