//@ # Properties of SAP (docs/mechanisms/sap.md): no row of the demand request queue is lost or doubled, and no load has two entries.
//@ small sm.warps=48 sm.ctas=2 sm.schedulers=1 sm.pc_bits=8 PC_W=3 prefetch.table=2 prefetch.queue=3 ADDR_W=20

  reg past, was_on, cleared;
  always @(posedge clk) begin
    past    <= !rst;
    was_on  <= en;
    cleared <= !rst && clear;
  end
  warps: assume property (!ev_valid || ev_wid < WARPS);

  (* anyconst *) reg [/*@= PT*/-1:0] one, other; // any two entries
  entries: assume property (one < PT && other < PT && one != other);

  integer i;
  reg [7:0] under_way; // number of rows whose events are between look and store
  always @* begin
    under_way = (l_v_q && l_row_q) + (o_v_q && o_row_q) + (d_v_q && d_row_q);
    for (i = 0; i <= /*@= DIV_N*/; i = i + 1)
      under_way = under_way + (x_v_q[i] && x_row_q[i]);
  end

  ring:      assert property ((drq_head_q + drq_count_q) % DRQ == drq_tail_q && drq_count_q <= DRQ);
  done_ring: assert property ((drq_head_q + drq_due_q) % DRQ == drq_done_q);
  each_row:  assert property (drq_count_q == drq_due_q + under_way);
  off:       assert property (past && !was_on |-> !e_v_q);
  forgets:   assert property (cleared |-> pt_valid_q == 0 && drq_count_q == 0 && !e_v_q);
  one_entry: assert property (pt_valid_q[one] && pt_valid_q[other] |-> pt_pc_q[one*PC_W +: PC_W] != pt_pc_q[other*PC_W +: PC_W]);
