//@ # APCM at the L1D. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # Which ways are pinned is asked while a load's tags are compared; what was decided last is told meanwhile.
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

  // --- what the pattern of a load says

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

  // a warp protects for one load at a time: for which, the load that ends it says
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

  wire protects = outcome_take && e_keep_q;

  assign owner_we    = late_take; // of all loads: whether it counts is told, and this comes late
  assign owner_waddr = decide_set;
  assign owner_wdata = decide_wid;
  assign owner_re    = late_read;
  assign owner_raddr = late_set;

  wire [WAYS-1:0] changed        = outcome_at & {WAYS{outcome_take || outcome_write}};
  wire [SETS-1:0] outcome_set_at = SET_0 << outcome_set;
  generate
    for (s = 0; s < SETS; s = s + 1) begin : protection
      for (w = 0; w < WAYS; w = w + 1) begin : line
        always @(posedge clk)
          if (rst)
            prot_q[s*WAYS + w] <= 1'b0;
          else if (outcome_set_at[s] && changed[w])
            prot_q[s*WAYS + w] <= protects;
      end
    end
  endgenerate

  // for the board of who protects
  assign ps_valid = protects;
  assign ps_wid   = outcome_wid;
  assign ps_last  = e_final_q;
  assign ps_loop  = e_final_q == outcome_lid;

  // --- pinned ways: protected lines of warps that protect

  // The owner of a line that was just taken may not be what the macro read: its warp protects if it is to.
  wire [WAYS-1:0] outcome_here = changed & {WAYS{outcome_set == look_set}};
  wire [WAYS-1:0] held; // by a warp that protects, or does so from the next cycle on
//@ if APCM_O
  wire [WAYS-1:0] owned; // by the warp of the request in c
//@ end
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : holder
      wire [WID_W-1:0] who = owner_rdata[w*OWNER_WORD_W +: OWNER_WORD_W];
//@ if APCM_O
      assign owned[w] = who == look_wid;
//@ end
      assign held[w] = |(psb_on & (WARP_0 << who)) || protects && outcome_wid == who;
    end
  endgenerate

//@ if APCM_O
  // --- own lines: what is told is newer than the macro's row, and than what was known when the request moved into d

  wire [WAYS-1:0] look_new   = outcome_at & {WAYS{outcome_take && outcome_set == look_set}};
  wire [WAYS-1:0] decide_new = outcome_at & {WAYS{outcome_take && outcome_set == decide_set}};
  wire [WAYS-1:0] look_own   = look_new & {WAYS{outcome_wid == look_wid}} | ~look_new & owned;
  wire [WAYS-1:0] decide_own = decide_new & {WAYS{outcome_wid == decide_wid}} | ~decide_new & d_own_q;

  always @(posedge clk) begin
    d_own_q <= late_advance ? look_own : decide_own;
    e_own_q <= decide_own;
  end

  assign own = |(outcome_at & e_own_q);

//@ end
  assign pins = outcome_here & {WAYS{protects}} | ~outcome_here & held & pick_ways(SET_0 << look_set, prot_q);
//@ end
