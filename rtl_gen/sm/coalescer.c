/* The coalescer, as Verilog. Spec: docs/mechanisms/coalescer.md.
 *
 * Both places are searched and compared at once and `turn` chooses between what they say: a choice between
 * their lines would put 2 * LANES * LINE_W loads on it, at the start of every path.
 */
#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/fold.h"

static void put_split(FILE *f) {
  fputs("\n"
        "  // --- the place in turn is split: all lanes with the leader's line make one request\n"
        "\n"
        "  wire             t = turn_q;\n"
        "  wire             take = issue_valid && issue_ready;\n"
        "  wire             emit = lead_valid_q && (!o_valid_q || req_ready);\n"
        "  wire [LANES-1:0] eq_0, eq_1;\n"
        "  generate\n"
        "    for (lane = 0; lane < LANES; lane = lane + 1) begin : compare\n"
        "      assign eq_0[lane] = p_line_q[lane*LINE_W +: LINE_W] == lead_line_q;\n"
        "      assign eq_1[lane] = p_line_q[(LANES+lane)*LINE_W +: LINE_W] == lead_line_q;\n"
        "    end\n"
        "  endgenerate\n"
        "  wire [LANES-1:0] eq   = t ? eq_1 : eq_0;\n"
        "  wire [LANES-1:0] same = mask_q & eq;\n"
        "  wire [LANES-1:0] left = mask_q & ~eq;\n"
        "  wire             last = t ? !(|(mask_q & ~eq_1)) : !(|(mask_q & ~eq_0));\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst) begin\n"
        "      turn_q <= 1'b0;\n"
        "      num_q  <= {LANE_W{1'b0}};\n"
        "    end else if (emit) begin\n"
        "      turn_q <= t ^ last;\n"
        "      num_q  <= last ? {LANE_W{1'b0}} : num_q + 1'b1;\n"
        "    end\n",
        f);
}

static void put_leader(FILE *f) {
  fputs(
      "\n"
      "  // --- the leader of the next request: the lowest lane left that begins a run, whatever the compare "
      "will say;\n"
      "  // else the lowest lane of the other place, else of the instruction that comes\n"
      "\n"
      "  wire             choose  = !lead_valid_q || emit;\n"
      "  wire             waiting = t ? p_valid_q[0] : p_valid_q[1];\n"
      "  wire             here    = t ? p_valid_q[1] : p_valid_q[0];\n"
      "  wire [LANES-1:0] rest    = mask_q & ~({LANES{lead_valid_q}} & lead_q);\n"
      "  wire [LANES-1:0] heads_0 = rest & p_head_q[0 +: LANES];\n"
      "  wire [LANES-1:0] heads_1 = rest & p_head_q[LANES +: LANES];\n"
      "  wire             more    = here && (t ? |heads_1 : |heads_0);\n"
      "  wire [LANES-1:0] head    = lowest_lane(t ? heads_1 : heads_0);\n"
      "  wire [LANES-1:0] first   = lowest_lane(waiting ? n_mask_q : issue_mask);\n"
      "\n"
      "  wire [LANES-1:0]  at_0   = t ? n_mask_q : heads_0;\n"
      "  wire [LANES-1:0]  at_1   = t ? heads_1 : n_mask_q;\n"
      "  wire [LINE_W-1:0] line_0 = first_line(at_0, p_line_q[0 +: LANES*LINE_W]);\n"
      "  wire [LINE_W-1:0] line_1 = first_line(at_1, p_line_q[LANES*LINE_W +: LANES*LINE_W]);\n"
      "  wire [LINE_W-1:0] line_i = first_line(issue_mask, issue_line);\n"
      "\n"
      "  // a head whose line has just been sent leads nothing\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      lead_valid_q <= 1'b0;\n"
      "    else if (choose)\n"
      "      lead_valid_q <= more ? !lead_valid_q || !(|(head & eq)) : waiting || take;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (choose && (more || waiting || take)) begin\n"
      "      lead_q      <= more ? head : first;\n"
      "      lead_line_q <= !more && !waiting ? line_i : more == t ? line_1 : line_0;\n"
      "    end\n",
      f);
}

static void put_places(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- the two places; an instruction goes to the one in turn if that is empty\n"
          "\n"
          "  assign issue_ready = !(&p_valid_q);\n"
          "\n"
          "  // the lanes move, the lines do not: the lanes are where the slowest path begins and ends\n"
          "  wire [LANES-1:0] n_mask = waiting ? n_mask_q : issue_mask;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (emit)\n"
          "      mask_q <= left | {LANES{last}} & n_mask;\n"
          "    else if (!here)\n"
          "      mask_q <= issue_mask;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (take)\n"
          "      n_mask_q <= issue_mask;\n"
          "\n"
          "  // where runs begin\n"
          "  wire [LANES-1:0] issue_head;\n"
          "  generate\n"
          "    for (lane = 0; lane < LANES; lane = lane + 1) begin : run\n"
          "      if (lane == 0)\n"
          "        assign issue_head[lane] = issue_mask[lane];\n"
          "      else\n"
          "        assign issue_head[lane] = issue_mask[lane] && (!issue_mask[lane-1] ||\n"
          "          issue_line[lane*LINE_W +: LINE_W] != issue_line[(lane-1)*LINE_W +: LINE_W]);\n"
          "    end\n"
          "\n"
          "    for (p = 0; p < 2; p = p + 1) begin : place\n"
          "      wire enter = take && !p_valid_q[p] && (t == p || p_valid_q[t]);\n"
          "      wire split = emit && t == p;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          p_valid_q[p] <= 1'b0;\n"
          "        else if (enter || split)\n"
          "          p_valid_q[p] <= enter || !last;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (enter) begin\n"
          "          p_write_q[p] <= issue_write;\n"
          "          p_wid_q[p*WID_W +: WID_W] <= issue_wid;\n"
          "          p_slot_q[p*SLOT_W +: SLOT_W] <= issue_slot;\n"
          "%s%s%s%s%s%s%s%s"
          "          p_line_q[p*LANES*LINE_W +: LANES*LINE_W] <= issue_line;\n"
          "          p_head_q[p*LANES +: LANES] <= issue_head;\n"
          "        end\n"
          "    end\n"
          "  endgenerate\n",
          c->d.SIG_W ? "          p_sig_q[p*SIG_W +: SIG_W] <= issue_sig;\n" : "",
          c->d.GID_W ? "          p_gid_q[p*GID_W +: GID_W] <= issue_gid;\n" : "",
          c->d.REQ_PC_W ? "          p_pc_q[p*REQ_PC_W +: REQ_PC_W] <= issue_pc;\n" : "",
          c->d.LOW_W ? "          p_low_q[p*LOW_W +: LOW_W] <= issue_low;\n" : "",
          c->d.HPC_W ? "          p_hpc_q[p*HPC_W +: HPC_W] <= hash(issue_pc);\n" : "",
          c->d.APCM ? "          p_trk_q[p] <= issue_trk;\n" : "",
          c->d.LID_W ? "          p_lid_q[p*LID_W +: LID_W] <= issue_lid;\n" : "",
          c->d.PE_W ? "          p_pe_q[p*PE_W +: PE_W] <= issue_pe;\n" : "");
}

/* Whether each place has more runs than the L1D has ways: beside the choice of leaders, not in it. */
static void put_many(FILE *f) {
  fputs("\n"
        "  wire [1:0] many; // a place has more runs than the L1D has ways\n"
        "  generate\n"
        "    for (p = 0; p < 2; p = p + 1) begin : count\n"
        "      assign many[p] = more_than_ways(p_head_q[p*LANES +: LANES]);\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

static void put_output(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- the request at the output\n"
          "\n"
          "  assign req_valid = o_valid_q;\n"
          "  assign %s =\n"
          "         %s;\n"
          "%s"
          "%s"
          "  assign req_lanes = o_lanes_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      o_valid_q <= 1'b0;\n"
          "    else if (emit || req_ready)\n"
          "      o_valid_q <= emit;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (emit) begin\n"
          "      o_line_q  <= lead_line_q;\n"
          "      o_write_q <= p_write_q[t];\n"
          "      o_wid_q   <= p_wid_q[t*WID_W +: WID_W];\n"
          "      o_slot_q  <= p_slot_q[t*SLOT_W +: SLOT_W];\n"
          "      o_num_q   <= num_q;\n"
          "      o_last_q  <= last;\n"
          "%s%s%s%s%s%s%s%s%s"
          "      o_lanes_q <= same;\n"
          "    end\n",
          hd_fields_of(c, "coalesced", "req_", "").text, hd_fields_of(c, "coalesced", "o_", "_q").text,
          c->d.SIG_W ? "  assign req_sig   = o_sig_q;\n" : "",
          c->d.CASC ? "  assign req_many  = o_many_q;\n" : "",
          c->d.SIG_W ? "      o_sig_q   <= p_sig_q[t*SIG_W +: SIG_W];\n" : "",
          c->d.GID_W ? "      o_gid_q   <= p_gid_q[t*GID_W +: GID_W];\n" : "",
          c->d.REQ_PC_W ? "      o_pc_q    <= p_pc_q[t*REQ_PC_W +: REQ_PC_W];\n" : "",
          c->d.LOW_W ? "      o_low_q   <= p_low_q[t*LOW_W +: LOW_W];\n" : "",
          c->d.HPC_W ? "      o_hpc_q   <= p_hpc_q[t*HPC_W +: HPC_W];\n" : "",
          c->d.APCM ? "      o_trk_q   <= p_trk_q[t];\n" : "",
          c->d.LID_W ? "      o_lid_q   <= p_lid_q[t*LID_W +: LID_W];\n" : "",
          c->d.PE_W ? "      o_pe_q    <= p_pe_q[t*PE_W +: PE_W];\n" : "",
          c->d.CASC ? "      o_many_q  <= t ? many[1] : many[0];\n" : "");
  fputs("\n"
        "  assign busy = {WARPS{p_valid_q[0]}} & (WARP_0 << p_wid_q[0 +: WID_W])\n"
        "              | {WARPS{p_valid_q[1]}} & (WARP_0 << p_wid_q[WID_W +: WID_W])\n"
        "              | {WARPS{o_valid_q}} & (WARP_0 << o_wid_q);\n",
        f);
}

/* Counts in unary, up to what is asked for: the binary sum would be deeper than the paths beside it. */
static void put_more(FILE *f) {
  fputs("\n"
        "  // v has more 1s than the L1D has ways; element i of tally: bit k = more than k in its part of v\n"
        "  function more_than_ways(input [LANES-1:0] v);\n"
        "    reg [LANES*(WAYS+1)-1:0] tally;\n"
        "    reg [WAYS:0]             a, b;\n"
        "    integer i, k, m, step;\n"
        "    begin\n"
        "      tally = {LANES*(WAYS+1){1'b0}};\n"
        "      for (i = 0; i < LANES; i = i + 1)\n"
        "        tally[i*(WAYS+1)] = v[i];\n"
        "      for (step = 1; step < LANES; step = step * 2)\n"
        "        for (i = 0; i + step < LANES; i = i + 2 * step) begin\n"
        "          a = tally[i*(WAYS+1) +: WAYS+1];\n"
        "          b = tally[(i+step)*(WAYS+1) +: WAYS+1];\n"
        "          for (k = 0; k <= WAYS; k = k + 1) begin\n"
        "            tally[i*(WAYS+1)+k] = a[k] | b[k];\n"
        "            for (m = 0; m < k; m = m + 1)\n"
        "              tally[i*(WAYS+1)+k] = tally[i*(WAYS+1)+k] | (a[m] & b[k-1-m]);\n"
        "          end\n"
        "        end\n"
        "      more_than_ways = tally[WAYS];\n"
        "    end\n"
        "  endfunction\n",
        f);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  fputs("\n"
        "  localparam [WARPS-1:0] WARP_0 = 1;\n"
        "  genvar lane, p;\n",
        f);
  fputs("\n"
        "  // the line of the lowest lane of at: a knock-out tournament, whose choices are made ahead of the "
        "lines\n"
        "  function [LINE_W-1:0] first_line(input [LANES-1:0] at, input [LANES*LINE_W-1:0] v);\n"
        "    reg [LANES-1:0]        any;\n"
        "    reg [LANES*LINE_W-1:0] line;\n"
        "    integer i, step;\n"
        "    begin\n"
        "      any  = at;\n"
        "      line = v;\n"
        "      for (step = 1; step < LANES; step = step * 2)\n"
        "        for (i = 0; i + step < LANES; i = i + 2 * step) begin\n"
        "          if (!any[i])\n"
        "            line[i*LINE_W +: LINE_W] = line[(i+step)*LINE_W +: LINE_W];\n"
        "          any[i] = any[i] | any[i+step];\n"
        "        end\n"
        "      first_line = line[0 +: LINE_W];\n"
        "    end\n"
        "  endfunction\n",
        f);
  hd_put_lowest(f, "lowest_lane", "LANES");
  if (c->d.HPC_W)
    hd_put_fold(f, "hash", "PC_W", "HPC_W", 2);
  if (c->d.CASC)
    put_more(f);
  put_split(f);
  put_leader(f);
  put_places(f, c);
  if (c->d.CASC)
    put_many(f);
  put_output(f, c);
}

const struct hd_behaviour coalescer_rtl = {"coalescer", put, (const char *const[]){NULL}};
