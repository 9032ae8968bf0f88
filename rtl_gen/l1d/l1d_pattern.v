//@ # What APCM knows of d's load. Part of l1d.v.

  // --- what the pattern of a load says, asked while its tags are compared

  localparam [LAT-1:0] LOAD_0 = 1;
  wire           c_known   = apcm_en && c_trk_q && !c_write_q;
  wire [LAT-1:0] c_load_at = LOAD_0 << c_lid_q;
//@ if APCM_B

  always @(posedge clk)
    if (advance)
      d_apb_q <= c_known && |(m_bypass & c_load_at);
//@ end
//@ if APCM_P
//@ pick pick_final LAT LID_W
//@ pick pick_until WARPS LID_W

  // a warp protects for one load at a time: for which, the load that ends it says
  localparam [WARPS-1:0] WARP_0 = 1;
  wire [WARPS-1:0] c_warp_at = WARP_0 << c_wid_q;
  wire [LID_W-1:0] c_final   = pick_final(c_load_at, m_last);
  wire             c_alone   = !(|(psb_on & c_warp_at));
  wire             c_same    = pick_until(c_warp_at, psb_last) == c_final &&
                               |(psb_loop & c_warp_at) == (c_final == c_lid_q);

  always @(posedge clk)
    if (advance) begin
      d_keep_q  <= c_known && |(m_protect & c_load_at) && (c_alone || c_same);
      d_final_q <= c_final;
    end
//@ end
