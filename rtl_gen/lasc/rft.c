/* The reuse-frequency table, as Verilog. Spec: docs/mechanisms/rft.md.
 *
 * Every SM's queue offers its oldest update ahead of the question whose turn it is, and the choice is one-hot. An entry
 * of `bit` updates itself where it is; averages share adders.
 */
#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/fold.h"

static bool average(const struct hd_config *c) {
  return c->d.RFT_AVG;
}

/* How a place in a queue moves on when `moves`. */
static void put_place(FILE *f, const struct hd_config *c, const char *place, const char *moves) {
  fprintf(f,
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst || clear)\n"
          "          %s_q[s*UQ_W +: UQ_W] <= {UQ_W{1'b0}};\n"
          "        else if (%s)\n"
          "          %s_q[s*UQ_W +: UQ_W] <= ",
          place, moves, place);
  if (c->d.UQ & (c->d.UQ - 1))
    fprintf(f, "%s_q[s*UQ_W +: UQ_W] == UQ - 1 ? {UQ_W{1'b0}} : ", place);
  fprintf(f, "%s_q[s*UQ_W +: UQ_W] + 1'b1;\n", place);
}

static void put_queues(FILE *f, const struct hd_config *c) {
  const bool places = c->d.UQ > 1;
  fprintf(f,
          "\n"
          "  // --- the queues: an update that finds its own full is lost\n"
          "\n"
          "  wire [SHARERS-1:0]         full;\n"
          "  wire [SHARERS-1:0]         some;\n"
          "  wire [SHARERS-1:0]         served; // the SM whose oldest update is done\n"
          "  wire [SHARERS*RFT_W-1:0]   oldest_entry;\n"
          "  wire [SHARERS*REUSE_W-1:0] oldest_reuse;\n"
          "  generate\n"
          "    for (s = 0; s < SHARERS; s = s + 1) begin : queue\n"
          "      wire [RFT_W-1:0]   entry = entry_of(up_hpc[s*HPC_W +: HPC_W]);\n"
          "      wire [REUSE_W-1:0] reuse = %sup_count[s*RR_W +: RR_W];\n"
          "      wire [UQN_W-1:0]   count = q_count_q[s*UQN_W +: UQN_W];\n"
          "      wire               come  = up_valid[s] && !full[s];\n"
          "      assign full[s] = count == UQ;\n"
          "      assign some[s] = |count;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst || clear)\n"
          "          q_count_q[s*UQN_W +: UQN_W] <= {UQN_W{1'b0}};\n"
          "        else if (come ^ served[s])\n"
          "          q_count_q[s*UQN_W +: UQN_W] <= come ? count + 1'b1 : count - 1'b1;\n",
          average(c) ? "" : "|");
  if (places) {
    put_place(f, c, "q_tail", "come");
    put_place(f, c, "q_head", "served[s]");
  }
  fprintf(f,
          "\n"
          "      for (p = 0; p < UQ; p = p + 1) begin : waiting\n"
          "        always @(posedge clk)\n"
          "          if (come%s) begin\n"
          "            q_hpc_q[(s*UQ+p)*RFT_W +: RFT_W] <= entry;\n"
          "            q_reuse_q[(s*UQ+p)*REUSE_W +: REUSE_W] <= reuse;\n"
          "          end\n"
          "      end\n"
          "\n"
          "      wire [UQ*RFT_W-1:0]   entries = q_hpc_q[s*UQ*RFT_W +: UQ*RFT_W];\n"
          "      wire [UQ*REUSE_W-1:0] reuses  = q_reuse_q[s*UQ*REUSE_W +: UQ*REUSE_W];\n",
          places ? " && q_tail_q[s*UQ_W +: UQ_W] == p" : "");
  fputs(places ? "      wire [UQ_W-1:0]       head    = q_head_q[s*UQ_W +: UQ_W];\n"
                 "      assign oldest_entry[s*RFT_W +: RFT_W] = entries[head*RFT_W +: RFT_W];\n"
                 "      assign oldest_reuse[s*REUSE_W +: REUSE_W] = reuses[head*REUSE_W +: REUSE_W];\n"
               : "      assign oldest_entry[s*RFT_W +: RFT_W] = entries;\n"
                 "      assign oldest_reuse[s*REUSE_W +: REUSE_W] = reuses;\n",
        f);
  fputs("    end\n"
        "  endgenerate\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      lose_q <= {SHARERS{1'b0}};\n"
        "    else\n"
        "      lose_q <= up_valid & full & ~{SHARERS{clear}};\n"
        "  assign lost = lose_q;\n",
        f);
}

static void put_turn(FILE *f, const struct hd_config *c) {
  const bool many = c->d.SHARERS > 1;
  fputs("\n"
        "  // --- turn: one update a cycle\n"
        "\n",
        f);
  if (many)
    fputs("  // the first behind the one served last, else the first\n"
          "  wire [SHARERS-1:0] behind = some & ({SHARERS{1'b1}} << turn_q << 1);\n"
          "  assign served = |behind ? lowest(behind) : lowest(some);\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      turn_q <= SHARERS[SHARER_W-1:0] - 1'b1;\n"
          "    else if (|some)\n"
          "      turn_q <= number(served);\n",
          f);
  else
    fputs("  assign served = some;\n", f);
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      u_valid_q <= 1'b0;\n"
          "    else\n"
          "      u_valid_q <= |some && !clear;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (|some) begin\n"
          "      u_entry_q <= %s;\n"
          "      u_reuse_q <= %s;\n"
          "    end\n",
          many ? "pick_entry(served, oldest_entry)" : "oldest_entry",
          many ? "pick_reuse(served, oldest_reuse)" : "oldest_reuse");
}

static void put_average(FILE *f) {
  fputs("\n"
        "  // a few entries share an adder: behind a choice among all it would come too late\n"
        "  localparam PART   = RFT < 8 ? RFT : 8;\n"
        "  localparam PART_W = $clog2(PART);\n"
        "  wire [RFT-1:0]   high;\n"
        "  wire [AVG_W-1:0] value = {{1'b0, u_reuse_q} + 1'b1, 4'b0000};\n"
        "  generate\n"
        "    for (g = 0; g < RFT; g = g + PART) begin : part\n"
        "      // old + floor((value - old) / 2^FORGET), as one sum that is divided at its end\n"
        "      wire [PART_W-1:0]     place    = u_entry_q[PART_W-1:0];\n"
        "      wire [PART*AVG_W-1:0] averages = average_q[g*AVG_W +: PART*AVG_W];\n"
        "      wire [PART-1:0]       knowns   = known_q[g +: PART];\n"
        "      wire [AVG_W-1:0]      old      = averages[place*AVG_W +: AVG_W];\n"
        "      wire [BLEND_W-1:0]    blend    = {old, {FORGET{1'b0}}} - {{FORGET{1'b0}}, old} + "
        "{{FORGET{1'b0}}, value};\n"
        "      wire                  known    = knowns[place];\n"
        "      wire [AVG_W-1:0]      next     = known ? blend[FORGET +: AVG_W] : value;\n"
        "      assign high[g +: PART] = {PART{known ? {1'b0, blend} >= (THRESHOLD + 1) << FORGET\n"
        "                                           : {1'b0, value} > THRESHOLD}};\n"
        "\n"
        "      for (e = g; e < g + PART; e = e + 1) begin : entry\n"
        "        always @(posedge clk)\n"
        "          if (u_at[e])\n"
        "            average_q[e*AVG_W +: AVG_W] <= next;\n"
        "      end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      above_q <= {RFT{1'b0}};\n"
        "    else\n"
        "      above_q <= above_q & ~u_at | high & u_at;\n"
        "\n"
        "  assign bypass = known_q & ~above_q;\n",
        f);
}

static void put_update(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- update\n"
        "\n"
        "  wire [RFT-1:0] u_at = {RFT{u_valid_q}} & (ENTRY_0 << u_entry_q);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || clear)\n"
        "      known_q <= {RFT{1'b0}};\n"
        "    else\n"
        "      known_q <= known_q | u_at;\n",
        f);
  if (average(c))
    put_average(f);
  else
    fputs("\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      reused_q <= {RFT{1'b0}};\n"
          "    else\n"
          "      reused_q <= reused_q & (known_q | ~u_at) | {RFT{u_reuse_q}} & u_at;\n"
          "\n"
          "  assign bypass = known_q & ~reused_q;\n",
          f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  fputs("\n"
        "  localparam [RFT-1:0] ENTRY_0 = 1;\n",
        f);
  if (average(c))
    fputs("  localparam BLEND_W = AVG_W + FORGET;\n", f);
  fprintf(f, "  genvar s, p%s;\n", average(c) ? ", g, e" : "");
  hd_put_fold(f, "entry_of", "HPC_W", "RFT_W", 0);
  if (c->d.SHARERS > 1) {
    hd_put_lowest(f, "lowest", "SHARERS");
    hd_put_number(f, "number", "SHARERS", "SHARER_W");
    hd_put_pick(f, "pick_entry", "SHARERS", "RFT_W");
    hd_put_pick(f, "pick_reuse", "SHARERS", "REUSE_W");
  }
  put_queues(f, c);
  put_turn(f, c);
  put_update(f, c);
}

const struct hd_behaviour rft_rtl = {"rft", put, (const char *const[]){"rft.form", NULL}};
