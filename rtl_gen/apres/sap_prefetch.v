//@ # The stride prefetchers: the rows of the queue become prefetches. Part of sap.v.
//@ #
//@ # A row leaves once its outcome is known; its members wait for the L1D one after the other, all stages together.

  // --- rows leave: the rows of a match are read, and stay at the outputs until the next row is read

  wire due     = |drq_due_q;
  wire is_match = |(drq_match_q & drq_at_q);
  wire read    = due && is_match && !r_new_q && !turn_q && go;
  wire leave   = due && !is_match || read;

  assign drq_re      = read;
  assign drq_raddr   = drq_head_q;
  assign drq_s_re    = read;
  assign drq_s_raddr = drq_head_q;

  always @(posedge clk)
    if (rst || clear) begin
      drq_head_q <= {DRQ_W{1'b0}};
      drq_at_q   <= {{DRQ-1{1'b0}}, 1'b1};
    end else if (leave) begin
      drq_head_q <= drq_head_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_head_q + 1'b1;
      drq_at_q   <= {drq_at_q[DRQ-2:0], drq_at_q[DRQ-1]};
    end

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

  // {more than one warp, the number of the lowest one} for groups of two warps, of four, ...
  function [WID_W:0] first_of(input [WARPS-1:0] warps);
    reg [(1<<WID_W)-1:0]       any, more;
    reg [(1<<WID_W)*WID_W-1:0] at;
    integer i, k;
    begin
      any = 0;
      any[WARPS-1:0] = warps;
      more = 0;
      at = 0;
      for (k = 0; k < WID_W; k = k + 1)
        for (i = 0; i < 1 << (WID_W - k - 1); i = i + 1) begin
          more[i] = more[2*i] || more[2*i+1] || any[2*i] && any[2*i+1];
          at[i*WID_W +: WID_W] = any[2*i] ? at[2*i*WID_W +: WID_W] : at[(2*i+1)*WID_W +: WID_W];
          at[i*WID_W + k] = !any[2*i] && any[2*i+1];
          any[i] = any[2*i] || any[2*i+1];
        end
      first_of = {more[0], at[WID_W-1:0]};
    end
  endfunction

  wire             several;
  wire [WID_W-1:0] first_wid;
  assign {several, first_wid} = first_of(left_q);

  wire [WARPS-1:0] left_next = r_new_q ? r_members : left_q & ~lowest_warp(left_q);

  always @(posedge clk)
    if (rst || clear)
      r_new_q <= 1'b0;
    else if (go)
      r_new_q <= read;

  always @(posedge clk)
    if (rst || clear)
      turn_q <= 1'b0;
    else if (go)
      turn_q <= r_new_q ? |r_members : turn_q && several;

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
      p_wid_q <= first_wid;

  // --- its distance

  always @(posedge clk)
    if (rst || clear)
      m_v_q <= 1'b0;
    else if (go)
      m_v_q <= p_v_q;

  // the distance in two parts of two digits each (Booth)
  wire [WID_W:0] by    = {1'b0, p_wid_q} - {1'b0, r_wid};
  wire [3:0]     low   = {by[LO_W-1], by[LO_W > 2 ? 2 : LO_W-1], by[LO_W > 1 ? 1 : 0], by[0]};
  wire [3:0]     high  = {{4-WID_W+LO_W{by[WID_W]}}, by[WID_W-1:LO_W]};
  wire [3:0]     odd   = {high[2], high[0], low[2], low[0]};
  wire [3:0]     neg   = {high[3], high[1], low[3], low[1]};
  wire [3:0]     under = {high[1], by[LO_W-1], low[1], 1'b0};
  wire [2:0]     two   = ~(odd[2:0] ^ under[2:0]) & (neg[2:0] ^ odd[2:0]); // the topmost never is

  always @(posedge clk)
    if (go && p_v_q) begin
//@ if GROUPED
      m_wid_q    <= p_wid_q;
//@ end
      m_one_q    <= odd ^ under;
      m_two_q    <= two;
      m_neg_q    <= neg;
      m_stride_q <= drq_s_rdata;
      m_addr_q   <= r_addr;
    end

  // --- multiply

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
      t_lo_q   <= times(m_stride_q, m_one_q[1:0], m_two_q[1:0], m_neg_q[1:0]);
      t_hi_q   <= times(m_stride_q, m_one_q[3:2], {1'b0, m_two_q[2]}, m_neg_q[3:2]);
      t_addr_q <= m_addr_q;
    end

  // --- sum, in two halves: the carry of the lower half is added where the prefetch is offered

  wire [SUM_W-1:0]    base = {{SUM_W-ADDR_W{1'b0}}, t_addr_q};
  wire [SUM_W-1:0]    part = {{SUM_W-TERM_W{t_lo_q[TERM_W-1]}}, t_lo_q};
  wire [SUM_W-1:0]    over = {t_hi_q, {LO_W{1'b0}}};
  wire [OFFSET_W-1:0] unused; // a prefetch is for a line
  wire [HALF_W-OFFSET_W-1:0] lower;
  wire [1:0]                 carry;
  assign {carry, lower, unused} = {2'b00, base[HALF_W-1:0]} + {2'b00, part[HALF_W-1:0]} + {2'b00, over[HALF_W-1:0]};

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
      g_low_q  <= lower;
      g_up_q   <= carry;
      g_high_q <= base[SUM_W-1:HALF_W] + part[SUM_W-1:HALF_W] + over[SUM_W-1:HALF_W];
    end

  // --- offer

  wire [SUM_W-OFFSET_W-1:0] line = {g_high_q + {{SUM_W-HALF_W-2{1'b0}}, g_up_q}, g_low_q};

//@ if paged
  wire [32:0] page = {{49-ADDR_W{1'b0}}, line[LINE_W-1:16-OFFSET_W]};
//@ end
  wire legal = !(|line[SUM_W-OFFSET_W-1:LINE_W])/*@if paged*/ && /*@paged*//*@end*/;
  wire offer = go && g_v_q && legal;

  always @(posedge clk)
    if (rst)
      pf_v_q <= 1'b0;
    else if (go)
      pf_v_q <= offer;

  always @(posedge clk)
    if (offer) begin
      pf_l_q <= line[LINE_W-1:0];
//@ if GROUPED
      pf_w_q <= g_wid_q;
//@ end
    end

  assign pf_valid = pf_v_q;
  assign pf_line  = pf_l_q;
//@ if GROUPED
  assign pf_wid   = pf_w_q;
//@ end
