/* The warp schedulers, as Verilog. Spec: docs/mechanisms/sched.md.
 *
 * Warps and CTA slots are one-hot until the very end, where the picked warp gets its number.
 */
#include "rtl_gen/emit.h"

static void put_lrr(FILE *f) {
  fputs("      // the first ready warp behind the last one, else the first at all\n"
        "      wire [WARPS-1:0] behind  = mine & ({WARPS{1'b1}} << last << 1);\n"
        "      wire [WARPS-1:0] pick_at = |behind ? lowest(behind) : lowest(mine);\n",
        f);
}

static void put_gto(FILE *f) {
  fputs("      // the last warp again, else the first ready one of the oldest CTA that has any\n"
        "      wire [WARPS-1:0]      stay_at = mine & {WARPS{ran_q[s]}} & (WARP_0 << last);\n"
        "      wire [CTAS-1:0]       competes;\n"
        "      wire [CTAS-1:0]       oldest;\n"
        "      wire [CTAS*WARPS-1:0] first_at;\n"
        "      for (c = 0; c < CTAS; c = c + 1) begin : cta\n"
        "        wire [WARPS-1:0] members = cta_warps_q[c*WARPS +: WARPS] & mine;\n"
        "        wire [CTAS-1:0]  elders;\n"
        "        for (k = 0; k < CTAS; k = k + 1) begin : age\n"
        "          assign elders[k] = k != c && older_q[k*CTAS + c];\n"
        "        end\n"
        "        assign competes[c] = |members;\n"
        "        assign oldest[c]   = competes[c] && !(|(competes & elders));\n"
        "        assign first_at[c*WARPS +: WARPS] = lowest(members);\n"
        "      end\n"
        "      wire [WARPS-1:0] oldest_at = pick_warps(lowest_cta(oldest), first_at);\n"
        "      wire [WARPS-1:0] pick_at   = |stay_at ? stay_at : oldest_at;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          ran_q[s] <= 1'b0;\n"
        "        else if (|pick_at)\n"
        "          ran_q[s] <= 1'b1;\n"
        "\n",
        f);
}

/* Which CTA slot is older than which: a matrix, for slots come and go in any order. */
static void put_ages(FILE *f) {
  fputs("\n"
        "  generate\n"
        "    for (c = 0; c < CTAS; c = c + 1) begin : slot\n"
        "      wire starts = launch_valid && launch_cta == c;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          cta_warps_q[c*WARPS +: WARPS] <= {WARPS{1'b0}};\n"
        "        else if (starts)\n"
        "          cta_warps_q[c*WARPS +: WARPS] <= launch_warps;\n"
        "\n"
        "      // the youngest is older than nobody; everybody is older than it\n"
        "      wire [CTAS-1:0] older = older_q[c*CTAS +: CTAS];\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          older_q[c*CTAS +: CTAS] <= {CTAS{1'b0}};\n"
        "        else if (launch_valid)\n"
        "          older_q[c*CTAS +: CTAS] <= starts ? launched : older | launched;\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const bool gto = design->c->d.GTO;
  if (gto)
    fputs("\n"
          "  localparam [WARPS-1:0] WARP_0 = 1;\n"
          "  localparam [CTAS-1:0]  CTA_0  = 1;\n"
          "  genvar s, w, c, k;\n",
          f);
  else
    fputs("\n  genvar s, w;\n", f);
  hd_put_lowest(f, "lowest", "WARPS");
  hd_put_number(f, "number", "WARPS", "WID_W");
  if (gto) {
    hd_put_lowest(f, "lowest_cta", "CTAS");
    hd_put_pick(f, "pick_warps", "CTAS", "WARPS");
    fputs("\n  wire [CTAS-1:0] launched = CTA_0 << launch_cta;\n", f);
  }
  fputs("\n"
        "  generate\n"
        "    for (s = 0; s < SCHEDS; s = s + 1) begin : scheduler\n"
        "      wire [WARPS-1:0] mine;\n"
        "      for (w = 0; w < WARPS; w = w + 1) begin : warp\n"
        "        assign mine[w] = w % SCHEDS == s && ready[w];\n"
        "      end\n"
        "      wire [WID_W-1:0] last = last_q[s*WID_W +: WID_W];\n"
        "\n",
        f);
  if (gto)
    put_gto(f);
  else
    put_lrr(f);
  fputs("      assign pick_valid[s] = |pick_at;\n"
        "      assign pick_wid[s*WID_W +: WID_W] = number(pick_at);\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          last_q[s*WID_W +: WID_W] <= WARPS[WID_W-1:0] - 1'b1;\n"
        "        else if (|pick_at)\n"
        "          last_q[s*WID_W +: WID_W] <= number(pick_at);\n"
        "    end\n"
        "  endgenerate\n",
        f);
  if (gto)
    put_ages(f);
}

const struct hd_behaviour sched_rtl = {"sched", put, (const char *const[]){"scheduler.policy", NULL}};
