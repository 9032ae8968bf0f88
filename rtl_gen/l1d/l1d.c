/* The L1 data cache, as Verilog: from request to lookup. Spec: docs/mechanisms/l1d.md.
 *
 * Sets, ways and MSHRs are numbered in registers and one-hot everywhere else (names in _at), so that no path
 * has two wide multiplexers behind one another. A request is decided from what d_hit, d_full and d_mshr_eq already
 * know of its line.
 */
#include "rtl_gen/l1d/l1d.h"

/* The set of a line address, as an expression over the variable `line`. */
struct hd_piece hd_l1d_set_of(const struct hd_config *c, const char *line) {
  struct hd_piece p;
  switch (c->l1d.set_index) {
  case HD_INDEX_LINEAR:
    snprintf(p.text, sizeof p.text, "%s[SET_W-1:0]", line);
    break;
  case HD_INDEX_XOR:
    snprintf(p.text, sizeof p.text, "%s[SET_W-1:0] ^ %s[2*SET_W-1:SET_W]", line, line);
    break;
  case HD_INDEX_FERMI:
    if (c->l1d.sets == 64)
      snprintf(p.text, sizeof p.text, "{%s[5], %s[4:0] ^ {%s[12], %s[10], %s[8:6]}}", line, line, line, line,
               line);
    else
      snprintf(p.text, sizeof p.text, "%s[4:0] ^ {%s[12], %s[10], %s[8:6]}", line, line, line, line);
    break;
  }
  return p;
}

/* Its tag. */
struct hd_piece hd_l1d_tag_of(const struct hd_config *c, const char *line) {
  struct hd_piece p;
  snprintf(p.text, sizeof p.text, c->l1d.set_index == HD_INDEX_LINEAR ? "%s[LINE_W-1:SET_W]" : "%s", line);
  return p;
}

/* What follows a place in a ring of `size`. */
struct hd_piece hd_l1d_next(const char *place, const char *size, const char *width, unsigned n) {
  struct hd_piece p;
  if (n & (n - 1))
    snprintf(p.text, sizeof p.text, "%s == %s - 1 ? {%s{1'b0}} : %s + 1'b1", place, size, width, place);
  else
    snprintf(p.text, sizeof p.text, "%s + 1'b1", place);
  return p;
}

/* A value of `from` bits in `to` bits. */
struct hd_piece hd_l1d_widen(const char *value, const char *from, unsigned from_bits, const char *to,
                             unsigned to_bits) {
  struct hd_piece p;
  if (to_bits > from_bits)
    snprintf(p.text, sizeof p.text, "{{%s-%s{1'b0}}, %s}", to, from, value);
  else
    snprintf(p.text, sizeof p.text, "%s", value);
  return p;
}

/* What the parts tell each other. */
static void put_signals(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  wire             fill_now = f_commit_q;              // a fill enters the cache: decisions wait "
      "for it; f_valid_q is 1 then\n"
      "  wire             done;                               // d's request is decided\n"
      "%s"
      "  wire             moves   = !d_valid_q || %s;       // d has nothing left to decide\n"
      "  wire             advance = %-26s// the pipeline moves\n"
      "  wire             miss;                               // d's request takes an MSHR\n"
      "  wire             f_gives;                            // an answer goes to the response register\n"
      "  wire             f_over;                             // and it is the last that f has to give\n"
      "  wire [MSHRS-1:0] taken;                              // the MSHR that d's request takes\n"
      "  wire [MSHRS-1:0] freed;                              // the MSHR that a fill frees\n"
      "  wire [WAYS-1:0]  victim_at;                          // the way that gives way\n"
      "  wire [WAY_W-1:0] victim_way;                         // its number\n"
      "  wire [WAYS-1:0]  drop_at;                            // ways whose lines d's request takes away\n"
      "  wire [WAYS-1:0]  come_at;                            // the way in which a fill's line appears\n",
      c->d.MEMSCHED ? "  wire             gone;                               // it is, or is to come again\n"
                    : "",
      c->d.MEMSCHED ? "gone" : "done", c->d.PREF ? "moves || flush;" : "moves;");
  if (c->d.ON_MISS)
    fputs("  wire [WAYS-1:0]  reserve_at;                         // the way that d's request reserves\n", f);
}

/* What empties the pipeline. A flush finds only prefetches in it. */
static const char *emptied(const struct hd_config *c) {
  return c->d.PREF ? "rst || flush" : "rst";
}

static void put_look(FILE *f, const struct hd_config *c) {
  const bool on_miss = c->d.ON_MISS;
  fputs("\n"
        "  // --- MSHRs looked up: by the line in c, and by the number of a fill\n"
        "\n"
        "  wire [MSHRS-1:0]       f_at = MSHR_0 << f_id_q;\n"
        "  wire [MSHRS-1:0]       c_line_eq;\n"
        "  wire [MSHRS*SET_W-1:0] mshr_set;\n",
        f);
  if (!on_miss) {
    fputs("  wire [MSHRS*TAG_W-1:0] mshr_tag;\n", f);
  }
  fprintf(f,
          "  generate\n"
          "    for (m = 0; m < MSHRS; m = m + 1) begin : look\n"
          "      wire [LINE_W-1:0] line = mshr_line_q[m*LINE_W +: LINE_W];\n"
          "      assign c_line_eq[m] = line == c_line_q;\n"
          "      assign mshr_set[m*SET_W +: SET_W] = %s;\n",
          hd_l1d_set_of(c, "line").text);
  if (!on_miss) {
    fprintf(f, "      assign mshr_tag[m*TAG_W +: TAG_W] = %s;\n", hd_l1d_tag_of(c, "line").text);
  }
  fprintf(f,
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  wire [SETS-1:0]  f_set_at   = SET_0 << f_set_q;\n"
          "  wire             fill_stays = fill_now && !(|(mshr_dead_q & f_at))%s;\n",
          c->d.PREF ? " && !flush" : "");
  if (on_miss) {
    fputs("  wire [WAYS-1:0]  f_way_at   = WAY_0 << f_way_q;\n", f);
  }
}

static void put_pipeline(FILE *f, const struct hd_config *c) {
  const struct hd_fields a0 = hd_fields_of(c, "req", "a0_", "_q"), cc = hd_fields_of(c, "req", "c_", "_q"),
                         d = hd_fields_of(c, "req", "d_", "_q");
  const bool pref = c->d.PREF;
  fprintf(f,
          "\n"
          "  // --- c: the tags are compared; d: the request is decided\n"
          "\n"
          "  wire             coming   = |a_count_q%s;\n"
          "  wire [SET_W-1:0] come_set = ",
          pref ? " || p_valid_q" : "");
  if (pref)
    fprintf(f, "p_goes ? %s :\n                              ", hd_l1d_set_of(c, "p_line_q").text);
  fprintf(f, "%s;\n", hd_l1d_set_of(c, "a0_line_q").text);
  fprintf(
      f,
      "\n"
      "  always @(posedge clk)\n"
      "    if (%s) begin\n"
      "      c_valid_q <= 1'b0;\n"
      "      d_valid_q <= 1'b0;\n"
      "    end else if (advance) begin\n"
      "      c_valid_q <= coming;\n"
      "      d_valid_q <= c_valid_q;\n"
      "    end\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (advance) begin\n"
      "      %s <=\n"
      "        %s;\n"
      "%s"
      "      %s <=\n"
      "        %s;\n"
      "      d_set_q <= c_set_q;\n"
      "%s"
      "    end\n"
      "\n"
      "  // read anew in every cycle that c waits: what comes is never older than the last cycle's "
      "write; and read "
      "where nobody\n"
      "  // needs it, since whether the pipeline moves is known late (and a flush, which leaves nothing in "
      "c, makes it later)\n"
      "  assign tags_re    = coming || c_valid_q;\n"
      "  assign tags_raddr = moves ? come_set : c_set_q;\n"
      "\n"
      "  // by the tags' multiplexer: with one of its own and a linear set index, synthesis finds c_set_q in "
      "c_line_q\n"
      "  always @(posedge clk)\n"
      "    c_set_q <= %stags_raddr;\n"
      "\n",
      emptied(c), cc.text, a0.text,
      pref ? "      if (p_goes) begin\n"
             "        c_line_q  <= p_line_q;\n"
             "        c_write_q <= 1'b0;\n"
             "      end\n"
             "      c_pf_q  <= p_goes;\n"
           : "",
      d.text, cc.text, pref ? "      d_pf_q  <= c_pf_q;\n" : "", pref ? "flush ? come_set : " : "");
  if (c->d.ON_MISS) {
    fprintf(f,
            "  // a tag is written when its line is reserved\n"
            "  wire             tag_written = miss;\n"
            "  wire [SET_W-1:0] tag_set     = d_set_q;\n"
            "  wire [TAG_W-1:0] tag         = %s;\n",
            hd_l1d_tag_of(c, "d_line_q").text);
  } else {
    fputs("  // a tag is written when its line is filled\n"
          "  wire             tag_written = fill_stays;\n"
          "  wire [SET_W-1:0] tag_set     = f_set_q;\n"
          "  wire [TAG_W-1:0] tag         = pick_tag(f_at, mshr_tag);\n",
          f);
  }
  fputs("\n"
        "  assign tags_we    = {WAYS{tag_written}} & victim_at;\n"
        "  assign tags_waddr = tag_set;\n"
        "  assign tags_wdata = tag;\n"
        "\n",
        f);
  if (c->d.T1) {
    fprintf(f,
            "  always @(posedge clk)\n"
            "    if (rst)\n"
            "      t1_valid_q <= 1'b0;\n"
            "    else\n"
            "      t1_valid_q <= tag_written;\n"
            "\n"
            "  always @(posedge clk)\n"
            "    if (tag_written) begin\n"
            "      t1_set_q <= tag_set;\n"
            "      t1_way_q <= victim_way;\n"
            "%s"
            "    end\n"
            "\n",
            c->d.ON_MISS ? "" : "      t1_tag_q <= tag;\n");
  }
  fprintf(f,
          "  // What is looked up in c, as it will be after this cycle. A fill is the only one to make a "
          "line of c's appear; what\n"
          "  // d decides only takes lines away.\n"
          "  wire [SETS-1:0] c_at     = SET_0 << c_set_q;\n"
          "  wire [WAYS-1:0] c_lines  = pick_ways(c_at, valid_q);\n"
          "  wire [TAG_W-1:0] c_tag   = %s;\n"
          "  wire            f_is_c   = |(f_at & c_line_eq);\n"
          "  wire            f_is_d   = |(f_at & d_mshr_eq_q);\n"
          "  wire [WAYS-1:0] c_tag_eq;\n",
          hd_l1d_tag_of(c, "c_line_q").text);
  if (c->d.ON_MISS) {
    fputs("  generate\n"
          "    for (w = 0; w < WAYS; w = w + 1) begin : compare\n"
          "      assign c_tag_eq[w] = tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] == c_tag;\n"
          "    end\n"
          "  endgenerate\n",
          f);
  } else {
    fputs("  // the macros may not show the last cycle's write\n"
          "  wire [WAYS-1:0] recent  = {WAYS{t1_valid_q && t1_set_q == c_set_q}} & (WAY_0 << t1_way_q);\n"
          "  wire            t1_is_c = t1_tag_q == c_tag;\n"
          "  generate\n"
          "    for (w = 0; w < WAYS; w = w + 1) begin : compare\n"
          "      assign c_tag_eq[w] = recent[w] ? t1_is_c : tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] == "
          "c_tag;\n"
          "    end\n"
          "  endgenerate\n",
          f);
  }
  if (c->d.ON_MISS) {
    fputs("  wire [WAYS-1:0] c_dropped = {WAYS{d_set_q == c_set_q}} & drop_at;\n"
          "  wire [WAYS-1:0] c_hit     = c_lines & c_tag_eq & ~c_dropped | {WAYS{f_is_c}} & come_at;\n"
          "  wire [WAYS-1:0] d_hit     = d_hit_q | {WAYS{f_is_d}} & come_at;\n",
          f);
  } else {
    fputs("  // a fill may put its line in the place of c's or d's\n"
          "  wire [WAYS-1:0] c_dropped = {WAYS{d_set_q == c_set_q}} & drop_at | {WAYS{f_set_q == c_set_q}} & "
          "come_at;\n"
          "  wire [WAYS-1:0] d_dropped = {WAYS{f_set_q == d_set_q}} & come_at;\n"
          "  wire [WAYS-1:0] c_hit     = c_lines & c_tag_eq & ~c_dropped | {WAYS{f_is_c}} & come_at;\n"
          "  wire [WAYS-1:0] d_hit     = d_hit_q & ~d_dropped | {WAYS{f_is_d}} & come_at;\n",
          f);
  }
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (%s)\n"
          "      d_hit_q <= {WAYS{1'b0}};\n"
          "    else if (advance)\n"
          "      d_hit_q <= {WAYS{c_valid_q}} & c_hit;\n"
          "    else\n"
          "      d_hit_q <= d_hit;\n",
          emptied(c));
  if (c->d.ON_MISS) {
    fprintf(f,
            "\n"
            "  wire [WAYS-1:0] c_reserved = pick_ways(c_at, reserved_q) | {WAYS{d_set_q == c_set_q}} & "
            "reserve_at;\n"
            "  wire            c_full     = &c_reserved && !(fill_now && f_set_q == c_set_q);\n"
            "\n"
            "  always @(posedge clk)\n"
            "    if (%s)\n"
            "      d_full_q <= 1'b0;\n"
            "    else if (advance)\n"
            "      d_full_q <= c_valid_q && c_full;\n"
            "    else if (fill_now && f_set_q == d_set_q)\n"
            "      d_full_q <= 1'b0;\n",
            emptied(c));
  }
  fprintf(f,
          "\n"
          "  // the line's MSHR, if it has one; a fill frees, a miss takes\n"
          "  always @(posedge clk)\n"
          "    if (%s)\n"
          "      d_mshr_eq_q <= {MSHRS{1'b0}};\n"
          "    else if (advance)\n"
          "      d_mshr_eq_q <= {MSHRS{c_valid_q}} & (mshr_wait_q & c_line_eq & ~freed | taken & "
          "{MSHRS{d_line_q == c_line_q}});\n"
          "    else\n"
          "      d_mshr_eq_q <= d_mshr_eq_q & ~freed;\n",
          emptied(c));
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  fputs("\n"
        "  localparam [SETS-1:0]  SET_0  = 1;\n"
        "  localparam [WAYS-1:0]  WAY_0  = 1;\n"
        "  localparam [MSHRS-1:0] MSHR_0 = 1;\n"
        "  localparam [MQ-1:0]    MQ_0   = 1;\n",
        f);
  fputs(c->d.WAYS > 1 ? "  genvar s, w, o, m;\n" : "  genvar s, w, m;\n", f);
  hd_put_lowest(f, "lowest_mshr", "MSHRS");
  hd_l1d_put_two_of(f);
  hd_put_number(f, "number_of_mshr", "MSHRS", "MSHR_W");
  hd_put_number(f, "number_of_way", "WAYS", "WAY_W");
  hd_put_pick(f, "pick_ways", "SETS", "WAYS");
  if (c->d.WAYS > 1)
    hd_put_pick(f, "pick_number", "SETS", "WAY_W");
  hd_put_pick(f, "pick_set", "MSHRS", "SET_W");
  hd_put_pick(f, "pick_count", "MSHRS", "MERGE_W");
  if (c->d.ON_MISS)
    hd_put_pick(f, "pick_way", "MSHRS", "WAY_W");
  else
    hd_put_pick(f, "pick_tag", "MSHRS", "TAG_W");
  if (c->d.COUNTED)
    hd_put_pick(f, "pick_counters", "SETS", "WAYS*RR_W");
  if (c->d.REUSE || (c->d.APCM && c->d.WAYS > 1))
    hd_put_pick(f, "pick_counter", "WAYS", "RR_W");
  if (c->d.PTAG_FF)
    hd_put_pick(f, "pick_tags", "SETS", "WAYS*TAG_W");
  put_signals(f, c);
  put_look(f, c);
  hd_l1d_put_input(f, c);
  if (c->d.PREF)
    hd_l1d_put_prefetch(f);
  put_pipeline(f, c);
  hd_l1d_put_decide(f, c);
  hd_l1d_put_victim(f, c);
  hd_l1d_put_lines(f, c);
  hd_l1d_put_mshrs(f, c);
  if (c->d.RFT)
    hd_l1d_put_table(f, c);
  if (c->d.APCM)
    hd_l1d_put_pattern(f, c);
  if (c->d.APCM_P)
    hd_l1d_put_pins(f);
  if (c->d.COUNTED)
    hd_l1d_put_counters(f, c);
  if (c->d.REUSE)
    hd_l1d_put_reuse(f, c);
  if (c->d.LOC)
    hd_l1d_put_degree(f, c);
  if (c->d.PROBES)
    hd_l1d_put_probes(f, c);
  hd_l1d_put_queue(f, c);
  hd_l1d_put_fills(f, c);
  hd_l1d_put_response(f, c);
  if (c->d.VERDICT)
    hd_l1d_put_verdict(f, c);
  if (c->d.APCM)
    hd_l1d_put_access(f, c);
}

const struct hd_behaviour l1d_rtl = {
    "l1d", put,
    (const char *const[]){"l1d.set_index", "l1d.allocate", "request_buffer.bypass", "prefetch.kind", NULL}};
