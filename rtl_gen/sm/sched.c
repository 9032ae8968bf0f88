/* The warp schedulers, as Verilog. Spec: docs/mechanisms/sched.md.
 *
 * Warps and CTA slots are one-hot until the very end, where the picked warp gets its number. Where warps may be preferred,
 * a pick is made twice, among all that are ready and among those, and which of the two counts is the last thing asked.
 */
#include "rtl_gen/sm/sched.h"

const char *const hd_sched_sets[2] = {"", "_preferred"};

/* `ready`: the warps that may be picked; `prefers`: some go before others. */
static void put_mine(FILE *f, const char *ready, bool prefers) {
  fprintf(f,
          "\n"
          "  // --- the schedulers: each sees its own warps, by their places\n"
          "\n"
          "  generate\n"
          "    for (s = 0; s < SCHEDS; s = s + 1) begin : scheduler\n"
          "      wire [MEMBERS-1:0] mine;\n"
          "%s"
          "      for (m = 0; m < MEMBERS; m = m + 1) begin : warp\n"
          "        if (m * SCHEDS + s < WARPS) begin : there\n"
          "          assign mine[m] = %s[m*SCHEDS + s];\n"
          "%s"
          "        end else begin : none\n"
          "          assign mine[m] = 1'b0;\n"
          "%s"
          "        end\n"
          "      end\n"
          "%s"
          "      wire [MEMBER_W-1:0] last = last_q[s*MEMBER_W +: MEMBER_W];\n"
          "\n",
          prefers ? "      wire [MEMBERS-1:0] mine_preferred;\n" : "", ready,
          prefers ? "          assign mine_preferred[m] = mine[m] && prefer[m*SCHEDS + s];\n" : "",
          prefers ? "          assign mine_preferred[m] = 1'b0;\n" : "",
          prefers ? "      wire boost = |mine_preferred && boosting; // they go before the others\n" : "");
}

void hd_sched_put_mine(FILE *f, const struct hd_config *c) {
  put_mine(f, "ready", c->d.LOS);
}

void hd_sched_put_lrr(FILE *f, const char *at, const char *among) {
  fprintf(f,
          "      // the first ready warp behind the last one, else the first at all\n"
          "      wire [MEMBERS-1:0] behind%s  = mine%s & ({MEMBERS{1'b1}} << last << 1);\n"
          "      wire [MEMBERS-1:0] %s%s = |behind%s ? lowest(behind%s) : lowest(mine%s);\n",
          among, among, at, among, among, among, among);
}

void hd_sched_put_picked(FILE *f, const char *place, const char *preferred, const char *valid) {
  fprintf(f,
          "      wire [MEMBER_W-1:0] place = %s%s%s%s;\n"
          "      assign pick_valid[s] = %s;\n"
          "      assign pick_wid[s*WID_W + OWN_W +: MEMBER_W] = place;\n"
          "      for (b = 0; b < OWN_W; b = b + 1) begin : own\n"
          "        assign pick_wid[s*WID_W + b] = (s >> b) %% 2 == 1 && pick_valid[s];\n"
          "      end\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          last_q[s*MEMBER_W +: MEMBER_W] <= MEMBERS[MEMBER_W-1:0] - 1'b1;\n"
          "        else if (%s)\n"
          "          last_q[s*MEMBER_W +: MEMBER_W] <= place;\n"
          "    end\n"
          "  endgenerate\n",
          preferred ? "boost ? " : "", preferred ? preferred : "", preferred ? " : " : "", place, valid,
          valid);
}

static void put_gto(FILE *f, const char *among) {
  fprintf(f,
          "      // the last warp again, else the first ready one of the oldest CTA that has any\n"
          "      wire [MEMBERS-1:0]      stay_at%s = mine%s & {MEMBERS{ran_q[s]}} & (MEMBER_0 << last);\n"
          "      wire [CTAS-1:0]         competes%s;\n"
          "      wire [CTAS-1:0]         oldest%s;\n"
          "      wire [CTAS*MEMBERS-1:0] first_at%s;\n"
          "      for (c = 0; c < CTAS; c = c + 1) begin : cta%s\n"
          "        wire [MEMBERS-1:0] members;\n"
          "        for (m = 0; m < MEMBERS; m = m + 1) begin : member\n"
          "          if (m * SCHEDS + s < WARPS) begin : there\n"
          "            assign members[m] = mine%s[m] && cta_warps_q[c*WARPS + m*SCHEDS + s];\n"
          "          end else begin : none\n"
          "            assign members[m] = 1'b0;\n"
          "          end\n"
          "        end\n",
          among, among, among, among, among, among, among);
  fprintf(f,
          "        assign competes%s[c] = |members;\n"
          "        assign oldest%s[c]   = competes%s[c] && !(|(competes%s & elders[c*CTAS +: CTAS]));\n"
          "        assign first_at%s[c*MEMBERS +: MEMBERS] = lowest(members);\n"
          "      end\n"
          "      wire [MEMBERS-1:0] oldest_at%s = pick_members(oldest%s, first_at%s);\n"
          "      wire [MEMBERS-1:0] pick_at%s   = |stay_at%s ? stay_at%s : oldest_at%s;\n"
          "\n",
          among, among, among, among, among, among, among, among, among, among, among, among);
}

/* Whether a scheduler picks one. With two picks to choose from that comes from what is known before either is made. */
static const char *pick_is_there(bool gto, bool prefers) {
  if (!prefers)
    return "|pick_at";
  return gto ? "boost ? |{stay_at_preferred, competes_preferred} : |{stay_at, competes}" : "|mine";
}

/* A scheduler that has issued may stay with its warp. */
static void put_ran(FILE *f, const char *valid) {
  fprintf(f,
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          ran_q[s] <= 1'b0;\n"
          "        else if (%s)\n"
          "          ran_q[s] <= 1'b1;\n"
          "\n",
          valid);
}

/* Which CTA slot was launched before which. */
static void put_ages(FILE *f, bool pairs) {
  fputs(
      "\n"
      "  // --- ages: elders[c] = the slots launched before c. A bit for each pair: slots end in any order.\n"
      "\n"
      "  wire [CTAS*CTAS-1:0] elders;\n"
      "  wire [CTAS-1:0]      starts = {CTAS{launch_valid}} & (CTA_0 << launch_cta);\n"
      "  generate\n"
      "    for (c = 0; c < CTAS; c = c + 1) begin : slot\n"
      "      always @(posedge clk)\n"
      "        if (rst)\n"
      "          cta_warps_q[c*WARPS +: WARPS] <= {WARPS{1'b0}};\n"
      "        else if (starts[c])\n"
      "          cta_warps_q[c*WARPS +: WARPS] <= launch_warps;\n"
      "\n"
      "      assign elders[c*CTAS + c] = 1'b0;\n",
      f);
  if (pairs)
    fputs("      for (k = c + 1; k < CTAS; k = k + 1) begin : pair\n"
          "        localparam PAIR = c * (2 * CTAS - c - 1) / 2 + (k - c - 1);\n"
          "        assign elders[c*CTAS + k] = !older_q[PAIR];\n"
          "        assign elders[k*CTAS + c] = older_q[PAIR];\n"
          "\n"
          "        always @(posedge clk)\n"
          "          if (rst)\n"
          "            older_q[PAIR] <= 1'b0;\n"
          "          else if (starts[c] || starts[k])\n"
          "            older_q[PAIR] <= starts[k];\n"
          "      end\n",
          f);
  fputs("    end\n"
        "  endgenerate\n",
        f);
}

/* Which warps may issue. No more than LIMIT ever do, so that there is a place unless that many are active and all of
 * them stay: how many there are is known from registers, ahead of who stays. */
static void put_limit(FILE *f) {
  fputs(
      "\n"
      "  // how many 1s v has: sums of pairs, in log steps\n"
      "  localparam ONES_W = $clog2(MEMBERS + 1);\n"
      "  function [ONES_W-1:0] ones(input [MEMBERS-1:0] v);\n"
      "    reg [MEMBERS*ONES_W-1:0] sum;\n"
      "    integer i, step;\n"
      "    begin\n"
      "      for (i = 0; i < MEMBERS; i = i + 1)\n"
      "        sum[i*ONES_W +: ONES_W] = {{ONES_W-1{1'b0}}, v[i]};\n"
      "      for (step = 1; step < MEMBERS; step = step * 2)\n"
      "        for (i = 0; i + step < MEMBERS; i = i + 2 * step)\n"
      "          sum[i*ONES_W +: ONES_W] = sum[i*ONES_W +: ONES_W] + sum[(i+step)*ONES_W +: ONES_W];\n"
      "      ones = sum[0 +: ONES_W];\n"
      "    end\n"
      "  endfunction\n"
      "\n"
      "  // a bit for each warp, by schedulers and their places; and back\n"
      "  function [SCHEDS*MEMBERS-1:0] by_place(input [WARPS-1:0] v);\n"
      "    integer i;\n"
      "    begin\n"
      "      by_place = {SCHEDS*MEMBERS{1'b0}};\n"
      "      for (i = 0; i < WARPS; i = i + 1)\n"
      "        by_place[i%SCHEDS*MEMBERS + i/SCHEDS] = v[i];\n"
      "    end\n"
      "  endfunction\n"
      "  function [WARPS-1:0] by_warp(input [SCHEDS*MEMBERS-1:0] v);\n"
      "    integer i;\n"
      "    for (i = 0; i < WARPS; i = i + 1)\n"
      "      by_warp[i] = v[i%SCHEDS*MEMBERS + i/SCHEDS];\n"
      "  endfunction\n"
      "\n"
      "  // --- the static limit: who is active stays so while awake, then the first that is awake follows\n"
      "\n"
      "  wire [WARPS-1:0]          may    = ready & active_q;\n"
      "  wire [SCHEDS*MEMBERS-1:0] active = by_place(active_q);\n"
      "  wire [SCHEDS*MEMBERS-1:0] leaves = by_place(active_q & ~awake);\n"
      "  wire [SCHEDS*MEMBERS-1:0] wants  = by_place(awake & ~active_q);\n"
      "  wire [SCHEDS*MEMBERS-1:0] enters;\n"
      "  generate\n"
      "    for (s = 0; s < SCHEDS; s = s + 1) begin : limit\n"
      "      wire full = ones(active[s*MEMBERS +: MEMBERS]) >= LIMIT && !(|leaves[s*MEMBERS +: MEMBERS]);\n"
      "      assign enters[s*MEMBERS +: MEMBERS] = lowest(wants[s*MEMBERS +: MEMBERS]) & {MEMBERS{!full}};\n"
      "    end\n"
      "  endgenerate\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      active_q <= {WARPS{1'b0}};\n"
      "    else\n"
      "      active_q <= active_q & awake | by_warp(enters);\n",
      f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const bool gto = design->c->d.GTO, prefers = design->c->d.LOS;
  fputs("\n  localparam OWN_W = WID_W - MEMBER_W; // the low bits of a warp's id: its scheduler\n", f);
  if (gto)
    fprintf(f,
            "  localparam [MEMBERS-1:0] MEMBER_0 = 1;\n"
            "  localparam [CTAS-1:0]    CTA_0    = 1;\n"
            "  genvar s, m, b, c%s;\n",
            design->c->d.CTAS > 1 ? ", k" : "");
  else
    fputs("  genvar s, m, b;\n", f);
  hd_put_lowest(f, "lowest", "MEMBERS");
  hd_put_number(f, "number", "MEMBERS", "MEMBER_W");
  if (gto) {
    hd_put_pick(f, "pick_members", "CTAS", "MEMBERS");
    put_ages(f, design->c->d.CTAS > 1);
  }
  if (design->c->d.SWL)
    put_limit(f);
  put_mine(f, design->c->d.SWL ? "may" : "ready", prefers);
  for (unsigned set = 0; set <= prefers; set++)
    if (gto)
      put_gto(f, hd_sched_sets[set]);
    else
      hd_sched_put_lrr(f, "pick_at", hd_sched_sets[set]);
  const char *valid = pick_is_there(gto, prefers);
  if (gto)
    put_ran(f, valid);
  hd_sched_put_picked(f, "number(pick_at)", prefers ? "number(pick_at_preferred)" : NULL, valid);
}

const struct hd_behaviour sched_rtl = {"sched", put, (const char *const[]){"scheduler.policy", NULL}};
