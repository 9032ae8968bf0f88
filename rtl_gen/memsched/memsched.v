//@ # Memory request scheduling: the units that choose among the heads of the queues, and the choice by their
//@ # probes; the queues and the output are parts. Spec: docs/mechanisms/memsched.md.
//@ #
//@ # Queues are numbers in registers and one-hot everywhere else: names in _at have a bit for each queue, and what
//@ # is a unit's own has a bit for each of its rows, where row r of unit u is queue r*UNITS + u. What is asked of a
//@ # queue is answered for each where it is, ahead of the question which queue is meant.
//@ keys request_buffer.drain
//@ #
//@ # The group that the tags have answered.
//@ def answered
/*@if PROBE_EARLY*/g0/*@else*/g2/*@end*/
//@ end
//@ part verilog/next

  localparam [WARPS-1:0] WARP_0 = 1;
  localparam [ROWS-1:0]  ROW_0  = 1;
  genvar w, u, r;
//@ lowest lowest ROWS
//@ number number ROWS ROW_W
//@ pick pick_head ROWS FIFO_WORD_W
//@ if request_buffer.drain == longest
//@ part verilog/any_of

  localparam LENGTH_W = DEPTH + 1; // bits of a queue's length in unary, its head included
  /*@any_of(join_lengths, ROWS, LENGTH_W)*/
//@ end
//@ if PROBES
//@ lowest lowest_unit PROBES
//@ pick pick_line ROWS LINE_W
//@ pick pick_member PROBES FIFO_WORD_W
//@ pick pick_number PROBES WID_W
//@ end
//@ part memsched_queues
//@ if PROBES
//@ # One head of a probed group is sent.

  // --- choice: of the group that the tags have answered the first that hits, else the first that could be sent

  wire choose_free = 1'b1;
//@ if CASC
  wire [PROBES-1:0] bypasses;
//@ end
  wire [PROBES-1:0] hits     = /*@answered*/_valid_q & pr_hit;
  wire [PROBES-1:0] cans     = /*@answered*/_valid_q & /*@if CASC*/(pr_can | bypasses)/*@else*/pr_can/*@end*/;
  wire [PROBES-1:0] in_turn  = {PROBES{1'b1}} << turn_q; // units from the one whose turn it is on
  wire [PROBES-1:0] hit_turn = hits & in_turn;
  wire [PROBES-1:0] can_turn = cans & in_turn;
  wire [PROBES-1:0] hit_at   = |hit_turn ? lowest_unit(hit_turn) : lowest_unit(hits);
  wire [PROBES-1:0] can_at   = |can_turn ? lowest_unit(can_turn) : lowest_unit(cans);
  wire [PROBES-1:0] best_at  = |hits ? hit_at : can_at;
  wire [PROBES-1:0] passes   = /*@answered*/_valid_q & ~(best_at & {PROBES{o_ok}});

  wire send = o_ok && (|hits || |cans);
  wire [PROBES*FIFO_WORD_W-1:0] member;
  wire [PROBES*WID_W-1:0]       member_wid;
  wire [FIFO_WORD_W-1:0]        sent     = pick_member(best_at, member);
  wire [WID_W-1:0]              sent_wid = pick_number(best_at, member_wid);

  always @(posedge clk)
    if (rst)
      turn_q <= {TURN_W{1'b0}};
    else if (|/*@answered*/_valid_q)
      turn_q <= /*@next(turn_q, PROBES, TURN_W)*/;
//@ else
//@ # Without probes the chosen head is sent.

  // --- choose, and send

  wire send        = g0_valid_q && o_ok;
  wire choose_free = !g0_valid_q || send;
  wire [FIFO_WORD_W-1:0] sent;
  wire [WID_W-1:0]       sent_wid = g0_row_q;
//@ end

  // --- the units: unit u chooses among the queues u, u + UNITS, ...

  generate
    for (u = 0; u < UNITS; u = u + 1) begin : unit
      wire [ROWS*FIFO_WORD_W-1:0] mine;

      // the heads that are there and not being tried
      wire [ROWS-1:0] may;
//@ if POINTED
      // the first of them after the last one chosen, else the first
      wire [ROWS-1:0] behind = may & ({ROWS{1'b1}} << g0_row_q[u*ROW_W +: ROW_W] << 1);
      wire [ROWS-1:0] at     = |behind ? lowest(behind) : lowest(may);
//@ elif request_buffer.drain == longest
      // the longest of them: lengths in unary, where the maximum is an OR, and a queue is as long as
      // it if it reaches every length that some queue reaches
      wire [ROWS*LENGTH_W-1:0] length;
      wire [LENGTH_W-1:0]      longest = join_lengths(length);
      wire [ROWS-1:0]          is_longest;
      wire [ROWS-1:0]          at = lowest(is_longest);
//@ else
      wire [ROWS-1:0] at = lowest(may);
//@ end

      always @(posedge clk)
        if (rst) begin
          g0_valid_q[u] <= 1'b0;
          g0_row_q[u*ROW_W +: ROW_W] <= {ROW_W{1'b0}};
        end else if (choose_free) begin
          g0_valid_q[u] <= |may;
          if (|may)
            g0_row_q[u*ROW_W +: ROW_W] <= number(at);
        end
//@ if PROBES

//@ if PROBE_EARLY
      // the line of the head that is being chosen probes the tags; if none is chosen, the line of the last one does
      wire [ROWS-1:0]        probed = |may ? at : ROW_0 << g0_row_q[u*ROW_W +: ROW_W];
//@ else
      // its head's line probes the tags
      wire [ROWS-1:0]        probed = ROW_0 << g0_row_q[u*ROW_W +: ROW_W];
//@ end
      wire [ROWS*LINE_W-1:0] lines;
      assign pr_line[u*LINE_W +: LINE_W] = pick_line(probed, lines);
//@ if PROBE_LATE

      always @(posedge clk)
        if (rst) begin
          g1_valid_q[u] <= 1'b0;
          g2_valid_q[u] <= 1'b0;
        end else begin
          g1_valid_q[u] <= g0_valid_q[u];
          g2_valid_q[u] <= g1_valid_q[u];
        end

      always @(posedge clk) begin
        g1_row_q[u*ROW_W +: ROW_W] <= g0_row_q[u*ROW_W +: ROW_W];
        g2_row_q[u*ROW_W +: ROW_W] <= g1_row_q[u*ROW_W +: ROW_W];
      end
//@ end

      // the tags have answered: the head, should it be the one
      wire [ROWS-1:0] answered = ROW_0 << /*@answered*/_row_q[u*ROW_W +: ROW_W];
      assign member_wid[u*WID_W +: WID_W] = /*@if ROWS > 1*//*@answered*/_row_q[u*ROW_W +: ROW_W] * UNITS + /*@end*/u;
      assign member[u*FIFO_WORD_W +: FIFO_WORD_W] = pick_head(answered, mine);
//@ if CASC
      wire [ROWS-1:0] byps;
      assign bypasses[u] = |(answered & byps);
//@ end
//@ end

      for (r = 0; r < ROWS; r = r + 1) begin : row
        if (r * UNITS + u < WARPS) begin : there
          assign may[r] = h_valid_q[r*UNITS + u] && !tried_q[r*UNITS + u];
          assign mine[r*FIFO_WORD_W +: FIFO_WORD_W] =
            heads[(r*UNITS + u)*FIFO_WORD_W +: FIFO_WORD_W];
          assign chosen_at[r*UNITS + u] = choose_free && at[r];
//@ if request_buffer.drain == longest
          wire [LENGTH_W-1:0] reached =
            ~({LENGTH_W{1'b1}} << count_q[(r*UNITS + u)*COUNT_W +: COUNT_W] << 1);
          assign length[r*LENGTH_W +: LENGTH_W] = reached & {LENGTH_W{may[r]}};
          assign is_longest[r] = may[r] && &(reached | ~longest);
//@ end
//@ if PROBES
          assign lines[r*LINE_W +: LINE_W] = h_line_q[(r*UNITS + u)*LINE_W +: LINE_W];
          assign passed_at[r*UNITS + u] = answered[r] && passes[u];
//@ else
          assign passed_at[r*UNITS + u] = 1'b0;
//@ end
//@ if PROBES && CASC
          assign byps[r] = h_byp_q[r*UNITS + u];
//@ end
        end else begin : none
          assign may[r] = 1'b0;
//@ if request_buffer.drain == longest
          assign length[r*LENGTH_W +: LENGTH_W] = {LENGTH_W{1'b0}};
          assign is_longest[r] = 1'b0;
//@ end
          assign mine[r*FIFO_WORD_W +: FIFO_WORD_W] = {FIFO_WORD_W{1'b0}};
//@ if PROBES
          assign lines[r*LINE_W +: LINE_W] = {LINE_W{1'b0}};
//@ end
//@ if PROBES && CASC
          assign byps[r] = 1'b0;
//@ end
        end
      end
//@ if !PROBES
      assign sent = pick_head(ROW_0 << g0_row_q, mine);
//@ end
    end
  endgenerate
//@ part memsched_output
