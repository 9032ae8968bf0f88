//@ # Properties of the queues (docs/mechanisms/mrpb.md): no request is lost, doubled, or out of order in its queue.
//@ #
//@ # The watched queue is any queue. Its requests have a colour in their line address: one has 1, one later request has 2, all others
//@ # have 0. Bit 2 of the address is 1 only for requests of this queue. The buffer does not use addresses, so it treats all contents
//@ # in the same way: if it loses, doubles or reorders any two requests, it can do so with the coloured ones.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 LINE_W=3 WORDS=1 request_buffer.depth=4 request_buffer.latency=4 request_buffer.signature=block

  (* anyconst *) reg [QUEUE_W-1:0] watched;
  any_queue: assume property (watched < QUEUES);

//@ if SIG_W
  wire [QUEUE_W-1:0] enq_q = enq_sig;
  reg  [QUEUE_W-1:0] in_at;
  integer            n;
  always @* begin
    in_at = 0;
    for (n = 0; n < QUEUES; n = n + 1)
      if (in_at_q[n])
        in_at = n[QUEUE_W-1:0];
  end
//@ else
  wire [QUEUE_W-1:0] enq_q = enq_wid;
  wire [QUEUE_W-1:0] in_at = in_wid_q;
//@ end
  // the most cycles without an offered request while one is inside
  localparam LONGEST = /*@if PICK*/DELAY + 5/*@else*/DELAY + 3/*@end*/;

  wire mine  = enq_q == watched;
  wire taken = enq_valid && enq_ready;
  wire left  = deq_valid && deq_ready;
  reg        in_1, in_2, out_1, out_2; // the coloured requests that were taken, and that have left
  reg [7:0]  here, all;                // number of requests inside: of the watched queue, and of all queues
  reg [7:0]  quiet;                    // cycles in a row in which a request was inside and none was offered
  always @(posedge clk)
    if (rst) begin
      {in_1, in_2, out_1, out_2} <= 4'd0;
      here  <= 8'd0;
      all   <= 8'd0;
      quiet <= 8'd0;
    end else begin
      in_1  <= in_1 || (taken && enq_line[1:0] == 2'd1);
      in_2  <= in_2 || (taken && enq_line[1:0] == 2'd2);
      out_1 <= out_1 || (left && deq_line[1:0] == 2'd1);
      out_2 <= out_2 || (left && deq_line[1:0] == 2'd2);
      here  <= here + (taken && mine) - (left && deq_line[2]);
      all   <= all + taken - left;
      quiet <= all == 8'd0 || deq_valid ? 8'd0 : quiet + 8'd1;
    end

  tag:      assume property (enq_valid |-> enq_line[2] == mine);
  plain:    assume property (enq_valid && !mine |-> enq_line[1:0] == 2'd0);
  colours:  assume property (enq_valid |-> enq_line[1:0] != 2'd3);
  one_1:    assume property (enq_valid && enq_line[1:0] == 2'd1 |-> !in_1);
  one_2:    assume property (enq_valid && enq_line[1:0] == 2'd2 |-> in_1 && !in_2);
//@ if QUEUES > 1 << 1
  enq_queue: assume property (enq_valid |-> enq_q < QUEUES);
//@ end

  once_1:   assert property (left && deq_line[1:0] == 2'd1 |-> in_1 && !out_1);
  once_2:   assert property (left && deq_line[1:0] == 2'd2 |-> in_2 && !out_2);
  order:    assert property (left && deq_line[1:0] == 2'd2 |-> out_1);
  whole:    assert property (left |-> deq_line[1:0] != 2'd3 && (deq_line[1:0] == 2'd0 || deq_line[2]));
  room:     assert property (here <= DEPTH + 2);
  drained_exact: assert property (drained[watched] == (here == (in_valid_q && in_on_q && in_at == watched)));
  never_stuck:   assert property (all != 8'd0 |-> quiet <= LONGEST);

  // For the induction: relations between the registers. Place p of queue q is used if it is less than `count` places after `head`.
  function [2:0] line_of(input [255:0] row);
//@ each req f
    reg [/*@f_width*/-1:0] v_/*@f*/;
//@ end
    begin
      /*@{req v_*}*/ = row;
      line_of = v_line[2:0];
    end
  endfunction
  function is_write(input [255:0] row);
//@ each req f
    reg [/*@f_width*/-1:0] v_/*@f*/;
//@ end
    begin
      /*@{req v_*}*/ = row;
      is_write = v_write;
    end
  endfunction
  localparam WORD = /*@= LINE_W + 1 + WID_W + SLOT_W + LANE_W + 1 + OP_W + REQ_BYP + LOC + GID_W + REQ_PC_W + LOW_W + HPC_W + PE_W + LID_W + APCM*/;

  integer q, p, o, r, sum, ones, twos, ageing, ahead;
  reg tails, counts, tags, held, ordered, selected, loads, readies/*@if PICK*/, picked/*@end*/;
  reg seen_2; // a 2 was seen, from the oldest request to the newest
  always @* begin
    // the most cycles until a request is offered, by its state: a queue is chosen; an entry is old enough; an entry ages; a request waits
    ahead    = LONGEST;
//@ if DELAY
    for (p = 0; p < DELAY; p = p + 1)
      if (age_valid_q[p])
        ahead = LONGEST - 1 - p;
//@ end
//@ if PICK
    if (ripe_at_q != 0)
      ahead = 4;
    for (q = 0; q < QUEUES; q = q + 1)
      if (avail_q[q*COUNT_W +: COUNT_W] > gone_at_q[q])
        ahead = 3;
    if (pick_valid_q != 0/*@if request_buffer.flush*/ || forced_q/*@end*/)
      ahead = 2;
    picked = 1'b1;
    for (q = 0; q < QUEUES; q = q + 1)
      picked = picked && avail_q[q*COUNT_W +: COUNT_W] >= gone_at_q[q] + pick_at_q[q]
               && (!pick_at_q[q] || (pick_valid_q[q/8] && (pick_at_q & 64'd255 << q/8*8) == 64'd1 << q));
    for (p = 0; p < GROUPS; p = p + 1)
      picked = picked && (!pick_valid_q[p] || (pick_at_q >> 8*p & 8'd255) != 0);
//@ else
    if (avail_q != 0)
      ahead = 2;
//@ end
    if (sel_valid_q)
      ahead = 1;
    tails    = 1'b1;
    counts   = 1'b1;
    readies  = 1'b1;
    tags     = 1'b1;
    loads    = !(o_valid_q && is_write(fifo_rdata));
    sum      = in_valid_q + o_valid_q;
    ones     = 0;
    twos     = 0;
    selected = 1'b1;
    for (q = 0; q < QUEUES; q = q + 1) begin
      tails  = tails && (head_q[q*DEPTH_W +: DEPTH_W] + count_q[q*COUNT_W +: COUNT_W]) % DEPTH == tail_q[q*DEPTH_W +: DEPTH_W]
               && count_q[q*COUNT_W +: COUNT_W] <= DEPTH;
      ageing = 0;
//@ if DELAY
      for (p = 0; p < DELAY; p = p + 1)
        ageing = ageing + (age_valid_q[p] && age_q_q[p*QUEUE_W +: QUEUE_W] == q);
//@ end
      counts = counts && count_q[q*COUNT_W +: COUNT_W] == avail_q[q*COUNT_W +: COUNT_W] + ageing + (sel_valid_q && sel_at_q[q])/*@if PICK*/ + ripe_at_q[q] - gone_at_q[q]/*@end*/;
      selected = selected && !(sel_valid_q && sel_at_q[q] && count_q[q*COUNT_W +: COUNT_W] == 0);
      readies = readies && ready_q[q] == (avail_q[q*COUNT_W +: COUNT_W] != 0)/*@if PICK*/ && plenty_q[q] == (avail_q[q*COUNT_W +: COUNT_W] > 1) && three_q[q] == (avail_q[q*COUNT_W +: COUNT_W] > 2)/*@end*/;
      sum    = sum + count_q[q*COUNT_W +: COUNT_W];
      for (o = 0; o < DEPTH; o = o + 1) begin
        r = q*DEPTH + (head_q[q*DEPTH_W +: DEPTH_W] + o) % DEPTH;
        if (o < count_q[q*COUNT_W +: COUNT_W]) begin
          tags = tags && line_of(fifo_rows[r*WORD +: WORD]) < 3'd7 && (q == watched ? line_of(fifo_rows[r*WORD +: WORD]) >= 3'd4 : line_of(fifo_rows[r*WORD +: WORD]) == 3'd0);
          loads = loads && !is_write(fifo_rows[r*WORD +: WORD]);
          ones = ones + (line_of(fifo_rows[r*WORD +: WORD]) == 3'd5);
          twos = twos + (line_of(fifo_rows[r*WORD +: WORD]) == 3'd6);
        end
      end
    end
    if (in_valid_q) begin
      tags = tags && in_line_q[2:0] < 3'd7 && in_at < QUEUES && (in_at == watched ? in_line_q[2:0] >= 3'd4 : in_line_q[2:0] == 3'd0);
      ones = ones + (in_line_q[2:0] == 3'd5);
      twos = twos + (in_line_q[2:0] == 3'd6);
    end
    if (o_valid_q) begin
      tags = tags && line_of(fifo_rdata) < 3'd7 && (o_q_q == watched ? line_of(fifo_rdata) >= 3'd4 : line_of(fifo_rdata) == 3'd0);
      ones = ones + (line_of(fifo_rdata) == 3'd5);
      twos = twos + (line_of(fifo_rdata) == 3'd6);
    end
    held = ones == in_1 - out_1 && twos == in_2 - out_2;
    // oldest first: once a 2 is seen, no 1 follows
    seen_2  = o_valid_q && line_of(fifo_rdata) == 3'd6;
    ordered = 1'b1;
    for (o = 0; o < DEPTH; o = o + 1) begin
      r = watched*DEPTH + (head_q[watched*DEPTH_W +: DEPTH_W] + o) % DEPTH;
      if (o < count_q[watched*COUNT_W +: COUNT_W]) begin
        ordered = ordered && !(seen_2 && line_of(fifo_rows[r*WORD +: WORD]) == 3'd5);
        seen_2  = seen_2 || line_of(fifo_rows[r*WORD +: WORD]) == 3'd6;
      end
    end
    ordered = ordered && !(seen_2 && in_valid_q && in_line_q[2:0] == 3'd5);
  end
  state_tails:    assert property (tails);
  state_counts:   assert property (counts);
  state_ready:    assert property (readies);
  state_in_at:    assert property (in_valid_q |-> in_at_q != 0 && (in_at_q & (in_at_q - 1'b1)) == 0 && in_at_q[in_at]);
  state_sel_at:   assert property (sel_valid_q |-> sel_at_q != 0 && (sel_at_q & (sel_at_q - 1'b1)) == 0);
//@ if PICK
  state_picked:   assert property (picked && (gone_at_q & (gone_at_q - 1'b1)) == 0 && (ripe_at_q & (ripe_at_q - 1'b1)) == 0);
  state_copies:   assert property (o_empty_q == !o_valid_q);
  state_straight: assert property ((!in_pass_q || in_valid_q && !(in_on_q/*@if request_buffer.flush*/ || in_write_q/*@end*/)) && (!in_straight_q || in_valid_q && (in_on_q/*@if request_buffer.flush*/ || in_write_q/*@end*/)));
//@ if request_buffer.flush
  state_forced:   assert property (forced_q |-> in_valid_q && avail_q[in_at*COUNT_W +: COUNT_W] > gone_at_q[in_at]);
//@ end
//@ end
  state_tags:     assert property (tags);
  state_held:     assert property (held && (!out_1 || in_1) && (!out_2 || in_2) && (!in_2 || in_1));
  state_ordered:  assert property (ordered && !(out_2 && !out_1));
  state_selected: assert property (selected && (!o_valid_q || o_q_q < QUEUES));
//@ if request_buffer.flush
  state_pass:     assert property (in_valid_q |-> (in_pass_q/*@if PICK*/ || in_straight_q/*@end*/) == (in_on_q || in_write_q ? count_q[in_at*COUNT_W +: COUNT_W] == 0 : count_q[in_at*COUNT_W +: COUNT_W] < DEPTH));
  state_loads:    assert property (loads);
//@ else
  state_pass:     assert property (in_valid_q |-> (in_pass_q/*@if PICK*/ || in_straight_q/*@end*/) == (in_on_q ? count_q[in_at*COUNT_W +: COUNT_W] == 0 : count_q[in_at*COUNT_W +: COUNT_W] < DEPTH));
//@ end
  state_all:      assert property (all == sum);
  state_ahead:    assert property (all != 8'd0 && !deq_valid |-> quiet + ahead <= LONGEST);
  state_here:     assert property (here == count_q[watched*COUNT_W +: COUNT_W] + (in_valid_q && in_at == watched) + (o_valid_q && o_q_q == watched));
