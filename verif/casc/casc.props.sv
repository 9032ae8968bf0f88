//@ # Properties of CASC between coalescer and request buffer (docs/mechanisms/casc.md): no request is lost, doubled or out of order, and
//@ # the scheme decides which requests of a divergent load bypass.
//@ #
//@ # Two requests have a colour in their line address (bits 1 and 2): any one has 1, and any later one has 2; all others have 0. The
//@ # module uses an address only for its set (bit 0), so it treats all contents in the same way.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l1d.ways=2 LINE_W=3 casc.pc_bits=3
//@ looks in

  wire taken = in_valid && in_ready;
  wire left  = out_valid && out_ready;
  reg  in_1, in_2, out_1, out_2;        // the coloured requests that have been taken, and have left
  reg  [LANE_W-1:0] next;               // the number of the next request of the instruction that is offered
  reg  many, on, load;                  // that instruction: its in_many; enabled when it began; it is a load
  reg  [WID_W-1:0]  wid;
  reg  [SLOT_W-1:0] slot;
  reg  its_load;                        // more requests of request 1's instruction will come
  reg  gathers, gathers_2;              // request 1, request 2 is gathered, and does not pass
  reg  [WID_W-1:0]  wid_1;              // the fields of request 1
  reg  [SLOT_W-1:0] slot_1;
  reg  [LANE_W-1:0] num_1;
  reg  last_1, write_1, set_1;
  reg  [LANE_W:0]   after, behind;      // requests of its load; later ones to its set
  reg  [3:0]        inside;             // requests that have been taken and have not left
  wire first  = next == 0;
  wire is_on  = first ? en : on;
  wire mine   = !in_write && in_many && is_on;
  wire takes_1 = taken && in_line[2:1] == 2'd1;
  wire same_load = taken && (takes_1 || its_load);
  wire leaves_1 = left && out_line[2:1] == 2'd1;
  always @(posedge clk)
    if (rst) begin
      {in_1, in_2, out_1, out_2} <= 4'd0;
      next     <= {LANE_W{1'b0}};
      its_load <= 1'b0;
      inside   <= 4'd0;
    end else begin
      in_1   <= in_1 || takes_1;
      in_2   <= in_2 || (taken && in_line[2:1] == 2'd2);
      out_1  <= out_1 || leaves_1;
      out_2  <= out_2 || (left && out_line[2:1] == 2'd2);
      inside <= inside + taken - left;
      if (taken) begin
        next <= in_last ? {LANE_W{1'b0}} : next + 1'b1;
        if (first) begin
          {many, on, load} <= {in_many, en, !in_write};
          wid  <= in_wid;
          slot <= in_slot;
        end
      end
      if (taken && in_line[2:1] == 2'd2)
        gathers_2 <= mine;
      if (takes_1) begin
        gathers <= mine;
        wid_1   <= in_wid;
        slot_1  <= in_slot;
        num_1   <= in_num;
        last_1  <= in_last;
        write_1 <= in_write;
        set_1   <= in_line[0];
        behind  <= 0;
      end else if (its_load && taken && in_line[0] == set_1)
        behind <= behind + 1'b1;
      if (same_load) begin
        its_load <= !in_last;
        after    <= in_num + 1'b1;
      end
    end

  colours:  assume property (in_line[2:1] != 2'd3);
  one_1:    assume property (in_valid && in_line[2:1] == 2'd1 |-> !in_1);
  one_2:    assume property (in_valid && in_line[2:1] == 2'd2 |-> in_1 && !in_2);
  numbers:  assume property (in_valid |-> in_num == next && (next != LANES - 1 || in_last));
  whole:    assume property (in_valid && !first |-> in_many == many && in_write == !load && in_wid == wid && in_slot == slot);
  a_warp:   assume property (in_wid < WARPS);
  enough:   assume property (in_valid && !in_many && in_last |-> in_num < WAYS);
  // The enable may change at any time, but not while an instruction waits at the input.
  reg waits, was_en;
  always @(posedge clk) begin
    waits  <= !rst && in_valid && !in_ready;
    was_en <= en;
  end
  as_it_was: assume property (waits |-> en == was_en);

  once_1:   assert property (leaves_1 |-> (in_1 || takes_1) && !out_1);
  once_2:   assert property (left && out_line[2:1] == 2'd2 |-> (in_2 || (taken && in_line[2:1] == 2'd2)) && !out_2);
  order:    assert property (left && out_line[2:1] == 2'd2 |-> out_1);
  whose:    assert property (leaves_1 && in_1 |-> out_wid == wid_1 && out_slot == slot_1 && out_num == num_1 && out_write == write_1);
  last:     assert property (leaves_1 && in_1 && gathers |-> out_last == (num_1 + 1'b1 == after));
  passes:   assert property (leaves_1 && takes_1 |-> out_wid == in_wid && out_slot == in_slot && out_num == in_num && out_last == in_last
                                                    && out_write == in_write && !out_byp && !out_loc);
  gathered: assert property (leaves_1 && in_1 |-> gathers && !its_load);
  at_once:  assert property (in_valid && !mine && inside == 4'd0 |-> out_valid && in_ready == out_ready);
  is_busy:  assert property (in_1 && !out_1 |-> busy[wid_1]);
  never_full: assert property (in_valid && mine && inside == 4'd0 |-> in_ready);
//@ if casc.scheme == per_set || casc.scheme == locality
  decides:  assert property (leaves_1 && in_1 |-> out_byp == (behind >= WAYS));
//@ end
//@ if casc.scheme == locality
  by_degree: assert property (leaves_1 && in_1 |-> out_loc == (after > WAYS && !out_byp));
//@ end

  // For the induction: the contents and their places; request 1 is in row num_1 of bank bank_1.
  reg bank_1, bank_2;
  reg [LANE_W-1:0] num_2;
  always @(posedge clk) begin
    if (takes_1)
      bank_1 <= fill_q;
    if (taken && in_line[2:1] == 2'd2) begin
      bank_2 <= fill_q;
      num_2  <= in_num;
    end
  end
  wire inside_1 = in_1 && !out_1, inside_2 = in_2 && !out_2 && gathers_2;
  wire [LANE_W:0] count_0 = b_count_q[LANE_W:0], count_1 = b_count_q[2*LANE_W+1 -: LANE_W+1];
  wire [LANE_W:0] draining = drain_q ? count_1 : count_0;
  wire read_0 = o_valid_q && o_last_q && !o_bank_q, read_1 = o_valid_q && o_last_q && o_bank_q;  // read to its end
  wire [3:0] left_0 = full_q[0] && !read_0 ? count_0 - (drain_q ? 0 : next_q) : 0,
             left_1 = full_q[1] && !read_1 ? count_1 - (drain_q ? next_q : 0) : 0;
  wire at_output = o_valid_q && o_bank_q == bank_1 && o_num_q == num_1;
  state_mid:    assert property (mid_q == (!first && on && many && load));
  state_bank:   assert property (mid_q |-> !full_q[fill_q] && wid == b_wid_q[fill_q*WID_W +: WID_W]);
  state_turn:   assert property (full_q == 2'd0 |-> fill_q == drain_q && !o_valid_q && next_q == 0);
  state_one:    assert property (full_q == 2'd1 || full_q == 2'd2 |-> fill_q == full_q[0]);
  state_unread: assert property (full_q == 2'd1 || full_q == 2'd2 |-> drain_q == full_q[1] || (o_valid_q && o_last_q && o_bank_q == full_q[1]));
  state_both:   assert property (full_q == 2'd3 |-> fill_q == (o_valid_q && o_last_q ? o_bank_q : drain_q));
  state_next:   assert property (next_q != 0 |-> full_q[drain_q] && next_q < draining);
  state_output: assert property (o_valid_q |-> full_q[o_bank_q] && (o_last_q ? drain_q != o_bank_q && next_q == 0 : drain_q == o_bank_q && next_q == o_num_q + 1'b1));
  state_counts: assert property ((!full_q[0] || (count_0 != 0 && count_0 <= LANES)) && (!full_q[1] || (count_1 != 0 && count_1 <= LANES)));
  state_inside: assert property (inside == o_valid_q + (mid_q ? next : 0) + left_0 + left_1);
  state_passed: assert property (in_1 && !out_1 |-> gathers);
  state_place:  assert property (in_1 && !out_1 |-> full_q[bank_1] ? num_1 < (bank_1 ? count_1 : count_0) : mid_q && fill_q == bank_1 && num_1 < next);
  state_whose:  assert property (in_1 && !out_1 |-> b_wid_q[bank_1*WID_W +: WID_W] == wid_1);
  state_kept:   assert property (in_1 && !out_1 |-> lines_rows[(bank_1*LANES + num_1)*LINE_W + 1 +: 2] == 2'd1);
  state_to_read: assert property (in_1 && !out_1 && full_q[bank_1] |-> at_output || (!(drain_q == bank_1 && next_q > num_1) && !(o_valid_q && o_last_q && o_bank_q == bank_1)));
  state_read:   assert property (inside_1 && at_output |-> lines_rdata[2:1] == 2'd1);
  // No other row that will be read has a colour, nor has the row that was read.
  reg       others;
  reg [1:0] colour;
  integer b, j;
  always @* begin
    others = 1'b1;
    for (b = 0; b < 2; b = b + 1)
      for (j = 0; j < LANES; j = j + 1) begin
        colour = lines_rows[(b*LANES + j)*LINE_W + 1 +: 2];
        if (full_q[b] ? j < (b == 1 ? count_1 : count_0) && !(drain_q == b && j < next_q) && !(b == 1 ? read_1 : read_0)
                      : mid_q && fill_q == b && j < next)
          others = others && colour != 2'd3 && (colour != 2'd1 || (inside_1 && bank_1 == b && num_1 == j))
                          && (colour != 2'd2 || (inside_2 && bank_2 == b && num_2 == j));
      end
    if (o_valid_q)
      others = others && lines_rdata[2:1] != 2'd3 && (lines_rdata[2:1] != 2'd1 || (inside_1 && at_output))
                      && (lines_rdata[2:1] != 2'd2 || (inside_2 && bank_2 == o_bank_q && num_2 == o_num_q));
  end
  state_others: assert property (others);
  state_passes: assert property (in_2 && !gathers_2 |-> out_1 && out_2);
  state_behind: assert property (inside_1 && inside_2 |-> bank_1 == bank_2 ? num_1 < num_2
                                 : full_q[bank_1] && fill_q == (full_q[bank_2] ? bank_1 : bank_2));
  state_second: assert property (inside_2 |-> full_q[bank_2] ? num_2 < (bank_2 ? count_1 : count_0) : mid_q && fill_q == bank_2 && num_2 < next);
  state_read_2: assert property (inside_2 && o_valid_q && o_bank_q == bank_2 && o_num_q == num_2 |-> lines_rdata[2:1] == 2'd2);
  state_kept_2: assert property (inside_2 |-> lines_rows[(bank_2*LANES + num_2)*LINE_W + 1 +: 2] == 2'd2);
  state_to_2:   assert property (inside_2 && full_q[bank_2] |-> (o_valid_q && o_bank_q == bank_2 && o_num_q == num_2)
                                 || (!(drain_q == bank_2 && next_q > num_2) && !(o_valid_q && o_last_q && o_bank_q == bank_2)));
  state_first:  assert property ((in_1 || !in_2) && (in_1 || !out_1) && (in_2 || !out_2));
