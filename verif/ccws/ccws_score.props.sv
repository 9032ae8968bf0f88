//@ # Properties of CCWS's scores (docs/mechanisms/ccws.md), for any warp: whether it is present, and whether it may load.
//@ small sm.warps=4 sm.ctas=2 sm.schedulers=2 ccws.count_bits=12 ccws.base=1 ccws.k=1

  (* anyconst *) reg [WID_W-1:0] warp;
  a_warp: assume property (warp < WARPS && (!hit_valid || hit_wid < WARPS));

  reg here, past, was_on, started; // the warp is present; in the last cycle: no reset, enabled, the warp started
  integer i;
  reg [7:0] number, was_number;    // number of present warps, now and in the last cycle
  always @* begin
    number = 8'd0;
    for (i = 0; i < WARPS; i = i + 1)
      number = number + present_q[i];
  end
  always @(posedge clk) begin
    past       <= !rst;
    was_on     <= ccws_en;
    started    <= !rst && launch_valid && launch_warps[warp];
    here       <= !rst && ((launch_valid && launch_warps[warp]) || (here && !exit[warp]));
    was_number <= rst ? 8'd0 : number;
  end

  only_loads:  assert property ((withhold & ~next_load) == 0);
  off:         assert property (past && !was_on |-> withhold == 0);
  begins_free: assert property (started |-> !withhold[warp]);
  is_there:    assert property (present_q[warp] == here);
  how_many:    assert property (there_low_q + {1'b0, there_high_q} == was_number);
  in_turn:     assert property (served_q < WARPS && row_q < WARPS + 3);
