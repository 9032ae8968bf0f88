/* The locality-aware warp scheduler, as Verilog: loads, groups, feedback. Spec: docs/mechanisms/laws.md.
 *
 * A group that goes to the tail is all others that go to the head, so the queue knows one kind of move. Warps and
 * entries are one-hot or sets of bits everywhere but in registers and at ports.
 */
#include "rtl_gen/apres/laws.h"

#include "rtl_gen/sm/sched.h"

static void put_loads(FILE *f, const struct hd_config *c) {
  const bool many = c->d.WGT > 1;
  fputs("\n"
        "  // --- last load table\n"
        "\n"
        "  wire [WARPS-1:0] load_at = {WARPS{load_valid}} & (WARP_0 << load_wid);\n"
        "  wire [WARPS-1:0] starts  = {WARPS{launch_valid}} & launch_warps;\n"
        "  generate\n"
        "    for (w = 0; w < WARPS; w = w + 1) begin : last_load\n"
        "      always @(posedge clk)\n"
        "        if (load_at[w])\n"
        "          llt_q[w*PC_W +: PC_W] <= load_pc;\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      llt_valid_q <= {WARPS{1'b0}};\n"
        "    else\n"
        "      llt_valid_q <= (llt_valid_q | load_at) & ~starts;\n"
        "\n"
        "  // --- warp group table: a load takes an entry, the next cycle fills it, its feedback frees it\n"
        "\n",
        f);
  fputs(many ? "  wire [WGT-1:0] free_at = lowest_group(~wgt_valid_q);\n"
             : "  wire [WGT-1:0] free_at = ~wgt_valid_q;\n",
        f);
  fputs("  wire [WGT-1:0] taken   = {WGT{load_valid}} & free_at;\n"
        "  wire [WGT-1:0] decided;\n"
        "\n"
        "  assign load_gid = number_of_gid({free_at, 1'b0});\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      wgt_valid_q <= {WGT{1'b0}};\n"
        "    else\n"
        "      wgt_valid_q <= (wgt_valid_q | taken) & ~decided;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      g_valid_q <= 1'b0;\n"
        "    else\n"
        "      g_valid_q <= |taken;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (|taken) begin\n"
        "      g_known_q <= |(load_at & llt_valid_q);\n"
        "      g_pc_q    <= pick_pc(load_at, llt_q);\n"
        "      g_wid_q   <= load_wid;\n",
        f);
  if (many)
    fputs("      g_at_q    <= number_of_entry(free_at);\n", f);
  fputs("    end\n"
        "\n"
        "  // the warps that loaded what the load's warp had loaded before, and that warp\n"
        "  wire [WARPS-1:0] same;\n"
        "  generate\n"
        "    for (w = 0; w < WARPS; w = w + 1) begin : search\n"
        "      assign same[w] = llt_valid_q[w] && llt_q[w*PC_W +: PC_W] == g_pc_q;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire [WARPS-1:0] formed = {WARPS{g_known_q}} & same | WARP_0 << g_wid_q;\n",
        f);
  fprintf(f,
          "  wire [WGT-1:0]   form   = %s;\n"
          "  generate\n"
          "    for (e = 0; e < WGT; e = e + 1) begin : entry\n"
          "      localparam NUMBER = e + 1;\n"
          "      assign decided[e] = fb_valid && fb_gid == NUMBER[GID_W-1:0];\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (form[e])\n"
          "          wgt_q[e*WARPS +: WARPS] <= formed;\n"
          "    end\n"
          "  endgenerate\n",
          many ? "{WGT{g_valid_q}} & (ENTRY_0 << g_at_q)" : "g_valid_q");
}

static void put_feedback(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- feedback: the group goes to the head, or all others do\n"
        "\n"
        "  wire [WARPS-1:0] group = pick_group(decided, wgt_q);\n"
        "  wire [WARPS-1:0] up    = group ^ {WARPS{!fb_hit}};\n",
        f);
  if (c->d.GROUPED)
    fputs("\n"
          "  assign miss_valid = en && fb_valid && |fb_gid && !fb_hit;\n"
          "  assign miss_group = {WARPS{miss_valid}} & group;\n",
          f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  const bool many = c->d.WGT > 1;
  fputs("\n"
        "  localparam OWN_W = WID_W - MEMBER_W; // the low bits of a warp's id: its scheduler\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n",
        f);
  if (many)
    fputs("  localparam [WGT-1:0]   ENTRY_0 = 1;\n", f);
  fprintf(f, "  genvar s, m, b, w, e%s;\n", c->d.MATRIX ? "" : ", k");
  hd_put_lowest(f, "lowest", "MEMBERS");
  hd_put_number(f, "number", "MEMBERS", "MEMBER_W");
  if (many) {
    hd_put_lowest(f, "lowest_group", "WGT");
    hd_put_number(f, "number_of_entry", "WGT", "WGT_W");
  }
  hd_put_number(f, "number_of_gid", "(WGT+1)", "GID_W");
  hd_put_pick(f, "pick_pc", "WARPS", "PC_W");
  hd_put_pick(f, "pick_group", "WGT", "WARPS");
  hd_laws_put_queue_functions(f, c);
  put_loads(f, c);
  put_feedback(f, c);
  hd_laws_put_queue(f, c);
  hd_sched_put_mine(f, c);
  for (unsigned set = 0; set <= c->d.LOS; set++)
    hd_sched_put_lrr(f, "lrr_at", hd_sched_sets[set]);
  hd_laws_put_order(f, c);
  const char *place[2] = {NULL, NULL};
  for (unsigned set = 0; set <= c->d.LOS; set++)
    place[set] = hd_laws_put_pick(f, c, set);
  hd_sched_put_picked(f, place[0], place[1], "|mine");
}

const struct hd_behaviour laws_rtl = {"laws", put, (const char *const[]){"laws.queue", NULL}};
