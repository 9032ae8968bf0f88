//@ # APCM at the L1D. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # The L1D asks which ways are pinned while it compares a load's tags; OUTCOME of the request before comes in meanwhile.
//@ keys apcm.manage

  localparam [LAT-1:0] LOAD_0 = 1;
//@ if APCM_P
  localparam [WARPS-1:0] WARP_0 = 1;
  localparam [SETS-1:0]  SET_0  = 1;
  genvar s, w;
//@ pick pick_final LAT LID_W
//@ pick pick_until WARPS LID_W
//@ pick pick_ways SETS WAYS
//@ end

  // --- the advice that follows from a load's pattern

  wire           known   = apcm_en && look_valid && look_trk && !look_write;
  wire [LAT-1:0] load_at = LOAD_0 << look_lid;
//@ if APCM_B

  always @(posedge clk)
    if (late_advance)
      d_apb_q <= known && |(m_bypass & load_at);

  assign advice_bypass = d_apb_q;
//@ end
//@ if APCM_F

  always @(posedge clk)
    if (late_advance)
      d_full_q <= apcm_en;

  assign lack_line = d_full_q;
//@ end
//@ if APCM_P

  // a warp protects for one load at a time, which it names by the load that ends the protection
  wire [WARPS-1:0] warp_at  = WARP_0 << look_wid;
  wire [LID_W-1:0] final_id = pick_final(load_at, m_last);
  wire             alone    = !(|(psb_on & warp_at));
  wire             same     = pick_until(warp_at, psb_last) == final_id &&
                              |(psb_loop & warp_at) == (final_id == look_lid);

  always @(posedge clk)
    if (late_advance) begin
      d_keep_q  <= known && |(m_protect & load_at) && (alone || same);
      d_final_q <= final_id;
    end

  always @(posedge clk) begin
    e_keep_q  <= d_keep_q;
    e_final_q <= d_final_q;
  end

//@ if KEPT
  assign advice_keep = d_keep_q;
//@ end
  assign pin_new     = d_keep_q;

  // --- protected lines, and whose they are

//@ if ON_MISS
  wire protects = outcome_take && e_keep_q;

  assign owner_we    = late_take; // for all loads: prot decides whether the row counts, and is known later
  assign owner_waddr = decide_set;
  assign owner_wdata = decide_wid;
  assign owner_re    = late_read;
  assign owner_raddr = late_set;
//@ else
  // the first load that wants a line begins the protection at once; the line is protected when it comes
  wire first    = outcome_hit ? outcome_take : !(|outcome_nth);
  wire protects = outcome_load && !outcome_past && first && e_keep_q;

  assign owner_we         = outcome_at & {WAYS{outcome_take}};
  assign owner_waddr      = outcome_set;
  assign owner_wdata      = took_wid;
  assign owner_re         = late_read;
  assign owner_raddr      = late_set;
  assign owner_fill_we    = owner_we;
  assign owner_fill_waddr = outcome_set;
  assign owner_fill_wdata = took_wid;
  assign owner_fill_re    = late_fill;
  assign owner_fill_raddr = late_fill_set;

  // a row that was read as it was written
  always @(posedge clk)
    if (rst)
      w_take_q <= 1'b0;
    else
      w_take_q <= outcome_take;

  always @(posedge clk) begin
    w_set_q <= outcome_set;
    w_at_q  <= outcome_at;
    w_wid_q <= took_wid;
  end
//@ end

  wire [WAYS-1:0] changed        = outcome_at & {WAYS{outcome_take || outcome_write}};
  wire [SETS-1:0] outcome_set_at = SET_0 << outcome_set;
  generate
    for (s = 0; s < SETS; s = s + 1) begin : protection
      for (w = 0; w < WAYS; w = w + 1) begin : line
        always @(posedge clk)
          if (rst)
            prot_q[s*WAYS + w] <= 1'b0;
          else if (outcome_set_at[s] && changed[w])
            prot_q[s*WAYS + w] <= /*@if ON_MISS*/protects/*@else*/outcome_take && took_pin/*@end*/;
      end
    end
  endgenerate

  // to the protection status board
  assign ps_valid = protects;
  assign ps_wid   = outcome_wid;
  assign ps_last  = e_final_q;
  assign ps_loop  = e_final_q == outcome_lid;

  // --- pinned ways: protected lines of warps that protect

  // The macro may not show the owner of a line that was just taken: such a way is pinned if the line is to be protected.
  wire [WAYS-1:0] outcome_here = changed & {WAYS{outcome_set == look_set}};
  wire [WAYS-1:0] held; // by a warp that protects, or does so from the next cycle on
//@ if !ON_MISS
  wire [WAYS-1:0] kept; // the same for the fill's set
  wire [WAYS-1:0] look_wrote = w_at_q & {WAYS{w_take_q && w_set_q == look_set}};
  wire [WAYS-1:0] fill_wrote = w_at_q & {WAYS{w_take_q && w_set_q == fill_set}};
  wire [WAYS-1:0] fill_here  = changed & {WAYS{outcome_set == fill_set}};
  wire            taken_pin  = outcome_take && took_pin && (|(psb_on & (WARP_0 << took_wid)) || protects && outcome_wid == took_wid);
//@ end
//@ if APCM_O
  wire [WAYS-1:0] owned; // by the warp of the request in c
//@ end
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : holder
//@ if ON_MISS
      wire [WID_W-1:0] who = owner_rdata[w*OWNER_WORD_W +: OWNER_WORD_W];
//@ else
      wire [WID_W-1:0] who = look_wrote[w] ? w_wid_q : owner_rdata[w*OWNER_WORD_W +: OWNER_WORD_W];
      wire [WID_W-1:0] whose = fill_wrote[w] ? w_wid_q : owner_fill_rdata[w*OWNER_FILL_WORD_W +: OWNER_FILL_WORD_W];
      assign kept[w] = |(psb_on & (WARP_0 << whose)) || protects && outcome_wid == whose;
//@ end
//@ if APCM_O
      assign owned[w] = who == look_wid;
//@ end
      assign held[w] = |(psb_on & (WARP_0 << who)) || protects && outcome_wid == who;
    end
  endgenerate

//@ if APCM_O
  // --- own lines: OUTCOME is newer than the macro's row, and than what was known when the request moved into d

  wire [WAYS-1:0] look_new   = outcome_at & {WAYS{outcome_take && outcome_set == look_set}};
  wire [WAYS-1:0] decide_new = outcome_at & {WAYS{outcome_take && outcome_set == decide_set}};
  wire [WAYS-1:0] look_own   = look_new & {WAYS{/*@if ON_MISS*/outcome_wid/*@else*/took_wid/*@end*/ == look_wid}} | ~look_new & owned;
  wire [WAYS-1:0] decide_own = decide_new & {WAYS{/*@if ON_MISS*/outcome_wid/*@else*/took_wid/*@end*/ == decide_wid}} | ~decide_new & d_own_q;

  always @(posedge clk) begin
    d_own_q <= late_advance ? look_own : decide_own;
    e_own_q <= decide_own;
  end

  assign own = |(outcome_at & e_own_q);

//@ end
  assign pins = outcome_here & {WAYS{/*@if ON_MISS*/protects/*@else*/taken_pin/*@end*/}} | ~outcome_here & held & pick_ways(SET_0 << look_set, prot_q);
//@ if !ON_MISS
  assign fill_pins = fill_here & {WAYS{taken_pin}} | ~fill_here & kept & pick_ways(SET_0 << fill_set, prot_q);
//@ end
//@ end
