//@ # Properties of the victim tag arrays (docs/mechanisms/ccws.md): their queue; only a line that was lost is found.
//@ small sm.warps=4 sm.ctas=2 l1d.sets=2 l1d.ways=2 ccws.entries=2 ccws.ways=2 ccws.queue=2 LINE_W=2

  reg past, cleared, looked, lost; // in the last cycle: no reset, a clear, step 3; lost: a line was evicted since the last clear
  always @(posedge clk) begin
    past    <= !rst;
    cleared <= !rst && clear;
    looked  <= !rst && !clear && step_q == 3;
    lost    <= !rst && !clear && (lost || (outcome_evict && ccws_en));
  end
  warps: assume property (outcome_wid < WARPS);

  ring:       assert property ((head_q + count_q) % /*@= VTA_Q*/ == tail_q && count_q <= /*@= VTA_Q*/);
  seven_steps: assert property (step_q < 7);
  when_looked: assert property (hit_valid |-> looked);
  forgets:    assert property (cleared |-> !hit_valid && count_q == 0 && step_q == 0 && known_q == 0);
  only_lost:  assert property (!lost |-> !hit_valid && known_q == 0);

  // For the induction: before a line is lost, no entry of the queue has a victim.
  localparam ONE = /*@= 1 + WID_W + LINE_W*/;
  integer i;
  reg none;
  always @* begin
    none = !(step_q != 0 && queue_rdata[2*ONE-1]) && step_q < 4;
    for (i = 0; i < /*@= VTA_Q*/; i = i + 1)
      if (i < count_q)
        none = none && !queue_rows[((head_q + i) % /*@= VTA_Q*/)*2*ONE + 2*ONE-1];
  end
  state_none: assert property (!lost |-> none);
