/* The queues of memory request scheduling, as Verilog: input register, heads, what is behind them, output. See
 * memsched.c.
 *
 * Invariant: what comes late (what the L1D says of a load) meets only enables.
 */
#include "rtl_gen/memsched/memsched.h"

/* What a queue keeps once for all requests of its load: those of these fields of a request that are there. */
enum { KEPT = 7 };
struct kept {
  const char *name, *width;
  unsigned bits; /* 0: not there */
};
struct load {
  struct kept field[KEPT];
};

static struct load load_of(const struct hd_config *c) {
  return (struct load){{{"slot", "SLOT_W", c->d.SLOT_W},
                        {"gid", "GID_W", c->d.GID_W},
                        {"pc", "REQ_PC_W", c->d.REQ_PC_W},
                        {"low", "LOW_W", c->d.LOW_W},
                        {"hpc", "HPC_W", c->d.HPC_W},
                        {"trk", "1", c->d.APCM},
                        {"lid", "LID_W", c->d.LID_W}}};
}

/* "{in_slot_q, in_gid_q, ...}" for ("in_", "_q"); `of_queue`: of all queues' registers the elements of queue w. */
static struct hd_fields load_fields(const struct hd_config *c, const char *prefix, const char *suffix,
                                    bool of_queue) {
  const struct load load = load_of(c);
  struct hd_fields out = {""};
  size_t used = 0;
  for (size_t i = 0; i < KEPT; i++) {
    const struct kept *k = &load.field[i];
    if (!k->bits)
      continue;
    used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s%s%s", used ? ", " : "{", prefix,
                             k->name, suffix);
    if (of_queue)
      used += (size_t)snprintf(out.text + used, sizeof out.text - used, "[w*%s +: %s]", k->width, k->width);
  }
  snprintf(out.text + used, sizeof out.text - used, "}");
  return out;
}

/* The head of queue w, its fields as in the bundle `queued`. */
static struct hd_fields head_of_queue(const struct hd_config *c) {
  struct hd_fields out;
  snprintf(out.text, sizeof out.text,
           "{h_line_q[w*LINE_W +: LINE_W], h_num_q[w*LANE_W +: LANE_W], h_last_q[w]%s%s%s}",
           c->d.PE_W ? ", h_pe_q[w*PE_W +: PE_W]" : "", c->d.CASC ? ", h_byp_q[w]" : "",
           c->d.LOC ? ", h_loc_q[w]" : "");
  return out;
}

void hd_memsched_put_look(FILE *f, const struct hd_config *c) {
  const struct load load = load_of(c);
  fputs("\n  localparam LOAD_W = SLOT_W", f); /* always there */
  for (size_t i = 1; i < KEPT; i++)
    if (load.field[i].bits)
      fprintf(f, " + %s", load.field[i].width);
  fputs("; // what is kept of a load\n", f);
  hd_put_pick(f, "pick_place", "WARPS", "DEPTH_W");
  hd_put_pick(f, "pick_load", "WARPS", "LOAD_W");
  fputs("\n"
        "  // --- what can be said of each queue\n"
        "\n"
        "  wire [WARPS-1:0] in_at     = WARP_0 << in_wid_q;\n"
        "  wire [WARPS-1:0] refill_at = r_valid_q ? WARP_0 << r_wid_q : {WARPS{1'b0}};\n"
        "  wire [WARPS-1:0] back_at   = (back_valid ? WARP_0 << back_wid : {WARPS{1'b0}}) & tried_q;\n"
        "  wire [WARPS-1:0] served_at = back_at & {WARPS{back_ok}};\n"
        "  wire [WARPS-1:0] none; // nothing is behind the head\n"
        "  wire [WARPS-1:0] full;\n"
        "  wire [WARPS-1:0] empty = none & ~h_valid_q & ~refill_at;\n"
        "  generate\n"
        "    for (w = 0; w < WARPS; w = w + 1) begin : look\n"
        "      assign none[w] = count_q[w*COUNT_W +: COUNT_W] == 0;\n"
        "      assign full[w] = count_q[w*COUNT_W +: COUNT_W] == DEPTH;\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

void hd_memsched_put_input(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- input register: a read waits here for its queue, a write for its queue to be empty\n"
          "\n"
          "  wire             in_read   = in_valid_q && !in_on_q;\n"
          "  wire             in_begins = in_num_q == 0; // it is its instruction's first\n"
          "  wire [WARPS-1:0] room      = ~full & (empty | {WARPS{!in_begins}});\n"
          "  wire [WARPS-1:0] enter_at  = in_at & room & {WARPS{in_read}};\n"
          "  wire [WARPS-1:0] direct_at = // it becomes the head\n"
          "    enter_at & none & ~refill_at & (~h_valid_q | served_at);\n"
          "  wire [WARPS-1:0] append_at = enter_at & ~direct_at;\n"
          "  wire             in_pass   = |(in_at & (in_on_q ? empty : room));\n"
          "\n"
          "  wire write_waits  = in_valid_q && in_on_q && in_pass;\n"
          "  wire write_leaves = write_waits && !o_valid_q && deq_ready;\n"
          "\n"
          "  // where a write waits, nothing is sent: it goes first\n"
          "  wire o_ok = write_waits ? write_leaves : !o_valid_q || deq_ready;\n"
          "\n"
          "  assign enq_ready = !in_valid_q || in_pass && (in_read || !o_valid_q && deq_ready);\n"
          "\n"
          "  wire take = enq_valid && enq_ready;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      in_valid_q <= 1'b0;\n"
          "    else if (enq_ready)\n"
          "      in_valid_q <= enq_valid;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (take) begin\n"
          "      %s <=\n"
          "        %s;\n"
          "      in_on_q <= enq_write || !en;\n"
          "    end\n"
          "\n"
          "  // a load brings no bytes\n"
          "  always @(posedge clk)\n"
          "    if (take && enq_write) begin\n"
          "      in_wdata_q <= enq_wdata;\n"
          "      in_wmask_q <= enq_wmask;\n"
          "    end\n",
          hd_fields_of(c, "req", "in_", "_q").text, hd_fields_of(c, "req", "enq_", "").text);
}

/* The queues behind their heads, in one RAM: written by the input, read when a head is served. */
void hd_memsched_put_fifo(FILE *f, const struct hd_config *c) {
  const unsigned depth = c->d.DEPTH;
  fputs("\n"
        "  // --- behind the heads: the place that is written, and the one that is read\n"
        "\n"
        "  wire [WARPS-1:0]   read_at   = served_at & ~none;\n"
        "  wire               read      = |read_at;\n"
        "  wire [DEPTH_W-1:0] in_tail   = pick_place(in_at, tail_q);\n"
        "  wire [DEPTH_W-1:0] back_head = pick_place(back_at, head_q);\n",
        f);
  if ((depth & (depth - 1)) == 0 && depth > 1)
    fputs("  wire [DEPTH_W-1:0] next_tail = in_tail + 1'b1;\n"
          "  wire [DEPTH_W-1:0] next_head = back_head + 1'b1;\n",
          f);
  else
    fputs("  wire [DEPTH_W-1:0] next_tail = in_tail == DEPTH - 1 ? {DEPTH_W{1'b0}} : in_tail + 1'b1;\n"
          "  wire [DEPTH_W-1:0] next_head = back_head == DEPTH - 1 ? {DEPTH_W{1'b0}} : back_head + 1'b1;\n",
          f);
  fprintf(f,
          "\n"
          "  assign fifo_we    = |append_at;\n"
          "  assign fifo_waddr = in_wid_q * DEPTH + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, in_tail};\n"
          "  assign fifo_wdata = %s;\n"
          "  assign fifo_re    = read;\n"
          "  assign fifo_raddr = back_wid * DEPTH + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, back_head};\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      r_valid_q <= 1'b0;\n"
          "    else\n"
          "      r_valid_q <= read;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (read)\n"
          "      r_wid_q <= back_wid;\n",
          hd_fields_of(c, "queued", "in_", "_q").text);
}

void hd_memsched_put_queues(FILE *f, const struct hd_config *c) {
  const struct hd_fields head = head_of_queue(c), load = load_fields(c, "l_", "_q", true);
  fprintf(f,
          "\n"
          "  // --- the queues\n"
          "\n"
          "  wire [WARPS-1:0] chosen_at; // it is tried from now on\n"
          "  wire [WARPS-1:0] passed_at; // its group goes without it\n"
          "  wire [WARPS*FIFO_WORD_W-1:0] heads;\n"
          "  wire [WARPS*LOAD_W-1:0]      loads;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      h_valid_q <= {WARPS{1'b0}};\n"
          "    else\n"
          "      h_valid_q <= h_valid_q & ~served_at | refill_at | direct_at;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      tried_q <= {WARPS{1'b0}};\n"
          "    else\n"
          "      tried_q <= (tried_q & ~back_at | chosen_at) & ~passed_at;\n"
          "\n"
          "  generate\n"
          "    for (w = 0; w < WARPS; w = w + 1) begin : queue\n"
          "      assign heads[w*FIFO_WORD_W +: FIFO_WORD_W] =\n"
          "        %s;\n"
          "      assign loads[w*LOAD_W +: LOAD_W] =\n"
          "        %s;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (refill_at[w] || direct_at[w])\n"
          "          %s <=\n"
          "            refill_at[w] ? fifo_rdata : %s;\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (enter_at[w] && in_begins)\n"
          "          %s <=\n"
          "            %s;\n",
          head.text, load.text, head.text, hd_fields_of(c, "queued", "in_", "_q").text, load.text,
          load_fields(c, "in_", "_q", false).text);
  fputs("\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          tail_q[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};\n"
        "        else if (append_at[w])\n"
        "          tail_q[w*DEPTH_W +: DEPTH_W] <= next_tail;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          head_q[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};\n"
        "        else if (read_at[w])\n"
        "          head_q[w*DEPTH_W +: DEPTH_W] <= next_head;\n"
        "\n"
        "      wire [COUNT_W-1:0] some = count_q[w*COUNT_W +: COUNT_W];\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          count_q[w*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};\n"
        "        else if (append_at[w] ^ read_at[w])\n"
        "          count_q[w*COUNT_W +: COUNT_W] <= read_at[w] ? some - 1'b1 : some + 1'b1;\n"
        "\n"
        "      assign drained[w] = empty[w] && !(in_valid_q && in_at[w]);\n"
        "    end\n"
        "  endgenerate\n",
        f);
}

void hd_memsched_put_output(FILE *f, const struct hd_config *c) {
  const struct load load = load_of(c);
  fprintf(f,
          "\n"
          "  // --- output\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      o_valid_q <= 1'b0;\n"
          "    else\n"
          "      o_valid_q <= send || o_valid_q && !deq_ready;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (send) begin\n"
          "      %s <= sent;\n"
          "      o_wid_q <= sent_wid;\n"
          "    end\n"
          "\n"
          "  // what is the same for all requests of its load\n",
          hd_fields_of(c, "queued", "o_", "_q").text);
  for (size_t i = 0; i < KEPT; i++)
    if (load.field[i].bits)
      fprintf(f, "  wire [%s-1:0] o_%s;\n", load.field[i].width, load.field[i].name);
  fprintf(f,
          "  assign %s = pick_load(WARP_0 << o_wid_q, loads);\n"
          "\n"
          "  assign deq_valid = o_valid_q || write_waits;\n"
          "  assign %s =\n"
          "    o_valid_q ? {o_line_q, 1'b0, o_wid_q, o_slot, o_num_q, o_last_q%s%s%s%s%s%s%s%s%s} :\n"
          "    %s;\n"
          "  assign deq_wdata = in_wdata_q;\n"
          "  assign deq_wmask = in_wmask_q;\n",
          load_fields(c, "o_", "", false).text, hd_fields_of(c, "req", "deq_", "").text,
          c->d.GID_W ? ", o_gid" : "", c->d.REQ_PC_W ? ", o_pc" : "", c->d.LOW_W ? ", o_low" : "",
          c->d.HPC_W ? ", o_hpc" : "", c->d.APCM ? ", o_trk" : "", c->d.LID_W ? ", o_lid" : "",
          c->d.PE_W ? ", o_pe_q" : "", c->d.CASC ? ", o_byp_q" : "", c->d.LOC ? ", o_loc_q" : "",
          hd_fields_of(c, "req", "in_", "_q").text);
}
