//@ # The memory request prioritization buffer. Spec: docs/mechanisms/mrpb.md.
//@ #
//@ # Queues are one-hot (names in _at) where a path is long: choices and selections use one-hot vectors. Numbers
//@ # are used for the age line, the memories, `last`, and the queue of the input: to read one bit of one queue is short.
//@ keys request_buffer.signature request_buffer.drain request_buffer.greedy request_buffer.flush
//@ part verilog/next
//@ def kept(mem, word)

  assign /*@mem*/_we    = enqueue;
  assign /*@mem*/_waddr = write_row;
  assign /*@mem*/_wdata = /*@word*/;
  assign /*@mem*/_re    = read;
  assign /*@mem*/_raddr = read_row;
//@ end
//@ def request
/*@{req in_*_q}*/
//@ end

  localparam [QUEUES-1:0] QUEUE_0 = 1;
  genvar q/*@if PICK*/, g/*@end*/;
//@ if PICK
  localparam GROUP = 8; // queues of a group
//@ lowest lowest_group GROUPS
//@ else
//@ lowest lowest QUEUES
//@ end
//@ number number QUEUES QUEUE_W
//@ pick pick_place QUEUES DEPTH_W
//@ if request_buffer.drain == longest
//@ part verilog/any_of

  /*@any_of(join_lengths, QUEUES, DEPTH)*/
//@ end

  // the state of each queue, computed before it is known which queue is meant
  wire [QUEUES-1:0] empty;
  wire [QUEUES-1:0] full;
  wire [QUEUES-1:0] nearly_full; // one more entry fills it
  wire [QUEUES-1:0] single;      // one entry less empties it
  wire              enq_on = !en/*@if request_buffer.flush*/ || enq_write/*@end*/; // the request that is offered will enter no queue
//@ if !PICK
  wire [QUEUES-1:0] pass   = enq_on ? empty : ~full; // it could go on
//@ end
  generate
    for (q = 0; q < QUEUES; q = q + 1) begin : look
      assign empty[q] = count_q[q*COUNT_W +: COUNT_W] == 0;
      assign full[q]  = count_q[q*COUNT_W +: COUNT_W] == DEPTH[COUNT_W-1:0];
      assign nearly_full[q] = count_q[q*COUNT_W +: COUNT_W] == DEPTH[COUNT_W-1:0] - 1'b1;
      assign single[q]      = count_q[q*COUNT_W +: COUNT_W] == 1;
    end
  endgenerate

  // --- input register: a request waits here until its queue lets it pass

  wire [QUEUE_W-1:0] in_queue = /*@if SIG_W*/number(in_at_q)/*@else*/in_wid_q/*@end*/; // signature /*@= request_buffer.signature*/

  wire [QUEUE_W-1:0] enq_queue = /*@if SIG_W*/enq_sig/*@else*/enq_wid/*@end*/;

  // a request that enters no queue waits until its own queue is empty, then leaves from here
  wire in_on       = in_on_q/*@if request_buffer.flush*/ || in_write_q/*@end*/;
  wire in_waits    = /*@if PICK*/in_straight_q/*@else*/in_valid_q && in_on && in_pass_q/*@end*/;
  wire in_offers   = in_waits && /*@if PICK*/o_empty_q/*@else*/!o_valid_q/*@end*/;
  wire in_leaves   = in_offers && deq_ready;
  wire enqueue     = /*@if PICK*/in_pass_q/*@else*/in_valid_q && !in_on && in_pass_q/*@end*/;

  assign enq_ready = !in_valid_q || enqueue || in_leaves;

  wire take = enq_valid && enq_ready;

  always @(posedge clk)
    if (rst)
      in_valid_q <= 1'b0;
    else if (enq_ready)
      in_valid_q <= enq_valid;

  always @(posedge clk)
    if (take) begin
      /*@request*/ <=
        /*@{req enq_*}*/;
      in_on_q <= !en;
    end

  always @(posedge clk)
    if (rst)
      in_at_q <= {QUEUES{1'b0}};
    else if (take)
      in_at_q <= QUEUE_0 << enq_queue;

  // a load brings no bytes
  always @(posedge clk)
    if (take && enq_write) begin
      in_wdata_q <= enq_wdata;
      in_wmask_q <= enq_wmask;
    end
//@ # The entry that becomes old enough to leave: at once, or at the end of the age line.
//@ if DELAY == 0

  // an entry may leave as soon as it is in its queue
  wire              ripe    = enqueue;
  wire [QUEUES-1:0] ripe_at = in_at_q;
//@ else

  // --- age line: an entry may leave DELAY cycles after it entered

  wire              ripe    = age_valid_q[DELAY-1];
  wire [QUEUES-1:0] ripe_at = QUEUE_0 << age_q_q[(DELAY-1)*QUEUE_W +: QUEUE_W];

  always @(posedge clk)
    if (rst)
      age_valid_q <= {DELAY{1'b0}};
    else
      age_valid_q <= /*@if DELAY > 1*/{age_valid_q[DELAY-2:0], enqueue}/*@else*/enqueue/*@end*/;

  always @(posedge clk)
    age_q_q <= /*@if DELAY > 1*/{age_q_q[(DELAY-1)*QUEUE_W-1:0], in_queue}/*@else*/in_queue/*@end*/;
//@ end
//@ if PICK

  // the queue of that entry, known as the cycle begins
  always @(posedge clk)
    if (rst)
      ripe_at_q <= {QUEUES{1'b0}};
    else
      ripe_at_q <= {QUEUES{ripe}} & ripe_at;
//@ end

  // --- read and output

  wire [QUEUE_W-1:0] sel_queue = number(sel_at_q);
  wire [QUEUES-1:0] o_at   = QUEUE_0 << o_q_q;
  wire              o_free = /*@if PICK*/o_empty_q/*@else*/!o_valid_q/*@end*/ || deq_ready;
  // a request that waits to go straight on holds back new reads, so at most one entry is ahead of it
  wire read = sel_valid_q && o_free && (!in_waits || in_leaves);

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else if (o_free)
      o_valid_q <= read;
//@ if PICK

  // decisions use this copy; o_valid already drives the whole output
  always @(posedge clk)
    if (rst)
      o_empty_q <= 1'b1;
    else
      o_empty_q <= !read && o_free;
//@ end

  always @(posedge clk)
    if (read)
      o_q_q <= sel_queue;

  assign deq_valid = o_valid_q || in_offers;
  assign /*@{req deq_*}*/ = o_valid_q ? fifo_rdata :
         /*@request*/;
  assign deq_wdata = /*@if request_buffer.flush*/in_wdata_q/*@else*/o_valid_q ? fifo_wdata_rdata : in_wdata_q/*@end*/;
  assign deq_wmask = /*@if request_buffer.flush*/in_wmask_q/*@else*/o_valid_q ? fifo_wmask_rdata : in_wmask_q/*@end*/;

  // --- choose: which queue is read next, among those with an entry old enough

//@ if PICK
//@ part mrpb_stages
//@ else
//@ if request_buffer.drain == longest
  // the longest queue: lengths in unary, where the maximum is an OR, and a queue is as long as it if
  // it reaches every length that some queue reaches
  wire [QUEUES*DEPTH-1:0] length;
  wire [DEPTH-1:0]        longest = join_lengths(length);
  wire [QUEUES-1:0]       is_longest;
  generate
    for (q = 0; q < QUEUES; q = q + 1) begin : measure
      assign length[q*DEPTH +: DEPTH] = ~({DEPTH{1'b1}} << avail_q[q*COUNT_W +: COUNT_W]);
      assign is_longest[q] = ready_q[q] && &(length[q*DEPTH +: DEPTH] | ~longest);
    end
  endgenerate
  wire [QUEUES-1:0] plain_at = lowest(is_longest);
//@ elif request_buffer.drain == rr
  // the next queue in turn: the lowest above the last one, else the lowest
  wire [QUEUES-1:0] behind   = ready_q & ({QUEUES{1'b1}} << last_q << 1);
  wire [QUEUES-1:0] plain_at = |behind ? lowest(behind) : lowest(ready_q);
//@ else
  // the lowest queue
  wire [QUEUES-1:0] plain_at = lowest(ready_q);
//@ end
//@ if request_buffer.greedy

  // the last queue again, as long as it has an entry
  wire [QUEUES-1:0] last_at   = QUEUE_0 << last_q;
  wire              stay      = ready_q[last_q];
  wire [QUEUES-1:0] policy_at = stay ? last_at : plain_at;
//@ else
  wire [QUEUES-1:0] policy_at = plain_at;
//@ end

  wire choose_free = !sel_valid_q || read;
  wire choose      = choose_free && |ready_q;
//@ if request_buffer.flush

  // the input comes first: its queue is read if it is full, or if a request that enters no queue waits for it to empty
  wire               forced    = in_valid_q && !in_pass_q && |(in_at_q & ready_q);
  wire [QUEUES-1:0]  choose_at = forced ? in_at_q : policy_at;
//@ else
  wire [QUEUES-1:0]  choose_at = policy_at;
//@ end

  always @(posedge clk)
    if (rst)
      sel_valid_q <= 1'b0;
    else if (choose_free)
      sel_valid_q <= |ready_q;
//@ end

  always @(posedge clk)
    if (rst)
      sel_at_q <= {QUEUES{1'b0}};
    else if (choose)
      sel_at_q <= choose_at;
//@ if POINTED

  always @(posedge clk)
    if (rst)
      last_q <= QUEUES[QUEUE_W-1:0] - 1'b1;
    else if (choose/*@if request_buffer.flush*/ && !forced/*@end*/)
      last_q <= /*@if request_buffer.greedy*/stay ? last_q : /*@end*/number(plain_at);
//@ end

  // --- the queues: places and lengths; one is written and one is read in a cycle

  wire [DEPTH_W-1:0] in_tail    = pick_place(in_at_q, tail_q);
  wire [DEPTH_W-1:0] read_head  = pick_place(sel_at_q, head_q);

  // whether the input's queue will let it go on: known a cycle ahead, since it enables the many bits of a store
//@ if PICK
  wire               same      = in_queue == enq_queue;
//@ end
  wire               grows     = enqueue && /*@if PICK*/same/*@else*/in_at_q[enq_queue]/*@end*/; // the queue of the request that is offered
  wire               shrinks   = read && sel_at_q[enq_queue];
  wire               fills     = |(in_at_q & nearly_full);
  wire               enq_room  = shrinks || /*@if PICK*/!full/*@else*/pass/*@end*/[enq_queue] && !(grows && fills);
  wire               empties   = |(sel_at_q & single);
  wire               enq_alone = !grows && (/*@if PICK*/empty/*@else*/pass/*@end*/[enq_queue] || shrinks && empties);
  wire               opens     = read && |(sel_at_q & in_at_q) && (!in_on || empties); // while the input waits

//@ if PICK
  // with two stages in_pass is for a request that enters its queue, and 1 only if the register holds one
  always @(posedge clk)
    if (rst) begin
      in_pass_q     <= 1'b0;
      in_straight_q <= 1'b0;
    end else if (enq_ready) begin
      in_pass_q     <= enq_valid && !enq_on && enq_room;
      in_straight_q <= enq_valid && enq_on && enq_alone;
    end else begin
      in_pass_q     <= opens && !in_on;
      in_straight_q <= in_straight_q || opens && in_on;
    end
//@ else
  always @(posedge clk)
    if (take)
      in_pass_q <= enq_on ? enq_alone : enq_room;
    else if (!enq_ready)
      in_pass_q <= in_pass_q || opens;
//@ end

  generate
    for (q = 0; q < QUEUES; q = q + 1) begin : queue
      wire grow   = enqueue && in_at_q[q];
      wire shrink = read && sel_at_q[q];
      wire ripen  = /*@if PICK*/ripe_at_q[q]/*@else*/ripe && ripe_at[q]/*@end*/;
      wire chosen = /*@if PICK*/gone_at_q[q]/*@else*/choose_free && choose_at[q]/*@end*/; // only a queue with an entry is chosen

      wire [DEPTH_W-1:0] tail    = tail_q[q*DEPTH_W +: DEPTH_W];
      wire [DEPTH_W-1:0] head    = head_q[q*DEPTH_W +: DEPTH_W];
      wire [COUNT_W-1:0] fewer   = count_q[q*COUNT_W +: COUNT_W] - 1'b1;
      wire [COUNT_W-1:0] further = count_q[q*COUNT_W +: COUNT_W] + 1'b1;

      always @(posedge clk)
        if (rst)
          tail_q[q*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
        else if (grow)
          tail_q[q*DEPTH_W +: DEPTH_W] <= /*@next(tail, DEPTH, DEPTH_W)*/;

      always @(posedge clk)
        if (rst)
          head_q[q*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
        else if (shrink)
          head_q[q*DEPTH_W +: DEPTH_W] <= /*@next(head, DEPTH, DEPTH_W)*/;

      always @(posedge clk)
        if (rst)
          count_q[q*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
        else if (grow ^ shrink)
          count_q[q*COUNT_W +: COUNT_W] <= shrink ? fewer : further;

      // each queue with its own adders, since the choice comes late: only this multiplexer is after it
      wire [COUNT_W-1:0] some = avail_q[q*COUNT_W +: COUNT_W];
      wire [COUNT_W-1:0] less = ripen ? some : some - 1'b1;
      wire [COUNT_W-1:0] more = ripen ? some + 1'b1 : some;
      always @(posedge clk)
        if (rst)
          avail_q[q*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
        else
          avail_q[q*COUNT_W +: COUNT_W] <= chosen ? less : more;

      // whether avail is not 0, known as the cycle begins: the choice is the longest path as it is
      always @(posedge clk)
        if (rst)
          ready_q[q] <= 1'b0;
        else
          ready_q[q] <= ripen || (chosen ? some != 1 : ready_q[q]);
//@ if PICK

      wire [COUNT_W-1:0] after = chosen ? less : more;

      always @(posedge clk)
        if (rst) begin
          plenty_q[q] <= 1'b0;
          three_q[q]  <= 1'b0;
        end else begin
          plenty_q[q] <= |after[COUNT_W-1:1];
          three_q[q]  <= |after[COUNT_W-1:2] || &after[1:0];
        end
//@ end

      assign drained[q] = empty[q] && !(o_valid_q && o_at[q]) && !(in_valid_q && !in_on_q && in_at_q[q]);
    end
  endgenerate

//@ if QUEUES == 1
  wire [FIFO_ADDR_W-1:0] write_row = in_tail;
  wire [FIFO_ADDR_W-1:0] read_row  = read_head;
//@ else
  wire [FIFO_ADDR_W-1:0] write_row = in_queue * DEPTH[FIFO_ADDR_W-1:0] + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, in_tail};
  wire [FIFO_ADDR_W-1:0] read_row  = sel_queue * DEPTH[FIFO_ADDR_W-1:0] + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, read_head};
//@ end
  /*@kept(fifo, @request)*/
//@ if WIDE
  /*@kept(fifo_wdata, in_wdata_q)*/
  /*@kept(fifo_wmask, in_wmask_q)*/
//@ end
