/* The L1 data cache, as Verilog: what it keeps of each set and each MSHR. Part of rtl_gen/l1d/l1d.c. */
#include "rtl_gen/l1d/l1d.h"

/* The ways of a set that can't be had. The lines that d's load may not replace are those of one set; what the
 * others make of it is not asked. */
static void put_busy(FILE *f, const struct hd_config *c) {
  if (c->d.LOC)
    fputs("      // of the lines with the fewest re-references, which are valid, one goes\n", f);
  fprintf(f, "      wire [WAYS-1:0]  busy  = %sreserved_q[s*WAYS +: WAYS]%s;\n",
          c->d.LOC ? "by_degree ? ~l_least_q : " : "",
          c->d.APCM_P ? " | valid_q[s*WAYS +: WAYS] & d_pin_q" : "");
}

void hd_l1d_put_victim(FILE *f, const struct hd_config *c) {
  const bool on_miss = c->d.ON_MISS;
  fputs("\n"
        "  // --- the victim: an empty way, else the least recently used that is not reserved\n",
        f);
  fputs(c->d.APCM_P ? "  // and not pinned\n\n" : "\n", f);
  if (c->d.WAYS == 1) {
    fprintf(f,
            "  assign victim_at  = %s; // the only way\n"
            "  assign victim_way = {WAY_W{1'b0}};\n"
            "  wire [SETS*WAYS-1:0] victims = {SETS*WAYS{1'b1}};\n",
            c->d.LOC ? "by_degree ? l_least_q : 1'b1" : "1'b1");
  } else {
    const char *const at = hd_l1d_finds_set(c) ? "d_found_at" : on_miss ? "d_at" : "f_set_at";
    /* The set chosen last: it is known late, and a way is less to choose than all that speaks for it. */
    fputs("  wire [SETS*WAYS-1:0]  victims; // of each set\n"
          "  wire [SETS*WAY_W-1:0] numbers; // of these\n"
          "  generate\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : victim\n",
          f);
    if (on_miss)
      put_busy(f, c);
    fprintf(f,
            "      wire [WAYS-1:0]  empty = ~valid_q[s*WAYS +: WAYS]%s;\n"
            "      wire [LRU_W-1:0] lru   = lru_q[s*LRU_W +: LRU_W];\n"
            "      for (w = 0; w < WAYS; w = w + 1) begin : age\n"
            "        wire [WAYS-1:0] yields; // bit o: way w gives way before way o\n"
            "        for (o = 0; o < WAYS; o = o + 1) begin : than\n"
            "          if (w == o)\n"
            "            assign yields[o] = %s;\n"
            "          else if (w < o)\n"
            "            assign yields[o] = %sempty[w] || !empty[o] && !lru[w*(2*WAYS-w-1)/2 + o-w-1];\n"
            "          else\n"
            "            assign yields[o] = %s!empty[o] && (empty[w] || lru[o*(2*WAYS-o-1)/2 + w-o-1]);\n"
            "        end\n"
            "        assign victims[s*WAYS + w] = &yields;\n"
            "      end\n"
            "      assign numbers[s*WAY_W +: WAY_W] = number_of_way(victims[s*WAYS +: WAYS]);\n"
            "    end\n"
            "  endgenerate\n"
            "  assign victim_at  = pick_ways(%s, victims);\n"
            "  assign victim_way = pick_number(%s, numbers);\n",
            on_miss ? " & ~busy" : "", on_miss ? "!busy[w]" : "1'b1", on_miss ? "busy[o] || " : "",
            on_miss ? "busy[o] || " : "", at, at);
  }
  if (c->d.WAYS > 1) {
    fputs("\n"
          "  // --- recency: bit (i<j) of a set's matrix = way i was used after way j\n"
          "\n",
          f);
    if (on_miss) {
      fputs("  wire            touch    = load_hit || load_merge || miss;\n"
            "  wire [SETS-1:0] touch_at = d_at;\n"
            "  wire            replace  = !hit && !in_flight;\n"
            "  wire [WAYS-1:0] used_at  = hit ? d_hit_q : WAY_0 << pick_way(d_mshr_eq_q, mshr_way_q);\n",
            f);
    } else {
      fputs("  wire            touch    = load_hit || fill_stays;\n"
            "  wire [SETS-1:0] touch_at = fill_now ? f_set_at : d_at;\n"
            "  wire            replace  = fill_now;\n"
            "  wire [WAYS-1:0] used_at  = d_hit_q;\n",
            f);
    }
    fputs("  generate\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : recency\n"
          "      wire [WAYS-1:0]  touched_at = replace ? victims[s*WAYS +: WAYS] : used_at;\n"
          "      wire [LRU_W-1:0] now_after, now_before;\n"
          "      for (w = 0; w < WAYS; w = w + 1) begin : order\n"
          "        for (o = w + 1; o < WAYS; o = o + 1) begin : pair\n"
          "          assign now_after[w*(2*WAYS-w-1)/2 + o-w-1]  = touched_at[w];\n"
          "          assign now_before[w*(2*WAYS-w-1)/2 + o-w-1] = touched_at[o];\n"
          "        end\n"
          "      end\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          lru_q[s*LRU_W +: LRU_W] <= {LRU_W{1'b0}};\n"
          "        else if (touch && touch_at[s])\n"
          "          lru_q[s*LRU_W +: LRU_W] <= lru_q[s*LRU_W +: LRU_W] & ~now_before | now_after;\n"
          "    end\n"
          "  endgenerate\n",
          f);
  }
}

void hd_l1d_put_lines(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- which lines hold data%s\n"
          "\n",
          c->d.ON_MISS ? ", which wait for their fill" : "");
  if (c->d.ON_MISS) {
    fputs("  assign reserve_at = {WAYS{miss}} & victim_at;\n"
          "  assign drop_at    = reserve_at | {WAYS{store}} & d_hit_q;\n"
          "  assign come_at    = {WAYS{fill_stays}} & f_way_at;\n"
          "  wire [WAYS-1:0] release_at = {WAYS{fill_now}} & f_way_at;\n",
          f);
  } else {
    fputs("  assign drop_at = {WAYS{store}} & d_hit_q;\n"
          "  assign come_at = {WAYS{fill_stays}} & victim_at;\n",
          f);
  }
  if (c->d.PREF) {
    fputs("  // the fill is a prefetch's, and no load has merged into it\n"
          "  wire f_pf = |(f_at & mshr_pf_q);\n",
          f);
  }
  /* Here too each set knows its victim before it is known whether it is meant. What a fill changes and what d
     changes need no choice between them: nothing is decided while a fill enters. */
  fprintf(f,
          "  generate\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : lines\n"
          "      wire [WAYS-1:0] %s\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst || flush)\n"
          "          valid_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};\n"
          "        else\n"
          "          valid_q[s*WAYS +: WAYS] <= (valid_q[s*WAYS +: WAYS] | {WAYS{f_set_at[s]}} & %s) &\n"
          "                                     ~({WAYS{d_at[s]}} & %s);\n",
          c->d.ON_MISS ? "reserve = {WAYS{miss}} & victims[s*WAYS +: WAYS];"
                       : "come = {WAYS{fill_stays}} & victims[s*WAYS +: WAYS];",
          c->d.ON_MISS ? "come_at" : "come",
          c->d.ON_MISS ? "(reserve | {WAYS{store}} & d_hit_q)" : "drop_at");
  if (c->d.ON_MISS) {
    fputs("\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          reserved_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};\n"
          "        else\n"
          "          reserved_q[s*WAYS +: WAYS] <= reserved_q[s*WAYS +: WAYS] & ~({WAYS{f_set_at[s]}} & "
          "release_at) |\n"
          "                                        {WAYS{d_at[s]}} & reserve;\n",
          f);
  }
  if (c->d.PREF) {
    const char *const come = c->d.ON_MISS ? "come_at" : "come";
    fprintf(
        f,
        "\n"
        "      // prefetched, and no load has hit it yet\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          pf_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};\n"
        "        else\n"
        "          pf_q[s*WAYS +: WAYS] <= pf_q[s*WAYS +: WAYS] & ~({WAYS{load_hit && d_at[s]}} & d_hit_q) "
        "&\n"
        "                                  ~({WAYS{f_set_at[s]}} & %s) | {WAYS{f_set_at[s] && f_pf}} & %s;\n",
        come, come);
  }
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

void hd_l1d_put_mshrs(FILE *f, const struct hd_config *c) {
  const struct hd_fields target = hd_fields_of(c, "target", "d_", "_q");
  fprintf(f,
          "\n"
          "  // --- MSHRs\n"
          "\n"
          "  assign taken     = {MSHRS{miss}} & free_at;\n"
          "  assign freed     = {MSHRS{fill_now}} & f_at;\n"
          "\n"
          "  // is one free after this cycle? What d takes is known last\n"
          "  wire two_free = two_of(free);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      m_free_q <= 1'b1;\n"
          "    else\n"
          "      m_free_q <= f_over && answering || (miss ? two_free : m_free_q);\n"
          "\n"
          "  generate\n"
          "    for (m = 0; m < MSHRS; m = m + 1) begin : mshr\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          mshr_wait_q[m] <= 1'b0;\n"
          "        else if (taken[m])\n"
          "          mshr_wait_q[m] <= 1'b1;\n"
          "        else if (freed[m])\n"
          "          mshr_wait_q[m] <= 1'b0;\n"
          "\n"
          "      // a store to a line in flight%s: the fill answers its loads and does not stay (D-L1-1)\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          mshr_dead_q[m] <= 1'b0;\n"
          "        else if (taken[m])\n"
          "          mshr_dead_q[m] <= 1'b0;\n"
          "        else if (store && d_mshr_eq_q[m]%s)\n"
          "          mshr_dead_q[m] <= 1'b1;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (taken[m])\n"
          "          mshr_line_q[m*LINE_W +: LINE_W] <= d_line_q;\n"
          "\n",
          c->d.PREF ? ", or a flush" : "", c->d.PREF ? " || flush && mshr_wait_q[m]" : "");
  if (c->d.ON_MISS) {
    fputs("      always @(posedge clk)\n"
          "        if (taken[m])\n"
          "          mshr_way_q[m*WAY_W +: WAY_W] <= victim_way;\n"
          "\n",
          f);
  }
  if (c->d.PREF) {
    fputs("      always @(posedge clk)\n"
          "        if (taken[m])\n"
          "          mshr_pf_q[m] <= d_pf_q;\n"
          "        else if (load_merge && d_mshr_eq_q[m])\n"
          "          mshr_pf_q[m] <= 1'b0;\n"
          "\n",
          f);
  }
  fprintf(f,
          "      // its own sum, so that nothing is chosen before it\n"
          "      always @(posedge clk)\n"
          "        if (taken[m])\n"
          "          mshr_count_q[m*MERGE_W +: MERGE_W] <= {{MERGE_W-1{1'b0}}, %s};\n"
          "        else if (load_merge && d_mshr_eq_q[m])\n"
          "          mshr_count_q[m*MERGE_W +: MERGE_W] <= mshr_count_q[m*MERGE_W +: MERGE_W] + 1'b1;\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  // where the load is to be sent when its line comes\n"
          "  wire [MSHR_W-1:0] d_entry = in_flight ? number_of_mshr(d_mshr_eq_q) : number_of_mshr(free_at);\n"
          "  wire [MERGE_W-1:0] d_place = in_flight ? merged_to : {MERGE_W{1'b0}};\n"
          "\n"
          "  assign merged_we    = load_merge || miss%s;\n"
          "  assign merged_waddr = d_entry * MERGE + %s;\n"
          "  assign merged_wdata = %s;\n",
          c->d.PREF ? "!d_pf_q" : "1'b1", c->d.PREF ? " && !d_pf_q" : "",
          hd_l1d_widen("d_place", "MERGE_W", c->d.MERGE_W, "MERGED_ADDR_W", hd_clog2(c->d.MSHRS * c->d.MERGE))
              .text,
          target.text);
  if (c->d.PREF) {
    fputs("\n"
          "  // what a prefetch was good for\n"
          "  wire d_late   = |(d_mshr_eq_q & mshr_pf_q);\n"
          "  wire d_useful = |(d_hit_q & pick_ways(d_at, pf_q));\n"
          "\n"
          "  assign pf_class = pf_c_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      pf_c_q <= 2'b00;\n"
          "    else\n"
          "      pf_c_q <= {load_merge && d_late, load_hit && d_useful};\n",
          f);
  }
}
