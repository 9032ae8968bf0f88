//@ # The ways that APCM pins. Part of l1d.v.
//@ #
//@ # Which ways are pinned is asked while a request's tags are compared; d_stuck says before d decides whether they
//@ # leave it none, and every change of its set up to then is in it. A row of the owner is there with its line's tag.

  // --- protected lines, and whose they are

  wire protects = miss && d_keep_q;

  assign owner_we    = reserve_at & {WAYS{d_keep_q}};
  assign owner_waddr = d_set_q;
  assign owner_wdata = d_wid_q;
  assign owner_re    = tags_re;
  assign owner_raddr = tags_raddr;

  generate
    for (s = 0; s < SETS; s = s + 1) begin : protection
      for (w = 0; w < WAYS; w = w + 1) begin : line
        always @(posedge clk)
          if (rst)
            prot_q[s*WAYS + w] <= 1'b0;
          else if (miss && d_at[s] && victims[s*WAYS + w])
            prot_q[s*WAYS + w] <= d_keep_q;
      end
    end
  endgenerate

  // for the board of who protects
  assign ps_valid = ps_v_q;
  assign ps_wid   = ps_w_q;
  assign ps_last  = ps_f_q;
  assign ps_loop  = ps_l_q;

  always @(posedge clk)
    if (rst)
      ps_v_q <= 1'b0;
    else
      ps_v_q <= protects;

  always @(posedge clk)
    if (protects) begin
      ps_w_q <= d_wid_q;
      ps_f_q <= d_final_q;
      ps_l_q <= d_final_q == d_lid_q;
    end

  // --- pinned ways: protected lines of warps that protect

  // Asked for c, as it will be after this cycle. A row of the owners that was written in the last cycle is not
  // needed: its warp protects.
  wire [WAYS-1:0] c_recent = {WAYS{t1_valid_q && t1_set_q == c_set_q}} & (WAY_0 << t1_way_q);
  wire [WAYS-1:0] c_held;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : holder
      wire [WID_W-1:0] who = owner_rdata[w*OWNER_WORD_W +: OWNER_WORD_W];
      assign c_held[w] = |(psb_on & (WARP_0 << who)) || ps_v_q && ps_w_q == who;
    end
  endgenerate
  wire [WAYS-1:0] c_pinned  = pick_ways(c_at, prot_q) & (c_recent | c_held);
  wire [WAYS-1:0] c_taken   = {WAYS{d_set_q == c_set_q}} & reserve_at;
  wire [WAYS-1:0] c_pin     = c_taken & {WAYS{d_keep_q}} | c_pinned & ~c_taken;
  wire [WAYS-1:0] c_blocked = c_reserved | c_lines & ~c_dropped & c_pinned;

  always @(posedge clk)
    if (rst)
      d_pin_q <= {WAYS{1'b0}};
    else if (advance)
      d_pin_q <= {WAYS{c_valid_q}} & c_pin;

  // a way that a fill ends the waiting of is still not to be had only if it is pinned and the line stays
  wire c_opens = fill_now && f_set_q == c_set_q && !(fill_stays && |(f_way_at & c_pinned));
  wire d_opens = fill_now && f_set_q == d_set_q && !(fill_stays && |(f_way_at & d_pin_q));

  always @(posedge clk)
    if (rst)
      d_stuck_q <= 1'b0;
    else if (advance)
      d_stuck_q <= c_valid_q && |c_pin && &c_blocked && !c_opens;
    else if (d_opens)
      d_stuck_q <= 1'b0;
