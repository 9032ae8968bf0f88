//@ # Properties of a scheduler's warps (docs/mechanisms/warp_limit.md), for any scheduler. Warp w belongs to scheduler w mod SCHEDS.
//@ small sm.warps=8 sm.ctas=2 sm.schedulers=2 scheduler.limit=2

  (* anyconst *) reg [1:0] chosen;
  (* anyconst *) reg [WID_W-1:0] warp; // any warp of the chosen scheduler
  some_scheduler: assume property (chosen < SCHEDS);
  its_warp:       assume property (warp < WARPS && warp % SCHEDS == {{WID_W-2{1'b0}}, chosen});

  wire [WARPS-1:0] active = ~withhold;
  integer w;
  reg [WARPS-1:0] mine;
  always @*
    for (w = 0; w < WARPS; w = w + 1)
      mine[w] = w % SCHEDS == {30'd0, chosen};
  function [WID_W:0] count(input [WARPS-1:0] v);
    integer i;
    begin
      count = {WID_W+1{1'b0}};
      for (i = 0; i < WARPS; i = i + 1)
        count = count + {{WID_W{1'b0}}, v[i]};
    end
  endfunction

  reg past; // the last cycle was no reset
  reg [WARPS-1:0] was_active, was_awake;
  always @(posedge clk) begin
    past       <= !rst;
    was_active <= active;
    was_awake  <= awake;
  end
  wire [WARPS-1:0] stay = was_active & was_awake & mine;
  wire [WARPS-1:0] wait_ = was_awake & ~was_active & mine;
  wire room = count(was_active & mine) <= /*@= LIMIT*/ && count(stay) < /*@= LIMIT*/;

  bounded_number: assert property (count(active & mine) <= /*@= LIMIT*/);
  stays_active:   assert property (past && was_active[warp] && was_awake[warp] |-> active[warp]);
  gives_up:       assert property (past && was_active[warp] && !was_awake[warp] |-> !active[warp]);
  needs_awake:    assert property (past && active[warp] && !was_active[warp] |-> was_awake[warp]);
  one_a_cycle:    assert property (past |-> count(active & ~was_active & mine) <= 1);
  fills_room:     assert property (past && room && |wait_ |-> |(active & wait_));
  lowest_first:   assert property (past && active[warp] && !was_active[warp] |-> (wait_ & ~({WARPS{1'b1}} << warp)) == 0);
