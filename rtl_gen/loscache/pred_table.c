/* The prediction table of LoSCache, as Verilog. Spec: docs/mechanisms/loscache.md.
 *
 * Entries are one-hot everywhere (names in _at) and numbered only where they leave. What comes late finds its answer
 * ready: a request its prediction with what is added to it, an instruction the entry that it will get should it have
 * none.
 */
#include "rtl_gen/emit/emit.h"

static void put_functions(FILE *f) {
  hd_put_pick(f, "pick_line", "LPT", "LINE_W");
  hd_put_pick(f, "pick_prediction", "LPT", "CNT_W");
  fputs("\n"
        "  // one of n CTA slots, by a fraction in 1/256\n"
        "  function [PICK_W-1:0] scale(input [7:0] fraction, input [CTA_W:0] n);\n"
        "    reg [CTA_W+8:0] product;\n"
        "    integer i;\n"
        "    begin\n"
        "      product = {{CTA_W+1{1'b0}}, fraction} * {8'd0, n};\n"
        "      for (i = 0; i < PICK_W; i = i + 1)\n"
        "        scale[i] = product[i+8];\n"
        "    end\n"
        "  endfunction\n"
        "\n"
        "  // an entry's number + 1, which stands for it at the ports; and back\n"
        "  function [PE_W-1:0] pe_of(input [LPT-1:0] at);\n"
        "    integer i;\n"
        "    begin\n"
        "      pe_of = 0;\n"
        "      for (i = 1; i <= LPT; i = i + 1)\n"
        "        pe_of = pe_of | ({PE_W{at[i-1]}} & i[PE_W-1:0]);\n"
        "    end\n"
        "  endfunction\n"
        "  function [LPT-1:0] entry_of(input [PE_W-1:0] pe);\n"
        "    integer i;\n"
        "    for (i = 1; i <= LPT; i = i + 1)\n"
        "      entry_of[i-1] = pe == i[PE_W-1:0];\n"
        "  endfunction\n",
        f);
}

static void put_kernel(FILE *f) {
  fputs("\n"
        "  // --- a kernel begins, and the CTA that will be its predictor\n"
        "\n"
        "  wire              begins   = kernel && en;\n"
        "  wire [15:0]       drawn    = lfsr_q ^ seed;\n"
        "  wire [7:0]        fraction = drawn[15:8] ^ drawn[7:0];\n"
        "  wire [PICK_W-1:0] slot     = scale(fraction, kernel_ctas);\n"
        "\n"
        "  // eight steps at once: no step needs what another of them brings\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      lfsr_q <= 16'd44257;\n"
        "    else if (kernel)\n"
        "      lfsr_q <= {lfsr_q[7:0] ^ lfsr_q[9:2] ^ lfsr_q[10:3] ^ lfsr_q[12:5], lfsr_q[15:8]};\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (begins)\n"
        "      pick_q <= slot;\n",
        f);
}

static void put_predictor(FILE *f) {
  fputs(
      "\n"
      "  // --- the predictor: its warps\n"
      "\n"
      "  wire             phase     = state_q == 2'd1;\n"
      "  wire [WARPS-1:0] remain    = predictor_q & ~exit;\n"
      "  wire             starts    = launch_valid &&\n"
      "                               (kernel ? en && launch_cta == slot : seek_q && launch_cta == pick_q);\n"
      "  wire             is_over   = !starts && |predictor_q && !(|remain); // it ends with its last warps\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      predictor_q <= {WARPS{1'b0}};\n"
      "    else\n"
      "      predictor_q <= starts ? launch_warps : remain & {WARPS{!kernel}};\n"
      "\n"
      "  // the schedulers let them go first\n"
      "  assign prefer   = predictor_q;\n"
      "  assign boosting = phase && en;\n",
      f);
}

static void put_entries(FILE *f) {
  fputs("\n"
        "  // --- entries: an instruction finds its own, or one of the predictor gets the next\n"
        "\n"
        "  wire [LPT-1:0] found_at;\n"
        "  wire [LPT-1:0] free_at = ~used_q & {used_q[LPT-2:0], 1'b1}; // they are used in order\n"
        "  wire           found   = |found_at;\n"
        "  wire           learns  = phase && en && |(predictor_q & (WARP_0 << ld_wid));\n"
        "  wire           shows   = !phase && en || learns;\n"
        "  wire [LPT-1:0] give_at = free_at & {LPT{learns && ld_valid && !found && !kernel}};\n"
        "\n"
        "  assign ld_pe = pe_of(found_at & {LPT{shows}}) | pe_of(free_at) & {PE_W{learns && !found}};\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || kernel)\n"
        "      used_q <= {LPT{1'b0}};\n"
        "    else\n"
        "      used_q <= used_q | give_at;\n",
        f);
}

/* Lines, and the end of the phase. */
static void put_phase(FILE *f) {
  fputs("\n"
        "  // --- lines: the first access of an entry tells its line, so many accesses end the phase\n"
        "\n"
        "  wire [LPT-1:0] mq_at   = entry_of(mq_pe);\n"
        "  wire           counts  = mq_taken && |mq_pe && phase && !kernel;\n"
        "  wire [LPT-1:0] line_at = mq_at & used_q & ~has_q & {LPT{counts}};\n"
        "  wire           ends    = counts && seen_q == LAST_SEEN || is_over && phase && !kernel;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (begins)\n"
        "      seen_q <= {PHASE_W{1'b0}};\n"
        "    else if (counts)\n"
        "      seen_q <= seen_q + 1'b1;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || kernel)\n"
        "      has_q <= {LPT{1'b0}};\n"
        "    else\n"
        "      has_q <= has_q | line_at;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      seek_q <= 1'b0;\n"
        "    else\n"
        "      seek_q <= (kernel ? en : seek_q && !ends) && !starts;\n",
        f);
}

static void put_walk(FILE *f) {
  fputs("\n"
        "  // --- walk: a query for each entry's line\n"
        "\n"
        "  wire [LPT-1:0] walk_at = ENTRY_0 << walk_q;\n"
        "  wire           o_free  = !o_valid_q || q_ready;\n"
        "  wire           steps   = state_q == 2'd2 && o_free && !mq_waits && !kernel;\n"
        "  wire           is_used = |(used_q & walk_at);\n"
        "  wire           asks    = steps && |(used_q & has_q & walk_at);\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      state_q <= 2'd0;\n"
        "    else if (kernel)\n"
        "      state_q <= {1'b0, en};\n"
        "    else if (ends)\n"
        "      state_q <= 2'd2;\n"
        "    else if (steps && (!is_used || walk_at[LPT-1]))\n"
        "      state_q <= 2'd0;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (ends)\n"
        "      walk_q <= {LPT_W{1'b0}};\n"
        "    else if (steps)\n"
        "      walk_q <= walk_q + 1'b1;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      o_valid_q <= 1'b0;\n"
        "    else if (o_free)\n"
        "      o_valid_q <= asks;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (asks) begin\n"
        "      o_line_q <= pick_line(walk_at, block_q);\n"
        "      o_pe_q   <= pe_of(walk_at);\n"
        "    end\n"
        "\n"
        "  assign q_valid = o_valid_q;\n"
        "  assign q_line  = o_line_q;\n"
        "  assign q_pe    = o_pe_q;\n",
        f);
}

static void put_table(FILE *f, bool adapts) {
  fprintf(
      f,
      "\n"
      "  // --- the table: each entry for itself\n"
      "\n"
      "  wire [LPT-1:0]       ans_at = entry_of(ans_pe) & used_q & {LPT{ans_valid && !kernel}};\n"
      "%s"
      "  wire [LPT*CNT_W-1:0] predictions;\n"
      "  generate\n"
      "    for (e = 0; e < LPT; e = e + 1) begin : entry\n"
      "      assign found_at[e] = used_q[e] && pc_q[e*PC_W +: PC_W] == ld_pc;\n"
      "\n"
      "      wire [CNT_W-1:0] count = count_q[e*CNT_W +: CNT_W];\n",
      adapts
          ? "  wire [LPT-1:0]       low_at = entry_of(early_pe) & used_q & {LPT{early_valid && !kernel}};\n"
          : "");
  if (adapts)
    fputs("      wire [EXTRA_W-1:0] extra = extra_q[e*EXTRA_W +: EXTRA_W];\n"
          "      wire [TOTAL_W-1:0] total = {{TOTAL_W-CNT_W{1'b0}}, count} + {{TOTAL_W-EXTRA_W{1'b0}}, "
          "extra};\n"
          "      wire               grows = |count && total < {{TOTAL_W-CNT_W{1'b0}}, early_count} && extra "
          "!= EXTRA;\n",
          f);
  fprintf(f,
          "      assign predictions[e*CNT_W +: CNT_W] =\n"
          "        %s & {CNT_W{used_q[e]%s}};\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (give_at[e])\n"
          "          pc_q[e*PC_W +: PC_W] <= ld_pc;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (give_at[e] || ans_at[e])\n"
          "          count_q[e*CNT_W +: CNT_W] <= ans_count & {CNT_W{!give_at[e]}};\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (line_at[e])\n"
          "          block_q[e*LINE_W +: LINE_W] <= mq_line;\n",
          adapts ? "(total[0 +: CNT_W] | {CNT_W{|total[TOTAL_W-1:CNT_W]}})" : "count",
          adapts ? " && |count" : "");
  if (adapts)
    fputs("\n"
          "      always @(posedge clk)\n"
          "        if (give_at[e])\n"
          "          extra_q[e*EXTRA_W +: EXTRA_W] <= {EXTRA_W{1'b0}};\n"
          "        else if (low_at[e] && grows)\n"
          "          extra_q[e*EXTRA_W +: EXTRA_W] <= extra + 1'b1;\n",
          f);
  fputs("    end\n"
        "  endgenerate\n"
        "\n"
        "  assign mq_pred = pick_prediction(mq_at, predictions);\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const bool adapts = design->c->d.ADAPT;
  fputs("\n"
        "  localparam [WARPS-1:0]   WARP_0    = 1;\n"
        "  localparam [LPT-1:0]     ENTRY_0   = 1;\n"
        "  localparam [PHASE_W-1:0] LAST_SEEN = PHASE - 1;\n",
        f);
  if (adapts)
    fputs("  localparam               TOTAL_W     = (CNT_W > EXTRA_W ? CNT_W : EXTRA_W) + 1;\n", f);
  fputs("  genvar e;\n", f);
  put_functions(f);
  put_kernel(f);
  put_predictor(f);
  put_entries(f);
  put_phase(f);
  put_walk(f);
  put_table(f, adapts);
}

const struct hd_behaviour pred_table_rtl = {"pred_table", put, (const char *const[]){"loscache.gate", NULL}};
