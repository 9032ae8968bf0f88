/* The cache access information table, as Verilog. Spec: docs/mechanisms/apcm.md.
 *
 * Every entry compares for itself: whose update it is takes as long to know as whether it says more.
 */
#include "rtl_gen/emit/emit.h"

static void put_entries(FILE *f, const struct hd_config *c) {
  const bool protect = c->d.APCM_P;
  fputs("\n"
        "  // --- an entry keeps what is known of the line that was accessed most\n"
        "\n",
        f);
  if (protect)
    fputs("  wire again = up_count > 1 && up_intra == up_count; // by one warp alone\n", f);
  else
    fputs("  wire [RR_W-1:0] unused = up_intra; // who used the line matters to protection alone\n", f);
  fputs("  wire [LAT-1:0] up_at = {LAT{up_valid}} & (ID_0 << up_id);\n"
        "  generate\n"
        "    for (i = 0; i < LAT; i = i + 1) begin : load\n"
        "      wire [RR_W-1:0] count = count_q[i*RR_W +: RR_W];\n"
        "      wire            more  = up_at[i] && up_count > count;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst || clear)\n"
        "          count_q[i*RR_W +: RR_W] <= {RR_W{1'b0}};\n"
        "        else if (more)\n"
        "          count_q[i*RR_W +: RR_W] <= up_count;\n",
        f);
  if (protect)
    fputs("\n"
          "      always @(posedge clk)\n"
          "        if (rst || clear)\n"
          "          keep_q[i] <= 1'b0;\n"
          "        else if (more)\n"
          "          keep_q[i] <= again;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (more)\n"
          "          final_q[i*LID_W +: LID_W] <= up_last;\n",
          f);
  if (c->d.APCM_B)
    fputs("\n"
          "      assign bypass[i] = count == 1;\n",
          f);
  fputs("    end\n"
        "  endgenerate\n",
        f);
  if (protect)
    fputs("\n"
          "  assign protect = keep_q;\n"
          "  assign last    = final_q;\n",
          f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  fputs("\n"
        "  localparam [LAT-1:0] ID_0 = 1;\n"
        "  genvar i;\n",
        f);
  put_entries(f, design->c);
}

const struct hd_behaviour cait_rtl = {"cait", put, (const char *const[]){"apcm.manage", NULL}};
