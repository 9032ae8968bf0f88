//@ # Properties of the locality degree at the L1D (docs/mechanisms/casc.md), for any load and any two ways.
//@ small l1d.ways=4 l1d.sets=2 casc.pc_bits=3 casc.sample_bits=2 l1d.count_bits=2

  (* anyconst *) reg [1:0] one, other;

  reg [1:0]          held;             // cycles in which the load in d was held, up to 2
  reg                room;             // its set had an empty way when it was first held
  reg [WAYS-1:0]     loose;            // the valid ways that were not pinned then
  reg [WAYS*RR_W-1:0] counters;        // the counters of all ways then
  reg                known;            // known, sum, count: the table's answer when it was held a second time
  reg [RRSUM_W-1:0]  sum;
  reg [SAMPLE_W-1:0] count;
  wire [WAYS-1:0] now_loose = decide_lines/*@if PINS*/ & ~decide_pins/*@end*/;
  wire [RR_W-1:0] of_one    = counters[one*RR_W +: RR_W], of_other = counters[other*RR_W +: RR_W];
  always @(posedge clk)
    if (rst || late_advance)
      held <= 2'd0;
    else if (late_held && held != 2'd2) begin
      held <= held + 2'd1;
      if (held == 2'd0) begin
        room     <= !(&(decide_lines | decide_reserved));
        loose    <= now_loose;
        counters <= decide_counters;
      end else begin
        known <= lk_known;
        sum   <= lk_sum;
        count <= lk_count;
      end
    end

  hooks:     assume property (!(late_held && late_advance));
  only_held: assume property (late_held |-> hold);

  two_cycles:  assert property (hold == (decide_loc && held != 2'd2));
  not_for_all: assert property (!decide_loc |-> !hold && !hold_refuse && !lack_line && &hold_among);
  looks_up:    assert property (lk_hpc == decide_hpc);
  lacks:       assert property (lack_line == decide_loc);
  empty_way:   assert property (held == 2'd2 && room |-> !hold_refuse && &hold_among);
  unknown:     assert property (held == 2'd2 && !known |-> !hold_refuse);
  // The victim is one of the lines with the smallest counter; the load is cached only if its average is higher.
  a_line:      assert property (held == 2'd2 && decide_loc && !room && hold_among[one] |-> loose[one]);
  the_least:   assert property (held == 2'd2 && decide_loc && !room && hold_among[one] && loose[other] |-> of_one <= of_other);
  all_least:   assert property (held == 2'd2 && decide_loc && !room && hold_among[one] && loose[other] && of_one == of_other |-> hold_among[other]);
  some_way:    assert property (held == 2'd2 && decide_loc && !room && loose != 0 |-> hold_among != 0);
  promises:    assert property (held == 2'd2 && decide_loc && !room && known && hold_among[one]
                                |-> hold_refuse == !({{SAMPLE_W{1'b0}}, sum} > of_one * {{RR_W+RR_W{1'b0}}, count}));

  // For the induction: the state of the set when the load was first held.
  state_step:   assert property (l_step_q == held);
  state_room:   assert property (held != 2'd0 |-> l_room_q == room);
  state_least:  assert property (held != 2'd0 |-> l_least_q[one] == (loose[one] && of_one == l_min_q));
  state_min:    assert property (held != 2'd0 && loose[one] |-> l_min_q <= of_one);
  state_some:   assert property (held != 2'd0 && loose != 0 |-> l_least_q != 0);
  state_better: assert property (held == 2'd2 |-> l_better_q == (!known || {{SAMPLE_W{1'b0}}, sum} > l_min_q * {{RR_W+RR_W{1'b0}}, count}));
