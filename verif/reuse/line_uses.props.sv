//@ # Properties of line_uses (docs/mechanisms/line_uses.md), for any way of any set.
//@ small l1d.sets=2 l1d.ways=2 l1d.count_bits=2 rft.entries=4 apcm.threshold=2

  (* anyconst *) reg [SET_W-1:0] set;
  (* anyconst *) reg [WAY_W-1:0] way;

  // The line in the way, by OUTCOME.
  reg             there;   // a load has taken the line since the reset
  reg [RR_W-1:0]  again;   // re-references since then, up to all ones
  reg [HPC_W-1:0] whose;   // hash of the load that took it
  reg             asked, ours, just; // in the last cycle: a line was going to be evicted; OUTCOME was about its place; a load took a line
  reg [LINE_ROW_W-1:0] row;
  wire at   = outcome_set == set && outcome_at[way];
  wire used = outcome_load && (outcome_hit || outcome_merge) && !outcome_take;
  wire [LINE_ROW_W-1:0] its_row = set * WAYS + way;
  reg [WAY_W-1:0] told; // the way in OUTCOME
  integer w;
  always @* begin
    told = {WAY_W{1'b0}};
    for (w = 0; w < WAYS; w = w + 1)
      if (outcome_at[w])
        told = told | w;
  end
  always @(posedge clk) begin
    if (rst)
      there <= 1'b0;
    else if (outcome_take && at) begin
      there <= 1'b1;
      again <= {RR_W{1'b0}};
      whose <= took_hpc;
    end else if (there && used && at && !(&again))
      again <= again + 1'b1;
    asked <= !rst && late_evict;
    row   <= late_row;
    just  <= outcome_take;
    ours  <= outcome_set * WAYS + told == late_row;
  end

  one_way:   assume property ((outcome_at & (outcome_at - 1)) == 0);
  a_way:     assume property (outcome_take || outcome_evict || (used && outcome_hit) |-> outcome_at != 0);
  it_was_it: assume property (outcome_evict |-> asked && row == outcome_set * WAYS + told);
  not_just:  assume property (outcome_evict |-> !(just && ours));
  of_a_set:  assume property (way < WAYS);

  says:     assert property (evict_valid == outcome_evict);
  counts:   assert property (evict_valid && at && there |-> evict_count == again);
  its_load: assert property (evict_valid && at && there |-> evict_hpc == whose);
//@ if APCM
  first:    assert property (outcome_take || !(outcome_hit || outcome_merge) |-> uses == 0);
  nth:      assert property ((outcome_hit || outcome_merge) && !outcome_take && at && there |-> uses == (&again ? again : again + 1'b1));
//@ end
//@ if LOC
  shows:    assert property (decide_set == set && there |-> decide_counters[way*RR_W +: RR_W] == again);
//@ end

  // For the induction: the counter and the row.
  state_counter: assert property (there |-> rr_q[its_row*RR_W +: RR_W] == again);
  state_row:     assert property (there |-> line_hpc_rows[its_row*HPC_W +: HPC_W] == whose);
  state_read:    assert property (asked && row == its_row && there && !(just && ours) |-> line_hpc_rdata == whose);
