//@ # The stride prefetchers. Spec: docs/mechanisms/sap.md.
//@ #
//@ # One event is worked on at a time, a phase after the other; every register says in which phases it changes.
//@ # Entries of the table are one-hot, warps a set of bits or a number that is counted up.
//@ keys prefetch.kind prefetch.divider
//@ #
//@ # Pages that prefetches may go to, if not to all.
//@ terms paged &&
//@ | prefetch.first_page > 0         : page >= 33'd/*@= prefetch.first_page*/
//@ | prefetch.last_page < 4294967295 : page <= 33'd/*@= prefetch.last_page*/
//@ end

  localparam [3:0] IDLE = 4'd0, LOOK = 4'd1, SELECT = 4'd2, DIFFER = 4'd3, MULTIPLY = 4'd4,
                   MATCH = 4'd5, DIVIDE = 4'd6, STORE = 4'd7, GENERATE = 4'd8;
  localparam [WID_W:0] STEP_0 = 1;
//@ if prefetch.kind == sap
  localparam [WARPS-1:0] WARP_0 = 1;
//@ end
  genvar e/*@if PT > 1*/, j/*@end*/;
//@ if PT > 1
//@ lowest lowest_entry PT
//@ end
//@ pick wid_at PT WID_W
//@ pick addr_at PT ADDR_W
//@ pick stride_at PT STRIDE_W
//@ if GROUPED
//@ lowest lowest_warp WARPS
//@ number number_of_warp WARPS WID_W
//@ end

  // t divided by by, of which it is less than twice: the bit, then the remainder
  function [WID_W:0] divide_step(input [WID_W:0] t, input [WID_W-1:0] by);
    divide_step = t >= {1'b0, by} ? {1'b1, t[WID_W-1:0] - by} : {1'b0, t[WID_W-1:0]};
  endfunction
//@ if prefetch.divider == combinational

  // what divided by by: the quotient, then the remainder
  function [ADDR_W+WID_W-1:0] divided(input [ADDR_W-1:0] what, input [WID_W-1:0] by);
    integer i;
    begin
      divided = {what, {WID_W{1'b0}}};
      for (i = ADDR_W - 1; i >= 0; i = i - 1)
        {divided[WID_W + i], divided[WID_W-1:0]} =
          divide_step({divided[WID_W-1:0], divided[WID_W + i]}, by);
    end
  endfunction
//@ end

  wire [8:0] phase_at   = 9'd1 << phase_q;
  wire       idle       = phase_at[IDLE];
  wire       look       = phase_at[LOOK];
  wire       select     = phase_at[SELECT];
  wire       differ     = phase_at[DIFFER];
  wire       multiply   = phase_at[MULTIPLY];
  wire       match      = phase_at[MATCH];
  wire       divide     = phase_at[DIVIDE];
  wire       store      = phase_at[STORE];
  wire       generating = phase_at[GENERATE];
  wire       same; // the distance is as many strides as there are warps

  // --- demand request queue; what it has given stays at its output: the event that is worked on

  localparam DRQ_LAST = DRQ - 1;
  wire push = ev_valid && en && drq_count_q != DRQ[DRQN_W-1:0];
  wire pop  = idle && |drq_count_q;

  assign drq_we    = push;
  assign drq_waddr = drq_tail_q;
  assign drq_wdata = /*@{load_event ev_*}*/;
  assign drq_re    = pop;
  assign drq_raddr = drq_head_q;

  always @(posedge clk)
    if (rst || clear)
      drq_tail_q <= {DRQ_W{1'b0}};
    else if (push)
      drq_tail_q <= drq_tail_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_tail_q + 1'b1;

  always @(posedge clk)
    if (rst || clear)
      drq_head_q <= {DRQ_W{1'b0}};
    else if (pop)
      drq_head_q <= drq_head_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_head_q + 1'b1;

  always @(posedge clk)
    if (rst || clear)
      drq_count_q <= {DRQN_W{1'b0}};
    else if (push && !pop)
      drq_count_q <= drq_count_q + 1'b1;
    else if (pop && !push)
      drq_count_q <= drq_count_q - 1'b1;

  wire [WID_W-1:0]  e_wid;
  wire [PC_W-1:0]   e_pc;
  wire [ADDR_W-1:0] e_addr;
//@ if GROUPED
  wire [WARPS-1:0]  e_group;
//@ end
  assign /*@{load_event e_*}*/ = drq_rdata;

  // --- prefetch table: look the load up, take or update its entry

  wire [PT-1:0] pc_eq;
  wire          known = |at_q;
  wire          learn = select && !known;
  wire [PT-1:0] new_at;
  wire [PT-1:0] taken   = {PT{learn}} & new_at;
  wire [PT-1:0] written = taken | {PT{differ}} & at_q;
  wire [PT-1:0] stored  = {PT{store}} & at_q;
  wire          exact   = !(|r_q);
  wire [STRIDE_W-1:0] quotient = {1'b0, dq_q};
  wire [STRIDE_W-1:0] stride   = d_q[STRIDE_W-1] ^ n_q[WID_W] ? -quotient : quotient;

//@ if PT > 1
//@ # The entry that a new load gets, and how recently each was used.
  wire [PT-1:0]    free_at = lowest_entry(~pt_valid_q);
  wire [PT*PT-1:0] older; // bit e*PT + j = entry e gives way before entry j
  wire [PT-1:0]    oldest_at;
  wire [PT_W-1:0]  now_after, now_before;
  generate
    for (e = 0; e < PT; e = e + 1) begin : age
      assign older[e*PT + e] = 1'b1;
      for (j = e + 1; j < PT; j = j + 1) begin : pair
        localparam PAIR = e*(2*PT-e-1)/2 + j-e-1;
        assign older[e*PT + j]  = !pt_lru_q[PAIR];
        assign older[j*PT + e]  = pt_lru_q[PAIR];
        assign now_after[PAIR]  = written[e];
        assign now_before[PAIR] = written[j];
      end
      assign oldest_at[e] = &older[e*PT +: PT];
    end
  endgenerate
  assign new_at = |free_at ? free_at : oldest_at;

  always @(posedge clk)
    if (rst)
      pt_lru_q <= {PT_W{1'b0}};
    else
      pt_lru_q <= pt_lru_q & ~now_before | now_after;
//@ else
  assign new_at = 1'b1; // the only entry
//@ end

  always @(posedge clk)
    if (rst || clear)
      pt_valid_q <= {PT{1'b0}};
    else
      pt_valid_q <= pt_valid_q | taken;

  always @(posedge clk)
    pt_known_q <= pt_known_q & ~taken & ~stored | stored & {PT{exact}};

  generate
    for (e = 0; e < PT; e = e + 1) begin : entry
      assign pc_eq[e] = pt_valid_q[e] && pt_pc_q[e*PC_W +: PC_W] == e_pc;

      always @(posedge clk)
        if (taken[e])
          pt_pc_q[e*PC_W +: PC_W] <= e_pc;

      always @(posedge clk)
        if (written[e]) begin
          pt_wid_q[e*WID_W +: WID_W]    <= e_wid;
          pt_addr_q[e*ADDR_W +: ADDR_W] <= e_addr;
        end

      always @(posedge clk)
        if (stored[e] && exact)
          pt_stride_q[e*STRIDE_W +: STRIDE_W] <= stride;
    end
  endgenerate

  always @(posedge clk)
    if (look)
      at_q <= pc_eq;

  always @(posedge clk)
    if (select) begin
      old_known_q <= |(at_q & pt_known_q);
      old_wid_q   <= wid_at(at_q, pt_wid_q);
      old_addr_q  <= addr_at(at_q, pt_addr_q);
      s_q         <= stride_at(at_q, pt_stride_q);
    end

  // --- the warps to prefetch for

//@ if prefetch.kind == str
  wire [WARPS-1:0] members = ~({WARPS{1'b1}} << DEGREE) << e_wid << 1;
  localparam W_LAST = WARPS - 1;
  wire [WID_W-1:0] v_first = e_wid == W_LAST[WID_W-1:0] ? {WID_W{1'b0}} : e_wid + 1'b1;
//@ elif GROUPED
  wire [WARPS-1:0] members = e_group & ~(WARP_0 << e_wid);
  wire [WID_W-1:0] v_first = number_of_warp(lowest_warp(left_q));
//@ else
  wire [WARPS-1:0] members = ~(WARP_0 << e_wid);
  wire [WID_W-1:0] v_first = {{WID_W-1{1'b0}}, !(|e_wid)};
//@ end
  wire             give    = generating && (!pf_v_q || pf_ready);
  wire             no_more = !(|left_q[WARPS-1:1]);

  always @(posedge clk)
    if (look)
      left_q <= members;
    else if (differ)
      left_q <= left_q >> v_q;
    else if (give)
      left_q <= left_q >> 1;

  always @(posedge clk)
    if (select)
      v_q <= v_first;
    else if (give)
      v_q <= v_q + 1'b1;

  // --- differ, multiply: n strides, and the address of warp v; a bit of n and m a cycle, the sign last

  wire [WID_W:0]   step_at = STEP_0 << k_q;
  wire             last    = step_at[WID_W];
  wire [SUM_W-1:0] term    = x_q ^ {SUM_W{last}};
  wire [SUM_W-1:0] minus   = {{SUM_W-1{1'b0}}, last};
  wire [SUM_W-1:0] s_wide  = {{SUM_W-STRIDE_W{s_q[STRIDE_W-1]}}, s_q};
  wire [SUM_W-1:0] p_next  = p_q + term + minus;
  wire [SUM_W-1:0] g_next  = g_q + term + minus;

  always @(posedge clk)
    if (differ) begin
      d_q <= {1'b0, e_addr} - {1'b0, old_addr_q};
      n_q <= {1'b0, e_wid} - {1'b0, old_wid_q};
      m_q <= {1'b0, v_q} - {1'b0, e_wid};
    end

  always @(posedge clk)
    if (differ)
      x_q <= s_wide;
    else if (multiply)
      x_q <= x_q << 1;

  always @(posedge clk)
    if (differ)
      p_q <= {SUM_W{1'b0}};
    else if (multiply && |(n_q & step_at))
      p_q <= p_next;

  always @(posedge clk)
    if (differ)
      g_q <= {{SUM_W-ADDR_W{1'b0}}, e_addr};
    else if (multiply && |(m_q & step_at))
      g_q <= g_next;
    else if (give)
      g_q <= g_q + s_wide;

  always @(posedge clk)
    if (differ || match && !same)
      k_q <= {STEP_W{1'b0}};
    else if (multiply/*@if prefetch.divider == iterative*/ || divide/*@end*/)
      k_q <= k_q + 1'b1;

  // --- divide: a bit of the quotient comes for a bit of the dividend

//@ if prefetch.divider == iterative
  wire              bit_next;
  wire [WID_W-1:0]  r_next;
  wire [ADDR_W-1:0] dq_next = {dq_q[ADDR_W-2:0], bit_next};
  assign {bit_next, r_next} = divide_step({r_q, dq_q[ADDR_W-1]}, dn_q);
//@ else
  wire [WID_W-1:0]  r_next;
  wire [ADDR_W-1:0] dq_next;
  assign {dq_next, r_next} = divided(dq_q, dn_q);
//@ end

  always @(posedge clk)
    if (match && !same) begin
      dq_q <= d_q[STRIDE_W-1] ? -d_q[ADDR_W-1:0] : d_q[ADDR_W-1:0];
      dn_q <= n_q[WID_W] ? -n_q[WID_W-1:0] : n_q[WID_W-1:0];
      r_q  <= {WID_W{1'b0}};
    end else if (divide) begin
      dq_q <= dq_next;
      r_q  <= r_next;
    end

  // --- generate: an address that is there

//@ if paged
  wire [32:0] page = {{49-ADDR_W{1'b0}}, g_q[ADDR_W-1:16]};
//@ end
  wire legal = !(|g_q[SUM_W-1:ADDR_W])/*@if paged*/ && /*@paged*//*@end*/;
  wire offer = give && left_q[0] && legal;

  always @(posedge clk)
    if (rst)
      pf_v_q <= 1'b0;
    else if (!pf_v_q || pf_ready)
      pf_v_q <= offer;

  always @(posedge clk)
    if (offer) begin
      pf_l_q <= g_q[ADDR_W-1:OFFSET_W];
//@ if GROUPED
      pf_w_q <= v_q;
//@ end
    end

  assign pf_valid = pf_v_q;
  assign pf_line  = pf_l_q;
//@ if GROUPED
  assign pf_wid   = pf_w_q;
//@ end

  // --- phases

//@ if prefetch.divider == iterative
  localparam K_LAST = ADDR_W - 1;
//@ end
  assign same = old_known_q && p_q == {{SUM_W-STRIDE_W{d_q[STRIDE_W-1]}}, d_q};

  // an event is done with ahead of the last phase, or goes on to the next one, or stays
  wire over = clear || learn || differ && old_wid_q == e_wid || match && same && !(|left_q) || store ||
              give && no_more;
  wire on   = pop || look || select || differ || multiply && last || match || divide/*@if prefetch.divider == iterative*/ && k_q == K_LAST[STEP_W-1:0]/*@end*/;

  always @(posedge clk)
    if (rst || over)
      phase_q <= IDLE;
    else if (match && same)
      phase_q <= GENERATE;
    else if (on)
      phase_q <= phase_q + 1'b1;
