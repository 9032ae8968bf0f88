//@ # Properties of the AXI4 manager of an L1D (docs/mechanisms/axi4.md): a valid channel stays until it is taken, and two transactions
//@ # of one line are in flight only if both are reads.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l1d.ways=2 l1d.mshrs=2 bus.writes=2 bus.bypassed=2 l1d.line_bytes=32 bus.data_bits=128 ADDR_W=20

  localparam READS  = /*@= BUS_READS*/;
  localparam WRITES = /*@= BUS_WRITES*/;

  (* anyconst *) reg [BUS_ID_W-1:0]    any_read;
  (* anyconst *) reg [BUS_WRITE_W-1:0] any_write, other;
  ids:       assume property (any_read < READS && any_write < WRITES && other < WRITES && any_write != other);
  kinds:     assume property (req_valid |-> req_kind <= 2);
  free_mshr: assume property (req_valid && req_kind == 0 |-> req_id < MSHRS);

  reg ar_waits, aw_waits, w_waits, w_was_last;
  reg [BUS_ID_W-1:0]    ar_was;
  reg [BUS_WRITE_W-1:0] aw_was;
  always @(posedge clk) begin
    ar_waits   <= !rst && m_axi_arvalid && !m_axi_arready;
    aw_waits   <= !rst && m_axi_awvalid && !m_axi_awready;
    w_waits    <= !rst && m_axi_wvalid && !m_axi_wready;
    ar_was     <= m_axi_arid;
    aw_was     <= m_axi_awid;
    w_was_last <= m_axi_wlast;
  end

  ar_stays:     assert property (ar_waits |-> m_axi_arvalid && m_axi_arid == ar_was);
  aw_stays:     assert property (aw_waits |-> m_axi_awvalid && m_axi_awid == aw_was);
  w_stays:      assert property (w_waits |-> m_axi_wvalid && m_axi_wlast == w_was_last);
  id_in_range:  assert property (m_axi_arvalid |-> m_axi_arid < READS);
  always_taken: assert property (m_axi_rready);
  not_both:     assert property (!(may_read_q && may_write_q));
  writes_apart: assert property (write_open_q[any_write] && write_open_q[other] |-> write_line_q[any_write*LINE_W +: LINE_W] != write_line_q[other*LINE_W +: LINE_W]);
  reads_apart:  assert property (write_open_q[any_write] && read_open_q[any_read] |-> write_line_q[any_write*LINE_W +: LINE_W] != read_line_q[any_read*LINE_W +: LINE_W]);

  // For the induction: a request that may go has no conflicting transaction of its line in flight.
  state_write:  assert property (may_write_q |-> req_valid && req_kind == 2 && !(write_open_q[any_write] && write_line_q[any_write*LINE_W +: LINE_W] == req_line) && !(read_open_q[any_read] && read_line_q[any_read*LINE_W +: LINE_W] == req_line));
  state_read:   assert property (may_read_q |-> req_valid && req_kind != 2 && !(write_open_q[any_write] && write_line_q[any_write*LINE_W +: LINE_W] == req_line));
