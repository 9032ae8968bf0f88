/* Memory request scheduling, as Verilog: the units that choose among the heads of the queues, and the judge of
 * what their probes say. The queues and the output are in memsched_queues.c. Spec: docs/mechanisms/memsched.md.
 *
 * Queues are numbers in registers and one-hot everywhere else: names in _at have a bit for each queue, and what
 * is a unit's own has a bit for each of its rows, where row r of unit u is queue r*UNITS + u. What is asked of a
 * queue is answered for each where it is, ahead of the question which queue is meant.
 */
#include "rtl_gen/memsched/memsched.h"

/* In unit u: which of its heads it tries next. */
static void put_choose(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "      // the heads that are there and not being tried\n"
        "      wire [ROWS-1:0] may;\n",
        f);
  if (c->d.POINTED)
    fputs("      // the first of them behind the last one, else the first at all\n"
          "      wire [ROWS-1:0] behind = may & ({ROWS{1'b1}} << g0_row_q[u*ROW_W +: ROW_W] << 1);\n"
          "      wire [ROWS-1:0] at     = |behind ? lowest(behind) : lowest(may);\n",
          f);
  else
    fputs("      wire [ROWS-1:0] at = lowest(may);\n", f);
  fputs("\n"
        "      always @(posedge clk)\n"
        "        if (rst) begin\n"
        "          g0_valid_q[u] <= 1'b0;\n"
        "          g0_row_q[u*ROW_W +: ROW_W] <= {ROW_W{1'b0}};\n"
        "        end else if (choose_free) begin\n"
        "          g0_valid_q[u] <= |may;\n"
        "          if (|may)\n"
        "            g0_row_q[u*ROW_W +: ROW_W] <= number(at);\n"
        "        end\n",
        f);
}

/* In unit u, with probes: its line to the tags, and its member of the group that is judged. */
static void put_probe(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "      // its head's line probes the tags\n"
        "      wire [ROWS-1:0]        probed = ROW_0 << g0_row_q[u*ROW_W +: ROW_W];\n"
        "      wire [ROWS*LINE_W-1:0] lines;\n"
        "      assign pr_line[u*LINE_W +: LINE_W] = pick_line(probed, lines);\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst) begin\n"
        "          g1_valid_q[u] <= 1'b0;\n"
        "          g2_valid_q[u] <= 1'b0;\n"
        "        end else begin\n"
        "          g1_valid_q[u] <= g0_valid_q[u];\n"
        "          g2_valid_q[u] <= g1_valid_q[u];\n"
        "        end\n"
        "\n"
        "      always @(posedge clk) begin\n"
        "        g1_row_q[u*ROW_W +: ROW_W] <= g0_row_q[u*ROW_W +: ROW_W];\n"
        "        g2_row_q[u*ROW_W +: ROW_W] <= g1_row_q[u*ROW_W +: ROW_W];\n"
        "      end\n"
        "\n"
        "      // the tags have answered: the head, should it be the one\n"
        "      wire [ROWS-1:0] judged = ROW_0 << g2_row_q[u*ROW_W +: ROW_W];\n"
        "      assign member_wid[u*WID_W +: WID_W] = g2_row_q[u*ROW_W +: ROW_W] * UNITS + u;\n"
        "      assign member[u*FIFO_WORD_W +: FIFO_WORD_W] = pick_head(judged, mine);\n",
        f);
  if (c->d.CASC)
    fputs("      wire [ROWS-1:0] byps;\n"
          "      assign bypasses[u] = |(judged & byps);\n",
          f);
}

static void put_row(FILE *f, const struct hd_config *c) {
  const bool probes = c->d.PROBES, bypasses = probes && c->d.CASC;
  fputs("\n"
        "      for (r = 0; r < ROWS; r = r + 1) begin : row\n"
        "        if (r * UNITS + u < WARPS) begin : there\n"
        "          assign may[r] = h_valid_q[r*UNITS + u] && !tried_q[r*UNITS + u];\n"
        "          assign mine[r*FIFO_WORD_W +: FIFO_WORD_W] =\n"
        "            heads[(r*UNITS + u)*FIFO_WORD_W +: FIFO_WORD_W];\n"
        "          assign chosen_at[r*UNITS + u] = choose_free && at[r];\n",
        f);
  if (probes)
    fputs("          assign lines[r*LINE_W +: LINE_W] = h_line_q[(r*UNITS + u)*LINE_W +: LINE_W];\n"
          "          assign passed_at[r*UNITS + u] = judged[r] && passes[u];\n",
          f);
  else
    fputs("          assign passed_at[r*UNITS + u] = 1'b0;\n", f);
  if (bypasses)
    fputs("          assign byps[r] = h_byp_q[r*UNITS + u];\n", f);
  fputs("        end else begin : none\n"
        "          assign may[r] = 1'b0;\n"
        "          assign mine[r*FIFO_WORD_W +: FIFO_WORD_W] = {FIFO_WORD_W{1'b0}};\n",
        f);
  if (probes)
    fputs("          assign lines[r*LINE_W +: LINE_W] = {LINE_W{1'b0}};\n", f);
  if (bypasses)
    fputs("          assign byps[r] = 1'b0;\n", f);
  fputs("        end\n"
        "      end\n",
        f);
}

static void put_units(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- the units: unit u chooses among the queues u, u + UNITS, ...\n"
        "\n"
        "  generate\n"
        "    for (u = 0; u < UNITS; u = u + 1) begin : unit\n"
        "      wire [ROWS*FIFO_WORD_W-1:0] mine;\n",
        f);
  put_choose(f, c);
  if (c->d.PROBES)
    put_probe(f, c);
  put_row(f, c);
  if (!c->d.PROBES)
    fputs("      assign sent = pick_head(ROW_0 << g0_row_q, mine);\n", f);
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

/* Without probes what is chosen is sent. */
static void put_straight(FILE *f) {
  fputs("\n"
        "  // --- choose, and send\n"
        "\n"
        "  wire send        = g0_valid_q && o_ok;\n"
        "  wire choose_free = !g0_valid_q || send;\n"
        "  wire [FIFO_WORD_W-1:0] sent;\n"
        "  wire [WID_W-1:0]       sent_wid = g0_row_q;\n",
        f);
}

/* Of a group that has been probed, one is sent. */
static void put_judge(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- judge: of the group that the tags have answered the first that hits, else the first that "
          "could be sent\n"
          "\n"
          "  wire choose_free = 1'b1;\n"
          "%s"
          "  wire [PROBES-1:0] hits     = g2_valid_q & pr_hit;\n"
          "  wire [PROBES-1:0] cans     = g2_valid_q & %s;\n"
          "  wire [PROBES-1:0] in_turn  = {PROBES{1'b1}} << turn_q; // those that come first\n"
          "  wire [PROBES-1:0] hit_turn = hits & in_turn;\n"
          "  wire [PROBES-1:0] can_turn = cans & in_turn;\n"
          "  wire [PROBES-1:0] hit_at   = |hit_turn ? lowest_unit(hit_turn) : lowest_unit(hits);\n"
          "  wire [PROBES-1:0] can_at   = |can_turn ? lowest_unit(can_turn) : lowest_unit(cans);\n"
          "  wire [PROBES-1:0] best_at  = |hits ? hit_at : can_at;\n"
          "  wire [PROBES-1:0] passes   = g2_valid_q & ~(best_at & {PROBES{o_ok}});\n"
          "\n"
          "  wire send = o_ok && (|hits || |cans);\n"
          "  wire [PROBES*FIFO_WORD_W-1:0] member;\n"
          "  wire [PROBES*WID_W-1:0]       member_wid;\n"
          "  wire [FIFO_WORD_W-1:0]        sent     = pick_member(best_at, member);\n"
          "  wire [WID_W-1:0]              sent_wid = pick_number(best_at, member_wid);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      turn_q <= {TURN_W{1'b0}};\n"
          "    else if (|g2_valid_q)\n"
          "      turn_q <= %s;\n",
          c->d.CASC ? "  wire [PROBES-1:0] bypasses;\n" : "", c->d.CASC ? "(pr_can | bypasses)" : "pr_can",
          (c->d.PROBES & (c->d.PROBES - 1)) == 0 ? "turn_q + 1'b1"
                                                 : "turn_q == PROBES - 1 ? {TURN_W{1'b0}} : turn_q + 1'b1");
}

static void put_functions(FILE *f, const struct hd_config *c) {
  hd_put_lowest(f, "lowest", "ROWS");
  hd_put_number(f, "number", "ROWS", "ROW_W");
  hd_put_pick(f, "pick_head", "ROWS", "FIFO_WORD_W");
  if (c->d.PROBES) {
    hd_put_lowest(f, "lowest_unit", "PROBES");
    hd_put_pick(f, "pick_line", "ROWS", "LINE_W");
    hd_put_pick(f, "pick_member", "PROBES", "FIFO_WORD_W");
    hd_put_pick(f, "pick_number", "PROBES", "WID_W");
  }
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  const struct hd_config *c = design->c;
  (void)decl;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  localparam [ROWS-1:0]  ROW_0  = 1;\n"
        "  genvar w, u, r;\n",
        f);
  put_functions(f, c);
  hd_memsched_put_look(f, c);
  hd_memsched_put_input(f, c);
  hd_memsched_put_fifo(f, c);
  hd_memsched_put_queues(f, c);
  if (c->d.PROBES)
    put_judge(f, c);
  else
    put_straight(f);
  put_units(f, c);
  hd_memsched_put_output(f, c);
}

const struct hd_behaviour memsched_rtl = {"memsched", put,
                                          (const char *const[]){"request_buffer.drain", NULL}};
