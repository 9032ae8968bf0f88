//@ # Properties of any scheduler (docs/mechanisms/sched.md). Warp w belongs to scheduler w mod SCHEDS.
//@ small sm.warps=6 sm.ctas=2 sm.schedulers=2

  (* anyconst *) reg [1:0] s;
  (* anyconst *) reg [WID_W-1:0] warp; // any warp of scheduler s
  some_scheduler: assume property (s < SCHEDS);
  its_warp:       assume property (warp < WARPS && warp % SCHEDS == s);

//@ if PICKS
  wire [WARPS-1:0] can = ready & ~withhold;
//@ else
  wire [WARPS-1:0] can = ready;
//@ end
  integer w;
  reg [WARPS-1:0] mine;
  always @*
    for (w = 0; w < WARPS; w = w + 1)
      mine[w] = w % SCHEDS == s;
  wire             picks = pick_valid[s];
  wire [WID_W-1:0] wid   = pick_wid[s*WID_W +: WID_W];

  picks_ready:  assert property (picks |-> can[wid] && mine[wid]);
  else_zero:    assert property (!picks |-> wid == 0);
//@ if !GTO
  never_idles:  assert property (|(can & mine) |-> picks);
//@ if !PREFERS

  // A warp that stays ready is picked before any other warp is picked twice: within MEMBERS picks.
  reg [7:0] passed; // cycles in a row in which the warp was ready and another was picked
  always @(posedge clk)
    if (rst || !can[warp] || (picks && wid == warp))
      passed <= 8'd0;
    else
      passed <= passed + 8'd1;
  waits_bounded: assert property (can[warp] |-> passed < MEMBERS);

  // For the induction: the picks so far have moved `last` from the place after the warp's towards it.
  wire [7:0] place = warp / SCHEDS;
  wire [7:0] last  = last_q[s*MEMBER_W +: MEMBER_W];
  wire [7:0] there = WARPS / SCHEDS + (WARPS % SCHEDS > s); // number of warps of the scheduler
  wire [7:0] gap   = last >= place ? last - place : last + MEMBERS - place; // places from the warp to `last`, in a circle
  state_gap:     assert property (passed != 0 |-> gap >= passed);
  state_last:    assert property (last < MEMBERS && there <= MEMBERS);
//@ end
//@ end
