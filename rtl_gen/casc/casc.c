/* Contention-aware selective caching, as Verilog: a divergent load is gathered in one of two banks, and leaves
 * from there. Spec: docs/mechanisms/casc.md.
 *
 * What the next module's ready says comes late: only the last gates of in_ready and read wait for it.
 */
#include "rtl_gen/l1d/l1d.h"

/* What all requests of a load have in common, kept once a bank. */
static const struct {
  const char *name, *width;
  size_t bits; /* in struct hd_derived */
} shared[] = {
    {"wid", "WID_W", offsetof(struct hd_derived, WID_W)},
    {"slot", "SLOT_W", offsetof(struct hd_derived, SLOT_W)},
    {"sig", "SIG_W", offsetof(struct hd_derived, SIG_W)},
    {"gid", "GID_W", offsetof(struct hd_derived, GID_W)},
    {"pc", "REQ_PC_W", offsetof(struct hd_derived, REQ_PC_W)},
    {"low", "LOW_W", offsetof(struct hd_derived, LOW_W)},
    {"hpc", "HPC_W", offsetof(struct hd_derived, HPC_W)},
    {"trk", "1", offsetof(struct hd_derived, APCM)},
    {"lid", "LID_W", offsetof(struct hd_derived, LID_W)},
    {"pe", "PE_W", offsetof(struct hd_derived, PE_W)},
};

/* One line of text for each of them that is there, with `name` and `width` in the places of @ and #. */
static void put_shared(FILE *f, const struct hd_config *c, const char *line) {
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
    for (const char *p = line; *(const unsigned *)((const char *)&c->d + shared[i].bits) && *p; p++)
      if (*p == '@' || *p == '#')
        fputs(*p == '@' ? shared[i].name : shared[i].width, f);
      else
        fputc(*p, f);
}

static void put_gather(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- in: a request is gathered, or passes if nothing is\n"
        "\n"
        "  wire first = in_num == {LANE_W{1'b0}};\n"
        "  wire mine  = in_valid && !in_write && in_many && (first ? en : mid_q);\n"
        "  wire room  = fill_q ? !full_q[1] : !full_q[0];\n"
        "  wire take  = mine && room;\n"
        "  wire idle  = !o_valid_q && !(|full_q) && !mid_q;\n"
        "\n"
        "  assign in_ready = mine ? room : idle && out_ready;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst) begin\n"
        "      fill_q <= 1'b0;\n"
        "      mid_q  <= 1'b0;\n"
        "    end else if (take) begin\n"
        "      fill_q <= fill_q ^ in_last;\n"
        "      mid_q  <= !in_last;\n"
        "    end\n"
        "\n"
        "  assign lines_we    = take;\n"
        "  assign lines_wdata = in_line;\n"
        "\n"
        "  wire leaves = o_valid_q && out_ready && o_last_q; // the last of its load\n"
        "  generate\n"
        "    for (b = 0; b < 2; b = b + 1) begin : bank\n"
        "      wire here = take && fill_q == b;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          full_q[b] <= 1'b0;\n"
        "        else\n"
        "          full_q[b] <= here && in_last || full_q[b] && !(leaves && o_bank_q == b);\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (here)\n"
        "          b_count_q[b*(LANE_W+1) +: LANE_W+1] <= {1'b0, in_num} + 1'b1;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (here && first) begin\n",
        f);
  put_shared(f, c, "          b_@_q[b*# +: #] <= in_@;\n");
  fputs("        end\n"
        "\n"
        "      assign held[b*WARPS +: WARPS] = {WARPS{full_q[b] || mid_q && fill_q == b}} &\n"
        "                                      (WARP_0 << b_wid_q[b*WID_W +: WID_W]);\n"
        "    end\n"
        "  endgenerate\n"
        "  assign busy = held[0 +: WARPS] | held[WARPS +: WARPS];\n",
        f);
}

/* For each request gathered, how many of its load come to its set after it. */
static void put_later(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // --- sets: every request counts for those before it in its own\n"
      "\n"
      "  wire [SET_W-1:0] in_set = %s;\n"
      "  wire [LANES-1:0] in_at  = LANE_0 << in_num;\n"
      "  wire [LANES-2:0] prior  = ~({LANES-1{1'b1}} << in_num);\n"
      "  wire [LANES-1:0] again; // it came before, to the same set\n"
      "  wire [2*LANES-1:0] crowded; // as many later ones as ways: those drive it out\n"
      "  assign again[LANES-1] = 1'b0;\n"
      "  generate\n"
      "    for (j = 0; j < LANES - 1; j = j + 1) begin : sets\n"
      "      always @(posedge clk)\n"
      "        if (take && in_at[j])\n"
      "          set_q[j*SET_W +: SET_W] <= in_set;\n"
      "      assign again[j] = prior[j] && set_q[j*SET_W +: SET_W] == in_set;\n"
      "    end\n"
      "\n"
      "    for (j = 0; j < LANES; j = j + 1) begin : request\n"
      "      for (b = 0; b < 2; b = b + 1) begin : bank\n"
      "        localparam AT = (b * LANES + j) * LATER_W;\n"
      "        assign crowded[b*LANES+j] = later_q[AT +: LATER_W] == WAYS;\n"
      "\n"
      "        always @(posedge clk)\n"
      "          if (take && fill_q == b && (in_at[j] || again[j] && !crowded[b*LANES+j]))\n"
      "            later_q[AT +: LATER_W] <= in_at[j] ? {LATER_W{1'b0}} : later_q[AT +: LATER_W] + 1'b1;\n"
      "      end\n"
      "    end\n"
      "  endgenerate\n",
      hd_l1d_set_of(c, "in_line").text);
}

/* Whether request next_q of the bank read is to bypass. A load with no more requests than ways never fulfils any
 * but the first: no request of it has that many before it, or behind it. */
static const char *bypass_of(const struct hd_config *c) {
  switch (c->casc.scheme) {
  case HD_CASC_OFF:
    break;
  case HD_CASC_ALL:
    return "count > WAYS";
  case HD_CASC_FIRST:
    return "next_q >= WAYS";
  case HD_CASC_LAST:
    return "{1'b0, next_q} + WAYS[LANE_W:0] < count";
  case HD_CASC_PER_SET:
  case HD_CASC_LOCALITY:
    return "drain_q ? crowded[LANES+next_q] : crowded[{1'b0, next_q}]";
  }
  return NULL;
}

static void put_read(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- out: a bank that is full is read, one request a cycle\n"
          "\n"
          "  wire            ready = drain_q ? full_q[1] : full_q[0];\n"
          "  wire            read  = ready && (!o_valid_q || out_ready);\n"
          "  wire [LANE_W:0] count = b_count_q[drain_q*(LANE_W+1) +: LANE_W+1];\n"
          "  wire [LANE_W:0] after = {1'b0, next_q} + 1'b1;\n"
          "  wire            last  = after == count;\n"
          "  wire            byp   = %s;\n",
          bypass_of(c));
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst) begin\n"
          "      drain_q <= 1'b0;\n"
          "      next_q  <= {LANE_W{1'b0}};\n"
          "    end else if (read) begin\n"
          "      drain_q <= drain_q ^ last;\n"
          "      next_q  <= last ? {LANE_W{1'b0}} : after[LANE_W-1:0];\n"
          "    end\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      o_valid_q <= 1'b0;\n"
          "    else if (!o_valid_q || out_ready)\n"
          "      o_valid_q <= ready;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (read) begin\n"
          "      o_bank_q <= drain_q;\n"
          "      o_num_q  <= next_q;\n"
          "      o_last_q <= last;\n"
          "      o_byp_q  <= byp;\n"
          "%s"
          "    end\n"
          "\n"
          "  assign lines_re = read;\n",
          c->d.LOC ? "      o_loc_q  <= count > WAYS && !byp;\n" : "");
  if (c->d.LANES & (c->d.LANES - 1))
    fputs(
        "  assign lines_waddr = (fill_q ? LANES[LINES_ADDR_W-1:0] : {LINES_ADDR_W{1'b0}}) + {1'b0, in_num};\n"
        "  assign lines_raddr = (drain_q ? LANES[LINES_ADDR_W-1:0] : {LINES_ADDR_W{1'b0}}) + {1'b0, "
        "next_q};\n",
        f);
  else
    fputs("  assign lines_waddr = {fill_q, in_num};\n"
          "  assign lines_raddr = {drain_q, next_q};\n",
          f);
}

static void put_output(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  assign out_valid = o_valid_q || idle && in_valid && !mine;\n"
        "  assign out_line  = o_valid_q ? lines_rdata : in_line;\n"
        "  assign out_write = !o_valid_q && in_write;\n"
        "  assign out_num   = o_valid_q ? o_num_q : in_num;\n"
        "  assign out_last  = o_valid_q ? o_last_q : in_last;\n",
        f);
  put_shared(f, c, "  assign out_@ = o_valid_q ? b_@_q[o_bank_q*# +: #] : in_@;\n");
  fputs("  assign out_byp = o_valid_q && o_byp_q;\n", f);
  if (c->d.LOC)
    fputs("  assign out_loc = o_valid_q && o_loc_q;\n", f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  const bool sets = c->d.LATER_W;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n",
        f);
  if (sets)
    fputs("  localparam [LANES-1:0] LANE_0 = 1;\n", f);
  fprintf(f,
          "  genvar b%s;\n"
          "  wire [2*WARPS-1:0] held; // warps that have requests in each bank\n",
          sets ? ", j" : "");
  put_gather(f, c);
  if (sets)
    put_later(f, c);
  put_read(f, c);
  put_output(f, c);
}

const struct hd_behaviour casc_rtl = {"casc", put,
                                      (const char *const[]){"casc.scheme", "l1d.set_index", NULL}};
