//@ # The cache access information table. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # Every entry makes its own comparison: to find the entry of an update takes as long as to compare the counts.
//@ keys apcm.manage

  localparam [LAT-1:0] ID_0 = 1;
  genvar i;

  // --- an entry keeps what is known of the line that was accessed most

//@ if APCM_P
  wire again = up_count > 1 && up_intra == up_count; // by one warp alone
//@ else
  wire [RR_W-1:0] unused = up_intra; // which warp used the line matters only to protection
//@ end
  wire [LAT-1:0] up_at = {LAT{up_valid}} & (ID_0 << up_id);
  generate
    for (i = 0; i < LAT; i = i + 1) begin : load
      wire [RR_W-1:0] count = count_q[i*RR_W +: RR_W];
      wire            more  = up_at[i] && up_count > count;

      always @(posedge clk)
        if (rst || clear)
          count_q[i*RR_W +: RR_W] <= {RR_W{1'b0}};
        else if (more)
          count_q[i*RR_W +: RR_W] <= up_count;
//@ if APCM_P

      always @(posedge clk)
        if (rst || clear)
          keep_q[i] <= 1'b0;
        else if (more)
          keep_q[i] <= again;

      always @(posedge clk)
        if (more)
          final_q[i*LID_W +: LID_W] <= up_last;
//@ end
//@ if APCM_B

      assign bypass[i] = count == 1;
//@ end
    end
  endgenerate
//@ if APCM_P

  assign protect = keep_q;
  assign last    = final_q;
//@ end
