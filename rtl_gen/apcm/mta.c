/* The monitor tag array, as Verilog. Spec: docs/mechanisms/apcm.md.
 *
 * All that an access may do is worked out beside the comparison of tags, for each way, and chosen by it: which way
 * it is, if any, is known last. Ways are one-hot, a set is a number. A word is its tag, which the access knows, above
 * its body.
 */
#include "rtl_gen/emit/emit.h"

/* Sets are rows of a RAM; where there is but one set its words are registers. */
static bool rows(const struct hd_config *c) {
  return !c->d.MTA_FA;
}

/* The set and the way of an entry, as texts, from the name of its number. */
struct place {
  char set[80], way[80];
};

static bool by_division(const struct hd_config *c) {
  return rows(c) && c->d.MTA_WAYS & (c->d.MTA_WAYS - 1);
}

static struct place place_of(const struct hd_config *c, const char *number) {
  struct place p = {"", ""};
  if (by_division(c)) {
    snprintf(p.set, sizeof p.set, "set_of(%s)", number);
    snprintf(p.way, sizeof p.way, "way_of(%s)", number);
  } else if (rows(c) && c->d.MTA_WAYS > 1) {
    snprintf(p.set, sizeof p.set, "%s[MTA_N_W-1:MTA_WAY_W]", number);
    snprintf(p.way, sizeof p.way, "%s[MTA_WAY_W-1:0]", number);
  } else { /* a way a set, or one set */
    snprintf(rows(c) ? p.set : p.way, sizeof p.set, "%s", number);
  }
  return p;
}

/* A part of an entry's place where ways are no power of two: `i` its set, `j` its way. */
static void put_division(FILE *f, const char *name, const char *part, const char *width) {
  fprintf(f,
          "\n"
          "  function [%s-1:0] %s(input [MTA_N_W-1:0] e);\n"
          "    reg [MTA-1:0] at;\n"
          "    integer i, j;\n"
          "    begin\n"
          "      at = ENTRY_0 << e;\n"
          "      %s = 0;\n"
          "      for (i = 0; i < MTA_SETS; i = i + 1)\n"
          "        for (j = 0; j < MTA_WAYS; j = j + 1)\n"
          "          %s = %s | ({%s{at[i*MTA_WAYS + j]}} & %s[%s-1:0]);\n"
          "    end\n"
          "  endfunction\n",
          width, name, name, name, name, width, part, width);
}

/* A word's body after one more access. */
static void put_used(FILE *f, const struct hd_config *c) {
  const bool last = c->d.LAST_W;
  fprintf(f,
          "\n"
          "  // a body after one more access%s\n"
          "  function [BODY_W-1:0] used(input [BODY_W-1:0] old, input mine%s);\n"
          "    reg more;\n"
          "    begin\n"
          "      more = !(&old[RR_W +: RR_W]);\n"
          "      used = {old[2*RR_W%s +: LID_W]%s,\n"
          "              old[RR_W +: RR_W] + {{RR_W-1{1'b0}}, more},\n"
          "              old[0 +: RR_W] + {{RR_W-1{1'b0}}, mine && more}};\n"
          "    end\n"
          "  endfunction\n",
          last ? ", by load lid if `by`" : "", last ? ", by, input [LID_W-1:0] lid" : "",
          last ? " + LAST_W" : "", last ? ", by ? lid : old[2*RR_W +: LAST_W]" : "");
}

static void put_functions(FILE *f, const struct hd_config *c) {
  if (c->d.MTA_WAYS > 1 && rows(c)) {
    hd_put_number(f, "number", "MTA_WAYS", "MTA_WAY_W");
    hd_put_pick(f, "pick_next", "MTA_SETS", "MTA_WAY_W");
  }
  if (rows(c))
    hd_put_pick(f, "pick_ways", "MTA_SETS", "MTA_WAYS");
  hd_put_pick(f, "pick_body", "MTA_WAYS", "BODY_W");
  if (by_division(c)) {
    put_division(f, "set_of", "i", "MTA_SET_W");
    put_division(f, "way_of", "j", "MTA_WAY_W");
  }
  put_used(f, c);
}

static void put_monitor(FILE *f) {
  fputs("\n"
        "  // --- the warp that is monitored, and the reading out after it\n"
        "\n"
        "  localparam SCAN_LAST = MTA - 1;\n"
        "  wire begins = acc_valid && acc_trk && !mon_q && !over_q;\n"
        "  wire leaves = mon_q && exit[mon_wid_q];\n"
        "  wire ends   = scan_at_q == SCAN_LAST[MTA_N_W-1:0];\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear) begin\n"
        "      mon_q  <= 1'b0;\n"
        "      over_q <= 1'b0;\n"
        "      scan_q <= 1'b0;\n"
        "    end else begin\n"
        "      mon_q  <= begins || mon_q && !leaves;\n"
        "      over_q <= over_q || leaves;\n"
        "      scan_q <= leaves || scan_q && !ends;\n"
        "    end\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (begins && !clear)\n"
        "      mon_wid_q <= acc_wid;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear)\n"
        "      scan_at_q <= {MTA_N_W{1'b0}};\n"
        "    else if (scan_q || leaves)\n"
        "      scan_at_q <= ends || leaves ? {MTA_N_W{1'b0}} : scan_at_q + 1'b1;\n",
        f);
}

static void put_take(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- take: an access is looked up, or an entry is read out, in the next cycle\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear)\n"
        "      m_valid_q <= 1'b0;\n"
        "    else\n"
        "      m_valid_q <= acc_valid && (mon_q || begins) || scan_q;\n"
        "\n"
        "  always @(posedge clk) begin\n"
        "    m_scan_q  <= scan_q;\n"
        "    m_mine_q  <= begins || acc_wid == mon_wid_q;\n"
        "    m_trk_q   <= acc_trk;\n"
        "    m_lid_q   <= acc_lid;\n"
        "    m_two_q   <= acc_two;\n"
        "    m_line_q  <= acc_line;\n"
        "    m_count_q <= acc_count;\n"
        "    m_at_q    <= scan_at_q;\n"
        "  end\n",
        f);
  if (rows(c))
    fprintf(f,
            "\n"
            "  assign entry_re    = 1'b1;\n"
            "  assign entry_raddr = scan_q ? %s : acc_line[MTA_SET_W-1:0];\n",
            place_of(c, "scan_at_q").set);
}

/* The words that are looked at: which of them are in use, which have the tag that is asked for, and the rest.
 * What was written in the last cycle is compared beside the rows, and only then put in the place of one. */
static void put_words(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- look\n"
        "\n"
        "  wire [MTA_TAG_W-1:0]       tag = m_line_q[LINE_W-1:MTA_SET_W];\n"
        "  wire [MTA_WAYS-1:0]        held, same;\n"
        "  wire [MTA_WAYS*BODY_W-1:0] bodies;\n",
        f);
  if (rows(c))
    fprintf(
        f,
        "  wire [MTA_SET_W-1:0]       set     = m_line_q[MTA_SET_W-1:0];\n"
        "  wire [MTA_SETS-1:0]        set_at  = SET_0 << set;\n"
        "  wire [MTA_WAYS-1:0]        last_at = %s;\n"
        "  wire asked_last = w_valid_q && w_set_q == set; // the RAM's row is not what it became\n"
        "  wire read_last  = w_valid_q && w_set_q == %s;\n"
        "  wire body_last  = m_scan_q ? read_last : asked_last;\n"
        "  wire same_last  = w_word_q[BODY_W +: MTA_TAG_W] == tag;\n"
        "  assign held = pick_ways(set_at, valid_q);\n"
        "  generate\n"
        "    for (w = 0; w < MTA_WAYS; w = w + 1) begin : row\n"
        "      wire [MTA_W-1:0] word = entry_rdata[w*MTA_W +: MTA_W];\n"
        "      assign same[w] = asked_last && last_at[w] ? same_last : word[BODY_W +: MTA_TAG_W] == tag;\n"
        "      assign bodies[w*BODY_W +: BODY_W] = body_last && last_at[w] ? w_word_q[0 +: BODY_W]\n"
        "                                                                  : word[0 +: BODY_W];\n"
        "    end\n"
        "  endgenerate\n",
        c->d.MTA_WAYS > 1 ? "WAY_0 << w_way_q" : "1'b1", place_of(c, "m_at_q").set);
  else
    fputs("  assign held = valid_q;\n"
          "  generate\n"
          "    for (w = 0; w < MTA_WAYS; w = w + 1) begin : row\n"
          "      wire [MTA_W-1:0] word = word_q[w*MTA_W +: MTA_W];\n"
          "      assign same[w] = word[BODY_W +: MTA_TAG_W] == tag;\n"
          "      assign bodies[w*BODY_W +: BODY_W] = word[0 +: BODY_W];\n"
          "    end\n"
          "  endgenerate\n",
          f);
}

/* A match is one whatever is in the pipeline: whether it is asked for is a question beside it. */
static void put_match(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  wire asks  = m_valid_q && !m_scan_q;\n"
          "  wire reads = m_valid_q && m_scan_q;\n"
          "  wire may   = asks && m_mine_q && m_trk_q && m_two_q; // allocate\n"
          "\n"
          "  wire [MTA_WAYS-1:0]        match = held & same;\n"
          "  wire [MTA_WAYS-1:0]        enough;\n"
          "  wire [MTA_WAYS*BODY_W-1:0] grown;\n"
          "  generate\n"
          "    for (w = 0; w < MTA_WAYS; w = w + 1) begin : grow\n"
          "      wire [BODY_W-1:0] body = used(bodies[w*BODY_W +: BODY_W], m_mine_q%s);\n"
          "      assign enough[w] = body[RR_W +: RR_W] >= ENOUGH;\n"
          "      assign grown[w*BODY_W +: BODY_W] = body;\n"
          "    end\n"
          "  endgenerate\n"
          "  wire found = |match;\n"
          "  wire hit   = asks && found;\n"
          "  wire takes = may && !found;\n",
          c->d.LAST_W ? ", m_mine_q && m_trk_q, m_lid_q" : "");
}

/* The way that an access takes, if it does: the first empty one, else the one whose turn it is. The one that goes:
 * that, or what is read out. The ways of a set come into use from the lowest up, and once one is read out none
 * comes until all have gone: so the first empty way is the one above a way in use, and a set is full if its highest
 * way is in use. */
static void put_ways(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  wire                full = held[MTA_WAYS-1];\n",
        f);
  if (c->d.MTA_WAYS == 1)
    fputs("  wire                victim_at = 1'b1; // the only way\n"
          "  wire                gone_at   = 1'b1;\n",
          f);
  else
    fprintf(
        f,
        "  wire [MTA_WAYS-1:0] turn_at   = WAY_0 << %s;\n"
        "  wire [MTA_WAYS-1:0] empty_at  = ~held & {held[MTA_WAYS-2:0], 1'b1}; // used from the lowest up\n"
        "  wire [MTA_WAYS-1:0] victim_at = full ? turn_at : empty_at;\n"
        "  wire [MTA_WAYS-1:0] gone_at   = m_scan_q ? WAY_0 << %s : turn_at;\n",
        rows(c) ? "pick_next(set_at, next_q)" : "next_q", place_of(c, "m_at_q").way);
  fprintf(f,
          "  wire [BODY_W-1:0]   gone_body = pick_body(gone_at, bodies);\n"
          "  wire [BODY_W-1:0]   hit_body  = pick_body(match, grown);\n"
          "  wire [BODY_W-1:0]   new_body  = {m_lid_q%s, m_count_q + {{RR_W-1{1'b0}}, !(&m_count_q)},\n"
          "                                   {RR_W-1{1'b0}}, 1'b1};\n",
          c->d.LAST_W ? ", m_lid_q" : "");
}

static void put_known(FILE *f, const struct hd_config *c) {
  const char *const last = c->d.LAST_W ? " u_last_q," : "";
  fprintf(f,
          "\n"
          "  // --- known: a pattern, to the table\n"
          "\n"
          "  wire [MTA-1:0] read_at = {MTA{reads}} & (ENTRY_0 << m_at_q);\n"
          "  wire           known   = asks && |(match & enough) || takes && full || |(read_at & valid_q);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst || clear)\n"
          "      u_valid_q <= 1'b0;\n"
          "    else\n"
          "      u_valid_q <= known;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (known && !clear)\n"
          "      {u_id_q,%s u_count_q, u_intra_q} <= hit ? hit_body : gone_body;\n"
          "\n"
          "  assign up_valid = u_valid_q;\n"
          "  assign up_id    = u_id_q;\n",
          last);
  if (c->d.LAST_W)
    fputs("  assign up_last  = u_last_q;\n", f);
  fputs("  assign up_count = u_count_q;\n"
        "  assign up_intra = u_intra_q;\n",
        f);
}

/* What a look leaves: words in registers, which know a hit from a miss early, or in the RAM, and remembered for
 * the look after it. */
static void put_written(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- written\n"
        "\n"
        "  wire [MTA_WAYS-1:0] grows = match & {MTA_WAYS{asks && !clear}};\n"
        "  wire [MTA_WAYS-1:0] comes = {MTA_WAYS{takes}} & victim_at & {MTA_WAYS{!clear}};\n",
        f);
  if (!rows(c)) {
    fputs("  generate\n"
          "    for (w = 0; w < MTA_WAYS; w = w + 1) begin : entry\n"
          "      always @(posedge clk)\n"
          "        if (comes[w])\n"
          "          word_q[w*MTA_W +: MTA_W] <= {tag, new_body};\n"
          "        else if (grows[w])\n"
          "          word_q[w*MTA_W +: BODY_W] <= grown[w*BODY_W +: BODY_W];\n"
          "    end\n"
          "  endgenerate\n",
          f);
    return;
  }
  fprintf(f,
          "\n"
          "  assign entry_we    = grows | comes;\n"
          "  assign entry_waddr = set;\n"
          "  assign entry_wdata = {tag, found ? hit_body : new_body};\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst || clear)\n"
          "      w_valid_q <= 1'b0;\n"
          "    else\n"
          "      w_valid_q <= hit || may;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if ((hit || may) && !clear) begin\n"
          "      w_set_q  <= set;\n"
          "%s"
          "      w_word_q <= entry_wdata;\n"
          "    end\n",
          c->d.MTA_WAYS > 1 ? "      w_way_q  <= found ? number(match) : number(victim_at);\n" : "");
}

/* Which entries are in use, and whose turn it is in each set. */
static void put_sets(FILE *f, const struct hd_config *c) {
  const bool many = c->d.MTA_WAYS > 1, wraps = c->d.MTA_WAYS & (c->d.MTA_WAYS - 1);
  fprintf(f,
          "\n"
          "  // --- sets\n"
          "\n"
          "%s"
          "  generate\n"
          "    for (s = 0; s < MTA_SETS; s = s + 1) begin : sets\n"
          "      wire [MTA_WAYS-1:0] goes = read_at[s*MTA_WAYS +: MTA_WAYS];\n"
          "      wire [MTA_WAYS-1:0] old  = valid_q[s*MTA_WAYS +: MTA_WAYS];\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst || clear)\n"
          "          valid_q[s*MTA_WAYS +: MTA_WAYS] <= {MTA_WAYS{1'b0}};\n"
          "        else\n"
          "          valid_q[s*MTA_WAYS +: MTA_WAYS] <= old & ~goes | %scomes;\n",
          wraps ? "  localparam WAY_LAST = MTA_WAYS - 1;\n" : "", rows(c) ? "{MTA_WAYS{set_at[s]}} & " : "");
  if (many)
    fprintf(f,
            "\n"
            "      wire [MTA_WAY_W-1:0] place = next_q[s*MTA_WAY_W +: MTA_WAY_W];\n"
            "\n"
            "      always @(posedge clk)\n"
            "        if (rst || clear)\n"
            "          next_q[s*MTA_WAY_W +: MTA_WAY_W] <= {MTA_WAY_W{1'b0}};\n"
            "        else if (takes && full%s)\n"
            "          next_q[s*MTA_WAY_W +: MTA_WAY_W] <= %splace + 1'b1;\n",
            rows(c) ? " && set_at[s]" : "",
            wraps ? "place == WAY_LAST[MTA_WAY_W-1:0] ? {MTA_WAY_W{1'b0}} : " : "");
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  fprintf(f,
          "\n"
          "  localparam BODY_W = MTA_W - MTA_TAG_W;\n"
          "  localparam [MTA-1:0] ENTRY_0 = 1;\n"
          "%s%s"
          "  genvar s, w;\n",
          rows(c) ? "  localparam [MTA_SETS-1:0] SET_0 = 1;\n" : "",
          c->d.MTA_WAYS > 1 ? "  localparam [MTA_WAYS-1:0] WAY_0 = 1;\n" : "");
  put_functions(f, c);
  put_monitor(f);
  put_take(f, c);
  put_words(f, c);
  put_match(f, c);
  put_ways(f, c);
  put_known(f, c);
  put_written(f, c);
  put_sets(f, c);
}

const struct hd_behaviour mta_rtl = {"mta", put,
                                     (const char *const[]){"apcm.manage", "apcm.entries", "apcm.ways", NULL}};
