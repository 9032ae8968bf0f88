/* Power of an L2 slice's lines, as Verilog. Spec: docs/mechanisms/loscache.md.
 *
 * What the slice does comes last in its cycle, so everything that it may ask for is worked out ahead from the row of
 * the set looked up last; what is done only chooses.
 */
#include "rtl_gen/emit/emit.h"

/* What is asked, and the row that answers: a row written while it was read is the one kept beside the macro. */
static void put_look(FILE *f) {
  fputs("\n"
        "  // --- look\n"
        "\n"
        "  wire writes = act == 3'd1 || act == 3'd2 || act == 3'd3 || act == 3'd4; // the row of looked_set\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      w_hit_q <= 1'b0;\n"
        "    else\n"
        "      w_hit_q <= look_valid && writes && look_set == looked_set;\n"
        "\n"
        "  wire [COUNTS_WORD_W-1:0] row = w_hit_q ? w_row_q : counts_rdata;\n"
        "  wire [COUNTS_WORD_W-1:0] row_done; // with what is done\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (writes)\n"
        "      w_row_q <= row_done;\n"
        "\n"
        "  assign counts_we    = writes;\n"
        "  assign counts_waddr = looked_set;\n"
        "  assign counts_wdata = row_done;\n"
        "  assign counts_re    = look_valid;\n"
        "  assign counts_raddr = look_set;\n",
        f);
}

static void put_ways(FILE *f) {
  fputs("\n"
        "  // --- the ways of the set: what is said of each, and its count when it is the one\n"
        "\n"
        "  wire               more     = act != 3'd2 && act != 3'd3; // one more access, not the first\n"
        "  wire               predicts = |looked_pred;\n"
        "  wire [CNT_W-1:0]   earlier  = looked_pred - 1'b1; // accesses before the last one\n"
        "  generate\n"
        "    for (w = 0; w < L2_WAYS; w = w + 1) begin : way\n"
        "      wire [CNT_W-1:0] some = row[w*CNT_W +: CNT_W];\n"
        "      wire [CNT_W-1:0] next = &some ? some : some + 1'b1;\n"
        "      assign last[w] = predicts && some >= earlier;\n"
        "      assign row_done[w*CNT_W +: CNT_W] =\n"
        "        !act_at[w] ? some : more ? next : {{CNT_W-1{1'b0}}, 1'b1};\n"
        "    end\n"
        "  endgenerate\n"
        "  assign count = row;\n",
        f);
}

static void put_power(FILE *f) {
  fputs("\n"
        "  // --- power\n"
        "\n"
        "  wire wakes  = act == 3'd2;\n"
        "  wire sleeps = act == 3'd3 || act == 3'd4 || act == 3'd5;\n"
        "\n"
        "  assign on    = pick_ways(SET_0 << looked_set, power_q);\n"
        "  assign sleep = ~power_q;\n"
        "\n"
        "  wire [L2_SETS-1:0] act_set_at = SET_0 << act_set;\n"
        "  generate\n"
        "    for (s = 0; s < L2_SETS; s = s + 1) begin : lines\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          power_q[s*L2_WAYS +: L2_WAYS] <= {L2_WAYS{1'b0}};\n"
        "        else if (act_set_at[s] && (wakes || sleeps))\n"
        "          power_q[s*L2_WAYS +: L2_WAYS] <=\n"
        "            power_q[s*L2_WAYS +: L2_WAYS] & ~act_at | act_at & {L2_WAYS{wakes}};\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  // how many: one more or less, by whether the line was on\n"
        "  wire [L2_WAYS-1:0]    were_on = pick_ways(act_set_at, power_q);\n"
        "  wire                  up      = wakes && |(act_at & ~were_on);\n"
        "  wire                  down    = sleeps && |(act_at & were_on);\n"
        "  wire [L2_LINES_W-1:0] n_up    = n_q + 1'b1;\n"
        "  wire [L2_LINES_W-1:0] n_down  = n_q - 1'b1;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      n_q <= {L2_LINES_W{1'b0}};\n"
        "    else if (up || down)\n"
        "      n_q <= n_up & {L2_LINES_W{up}} | n_down & {L2_LINES_W{down}};\n"
        "\n"
        "  assign awake = n_q;\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)design;
  (void)decl;
  fputs("\n"
        "  localparam [L2_SETS-1:0] SET_0 = 1;\n"
        "  genvar s, w;\n",
        f);
  hd_put_pick(f, "pick_ways", "L2_SETS", "L2_WAYS");
  put_look(f);
  put_ways(f);
  put_power(f);
}

const struct hd_behaviour gate_ctrl_rtl = {"gate_ctrl", put, (const char *const[]){"loscache.gate", NULL}};
