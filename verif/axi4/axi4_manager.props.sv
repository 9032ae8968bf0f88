//@ # What docs/mechanisms/axi4.md promises of the AXI4 manager of an L1D, behind a bus that keeps AXI4's rules: it answers what was
//@ # asked, whole bursts, writes after their last beat, without errors.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l1d.ways=2 l1d.mshrs=2 bus.writes=2 bus.bypassed=2 l1d.line_bytes=32 bus.data_bits=128 ADDR_W=20

  localparam READS  = /*@= BUS_READS*/;
  localparam WRITES = /*@= BUS_WRITES*/;
  localparam LAST   = /*@= BEATS - 1*/;

  wire ar = m_axi_arvalid && m_axi_arready;
  wire aw = m_axi_awvalid && m_axi_awready;
  wire w  = m_axi_wvalid && m_axi_wready;
  wire r  = m_axi_rvalid && m_axi_rready;
  wire b  = m_axi_bvalid && m_axi_bready;

  reg [READS-1:0]   asked;       // reads whose address is through and whose last beat is not
  reg [8*READS-1:0] beats;       // beats of each that are through
  reg [WRITES-1:0]  named, sent; // writes whose address is through, and whose last beat is; not answered
  reg [7:0]         beat;        // beats of the write at W that are through
  reg ar_waits, aw_waits, w_waits;
  reg [BUS_ID_W+LINE_W-1:0]    ar_was;
  reg [BUS_WRITE_W+LINE_W-1:0] aw_was;
  reg [/*@= BUS_WORDS * 72*/:0] w_was;
  integer i;
  always @(posedge clk) begin
    ar_waits <= !rst && m_axi_arvalid && !m_axi_arready;
    aw_waits <= !rst && m_axi_awvalid && !m_axi_awready;
    w_waits  <= !rst && m_axi_wvalid && !m_axi_wready;
    ar_was   <= {m_axi_arid, m_axi_araddr[/*@= ADDR_W*/-1 -: LINE_W]};
    aw_was   <= {m_axi_awid, m_axi_awaddr[/*@= ADDR_W*/-1 -: LINE_W]};
    w_was    <= {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
    for (i = 0; i < READS; i = i + 1) begin
      asked[i] <= !rst && (asked[i] ? !(r && m_axi_rid == i && m_axi_rlast) : ar && m_axi_arid == i);
      if (ar && m_axi_arid == i)
        beats[8*i +: 8] <= 8'd0;
      else if (r && m_axi_rid == i)
        beats[8*i +: 8] <= beats[8*i +: 8] + 8'd1;
    end
    for (i = 0; i < WRITES; i = i + 1) begin
      named[i] <= !rst && (named[i] ? !(b && m_axi_bid == i) : aw && m_axi_awid == i);
      sent[i]  <= !rst && (sent[i] ? !(b && m_axi_bid == i) : w && m_axi_wlast && m_axi_awid == i);
    end
    beat <= rst || (w && m_axi_wlast) ? 8'd0 : beat + w;
  end

  kinds:     assume property (req_valid |-> req_kind <= 2);
  free_mshr: assume property (req_valid && req_kind == 0 |-> req_id < MSHRS);
  bus_reads: assume property (m_axi_rvalid |-> m_axi_rid < READS && asked[m_axi_rid] && m_axi_rresp == 0 && m_axi_rlast == (beats[8*m_axi_rid +: 8] == LAST));
  bus_writes: assume property (m_axi_bvalid |-> m_axi_bid < WRITES && named[m_axi_bid] && sent[m_axi_bid] && m_axi_bresp == 0);

  (* anyconst *) reg [BUS_ID_W-1:0]    any_read;
  (* anyconst *) reg [BUS_WRITE_W-1:0] any_write, other;
  ids: assume property (any_read < READS && any_write < WRITES && other < WRITES && any_write != other);

  ar_stays:     assert property (ar_waits |-> m_axi_arvalid && {m_axi_arid, m_axi_araddr[/*@= ADDR_W*/-1 -: LINE_W]} == ar_was);
  aw_stays:     assert property (aw_waits |-> m_axi_awvalid && {m_axi_awid, m_axi_awaddr[/*@= ADDR_W*/-1 -: LINE_W]} == aw_was);
  w_stays:      assert property (w_waits |-> m_axi_wvalid && {m_axi_wdata, m_axi_wstrb, m_axi_wlast} == w_was);
  read_id_free: assert property (m_axi_arvalid |-> m_axi_arid < READS && !asked[m_axi_arid]);
  write_id_free: assert property (m_axi_awvalid |-> m_axi_awid < WRITES && !named[m_axi_awid]);
  last_beat:    assert property (m_axi_wvalid |-> m_axi_wlast == (beat == LAST));
  no_fault:     assert property (!fault && errors == 0);
  no_error:     assert property (rsp_valid |-> rsp_error == 0);
  writes_apart: assert property (write_open_q[any_write] && write_open_q[other] |-> write_line_q[any_write*LINE_W +: LINE_W] != write_line_q[other*LINE_W +: LINE_W]);
  reads_apart:  assert property (write_open_q[any_write] && read_open_q[any_read] |-> write_line_q[any_write*LINE_W +: LINE_W] != read_line_q[any_read*LINE_W +: LINE_W]);

  // For the induction: what is open is at the bus, or in the register before or behind it; what may go meets nothing of its line.
  wire w_is = m_axi_awvalid || m_axi_wvalid;
  reg reads, counted, writes, errors_0, alone, may;
  integer j;
  always @* begin
    reads    = 1'b1;
    counted  = 1'b1;
    errors_0 = !b_valid_q || b_resp_q == 0;
    alone    = 1'b1;
    may      = !(may_read_q && may_write_q);
    for (j = 0; j < READS; j = j + 1) begin
      reads    = reads && read_open_q[j] == (asked[j] || (ar_valid_q && ar_id_q == j) || (r_valid_q && r_id_q == j && r_last_q))
                 && !(asked[j] && ((ar_valid_q && ar_id_q == j) || (r_valid_q && r_id_q == j && r_last_q)))
                 && !(ar_valid_q && ar_id_q == j && r_valid_q && r_id_q == j) && (!read_open_q[j] || read_used_q[j])
                 && !(r_valid_q && r_id_q == j && !r_last_q && !asked[j]);
      counted  = counted && (!asked[j] || (beats[8*j +: 8] == read_beat_q[j*BEAT_W +: BEAT_W] + (r_valid_q && r_id_q == j) && beats[8*j +: 8] <= LAST))
                 && (!(ar_valid_q && ar_id_q == j) || read_beat_q[j*BEAT_W +: BEAT_W] == 0)
                 && (!(r_valid_q && r_id_q == j && r_last_q) || read_beat_q[j*BEAT_W +: BEAT_W] == LAST);
      errors_0 = errors_0 && (!read_open_q[j] || read_error_q[2*j +: 2] == 0);
      may      = may && !(may_write_q && read_open_q[j] && read_line_q[j*LINE_W +: LINE_W] == req_line);
    end
    errors_0 = errors_0 && (!r_valid_q || (r_resp_q == 0 && r_id_q < READS)) && (!o_valid_q || o_error_q == 0);
    writes   = (!b_valid_q || (b_id_q < WRITES && write_open_q[b_id_q])) && (!w_is || aw_id_q < WRITES) && (!ar_valid_q || ar_id_q < READS);
    for (j = 0; j < WRITES; j = j + 1) begin
      writes = writes && write_open_q[j] == ((w_is && aw_id_q == j) || (named[j] && sent[j]) || (b_valid_q && b_id_q == j))
               && !(aw_valid_q && aw_id_q == j && named[j]) && !(w_valid_q && aw_id_q == j && sent[j])
               && (!named[j] || sent[j] || (w_valid_q && aw_id_q == j)) && (!sent[j] || named[j] || (aw_valid_q && aw_id_q == j))
               && (!(w_is && aw_id_q == j) || (aw_valid_q || named[j]) && (w_valid_q || sent[j]))
               && !(b_valid_q && b_id_q == j && (named[j] || sent[j] || (w_is && aw_id_q == j))) && (!write_open_q[j] || write_used_q[j]);
      may    = may && !((may_write_q || may_read_q) && write_open_q[j] && write_line_q[j*LINE_W +: LINE_W] == req_line);
    end
  end
  state_reads:  assert property (reads);
  state_counts: assert property (counted);
  state_writes: assert property (writes);
  state_errors: assert property (errors_0);
  state_may:    assert property (may && (req_valid || !(may_read_q || may_write_q)));
