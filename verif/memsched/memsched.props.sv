//@ # Properties of the queue of any warp (docs/mechanisms/memsched.md).
//@ small sm.warps=8 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 LINE_W=2 WORDS=1 request_buffer.depth=2

  (* anyconst *) reg [WID_W-1:0] wid;
  a_warp: assume property (wid < WARPS);

  wire taken  = enq_valid && enq_ready;
  wire left   = deq_valid && deq_ready;
  wire served = back_valid && back_ok && back_wid == wid;

  reg [4:0] loads;  // number of the warp's load requests that were taken and are not served
  reg [4:0] stores; // number of its stores inside
  reg [WARPS-1:0] away; // warps whose request is at the L1D
  integer w;
  always @(posedge clk)
    if (rst) begin
      loads  <= 5'd0;
      stores <= 5'd0;
      away   <= {WARPS{1'b0}};
    end else begin
      loads  <= loads + (taken && !enq_write && enq_wid == wid) - served;
      stores <= stores + (taken && enq_write && enq_wid == wid) - (left && deq_write && deq_wid == wid);
      for (w = 0; w < WARPS; w = w + 1)
        away[w] <= (away[w] && !(back_valid && back_wid == w)) || (left && !deq_write && deq_wid == w);
    end

  enable:  assume property (en);
  warps:   assume property (!enq_valid || enq_wid < WARPS);
  reports: assume property (back_valid |-> back_wid < WARPS && away[back_wid]);

  one_away:      assert property (left && !deq_write && deq_wid == wid |-> !away[wid]);
  drained_exact: assert property (drained[wid] == (loads == 0 && stores == 0));
  alone:         assert property (left && deq_write && deq_wid == wid |-> loads == 0);
  a_head:        assert property (away[wid] |-> h_valid_q[wid] && tried_q[wid]);

  // For the induction: the places of the warp's requests, and of its head.
  integer u, tries;
  reg rows;
  always @* begin
    tries = (o_valid_q && o_wid_q == wid) + away[wid];
    rows  = !o_valid_q || o_wid_q < WARPS;
    for (u = 0; u < UNITS; u = u + 1)
      tries = tries + (g0_valid_q[u] && g0_row_q[u*ROW_W +: ROW_W]*UNITS + u == wid);
//@ if PROBE_LATE
    for (u = 0; u < PROBES; u = u + 1)
      tries = tries + (g1_valid_q[u] && g1_row_q[u*ROW_W +: ROW_W]*UNITS + u == wid) + (g2_valid_q[u] && g2_row_q[u*ROW_W +: ROW_W]*UNITS + u == wid);
//@ end
  end
  state_tries:  assert property (tries == tried_q[wid] && rows);
  state_head:   assert property (tried_q[wid] |-> h_valid_q[wid]);
  state_refill: assert property (r_valid_q && r_wid_q == wid |-> !h_valid_q[wid]);
  state_empty:  assert property (!h_valid_q[wid] && !(r_valid_q && r_wid_q == wid) |-> count_q[wid*COUNT_W +: COUNT_W] == 0);
  state_loads:  assert property (loads == h_valid_q[wid] + count_q[wid*COUNT_W +: COUNT_W] + (r_valid_q && r_wid_q == wid) + (in_valid_q && !in_write_q && in_wid_q == wid));
  state_stores: assert property (stores == (in_valid_q && in_write_q && in_wid_q == wid) && (!in_valid_q || in_on_q == in_write_q) && (!in_valid_q || in_wid_q < WARPS));
  state_in:     assert property (in_valid_q |-> in_at_q == {{WARPS-1{1'b0}}, 1'b1} << in_wid_q && in_first_q == (in_num_q == 0));
