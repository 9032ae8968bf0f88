/* The L1 data cache, as Verilog. Spec: docs/mechanisms/l1d.md.
 *
 * Sets, ways and MSHRs are numbered in registers and one-hot everywhere else (names in _at), so that no path
 * has two wide multiplexers behind one another. A request is decided from what d_hit, d_full and d_mshr_eq already
 * know of its line.
 */
#include "rtl_gen/emit.h"

struct piece {
  char text[160];
};

/* The set of a line address, as an expression over the variable `line`. */
static struct piece set_of(const struct hd_config *c, const char *line) {
  struct piece p;
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
static struct piece tag_of(const struct hd_config *c, const char *line) {
  struct piece p;
  snprintf(p.text, sizeof p.text, c->l1d.set_index == HD_INDEX_LINEAR ? "%s[LINE_W-1:SET_W]" : "%s", line);
  return p;
}

/* What follows a place in a ring of `size`. */
static struct piece next(const char *place, const char *size, const char *width, unsigned n) {
  struct piece p;
  if (n & (n - 1))
    snprintf(p.text, sizeof p.text, "%s == %s - 1 ? {%s{1'b0}} : %s + 1'b1", place, size, width, place);
  else
    snprintf(p.text, sizeof p.text, "%s + 1'b1", place);
  return p;
}

/* A value of `from` bits in `to` bits. */
static struct piece widen(const char *value, const char *from, unsigned from_bits, const char *to,
                          unsigned to_bits) {
  struct piece p;
  if (to_bits > from_bits)
    snprintf(p.text, sizeof p.text, "{{%s-%s{1'b0}}, %s}", to, from, value);
  else
    snprintf(p.text, sizeof p.text, "%s", value);
  return p;
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
          set_of(c, "line").text);
  if (!on_miss) {
    fprintf(f, "      assign mshr_tag[m*TAG_W +: TAG_W] = %s;\n", tag_of(c, "line").text);
  }
  fputs("    end\n"
        "  endgenerate\n"
        "\n"
        "  wire [SET_W-1:0] f_set      = pick_set(f_at, mshr_set);\n"
        "  wire [SETS-1:0]  f_set_at   = SET_0 << f_set;\n"
        "  wire             fill_stays = fill_now && !(|(mshr_dead_q & f_at));\n",
        f);
  if (on_miss) {
    fputs("  wire [WAY_W-1:0] f_way      = pick_way(f_at, mshr_way_q);\n"
          "  wire [WAYS-1:0]  f_way_at   = WAY_0 << f_way;\n",
          f);
  } else {
    fputs("  wire [WAY_W-1:0] f_way      = number_of_way(victim_at);\n", f);
  }
}

static void put_input(FILE *f, const struct hd_config *c) {
  const struct hd_fields a0 = hd_fields_of("req", "a0_", "_q"), a1 = hd_fields_of("req", "a1_", "_q"),
                         req = hd_fields_of("req", "req_", "");
  fprintf(f,
          "\n"
          "  // --- a: two places for requests, so that ready comes from a register\n"
          "\n"
          "  wire push = req_valid && req_ready;\n"
          "  wire pop  = advance && |a_count_q;\n"
          "\n"
          "  assign req_ready = !a_count_q[1];\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      a_count_q <= 2'd0;\n"
          "    else if (push && !pop)\n"
          "      a_count_q <= a_count_q + 2'd1;\n"
          "    else if (pop && !push)\n"
          "      a_count_q <= a_count_q - 2'd1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (pop && a_count_q[1])\n"
          "      %s <=\n"
          "        %s;\n"
          "    else if (push && (pop || !a_count_q[0]))\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (push && !pop && a_count_q[0])\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  // a store's bytes wait beside the pipeline: stores leave the cache in the order in which they "
          "came\n"
          "  assign sdata_we    = push && req_write;\n"
          "  assign sdata_waddr = sd_tail_q;\n"
          "  assign sdata_wdata = req_wdata;\n"
          "  assign smask_we    = sdata_we;\n"
          "  assign smask_waddr = sd_tail_q;\n"
          "  assign smask_wdata = req_wmask;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      sd_tail_q <= {SD_W{1'b0}};\n"
          "    else if (sdata_we)\n"
          "      sd_tail_q <= %s;\n",
          a0.text, a1.text, a0.text, req.text, a1.text, req.text,
          next("sd_tail_q", "SD", "SD_W", c->d.SD).text);
}

static void put_pipeline(FILE *f, const struct hd_config *c) {
  const struct hd_fields a0 = hd_fields_of("req", "a0_", "_q"), cc = hd_fields_of("req", "c_", "_q"),
                         d = hd_fields_of("req", "d_", "_q");
  fprintf(
      f,
      "\n"
      "  // --- c: the tags are compared; d: the request is decided\n"
      "\n"
      "  wire advance = !d_valid_q || done;\n"
      "\n"
      "  wire [SET_W-1:0] a0_set = %s;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst) begin\n"
      "      c_valid_q <= 1'b0;\n"
      "      d_valid_q <= 1'b0;\n"
      "    end else if (advance) begin\n"
      "      c_valid_q <= |a_count_q;\n"
      "      d_valid_q <= c_valid_q;\n"
      "    end\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (advance) begin\n"
      "      %s <=\n"
      "        %s;\n"
      "      c_set_q <= a0_set;\n"
      "      %s <=\n"
      "        %s;\n"
      "      d_set_q <= c_set_q;\n"
      "    end\n"
      "\n"
      "  // read anew in every cycle that c waits: what comes is never older than the last cycle's write\n"
      "  assign tags_re    = advance ? |a_count_q : c_valid_q;\n"
      "  assign tags_raddr = advance ? a0_set : c_set_q;\n"
      "\n",
      set_of(c, "a0_line_q").text, cc.text, a0.text, d.text, cc.text);
  if (c->d.ON_MISS) {
    fprintf(f,
            "  // a tag is written when its line is reserved\n"
            "  wire             tag_written = load_miss;\n"
            "  wire [SET_W-1:0] tag_set     = d_set_q;\n"
            "  wire [TAG_W-1:0] tag         = %s;\n",
            tag_of(c, "d_line_q").text);
  } else {
    fputs("  // a tag is written when its line is filled\n"
          "  wire             tag_written = fill_stays;\n"
          "  wire [SET_W-1:0] tag_set     = f_set;\n"
          "  wire [TAG_W-1:0] tag         = pick_tag(f_at, mshr_tag);\n",
          f);
  }
  fputs("\n"
        "  assign tags_we    = {WAYS{tag_written}} & victim_at;\n"
        "  assign tags_waddr = tag_set;\n"
        "  assign tags_wdata = tag;\n"
        "\n",
        f);
  if (!c->d.ON_MISS) {
    fputs("  always @(posedge clk)\n"
          "    if (rst)\n"
          "      t1_valid_q <= 1'b0;\n"
          "    else\n"
          "      t1_valid_q <= tag_written;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (tag_written) begin\n"
          "      t1_set_q <= tag_set;\n"
          "      t1_way_q <= number_of_way(victim_at);\n"
          "      t1_tag_q <= tag;\n"
          "    end\n"
          "\n",
          f);
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
          tag_of(c, "c_line_q").text);
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
          "  wire [WAYS-1:0] c_dropped = {WAYS{d_set_q == c_set_q}} & drop_at | {WAYS{f_set == c_set_q}} & "
          "come_at;\n"
          "  wire [WAYS-1:0] d_dropped = {WAYS{f_set == d_set_q}} & come_at;\n"
          "  wire [WAYS-1:0] c_hit     = c_lines & c_tag_eq & ~c_dropped | {WAYS{f_is_c}} & come_at;\n"
          "  wire [WAYS-1:0] d_hit     = d_hit_q & ~d_dropped | {WAYS{f_is_d}} & come_at;\n",
          f);
  }
  fputs("\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      d_hit_q <= {WAYS{1'b0}};\n"
        "    else if (advance)\n"
        "      d_hit_q <= {WAYS{c_valid_q}} & c_hit;\n"
        "    else\n"
        "      d_hit_q <= d_hit;\n",
        f);
  if (c->d.ON_MISS) {
    fputs("\n"
          "  wire [WAYS-1:0] c_reserved = pick_ways(c_at, reserved_q) | {WAYS{d_set_q == c_set_q}} & "
          "reserve_at;\n"
          "  wire            c_full     = &c_reserved && !(fill_now && f_set == c_set_q);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      d_full_q <= 1'b0;\n"
          "    else if (advance)\n"
          "      d_full_q <= c_valid_q && c_full;\n"
          "    else if (fill_now && f_set == d_set_q)\n"
          "      d_full_q <= 1'b0;\n",
          f);
  }
  fputs("\n"
        "  // the line's MSHR, if it has one; a fill frees, a miss takes\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      d_mshr_eq_q <= {MSHRS{1'b0}};\n"
        "    else if (advance)\n"
        "      d_mshr_eq_q <= {MSHRS{c_valid_q}} & (mshr_wait_q & c_line_eq & ~freed | taken & "
        "{MSHRS{d_line_q == c_line_q}});\n"
        "    else\n"
        "      d_mshr_eq_q <= d_mshr_eq_q & ~freed;\n",
        f);
}

static void put_decide(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- decide\n"
        "\n"
        "  wire [SETS-1:0]    d_at      = SET_0 << d_set_q;\n"
        "  wire               hit       = |d_hit_q;\n"
        "  wire               in_flight = |d_mshr_eq_q;\n"
        "  wire [MERGE_W-1:0] merged_to = pick_count(d_mshr_eq_q, mshr_count_q);\n"
        "  wire               may_merge = !(|(d_mshr_eq_q & mshr_dead_q)) && merged_to != MERGE;\n"
        "\n"
        "  // an MSHR whose loads are being answered is not free yet\n"
        "  wire [MSHRS-1:0] answered = {MSHRS{f_valid_q && f_kind_q == 2'd0}} & f_at;\n"
        "  wire [MSHRS-1:0] free     = ~mshr_wait_q & ~answered;\n"
        "  wire [MSHRS-1:0] free_at  = lowest_mshr(free);\n",
        f);
  if (c->d.ON_MISS) {
    fputs("  wire             may_allocate = !d_full_q && |free;\n", f);
  } else {
    fputs("  wire             may_allocate = |free;\n", f);
  }
  fputs("  wire             mq_full   = mq_count_q == MQ;\n"
        "  wire             resp_free = !resp_v_q || resp_ready;\n"
        "\n"
        "  wire fill_now   = f_valid_q && f_commit_q; // decisions wait for it\n"
        "  wire go         = d_valid_q && !fill_now;\n"
        "  wire load       = go && !d_write_q;\n"
        "  wire load_hit   = load && hit && !f_valid_q && resp_free;\n"
        "  wire load_merge = load && !hit && in_flight && may_merge;\n"
        "  wire load_miss  = load && !hit && !in_flight && may_allocate && !mq_full;\n"
        "  wire store      = go && d_write_q && !mq_full;\n",
        f);
  if (c->request_buffer.bypass == HD_BYPASS_ASSOC) {
    fputs("  // a load whose set has no line to give goes on uncached (MRPB section 3.4)\n"
          "  wire bypassable = !hit && !in_flight && d_full_q;\n",
          f);
  }
  if (c->request_buffer.bypass == HD_BYPASS_ALL) {
    fputs("  // a load that lacks a line, an MSHR or a place to merge goes on uncached (MRPB section 3.4)\n"
          "  wire bypassable = !hit && (in_flight ? !may_merge : !may_allocate);\n",
          f);
  }
  if (c->d.BYPS) {
    fputs("  wire bypass     = load && bypassable && !mq_full && byp_count_q != BYPS;\n"
          "  wire done       = load_hit || load_merge || load_miss || bypass || store;\n"
          "\n"
          "  wire bypass_back = f_gives && f_kind_q == 2'd1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      byp_count_q <= {BYP_W{1'b0}};\n"
          "    else if (bypass && !bypass_back)\n"
          "      byp_count_q <= byp_count_q + 1'b1;\n"
          "    else if (bypass_back && !bypass)\n"
          "      byp_count_q <= byp_count_q - 1'b1;\n",
          f);
  } else {
    fputs("  wire done       = load_hit || load_merge || load_miss || store;\n", f);
  }
}

static void put_victim(FILE *f, const struct hd_config *c) {
  const bool on_miss = c->d.ON_MISS;
  fputs("\n"
        "  // --- the victim: an empty way, else the least recently used that is not reserved\n"
        "\n",
        f);
  if (c->d.WAYS == 1) {
    fputs("  wire [WAYS-1:0] victim_at = 1'b1; // the only way\n", f);
  } else {
    if (on_miss) {
      fputs("  wire [WAYS-1:0]      v_lines = pick_ways(d_at, valid_q);\n"
            "  wire [WAYS-1:0]      v_busy  = pick_ways(d_at, reserved_q);\n",
            f);
    } else {
      fputs("  wire [WAYS-1:0]      v_lines = pick_ways(f_set_at, valid_q);\n", f);
    }
    fprintf(f,
            "  wire [WAYS-1:0]      v_empty = %s;\n"
            "  wire [LRU_W-1:0]     v_lru   = pick_lru(%s, lru_q);\n"
            "  wire [WAYS*WAYS-1:0] older; // bit w*WAYS + o = way w gives way before way o\n"
            "  wire [WAYS-1:0]      oldest_at;\n"
            "  generate\n"
            "    for (w = 0; w < WAYS; w = w + 1) begin : age\n"
            "      for (o = 0; o < WAYS; o = o + 1) begin : than\n"
            "        if (w == o)\n"
            "          assign older[w*WAYS + o] = 1'b1;\n"
            "        else if (w < o)\n"
            "          assign older[w*WAYS + o] = %s!v_lru[w*(2*WAYS-w-1)/2 + o-w-1];\n"
            "        else\n"
            "          assign older[w*WAYS + o] = %sv_lru[o*(2*WAYS-o-1)/2 + w-o-1];\n"
            "      end\n"
            "      assign oldest_at[w] = %s&older[w*WAYS +: WAYS];\n"
            "    end\n"
            "  endgenerate\n"
            "  wire [WAYS-1:0] victim_at = |v_empty ? lowest_way(v_empty) : oldest_at;\n",
            on_miss ? "~v_lines & ~v_busy" : "~v_lines", on_miss ? "d_at" : "f_set_at",
            on_miss ? "v_busy[o] || " : "", on_miss ? "v_busy[o] || " : "", on_miss ? "!v_busy[w] && " : "");
  }
  if (c->d.WAYS > 1) {
    fputs("\n"
          "  // --- recency: bit (i<j) of a set's matrix = way i was used after way j\n"
          "\n",
          f);
    if (on_miss) {
      fputs("  wire            touch      = load_hit || load_merge || load_miss;\n"
            "  wire [SETS-1:0] touch_at   = d_at;\n"
            "  wire [WAYS-1:0] touched_at = hit ? d_hit_q : in_flight ? WAY_0 << pick_way(d_mshr_eq_q, "
            "mshr_way_q) : victim_at;\n",
            f);
    } else {
      fputs("  wire            touch      = load_hit || fill_stays;\n"
            "  wire [SETS-1:0] touch_at   = fill_now ? f_set_at : d_at;\n"
            "  wire [WAYS-1:0] touched_at = fill_now ? victim_at : d_hit_q;\n",
            f);
    }
    fputs("  wire [LRU_W-1:0] now_after, now_before;\n"
          "  generate\n"
          "    for (w = 0; w < WAYS; w = w + 1) begin : order\n"
          "      for (o = w + 1; o < WAYS; o = o + 1) begin : pair\n"
          "        assign now_after[w*(2*WAYS-w-1)/2 + o-w-1]  = touched_at[w];\n"
          "        assign now_before[w*(2*WAYS-w-1)/2 + o-w-1] = touched_at[o];\n"
          "      end\n"
          "    end\n"
          "    for (s = 0; s < SETS; s = s + 1) begin : recency\n"
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

static void put_lines(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- which lines hold data%s\n"
          "\n",
          c->d.ON_MISS ? ", which wait for their fill" : "");
  if (c->d.ON_MISS) {
    fputs("  wire [WAYS-1:0] reserve_at = {WAYS{load_miss}} & victim_at;\n"
          "  wire [WAYS-1:0] drop_at    = reserve_at | {WAYS{store}} & d_hit_q;\n"
          "  wire [WAYS-1:0] come_at    = {WAYS{fill_stays}} & f_way_at;\n"
          "  wire [WAYS-1:0] release_at = {WAYS{fill_now}} & f_way_at;\n",
          f);
  } else {
    fputs("  wire [WAYS-1:0] drop_at = {WAYS{store}} & d_hit_q;\n"
          "  wire [WAYS-1:0] come_at = {WAYS{fill_stays}} & victim_at;\n",
          f);
  }
  fputs("  generate\n"
        "    for (s = 0; s < SETS; s = s + 1) begin : lines\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          valid_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};\n"
        "        else if (fill_now) begin\n"
        "          if (f_set_at[s])\n"
        "            valid_q[s*WAYS +: WAYS] <= valid_q[s*WAYS +: WAYS] | come_at;\n"
        "        end else if (d_at[s])\n"
        "          valid_q[s*WAYS +: WAYS] <= valid_q[s*WAYS +: WAYS] & ~drop_at;\n",
        f);
  if (c->d.ON_MISS) {
    fputs("\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          reserved_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};\n"
          "        else if (fill_now) begin\n"
          "          if (f_set_at[s])\n"
          "            reserved_q[s*WAYS +: WAYS] <= reserved_q[s*WAYS +: WAYS] & ~release_at;\n"
          "        end else if (d_at[s])\n"
          "          reserved_q[s*WAYS +: WAYS] <= reserved_q[s*WAYS +: WAYS] | reserve_at;\n",
          f);
  }
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

static void put_mshrs(FILE *f, const struct hd_config *c) {
  const struct hd_fields target = hd_fields_of("target", "d_", "_q");
  fputs("\n"
        "  // --- MSHRs\n"
        "\n"
        "  wire [MSHRS-1:0]   taken     = {MSHRS{load_miss}} & free_at;\n"
        "  wire [MSHRS-1:0]   freed     = {MSHRS{fill_now}} & f_at;\n"
        "  wire [MERGE_W-1:0] merged_up = merged_to + 1'b1;\n"
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
        "      // a store to a line in flight: the fill answers its loads and does not stay (D-L1-1)\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          mshr_dead_q[m] <= 1'b0;\n"
        "        else if (taken[m])\n"
        "          mshr_dead_q[m] <= 1'b0;\n"
        "        else if (store && d_mshr_eq_q[m])\n"
        "          mshr_dead_q[m] <= 1'b1;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (taken[m]) begin\n"
        "          mshr_line_q[m*LINE_W +: LINE_W] <= d_line_q;\n",
        f);
  if (c->d.ON_MISS) {
    fputs("          mshr_way_q[m*WAY_W +: WAY_W] <= number_of_way(victim_at);\n", f);
  }
  fprintf(f,
          "        end\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (taken[m])\n"
          "          mshr_count_q[m*MERGE_W +: MERGE_W] <= {{MERGE_W-1{1'b0}}, 1'b1};\n"
          "        else if (load_merge && d_mshr_eq_q[m])\n"
          "          mshr_count_q[m*MERGE_W +: MERGE_W] <= merged_up;\n"
          "    end\n"
          "  endgenerate\n"
          "\n"
          "  // where the load is to be sent when its line comes\n"
          "  wire [MSHR_W-1:0] d_entry = number_of_mshr(in_flight ? d_mshr_eq_q : free_at);\n"
          "  wire [MERGE_W-1:0] d_place = in_flight ? merged_to : {MERGE_W{1'b0}};\n"
          "\n"
          "  assign merged_we    = load_merge || load_miss;\n"
          "  assign merged_waddr = d_entry * MERGE + %s;\n"
          "  assign merged_wdata = %s;\n",
          widen("d_place", "MERGE_W", c->d.MERGE_W, "MERGED_ADDR_W", hd_clog2(c->d.MSHRS * c->d.MERGE)).text,
          target.text);
}

static void put_queue(FILE *f, const struct hd_config *c) {
  const struct hd_fields who = hd_fields_of("target", "d_", "_q"), mreq = hd_fields_of("mreq", "mreq_", "");
  fprintf(f,
          "\n"
          "  // --- miss queue, and what of it is at the memory port\n"
          "\n"
          "  wire mq_push = load_miss || store%s;\n"
          "  wire mq_pop  = |mq_count_q && (!mo_valid_q || mreq_ready);\n"
          "\n"
          "  wire [MQ-1:0] mq_head_at = MQ_0 << mq_head_q;\n"
          "  wire [MQ-1:0] mq_tail_at = MQ_0 << mq_tail_q;\n"
          "\n"
          "  // a fill's request names its MSHR, any other its instruction\n"
          "  wire [MSHR_W-1:0] mq_id = number_of_mshr(taken);\n"
          "  wire [WID_W+SLOT_W+LANE_W:0] mq_who = {WID_W+SLOT_W+LANE_W+1{!load_miss}} & %s;\n"
          "\n"
          "  assign mq_we    = mq_push;\n"
          "  assign mq_waddr = mq_tail_q;\n"
          "  assign mq_wdata = {d_write_q, %s, d_line_q, mq_id, mq_who};\n"
          "  assign mq_re    = mq_pop;\n"
          "  assign mq_raddr = mq_head_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_tail_q <= {MQ_W{1'b0}};\n"
          "    else if (mq_push)\n"
          "      mq_tail_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_head_q <= {MQ_W{1'b0}};\n"
          "    else if (mq_pop)\n"
          "      mq_head_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_count_q <= {MQN_W{1'b0}};\n"
          "    else if (mq_push && !mq_pop)\n"
          "      mq_count_q <= mq_count_q + 1'b1;\n"
          "    else if (mq_pop && !mq_push)\n"
          "      mq_count_q <= mq_count_q - 1'b1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_store_q <= {MQ{1'b0}};\n"
          "    else if (mq_push)\n"
          "      mq_store_q <= mq_store_q & ~mq_tail_at | mq_tail_at & {MQ{d_write_q}};\n"
          "\n"
          "  // with a store, its bytes\n"
          "  assign sdata_re    = mq_pop && |(mq_store_q & mq_head_at);\n"
          "  assign sdata_raddr = sd_head_q;\n"
          "  assign smask_re    = sdata_re;\n"
          "  assign smask_raddr = sd_head_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      sd_head_q <= {SD_W{1'b0}};\n"
          "    else if (sdata_re)\n"
          "      sd_head_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mo_valid_q <= 1'b0;\n"
          "    else if (!mo_valid_q || mreq_ready)\n"
          "      mo_valid_q <= mq_pop;\n"
          "\n"
          "  assign mreq_valid = mo_valid_q;\n"
          "  assign %s = mq_rdata;\n"
          "  assign mreq_wdata = sdata_rdata;\n"
          "  assign mreq_wmask = smask_rdata;\n",
          c->d.BYPS ? " || bypass" : "", who.text, c->d.BYPS ? "bypass" : "1'b0",
          next("mq_tail_q", "MQ", "MQ_W", c->d.MQ).text, next("mq_head_q", "MQ", "MQ_W", c->d.MQ).text,
          next("sd_head_q", "SD", "SD_W", c->d.SD).text, mreq.text);
}

static void put_fills(FILE *f, const struct hd_config *c) {
  const struct hd_fields f_ = hd_fields_of("mrsp", "f_", "_q"), mrsp = hd_fields_of("mrsp", "mrsp_", "");
  fprintf(
      f,
      "\n"
      "  // --- f: answers of the memory\n"
      "\n"
      "  wire f_take = mrsp_valid && mrsp_ready;\n"
      "  wire f_gives; // it loads the response register\n"
      "  wire f_over;  // and is through with that\n"
      "\n"
      "  assign mrsp_ready = !f_valid_q && !(resp_v_q && r_fill_q); // resp_data still shows f's line\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      f_valid_q <= 1'b0;\n"
      "    else if (f_take)\n"
      "      f_valid_q <= 1'b1;\n"
      "    else if (f_over)\n"
      "      f_valid_q <= 1'b0;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      f_commit_q <= 1'b0;\n"
      "    else\n"
      "      f_commit_q <= f_take && mrsp_kind == 2'd0;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (f_take)\n"
      "      %s <=\n"
      "        %s;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (f_take && !mrsp_kind[1])\n"
      "      f_data_q <= mrsp_data;\n"
      "\n"
      "  // a fill: in its first cycle the line goes into the cache, then its loads are answered one by one\n"
      "  wire [MERGE_W-1:0] f_next = f_pos_q + 1'b1;\n"
      "  wire [MERGE_W-1:0] f_read = fill_now ? {MERGE_W{1'b0}} : f_next;\n"
      "  wire               f_last = f_kind_q != 2'd0 || f_next == f_count_q;\n"
      "\n"
      "  assign f_gives = f_valid_q && !f_commit_q && resp_free;\n"
      "  assign f_over  = f_gives && f_last;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (fill_now) begin\n"
      "      f_pos_q   <= {MERGE_W{1'b0}};\n"
      "      f_count_q <= pick_count(f_at, mshr_count_q);\n"
      "    end else if (f_gives && f_kind_q == 2'd0)\n"
      "      f_pos_q <= f_next;\n"
      "\n"
      "  assign merged_re    = fill_now || f_gives && !f_last;\n"
      "  assign merged_raddr = f_id_q * MERGE + %s;\n",
      f_.text, mrsp.text,
      widen("f_read", "MERGE_W", c->d.MERGE_W, "MERGED_ADDR_W", hd_clog2(c->d.MSHRS * c->d.MERGE)).text);
}

static void put_response(FILE *f, const struct hd_config *c) {
  const struct hd_fields d = hd_fields_of("target", "d_", "_q"), f_ = hd_fields_of("target", "f_", "_q"),
                         r = hd_fields_of("resp", "r_", "_q"), resp = hd_fields_of("resp", "resp_", "");
  fprintf(f,
          "\n"
          "  // --- response register; a hit's line is at the data macro's output, any other's in f\n"
          "\n"
          "  wire respond = load_hit || f_gives;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      resp_v_q <= 1'b0;\n"
          "    else if (resp_free)\n"
          "      resp_v_q <= respond;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (respond) begin\n"
          "      %s <=\n"
          "        !f_valid_q ? {1'b0, %s} :\n"
          "        f_kind_q == 2'd0 ? {1'b0, merged_rdata} :\n"
          "        {f_kind_q[1], %s};\n"
          "      r_fill_q <= f_valid_q && !f_kind_q[1];\n"
          "    end\n"
          "\n"
          "  assign resp_valid = resp_v_q;\n"
          "  assign %s = %s;\n"
          "  assign resp_data = r_fill_q ? f_data_q : data_rdata;\n"
          "\n"
          "  wire [WAY_W-1:0] hit_way = number_of_way(d_hit_q);\n"
          "\n"
          "  assign data_en    = load_hit || fill_stays;\n"
          "  assign data_we    = fill_now;\n"
          "  assign data_addr  = fill_now ? f_set * WAYS + %s\n"
          "                               : d_set_q * WAYS + %s;\n"
          "  assign data_wdata = f_data_q;\n",
          r.text, d.text, f_.text, resp.text, r.text,
          widen("f_way", "WAY_W", c->d.WAY_W, "DATA_ADDR_W", hd_clog2(c->d.SETS * c->d.WAYS)).text,
          widen("hit_way", "WAY_W", c->d.WAY_W, "DATA_ADDR_W", hd_clog2(c->d.SETS * c->d.WAYS)).text);
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
  if (c->d.WAYS > 1)
    hd_put_lowest(f, "lowest_way", "WAYS");
  hd_put_number(f, "number_of_mshr", "MSHRS", "MSHR_W");
  hd_put_number(f, "number_of_way", "WAYS", "WAY_W");
  hd_put_pick(f, "pick_ways", "SETS", "WAYS");
  if (c->d.WAYS > 1)
    hd_put_pick(f, "pick_lru", "SETS", "LRU_W");
  hd_put_pick(f, "pick_set", "MSHRS", "SET_W");
  hd_put_pick(f, "pick_count", "MSHRS", "MERGE_W");
  if (c->d.ON_MISS)
    hd_put_pick(f, "pick_way", "MSHRS", "WAY_W");
  else
    hd_put_pick(f, "pick_tag", "MSHRS", "TAG_W");
  put_look(f, c);
  put_input(f, c);
  put_pipeline(f, c);
  put_decide(f, c);
  put_victim(f, c);
  put_lines(f, c);
  put_mshrs(f, c);
  put_queue(f, c);
  put_fills(f, c);
  put_response(f, c);
}

const struct hd_behaviour l1d_rtl = {
    "l1d", put, (const char *const[]){"l1d.set_index", "l1d.allocate", "request_buffer.bypass", NULL}};
