//@ # The stride prefetchers: the rows of the queue become prefetches. Part of sap.v.
//@ #
//@ # A row leaves once its outcome is known; its members wait for the L1D one after the other, all stages together.

  // --- rows leave: those of a match are read, and stay at the outputs until the next one is

  wire due     = |drq_due_q;
  wire is_match = drq_match_q[drq_head_q];
  wire read    = due && is_match && !r_new_q && !turn_q && go;
  wire leave   = due && !is_match || read;

  assign drq_re      = read;
  assign drq_raddr   = drq_head_q;
  assign drq_s_re    = read;
  assign drq_s_raddr = drq_head_q;

  always @(posedge clk)
    if (rst || clear)
      drq_head_q <= {DRQ_W{1'b0}};
    else if (leave)
      drq_head_q <= drq_head_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_head_q + 1'b1;

  // whether a row leaves is known late
  wire [DRQN_W-1:0] count_stays = drq_count_q + {{DRQN_W-1{1'b0}}, push};
  wire [DRQN_W-1:0] count_less  = drq_count_q - {{DRQN_W-1{1'b0}}, !push};
  wire [DRQN_W-1:0] due_stays   = drq_due_q + {{DRQN_W-1{1'b0}}, decide};
  wire [DRQN_W-1:0] due_less    = drq_due_q - {{DRQN_W-1{1'b0}}, !decide};

  always @(posedge clk)
    if (rst || clear) begin
      drq_count_q <= {DRQN_W{1'b0}};
      drq_due_q   <= {DRQN_W{1'b0}};
    end else begin
      drq_count_q <= leave ? count_less : count_stays;
      drq_due_q   <= leave ? due_less : due_stays;
    end

  wire [WID_W-1:0]  r_wid;
  wire [ADDR_W-1:0] r_addr;
  wire [WARPS-1:0]  r_members;
  assign /*@{demand r_*}*/ = drq_rdata;

  // --- pick a member

  wire [WARPS-1:0] first     = lowest_warp(left_q);
  wire [WARPS-1:0] left_next = r_new_q ? r_members : left_q & ~first;

  always @(posedge clk)
    if (rst || clear)
      r_new_q <= 1'b0;
    else if (go)
      r_new_q <= read;

  always @(posedge clk)
    if (rst || clear)
      turn_q <= 1'b0;
    else if (go)
      turn_q <= |left_next && (r_new_q || turn_q);

  always @(posedge clk)
    if (go && (r_new_q || turn_q))
      left_q <= left_next;

  always @(posedge clk)
    if (rst || clear)
      p_v_q <= 1'b0;
    else if (go)
      p_v_q <= turn_q;

  always @(posedge clk)
    if (go && turn_q)
      p_wid_q <= number_of_warp(first);

  // --- its distance

  always @(posedge clk)
    if (rst || clear)
      m_v_q <= 1'b0;
    else if (go)
      m_v_q <= p_v_q;

  always @(posedge clk)
    if (go && p_v_q) begin
//@ if GROUPED
      m_wid_q    <= p_wid_q;
//@ end
      m_by_q     <= {1'b0, p_wid_q} - {1'b0, r_wid};
      m_stride_q <= drq_s_rdata;
      m_addr_q   <= r_addr;
    end

  // --- multiply: the distance in two parts of two digits each

  wire [3:0] low  = {m_by_q[LO_W-1], m_by_q[LO_W > 2 ? 2 : LO_W-1], m_by_q[LO_W > 1 ? 1 : 0], m_by_q[0]};
  wire [3:0] high = {{4-WID_W+LO_W{m_by_q[WID_W]}}, m_by_q[WID_W-1:LO_W]};

  always @(posedge clk)
    if (rst || clear)
      t_v_q <= 1'b0;
    else if (go)
      t_v_q <= m_v_q;

  always @(posedge clk)
    if (go && m_v_q) begin
//@ if GROUPED
      t_wid_q  <= m_wid_q;
//@ end
      t_lo_q   <= times(m_stride_q, low, 1'b0);
      t_hi_q   <= times(m_stride_q, high, m_by_q[LO_W-1]);
      t_addr_q <= m_addr_q;
    end

  // --- sum

  wire [OFFSET_W-1:0]       unused; // a prefetch is for a line
  wire [SUM_W-OFFSET_W-1:0] line;
  assign {line, unused} = {{SUM_W-ADDR_W{1'b0}}, t_addr_q} + {{SUM_W-TERM_W{t_lo_q[TERM_W-1]}}, t_lo_q} +
                          {t_hi_q, {LO_W{1'b0}}};

  always @(posedge clk)
    if (rst || clear)
      g_v_q <= 1'b0;
    else if (go)
      g_v_q <= t_v_q;

  always @(posedge clk)
    if (go && t_v_q) begin
//@ if GROUPED
      g_wid_q  <= t_wid_q;
//@ end
      g_line_q <= line;
    end

  // --- offer

//@ if paged
  wire [32:0] page = {{49-ADDR_W{1'b0}}, g_line_q[LINE_W-1:16-OFFSET_W]};
//@ end
  wire legal = !(|g_line_q[SUM_W-OFFSET_W-1:LINE_W])/*@if paged*/ && /*@paged*//*@end*/;
  wire offer = go && g_v_q && legal;

  always @(posedge clk)
    if (rst)
      pf_v_q <= 1'b0;
    else if (go)
      pf_v_q <= offer;

  always @(posedge clk)
    if (offer) begin
      pf_l_q <= g_line_q[LINE_W-1:0];
//@ if GROUPED
      pf_w_q <= g_wid_q;
//@ end
    end

  assign pf_valid = pf_v_q;
  assign pf_line  = pf_l_q;
//@ if GROUPED
  assign pf_wid   = pf_w_q;
//@ end
