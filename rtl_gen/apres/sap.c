/* The stride prefetchers, as Verilog. Spec: docs/mechanisms/sap.md.
 *
 * One event is worked on at a time, a phase after the other; every register says in which phases it changes.
 * Entries of the table are one-hot, warps a set of bits or a number that is counted up.
 */
#include "rtl_gen/emit/emit.h"

static void put_queue(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // --- demand request queue; what it has given stays at its output: the event that is worked on\n"
      "\n"
      "  localparam DRQ_LAST = DRQ - 1;\n"
      "  wire push = ev_valid && en && drq_count_q != DRQ;\n"
      "  wire pop  = idle && |drq_count_q;\n"
      "\n"
      "  assign drq_we    = push;\n"
      "  assign drq_waddr = drq_tail_q;\n"
      "  assign drq_wdata = %s;\n"
      "  assign drq_re    = pop;\n"
      "  assign drq_raddr = drq_head_q;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      drq_tail_q <= {DRQ_W{1'b0}};\n"
      "    else if (push)\n"
      "      drq_tail_q <= drq_tail_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_tail_q + 1'b1;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      drq_head_q <= {DRQ_W{1'b0}};\n"
      "    else if (pop)\n"
      "      drq_head_q <= drq_head_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_head_q + 1'b1;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      drq_count_q <= {DRQN_W{1'b0}};\n"
      "    else if (push && !pop)\n"
      "      drq_count_q <= drq_count_q + 1'b1;\n"
      "    else if (pop && !push)\n"
      "      drq_count_q <= drq_count_q - 1'b1;\n"
      "\n"
      "  wire [WID_W-1:0]  e_wid;\n"
      "  wire [PC_W-1:0]   e_pc;\n"
      "  wire [ADDR_W-1:0] e_addr;\n"
      "%s"
      "  assign %s = drq_rdata;\n",
      hd_fields_of(c, "load_event", "ev_", "").text, c->d.GROUPED ? "  wire [WARPS-1:0]  e_group;\n" : "",
      hd_fields_of(c, "load_event", "e_", "").text);
}

/* The entry that a new load gets, and how recently each was used. */
static void put_recency(FILE *f) {
  fputs("  wire [PT-1:0]    free_at = lowest_entry(~pt_valid_q);\n"
        "  wire [PT*PT-1:0] older; // bit e*PT + j = entry e gives way before entry j\n"
        "  wire [PT-1:0]    oldest_at;\n"
        "  wire [PT_W-1:0]  now_after, now_before;\n"
        "  generate\n"
        "    for (e = 0; e < PT; e = e + 1) begin : age\n"
        "      assign older[e*PT + e] = 1'b1;\n"
        "      for (j = e + 1; j < PT; j = j + 1) begin : pair\n"
        "        localparam PAIR = e*(2*PT-e-1)/2 + j-e-1;\n"
        "        assign older[e*PT + j]  = !pt_lru_q[PAIR];\n"
        "        assign older[j*PT + e]  = pt_lru_q[PAIR];\n"
        "        assign now_after[PAIR]  = written[e];\n"
        "        assign now_before[PAIR] = written[j];\n"
        "      end\n"
        "      assign oldest_at[e] = &older[e*PT +: PT];\n"
        "    end\n"
        "  endgenerate\n"
        "  assign new_at = |free_at ? free_at : oldest_at;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      pt_lru_q <= {PT_W{1'b0}};\n"
        "    else\n"
        "      pt_lru_q <= pt_lru_q & ~now_before | now_after;\n",
        f);
}

static void put_table(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- prefetch table: look the load up, take or update its entry\n"
        "\n"
        "  wire [PT-1:0] pc_eq;\n"
        "  wire          known = |at_q;\n"
        "  wire          learn = select && !known;\n"
        "  wire [PT-1:0] new_at;\n"
        "  wire [PT-1:0] taken   = {PT{learn}} & new_at;\n"
        "  wire [PT-1:0] written = taken | {PT{differ}} & at_q;\n"
        "  wire [PT-1:0] stored  = {PT{store}} & at_q;\n"
        "  wire          exact   = !(|r_q);\n"
        "  wire [STRIDE_W-1:0] quotient = {1'b0, dq_q};\n"
        "  wire [STRIDE_W-1:0] stride   = d_q[STRIDE_W-1] ^ n_q[WID_W] ? -quotient : quotient;\n"
        "\n",
        f);
  if (c->d.PT > 1)
    put_recency(f);
  else
    fputs("  assign new_at = 1'b1; // the only entry\n", f);
  fputs("\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      pt_valid_q <= {PT{1'b0}};\n"
        "    else\n"
        "      pt_valid_q <= pt_valid_q | taken;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    pt_known_q <= pt_known_q & ~taken & ~stored | stored & {PT{exact}};\n"
        "\n"
        "  generate\n"
        "    for (e = 0; e < PT; e = e + 1) begin : entry\n"
        "      assign pc_eq[e] = pt_valid_q[e] && pt_pc_q[e*PC_W +: PC_W] == e_pc;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (taken[e])\n"
        "          pt_pc_q[e*PC_W +: PC_W] <= e_pc;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (written[e]) begin\n"
        "          pt_wid_q[e*WID_W +: WID_W]    <= e_wid;\n"
        "          pt_addr_q[e*ADDR_W +: ADDR_W] <= e_addr;\n"
        "        end\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (stored[e] && exact)\n"
        "          pt_stride_q[e*STRIDE_W +: STRIDE_W] <= stride;\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (look)\n"
        "      at_q <= pc_eq;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (select) begin\n"
        "      old_known_q <= |(at_q & pt_known_q);\n"
        "      old_wid_q   <= wid_at(at_q, pt_wid_q);\n"
        "      old_addr_q  <= addr_at(at_q, pt_addr_q);\n"
        "      s_q         <= stride_at(at_q, pt_stride_q);\n"
        "    end\n",
        f);
}

/* Whom to prefetch for, and what lies between the event and the one before it. */
static void put_members(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- the warps to prefetch for\n"
        "\n",
        f);
  if (c->prefetch.kind == HD_PF_STR)
    fprintf(f,
            "  wire [WARPS-1:0] members = %s << e_wid << 1;\n"
            "  localparam W_LAST = WARPS - 1;\n"
            "  wire [WID_W-1:0] v_first = e_wid == W_LAST[WID_W-1:0] ? {WID_W{1'b0}} : e_wid + 1'b1;\n",
            c->d.DEGREE < c->d.WARPS ? "~({WARPS{1'b1}} << DEGREE)" : "{WARPS{1'b1}}");
  else if (c->d.GROUPED)
    fputs("  wire [WARPS-1:0] members = e_group & ~(WARP_0 << e_wid);\n"
          "  wire [WID_W-1:0] v_first = number_of_warp(lowest_warp(left_q));\n",
          f);
  else
    fputs("  wire [WARPS-1:0] members = ~(WARP_0 << e_wid);\n"
          "  wire [WID_W-1:0] v_first = {{WID_W-1{1'b0}}, !(|e_wid)};\n",
          f);
  fputs("  wire             give    = generating && (!pf_v_q || pf_ready);\n"
        "  wire             no_more = !(|left_q[WARPS-1:1]);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (look)\n"
        "      left_q <= members;\n"
        "    else if (differ)\n"
        "      left_q <= left_q >> v_q;\n"
        "    else if (give)\n"
        "      left_q <= left_q >> 1;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (select)\n"
        "      v_q <= v_first;\n"
        "    else if (give)\n"
        "      v_q <= v_q + 1'b1;\n",
        f);
}

static void put_multiply(FILE *f, const struct hd_config *c) {
  const bool iterative = c->prefetch.divider == HD_DIV_ITERATIVE;
  fprintf(
      f,
      "\n"
      "  // --- differ, multiply: n strides, and the address of warp v; a bit of n and m a cycle, the sign "
      "last\n"
      "\n"
      "  wire [WID_W:0]   step_at = STEP_0 << k_q;\n"
      "  wire             last    = step_at[WID_W];\n"
      "  wire [SUM_W-1:0] term    = x_q ^ {SUM_W{last}};\n"
      "  wire [SUM_W-1:0] minus   = {{SUM_W-1{1'b0}}, last};\n"
      "  wire [SUM_W-1:0] s_wide  = {{SUM_W-STRIDE_W{s_q[STRIDE_W-1]}}, s_q};\n"
      "  wire [SUM_W-1:0] p_next  = p_q + term + minus;\n"
      "  wire [SUM_W-1:0] g_next  = g_q + term + minus;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (differ) begin\n"
      "      d_q <= {1'b0, e_addr} - {1'b0, old_addr_q};\n"
      "      n_q <= {1'b0, e_wid} - {1'b0, old_wid_q};\n"
      "      m_q <= {1'b0, v_q} - {1'b0, e_wid};\n"
      "    end\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (differ)\n"
      "      x_q <= s_wide;\n"
      "    else if (multiply)\n"
      "      x_q <= x_q << 1;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (differ)\n"
      "      p_q <= {SUM_W{1'b0}};\n"
      "    else if (multiply && |(n_q & step_at))\n"
      "      p_q <= p_next;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (differ)\n"
      "      g_q <= {{SUM_W-ADDR_W{1'b0}}, e_addr};\n"
      "    else if (multiply && |(m_q & step_at))\n"
      "      g_q <= g_next;\n"
      "    else if (give)\n"
      "      g_q <= g_q + s_wide;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (differ || match && !same)\n"
      "      k_q <= {STEP_W{1'b0}};\n"
      "    else if (multiply%s)\n"
      "      k_q <= k_q + 1'b1;\n",
      iterative ? " || divide" : "");
}

static void put_divide(FILE *f, const struct hd_config *c) {
  const bool iterative = c->prefetch.divider == HD_DIV_ITERATIVE;
  fputs("\n"
        "  // --- divide: a bit of the quotient comes for a bit of the dividend\n"
        "\n",
        f);
  if (iterative)
    fputs("  wire              bit_next;\n"
          "  wire [WID_W-1:0]  r_next;\n"
          "  wire [ADDR_W-1:0] dq_next = {dq_q[ADDR_W-2:0], bit_next};\n"
          "  assign {bit_next, r_next} = divide_step({r_q, dq_q[ADDR_W-1]}, dn_q);\n",
          f);
  else
    fputs("  wire [WID_W-1:0]  r_next;\n"
          "  wire [ADDR_W-1:0] dq_next;\n"
          "  assign {dq_next, r_next} = divided(dq_q, dn_q);\n",
          f);
  fputs("\n"
        "  always @(posedge clk)\n"
        "    if (match && !same) begin\n"
        "      dq_q <= d_q[STRIDE_W-1] ? -d_q[ADDR_W-1:0] : d_q[ADDR_W-1:0];\n"
        "      dn_q <= n_q[WID_W] ? -n_q[WID_W-1:0] : n_q[WID_W-1:0];\n"
        "      r_q  <= {WID_W{1'b0}};\n"
        "    end else if (divide) begin\n"
        "      dq_q <= dq_next;\n"
        "      r_q  <= r_next;\n"
        "    end\n",
        f);
}

static void put_generate(FILE *f, const struct hd_config *c) {
  const uint64_t top = (UINT64_C(1) << c->d.PAGE_W) - 1;
  const bool from = c->prefetch.first_page > 0, to = c->prefetch.last_page < top;
  fputs("\n"
        "  // --- generate: an address that is there\n"
        "\n",
        f);
  if (from || to)
    fputs("  wire [PAGE_W-1:0] page = g_q[ADDR_W-1:16];\n", f);
  fputs("  wire legal = !(|g_q[SUM_W-1:ADDR_W])", f);
  if (from)
    fprintf(f, " && page >= %u'd%u", c->d.PAGE_W, c->prefetch.first_page);
  if (to)
    fprintf(f, " && page <= %u'd%u", c->d.PAGE_W, c->prefetch.last_page);
  fprintf(f,
          ";\n"
          "  wire offer = give && left_q[0] && legal;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      pf_v_q <= 1'b0;\n"
          "    else if (!pf_v_q || pf_ready)\n"
          "      pf_v_q <= offer;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (offer) begin\n"
          "      pf_l_q <= g_q[ADDR_W-1:OFFSET_W];\n"
          "%s"
          "    end\n"
          "\n"
          "  assign pf_valid = pf_v_q;\n"
          "  assign pf_line  = pf_l_q;\n"
          "%s",
          c->d.GROUPED ? "      pf_w_q <= v_q;\n" : "", c->d.GROUPED ? "  assign pf_wid   = pf_w_q;\n" : "");
}

static void put_phases(FILE *f, const struct hd_config *c) {
  const bool iterative = c->prefetch.divider == HD_DIV_ITERATIVE;
  fprintf(f,
          "\n"
          "  // --- phases\n"
          "\n"
          "%s"
          "  assign same = old_known_q && p_q == {{SUM_W-STRIDE_W{d_q[STRIDE_W-1]}}, d_q};\n"
          "\n"
          "  // an event is done with ahead of the last phase, or goes on to the next one, or stays\n"
          "  wire over = learn || differ && old_wid_q == e_wid || match && same && !(|left_q) || store ||\n"
          "              give && no_more;\n"
          "  wire on   = pop || look || select || differ || multiply && last || match || %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst || over)\n"
          "      phase_q <= IDLE;\n"
          "    else if (match && same)\n"
          "      phase_q <= GENERATE;\n"
          "    else if (on)\n"
          "      phase_q <= phase_q + 1'b1;\n",
          iterative ? "  localparam K_LAST = ADDR_W - 1;\n" : "",
          iterative ? "divide && k_q == K_LAST[STEP_W-1:0]" : "divide");
}

static void put_functions(FILE *f, const struct hd_config *c) {
  if (c->d.PT > 1)
    hd_put_lowest(f, "lowest_entry", "PT");
  hd_put_pick(f, "wid_at", "PT", "WID_W");
  hd_put_pick(f, "addr_at", "PT", "ADDR_W");
  hd_put_pick(f, "stride_at", "PT", "STRIDE_W");
  if (c->d.GROUPED) {
    hd_put_lowest(f, "lowest_warp", "WARPS");
    hd_put_number(f, "number_of_warp", "WARPS", "WID_W");
  }
  fputs("\n"
        "  // t divided by by, of which it is less than twice: the bit, then the remainder\n"
        "  function [WID_W:0] divide_step(input [WID_W:0] t, input [WID_W-1:0] by);\n"
        "    divide_step = t >= {1'b0, by} ? {1'b1, t[WID_W-1:0] - by} : {1'b0, t[WID_W-1:0]};\n"
        "  endfunction\n",
        f);
  if (c->prefetch.divider == HD_DIV_COMBINATIONAL)
    fputs("\n"
          "  // what divided by by: the quotient, then the remainder\n"
          "  function [ADDR_W+WID_W-1:0] divided(input [ADDR_W-1:0] what, input [WID_W-1:0] by);\n"
          "    integer i;\n"
          "    begin\n"
          "      divided = {what, {WID_W{1'b0}}};\n"
          "      for (i = ADDR_W - 1; i >= 0; i = i - 1)\n"
          "        {divided[WID_W + i], divided[WID_W-1:0]} =\n"
          "          divide_step({divided[WID_W-1:0], divided[WID_W + i]}, by);\n"
          "    end\n"
          "  endfunction\n",
          f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  fputs("\n"
        "  localparam [3:0] IDLE = 4'd0, LOOK = 4'd1, SELECT = 4'd2, DIFFER = 4'd3, MULTIPLY = 4'd4,\n"
        "                   MATCH = 4'd5, DIVIDE = 4'd6, STORE = 4'd7, GENERATE = 4'd8;\n"
        "  localparam [WID_W:0] STEP_0 = 1;\n",
        f);
  if (c->prefetch.kind == HD_PF_SAP)
    fputs("  localparam [WARPS-1:0] WARP_0 = 1;\n", f);
  fprintf(f, "  genvar e%s;\n", c->d.PT > 1 ? ", j" : "");
  put_functions(f, c);
  fputs("\n"
        "  wire [8:0] phase_at   = 9'd1 << phase_q;\n"
        "  wire       idle       = phase_at[IDLE];\n"
        "  wire       look       = phase_at[LOOK];\n"
        "  wire       select     = phase_at[SELECT];\n"
        "  wire       differ     = phase_at[DIFFER];\n"
        "  wire       multiply   = phase_at[MULTIPLY];\n"
        "  wire       match      = phase_at[MATCH];\n"
        "  wire       divide     = phase_at[DIVIDE];\n"
        "  wire       store      = phase_at[STORE];\n"
        "  wire       generating = phase_at[GENERATE];\n"
        "  wire       same; // the distance is as many strides as there are warps\n",
        f);
  put_queue(f, c);
  put_table(f, c);
  put_members(f, c);
  put_multiply(f, c);
  put_divide(f, c);
  put_generate(f, c);
  put_phases(f, c);
}

const struct hd_behaviour sap_rtl = {"sap", put,
                                     (const char *const[]){"prefetch.kind", "prefetch.divider", NULL}};
