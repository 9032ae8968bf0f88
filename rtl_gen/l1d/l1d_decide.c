/* The L1 data cache, as Verilog: what becomes of the request in d. Part of rtl_gen/l1d/l1d.c.
 *
 * Whether d's load is to bypass, and what its locality degree says, is in registers when it decides; what is
 * known late (can it merge, does the port take an answer) stands behind as little as possible.
 */
#include "rtl_gen/l1d/l1d.h"

/* Is an MSHR left if one is taken? This is known before it is known whether one is. */
void hd_l1d_put_two_of(FILE *f) {
  fputs("\n"
        "  // two 1s of v or more: a tree\n"
        "  function two_of(input [MSHRS-1:0] v);\n"
        "    reg [MSHRS-1:0] one, two;\n"
        "    integer i, step;\n"
        "    begin\n"
        "      one = v;\n"
        "      two = {MSHRS{1'b0}};\n"
        "      for (step = 1; step < MSHRS; step = step * 2)\n"
        "        for (i = 0; i + step < MSHRS; i = i + 2 * step) begin\n"
        "          two[i] = two[i] | two[i+step] | one[i] & one[i+step];\n"
        "          one[i] = one[i] | one[i+step];\n"
        "        end\n"
        "      two_of = two[0];\n"
        "    end\n"
        "  endfunction\n",
        f);
}

bool hd_l1d_finds_set(const struct hd_config *c) {
  return c->d.COUNTED || (c->d.PROBES && c->d.ON_MISS && c->d.WAYS > 1);
}

static void put_found(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- decide\n"
        "\n"
        "  wire [SETS-1:0]    d_at      = SET_0 << d_set_q;\n"
        "  wire               hit       = |d_hit_q;\n"
        "  wire               in_flight = |d_mshr_eq_q;\n"
        "  wire [MERGE_W-1:0] merged_to = pick_count(d_mshr_eq_q, mshr_count_q);\n"
        "  wire [MSHRS-1:0]   takes_more;\n"
        "  generate\n"
        "    for (m = 0; m < MSHRS; m = m + 1) begin : fill_up\n"
        "      assign takes_more[m] = !mshr_dead_q[m] && mshr_count_q[m*MERGE_W +: MERGE_W] != MERGE;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire can_merge = |(d_mshr_eq_q & takes_more); // so it is in flight\n"
        "\n"
        "  // an MSHR whose loads are being answered is not free yet, and waits no more\n"
        "  wire             answering = f_valid_q && f_kind_q == 2'd0;\n"
        "  wire [MSHRS-1:0] free      = ~mshr_wait_q & ~({MSHRS{answering}} & f_at);\n"
        "  wire [MSHRS-1:0] free_at   = lowest_mshr(free);\n",
        f);
  if (hd_l1d_finds_set(c))
    fprintf(f,
            "\n"
            "  // d's set once more, for choices: d_set_q drives enough\n"
            "  wire [SET_W-1:0] d_found    = %s;\n"
            "  wire [SETS-1:0]  d_found_at = SET_0 << d_found;\n"
            "\n",
            hd_l1d_set_of(c, "d_line_q").text);
  fprintf(f, "  wire             may_allocate = %sm_free_q;\n", c->d.ON_MISS ? "!d_full_q && " : "");
  fputs("  wire             mq_full   = mq_count_q == MQ;\n"
        "  wire             resp_free = !resp_v_q || resp_ready;\n"
        "\n",
        f);
}

/* A load that goes on uncached only because it lacks something. */
static void put_stall_bypass(FILE *f, const struct hd_config *c) {
  if (c->request_buffer.bypass == HD_BYPASS_ASSOC) {
    fputs("  // a load whose set has no line to give goes on uncached (MRPB section 3.4)\n"
          "  wire bypassable = !hit && !in_flight && d_full_q;\n",
          f);
  }
  if (c->request_buffer.bypass == HD_BYPASS_ALL) {
    fputs("  // a load that lacks a line, an MSHR or a place to merge goes on uncached (MRPB section 3.4)\n"
          "  wire bypassable = !hit && !can_merge && (in_flight || !may_allocate);\n",
          f);
  }
  if (c->d.BYPS)
    fputs("  wire bypass     = load && bypassable && !mq_full && byp_count_q != BYPS;\n", f);
}

/* Those of n terms that are there. */
static void put_joined(FILE *f, const char *by, size_t n, const char *const terms[]) {
  const char *between = "";
  for (size_t i = 0; i < n; i++)
    if (terms[i]) {
      fprintf(f, "%s%s", between, terms[i]);
      between = by;
    }
}

/* d's load goes by its locality degree: one that is to be protected does not. */
static const char *by_loc(const struct hd_config *c) {
  return c->d.APCM_P ? "measured" : "d_loc_q";
}

/* Who is to bypass, and who does not go by its degree. */
static void put_told(FILE *f, const struct hd_config *c) {
  const char *const told[] = {!c->d.CASC  ? NULL
                              : c->d.PREF ? "d_byp_q && !d_pf_q"
                                          : "d_byp_q",
                              c->d.RFT ? "d_rft_q" : NULL, c->d.APCM_B ? "d_apb_q" : NULL};
  if (c->d.TOLD) {
    fprintf(f, "  // a load that is to bypass, whether it lacks anything or not%s\n  wire early = %s",
            c->d.APCM_P ? "; what is protected is cached whatever the others say" : "",
            c->d.APCM_P ? "!d_keep_q && (" : "");
    put_joined(f, " || ", sizeof told / sizeof *told, told);
    fprintf(f, "%s;\n", c->d.APCM_P ? ")" : "");
  }
  if (c->d.LOC && c->d.APCM_P)
    fputs("  wire measured = d_loc_q && !d_keep_q;\n", f);
}

/* What is known of d's load before it is looked at. */
static void put_early(FILE *f, const struct hd_config *c) {
  put_told(f, c);
  if (c->d.LOC)
    fprintf(f,
            "  // one with a locality degree is cached if that says so; its line takes the place of one with "
            "fewer\n"
            "  // re-references, if no way is empty\n"
            "  wire degree_pays = l_step_q[1] && (l_room_q || l_better_q);\n"
            "  wire degree_not  = l_step_q[1] && !(l_room_q || l_better_q);\n"
            "  wire by_degree   = %s && !l_room_q;\n",
            by_loc(c));
  struct hd_piece pays;
  snprintf(pays.text, sizeof pays.text, "(!%s || degree_pays)", by_loc(c));
  const char *const cached[] = {c->d.TOLD ? "!early" : NULL, c->d.APCM_P ? "!d_stuck_q" : NULL,
                                c->d.LOC ? pays.text : NULL};
  fprintf(f, "  wire cacheable%s = ", c->d.LOC ? "  " : "");
  put_joined(f, " && ", sizeof cached / sizeof *cached, cached);
  fputs(";\n\n", f);
}

static void put_early_bypass(FILE *f, const struct hd_config *c) {
  const bool all = c->request_buffer.bypass == HD_BYPASS_ALL,
             assoc = c->request_buffer.bypass == HD_BYPASS_ASSOC;
  struct hd_piece degree, lacks;
  snprintf(degree.text, sizeof degree.text, "!hit && !in_flight && %s && (d_full_q || degree_not)",
           by_loc(c));
  snprintf(lacks.text, sizeof lacks.text,
           c->d.LOC ? "!hit && !may_allocate && (!%s || degree_pays)" : "!hit && !may_allocate", by_loc(c));
  const char *const terms[] = {!c->d.TOLD     ? NULL
                               : c->d.FORWARD ? "early"
                                              : "early && !hit",
                               all ? "in_flight" : NULL,
                               c->d.APCM_P ? "!hit && !in_flight && d_stuck_q" : NULL,
                               c->d.LOC ? degree.text : NULL,
                               assoc ? "!hit && !in_flight && d_full_q"
                               : all ? lacks.text
                                     : NULL};
  fputs("  // what goes on uncached, unless it merges\n"
        "  wire bypassable = ",
        f);
  put_joined(f, " || ", sizeof terms / sizeof *terms, terms);
  fputs(";\n"
        "  wire uncached   = load && bypassable && !mq_full && byp_count_q != BYPS;\n"
        "  wire bypass     = uncached && !can_merge;\n",
        f);
}

static void put_bypassed(FILE *f) {
  fputs("\n"
        "  wire bypass_back = f_gives && f_kind_q == 2'd1;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      byp_count_q <= {BYP_W{1'b0}};\n"
        "    else if (bypass && !bypass_back)\n"
        "      byp_count_q <= byp_count_q + 1'b1;\n"
        "    else if (bypass_back && !bypass)\n"
        "      byp_count_q <= byp_count_q - 1'b1;\n"
        "\n",
        f);
}

/* MemSched brings what lacks something again, so little keeps a load in d. */
static void put_again(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // a load stays for the response port%s; one that lacks anything else comes again\n"
          "  wire stays = hit%s && (f_valid_q || !resp_free)%s;\n"
          "  wire tried = load && (memsched_en ? !stays : done);\n"
          "  assign gone = tried || store%s;\n"
          "\n"
          "  assign back_valid = b_valid_q;\n"
          "  assign back_wid   = b_wid_q;\n"
          "  assign back_ok    = b_ok_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      b_valid_q <= 1'b0;\n"
          "    else\n"
          "      b_valid_q <= tried;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (tried) begin\n"
          "      b_wid_q <= d_wid_q;\n"
          "      b_ok_q  <= done;\n"
          "    end\n",
          c->d.LOC ? " and its locality degree" : "", c->d.FORWARD ? " && !early" : "",
          c->d.LOC ? " || looking" : "", c->d.PREF ? " || prefetch" : "");
}

void hd_l1d_put_decide(FILE *f, const struct hd_config *c) {
  put_found(f, c);
  if (c->d.EARLY)
    put_early(f, c);
  fprintf(f,
          "  wire go         = d_valid_q && !fill_now%s;\n"
          "  wire load       = go && !d_write_q%s;\n"
          "  wire load_hit   = load && hit%s && !f_valid_q && resp_free;\n"
          "  wire load_merge = load && can_merge; // a line in flight is not there\n"
          "  assign miss     = go && !d_write_q && !hit && !in_flight%s && may_allocate && !mq_full;\n"
          "  wire store      = go && d_write_q && !mq_full;\n",
          c->d.PREF ? " && !flush" : "", c->d.PREF ? " && !d_pf_q" : "", c->d.FORWARD ? " && !early" : "",
          c->d.EARLY ? " && cacheable" : "");
  if (c->d.PREF)
    fputs("  wire prefetch   = go && d_pf_q; // decided at once, whatever it finds (D-SAP-4)\n", f);
  if (c->d.LOC)
    fprintf(f,
            "  // its locality degree takes two cycles\n"
            "  wire looking    = !hit && !in_flight && !early && %s%s && !d_full_q && !l_step_q[1];\n",
            c->d.APCM_P ? "!d_stuck_q && " : "", by_loc(c));
  if (c->d.EARLY)
    put_early_bypass(f, c);
  else
    put_stall_bypass(f, c);
  if (c->d.BYPS)
    put_bypassed(f);
  fprintf(f, "  assign done     = load_hit || load_merge || miss || store%s%s;\n",
          c->d.EARLY  ? " || uncached"
          : c->d.BYPS ? " || bypass"
                      : "",
          c->d.PREF ? " || prefetch" : "");
  if (c->d.MEMSCHED)
    put_again(f, c);
}
