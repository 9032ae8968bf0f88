//@ # Properties of the protection status board (docs/mechanisms/apcm.md), for any warp.
//@ small sm.warps=4 sm.ctas=2 sm.pc_bits=8 apcm.loads=4

  (* anyconst *) reg [WID_W-1:0] warp;
  a_warp: assume property (warp < WARPS);

  wire             on   = psb_on[warp];
  wire             loop = psb_loop[warp];
  wire [LID_W-1:0] until_ = psb_last[warp*LID_W +: LID_W];

  // the events of the cycle before, which may release the warp
  reg past, cleared, ended, asked, was_on, was_loop, by_load, by_loop;
  reg             new_loop, left_loop;
  reg [LID_W-1:0] new_last, was_last, left_id;
  reg [PC_W-1:0]  left_from, left_to;
  always @(posedge clk) begin
    past     <= !rst;
    cleared  <= clear;
    ended    <= exit[warp];
    asked    <= ps_valid && ps_wid == warp;
    new_loop <= ps_loop;
    new_last <= ps_last;
    was_on   <= on;
    was_loop <= loop;
    was_last <= until_;
    by_load  <= acc_valid && acc_trk && acc_last && acc_wid == warp && on && !loop && until_ == acc_lid;
    by_loop  <= left_loop && on && loop && until_ == left_id && left_to <= ask_pc && ask_pc <= left_from;
    // a loop that is left takes effect one cycle later
    left_loop <= !rst && !clear && leave_valid && leave_wid == warp;
    left_id   <= psb_last[leave_wid*LID_W +: LID_W];
    left_from <= leave_from;
    left_to   <= leave_to;
  end
  wire released = cleared || ended || by_load || by_loop;

  asks_id:      assert property (left_loop |-> ask_id == left_id);
  released_off: assert property (past && released |-> !on);
  stays_on:     assert property (past && was_on && !released |-> on && loop == was_loop && until_ == was_last);
  set_on:       assert property (past && asked && !was_on && !released |-> on && loop == new_loop && until_ == new_last);
  else_off:     assert property (past && !asked && !was_on |-> !on);
