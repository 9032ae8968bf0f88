//@ # The advice of the reuse-frequency table at the L1D. Spec: docs/mechanisms/rft.md.
//@ xor_fold entry_of HPC_W RFT_W 0

  // --- the advice, looked up while the load's tags are compared

  wire [RFT_W-1:0] entry = entry_of(look_hpc);
  wire             says  = rft_en && look_valid && !look_write && rft_bypass[entry];

  assign advice_bypass = d_rft_q;
//@ if !RESAMPLE

  always @(posedge clk)
    if (late_advance)
      d_rft_q <= says;
//@ else

  // every RESAMPLE-th of these loads is cached, to sample its reuse (D-RFT-3)
  localparam [RFT-1:0]        RFT_0 = 1;
  localparam [RESAMPLE_W-1:0] LAST  = RESAMPLE[RESAMPLE_W-1:0] - 1'b1;
  genvar e;
  wire [RFT-1:0] seen_long_ago;

  always @(posedge clk)
    if (late_advance) begin
      d_rft_q <= says && !seen_long_ago[entry];
      d_res_q <= says && seen_long_ago[entry];
    end

  // --- OUTCOME: loads that bypassed are counted

  always @(posedge clk) begin
    e_rft_q <= d_rft_q;
    e_res_q <= d_res_q;
  end

  wire [RFT-1:0] outcome_at = RFT_0 << entry_of(outcome_hpc);
  wire           was_seen   = outcome_load && e_res_q;
  wire           went_past  = outcome_past && e_rft_q;
  generate
    for (e = 0; e < RFT; e = e + 1) begin : resample
      wire [RESAMPLE_W-1:0] passed = rs_q[e*RESAMPLE_W +: RESAMPLE_W];
      assign seen_long_ago[e] = passed == LAST;

      always @(posedge clk)
        if (rst)
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};
        else if (was_seen && outcome_at[e])
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};
        else if (went_past && outcome_at[e] && !seen_long_ago[e])
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= passed + 1'b1;
    end
  endgenerate
//@ end
