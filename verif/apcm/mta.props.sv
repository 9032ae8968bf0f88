//@ # Properties of the monitor tag array (docs/mechanisms/apcm.md): one warp of a kernel is monitored, and the updates are consistent.
//@ small sm.warps=4 sm.ctas=2 l1d.sets=2 apcm.loads=4 apcm.entries=8 apcm.ways=1 l1d.count_bits=2 apcm.threshold=2 LINE_W=4

  (* anyconst *) reg [/*@= MTA_N_W*/-1:0] entry;
  reg was, ended, past;   // since the last clear: a warp was monitored before this cycle; it has ended
  reg [WID_W-1:0] its;    // the monitored warp
  reg [1:0] since;        // cycles without a monitored warp and without reading out, up to 3
  always @(posedge clk) begin
    past  <= !rst && !clear;
    was   <= !rst && !clear && (was || mon_q);
    ended <= !rst && !clear && (ended || (mon_q && exit[mon_wid_q]));
    if (mon_q && !was)
      its <= mon_wid_q;
    since <= rst || clear || mon_q || scan_q ? 2'd0 : since == 2'd3 ? since : since + 2'd1;
  end
  warps: assume property (!acc_valid || acc_wid < WARPS);

  wire [/*@= RR_W*/-1:0] count = entry_0_rows[entry*/*@= MTA_W*/ + /*@= RR_W*/ +: /*@= RR_W*/];
  one_warp:    assert property (was && mon_q |-> mon_wid_q == its);
  not_again:   assert property (ended |-> !mon_q);
  over_ended:  assert property (over_q == ended);
  not_both:    assert property (!(mon_q && scan_q));
  only_mined:  assert property (up_valid |-> was);
  sound:       assert property (up_valid |-> up_intra != 0 && up_intra <= up_count);
  all_read:    assert property (ended && since >= 2 |-> valid_q == 0);
  then_silent: assert property (ended && since == 3 |-> !up_valid);
