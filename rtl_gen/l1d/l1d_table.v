//@ # What LASC's reuse-frequency table says of a load. Part of l1d.v.
//@ fold entry_of HPC_W RFT_W 0

  // --- what the reuse-frequency table says of a load, asked while its tags are compared

  wire [RFT_W-1:0] c_entry  = entry_of(c_hpc_q);
  wire             c_unused = rft_en && !c_write_q && rft_bypass[c_entry];

//@ if !RESAMPLE
  always @(posedge clk)
    if (advance)
      d_rft_q <= c_unused;
//@ else
  // every RESAMPLE-th of them is cached, to see (D-RFT-3)
  wire [RFT-1:0] seen_long_ago;
  wire           c_again = c_unused && seen_long_ago[c_entry];

  always @(posedge clk)
    if (advance) begin
      d_rft_q <= c_unused && !c_again;
      d_res_q <= c_again;
    end

  localparam [RFT-1:0]        RFT_0 = 1;
  localparam [RESAMPLE_W-1:0] LAST  = RESAMPLE[RESAMPLE_W-1:0] - 1'b1;
  genvar e;
  wire [RFT-1:0] d_entry_at = RFT_0 << entry_of(d_hpc_q);
  wire           went_past  = bypass && d_rft_q;
  wire           was_seen   = done && d_res_q;
  generate
    for (e = 0; e < RFT; e = e + 1) begin : resample
      wire [RESAMPLE_W-1:0] passed = rs_q[e*RESAMPLE_W +: RESAMPLE_W];
      assign seen_long_ago[e] = passed == LAST;

      always @(posedge clk)
        if (rst)
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};
        else if (was_seen && d_entry_at[e])
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= {RESAMPLE_W{1'b0}};
        else if (went_past && d_entry_at[e] && !seen_long_ago[e])
          rs_q[e*RESAMPLE_W +: RESAMPLE_W] <= passed + 1'b1;
    end
  endgenerate
//@ end
