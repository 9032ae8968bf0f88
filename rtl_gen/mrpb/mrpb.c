/* The memory request prioritization buffer, as Verilog. Spec: docs/mechanisms/mrpb.md.
 *
 * Queues are numbered in registers and one-hot everywhere else (names in _at): a number is decoded at once,
 * choices are made and elements picked with one-hot vectors, so that no path has two wide multiplexers behind
 * one another.
 */
#include <string.h>

#include "rtl_gen/emit/emit.h"

static bool flushes(const struct hd_config *c) {
  return c->request_buffer.flush;
}

static bool has_register(const struct hd_decl *decl, const char *var) {
  for (size_t i = 0; i < decl->n_rows; i++)
    if (!strcmp(decl->rows[i].var, var))
      return true;
  return false;
}

/* enq -> in -> queue */
static void put_input(FILE *f, const struct hd_config *c, const struct hd_decl *decl) {
  const char *signature = c->request_buffer.signature == HD_SIG_WARP ? "wid" : "sig";
  const bool stored = has_register(decl, "in_q_q"); /* else it is the warp id, which is there anyway */
  fprintf(f,
          "\n"
          "  // --- input register: a request waits here until its queue lets it pass\n"
          "\n"
          "  wire [QUEUE_W-1:0] in_queue = %s; // signature %s\n"
          "  wire [QUEUES-1:0]  in_at    = QUEUE_0 << in_queue;\n"
          "  wire               in_pass  = pass[in_queue];\n",
          stored ? "in_q_q" : "in_wid_q", hd_config_word(c, "request_buffer", "signature"));
  if (flushes(c))
    fputs("\n"
          "  // a write enters no queue: it waits for its own to be empty, then leaves from here\n"
          "  wire write_waits  = in_valid_q && in_write_q && in_pass;\n"
          "  wire write_offers = write_waits && !o_valid_q;\n"
          "  wire write_leaves = write_offers && deq_ready;\n"
          "  wire enqueue      = in_valid_q && !in_write_q && in_pass;\n"
          "\n"
          "  assign enq_ready = !in_valid_q || enqueue || write_leaves;\n",
          f);
  else
    fputs("  wire              enqueue = in_valid_q && in_pass;\n"
          "\n"
          "  assign enq_ready = !in_valid_q || enqueue;\n",
          f);
  fprintf(f,
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
          "    if (take)\n"
          "      %s <=\n"
          "        %s;\n",
          hd_fields_of(c, "req", "in_", "_q").text, hd_fields_of(c, "req", "enq_", "").text);
  if (stored)
    fprintf(f,
            "\n"
            "  always @(posedge clk)\n"
            "    if (take)\n"
            "      in_q_q <= enq_%s;\n",
            signature);
  fputs("\n"
        "  // a load brings no bytes\n"
        "  always @(posedge clk)\n"
        "    if (take && enq_write) begin\n"
        "      in_wdata_q <= enq_wdata;\n"
        "      in_wmask_q <= enq_wmask;\n"
        "    end\n",
        f);
}

/* The entry that becomes old enough to leave: at once, or at the end of the age line. */
static void put_age(FILE *f, const struct hd_config *c) {
  if (c->d.DELAY == 0) {
    fputs("\n"
          "  // an entry may leave as soon as it is in its queue\n"
          "  wire              ripe    = enqueue;\n"
          "  wire [QUEUES-1:0] ripe_at = in_at;\n",
          f);
    return;
  }
  fprintf(f,
          "\n"
          "  // --- age line: an entry may leave DELAY cycles after it entered\n"
          "\n"
          "  wire              ripe    = age_valid_q[DELAY-1];\n"
          "  wire [QUEUES-1:0] ripe_at = QUEUE_0 << age_q_q[(DELAY-1)*QUEUE_W +: QUEUE_W];\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      age_valid_q <= {DELAY{1'b0}};\n"
          "    else\n"
          "      age_valid_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    age_q_q <= %s;\n",
          c->d.DELAY > 1 ? "{age_valid_q[DELAY-2:0], enqueue}" : "enqueue",
          c->d.DELAY > 1 ? "{age_q_q[(DELAY-1)*QUEUE_W-1:0], in_queue}" : "in_queue");
}

/* plain_at: the policy without greediness. */
static void put_policy(FILE *f, enum hd_drain drain) {
  switch (drain) {
  case HD_DRAIN_GRR: /* MemSched only */
  case HD_DRAIN_FIXED:
    fputs("  // the lowest queue\n"
          "  wire [QUEUES-1:0] plain_at = lowest(ready);\n",
          f);
    break;
  case HD_DRAIN_LONGEST:
    fputs("  // the longest queue: lengths in unary, where the maximum is an OR, and a queue is as long as "
          "it if\n"
          "  // it reaches every length that some queue reaches\n"
          "  wire [QUEUES*DEPTH-1:0] length;\n"
          "  wire [DEPTH-1:0]        longest = join_lengths(length);\n"
          "  wire [QUEUES-1:0]       is_longest;\n"
          "  generate\n"
          "    for (q = 0; q < QUEUES; q = q + 1) begin : measure\n"
          "      assign length[q*DEPTH +: DEPTH] = ~({DEPTH{1'b1}} << avail_q[q*COUNT_W +: COUNT_W]);\n"
          "      assign is_longest[q] = &(length[q*DEPTH +: DEPTH] | ~longest);\n"
          "    end\n"
          "  endgenerate\n"
          "  wire [QUEUES-1:0] plain_at = lowest(is_longest);\n",
          f);
    break;
  case HD_DRAIN_RR:
    fputs("  // the next queue in turn: the lowest behind the last one, else the lowest\n"
          "  wire [QUEUES-1:0] behind   = ready & ({QUEUES{1'b1}} << last_q << 1);\n"
          "  wire [QUEUES-1:0] plain_at = |behind ? lowest(behind) : lowest(ready);\n",
          f);
    break;
  }
}

static void put_choose(FILE *f, const struct hd_config *c) {
  const bool greedy = c->request_buffer.greedy, pointed = c->d.POINTED;
  fputs("\n"
        "  // --- choose: which queue is read next, among those with an entry old enough\n"
        "\n",
        f);
  put_policy(f, c->request_buffer.drain);
  if (greedy)
    fputs("\n"
          "  // the last queue again, as long as it has an entry\n"
          "  wire [QUEUES-1:0] last_at   = QUEUE_0 << last_q;\n"
          "  wire              stay      = ready[last_q];\n"
          "  wire [QUEUES-1:0] policy_at = stay ? last_at : plain_at;\n"
          "  wire [QUEUE_W-1:0] policy_q = stay ? last_q : number(plain_at);\n",
          f);
  else
    fputs("  wire [QUEUES-1:0]  policy_at = plain_at;\n"
          "  wire [QUEUE_W-1:0] policy_q  = number(plain_at);\n",
          f);
  fputs("\n"
        "  wire choose_free = !sel_valid_q || read;\n"
        "  wire choose      = choose_free && |ready;\n",
        f);
  if (flushes(c))
    fputs("\n"
          "  // the input comes first: its queue is read if it is full, or if a write waits for it to empty\n"
          "  wire               forced    = in_valid_q && |(in_at & ready & ~pass);\n"
          "  wire [QUEUES-1:0]  choose_at = forced ? in_at : policy_at;\n"
          "  wire [QUEUE_W-1:0] choose_q  = forced ? in_queue : policy_q;\n",
          f);
  else
    fputs("  wire [QUEUES-1:0]  choose_at = policy_at;\n"
          "  wire [QUEUE_W-1:0] choose_q  = policy_q;\n",
          f);
  fputs("\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      sel_valid_q <= 1'b0;\n"
        "    else if (choose_free)\n"
        "      sel_valid_q <= |ready;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (choose)\n"
        "      sel_q_q <= choose_q;\n",
        f);
  if (pointed)
    fprintf(f,
            "\n"
            "  always @(posedge clk)\n"
            "    if (rst)\n"
            "      last_q <= QUEUES[QUEUE_W-1:0] - 1'b1;\n"
            "    else if (%s)\n"
            "      last_q <= policy_q;\n",
            flushes(c) ? "choose && !forced" : "choose");
}

static void put_read(FILE *f, const struct hd_config *c) {
  const struct hd_fields in = hd_fields_of(c, "req", "in_", "_q");
  fprintf(f,
          "\n"
          "  // --- read and output\n"
          "\n"
          "  wire [QUEUES-1:0] sel_at = QUEUE_0 << sel_q_q;\n"
          "  wire [QUEUES-1:0] o_at   = QUEUE_0 << o_q_q;\n"
          "  wire              o_free = !o_valid_q || deq_ready;\n"
          "%s"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      o_valid_q <= 1'b0;\n"
          "    else if (o_free)\n"
          "      o_valid_q <= read;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (read)\n"
          "      o_q_q <= sel_q_q;\n"
          "\n"
          "  assign deq_valid = %s;\n"
          "  assign %s = o_valid_q ? fifo_rdata :\n"
          "         %s;\n"
          "  assign deq_wdata = %s;\n"
          "  assign deq_wmask = %s;\n",
          flushes(c) ? "  // a waiting write holds back new reads, so at most one entry is ahead of it\n"
                       "  wire read = sel_valid_q && o_free && (!write_waits || write_leaves);\n"
                     : "  wire read = sel_valid_q && o_free;\n",
          flushes(c) ? "o_valid_q || write_offers" : "o_valid_q", hd_fields_of(c, "req", "deq_", "").text,
          in.text, flushes(c) ? "in_wdata_q" : "fifo_wdata_rdata",
          flushes(c) ? "in_wmask_q" : "fifo_wmask_rdata");
}

static void put_memory(FILE *f, const char *mem, const char *word) {
  fprintf(f,
          "\n"
          "  assign %s_we    = enqueue;\n"
          "  assign %s_waddr = write_row;\n"
          "  assign %s_wdata = %s;\n"
          "  assign %s_re    = read;\n"
          "  assign %s_raddr = read_row;\n",
          mem, mem, mem, word, mem, mem);
}

static void put_queues(FILE *f, const struct hd_config *c) {
  const bool pow2 = (c->d.DEPTH & (c->d.DEPTH - 1)) == 0;
  fputs("\n"
        "  // --- the queues: places and lengths; one is written and one is read in a cycle\n"
        "\n"
        "  wire [DEPTH_W-1:0] in_tail    = tail_q[in_queue*DEPTH_W +: DEPTH_W];\n"
        "  wire [COUNT_W-1:0] in_more    = count_q[in_queue*COUNT_W +: COUNT_W] + 1'b1;\n"
        "  wire [DEPTH_W-1:0] read_head  = head_q[sel_q_q*DEPTH_W +: DEPTH_W];\n"
        "  wire [COUNT_W-1:0] read_less  = count_q[sel_q_q*COUNT_W +: COUNT_W] - 1'b1;\n",
        f);
  if (pow2)
    fputs("  wire [DEPTH_W-1:0] next_tail  = in_tail + 1'b1;\n"
          "  wire [DEPTH_W-1:0] next_head  = read_head + 1'b1;\n",
          f);
  else
    fputs("  wire [DEPTH_W-1:0] next_tail  = in_tail == DEPTH - 1 ? {DEPTH_W{1'b0}} : in_tail + 1'b1;\n"
          "  wire [DEPTH_W-1:0] next_head  = read_head == DEPTH - 1 ? {DEPTH_W{1'b0}} : read_head + 1'b1;\n",
          f);
  fputs("\n"
        "  generate\n"
        "    for (q = 0; q < QUEUES; q = q + 1) begin : queue\n"
        "      wire grow   = enqueue && in_at[q];\n"
        "      wire shrink = read && sel_at[q];\n"
        "      wire ripen  = ripe && ripe_at[q];\n"
        "      wire chosen = choose && choose_at[q];\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          tail_q[q*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};\n"
        "        else if (grow)\n"
        "          tail_q[q*DEPTH_W +: DEPTH_W] <= next_tail;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          head_q[q*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};\n"
        "        else if (shrink)\n"
        "          head_q[q*DEPTH_W +: DEPTH_W] <= next_head;\n"
        "\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          count_q[q*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};\n"
        "        else if (grow ^ shrink)\n"
        "          count_q[q*COUNT_W +: COUNT_W] <= shrink ? read_less : in_more;\n"
        "\n"
        "      // each with its own adders, for the choice comes late: nothing but this multiplexer is "
        "behind it\n"
        "      wire [COUNT_W-1:0] some = avail_q[q*COUNT_W +: COUNT_W];\n"
        "      wire [COUNT_W-1:0] less = ripen ? some : some - 1'b1;\n"
        "      wire [COUNT_W-1:0] more = ripen ? some + 1'b1 : some;\n"
        "      always @(posedge clk)\n"
        "        if (rst)\n"
        "          avail_q[q*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};\n"
        "        else\n"
        "          avail_q[q*COUNT_W +: COUNT_W] <= chosen ? less : more;\n"
        "\n"
        "      assign drained[q] = empty[q] && !(o_valid_q && o_at[q]) && !(in_valid_q && in_at[q]);\n"
        "    end\n"
        "  endgenerate\n",
        f);
  if (c->d.QUEUES == 1)
    fputs("\n"
          "  wire [FIFO_ADDR_W-1:0] write_row = in_tail;\n"
          "  wire [FIFO_ADDR_W-1:0] read_row  = read_head;\n",
          f);
  else
    fputs(
        "\n"
        "  wire [FIFO_ADDR_W-1:0] write_row = in_queue * DEPTH + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, in_tail};\n"
        "  wire [FIFO_ADDR_W-1:0] read_row  = sel_q_q * DEPTH + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, read_head};\n",
        f);
  put_memory(f, "fifo", hd_fields_of(c, "req", "in_", "_q").text);
  if (c->d.WIDE) {
    put_memory(f, "fifo_wdata", "in_wdata_q");
    put_memory(f, "fifo_wmask", "in_wmask_q");
  }
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  const struct hd_config *c = design->c;
  fputs("\n"
        "  localparam [QUEUES-1:0] QUEUE_0 = 1;\n"
        "  genvar q;\n",
        f);
  hd_put_lowest(f, "lowest", "QUEUES");
  hd_put_number(f, "number", "QUEUES", "QUEUE_W");
  if (c->request_buffer.drain == HD_DRAIN_LONGEST)
    fputs("\n"
          "  // bit by bit, whether any queue has it\n"
          "  function [DEPTH-1:0] join_lengths(input [QUEUES*DEPTH-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      join_lengths = {DEPTH{1'b0}};\n"
          "      for (i = 0; i < QUEUES; i = i + 1)\n"
          "        join_lengths = join_lengths | v[i*DEPTH +: DEPTH];\n"
          "    end\n"
          "  endfunction\n",
          f);
  fprintf(f,
          "\n"
          "  // what can be said of each queue, ahead of the question which queue is meant\n"
          "  wire [QUEUES-1:0] empty;\n"
          "  wire [QUEUES-1:0] full;\n"
          "  wire [QUEUES-1:0] ready; // it has an entry old enough to leave\n"
          "  wire [QUEUES-1:0] pass = %s; // the input may go on\n"
          "  generate\n"
          "    for (q = 0; q < QUEUES; q = q + 1) begin : look\n"
          "      assign empty[q] = count_q[q*COUNT_W +: COUNT_W] == 0;\n"
          "      assign full[q]  = count_q[q*COUNT_W +: COUNT_W] == DEPTH;\n"
          "      assign ready[q] = avail_q[q*COUNT_W +: COUNT_W] != 0;\n"
          "    end\n"
          "  endgenerate\n",
          flushes(c) ? "in_write_q ? empty : ~full" : "~full");
  put_input(f, c, decl);
  put_age(f, c);
  put_read(f, c);
  put_choose(f, c);
  put_queues(f, c);
}

const struct hd_behaviour mrpb_rtl = {"mrpb", put,
                                      (const char *const[]){"request_buffer.signature",
                                                            "request_buffer.drain", "request_buffer.greedy",
                                                            "request_buffer.flush", NULL}};
