//@ # What the L1D tells APCM of each request. Part of l1d.v.

  // --- what is told of a load's request

  wire report = done && !d_write_q;
  wire there  = hit || can_merge; // its line is, or is on its way
  wire [WAYS*RR_W-1:0] d_uses; // with this one; added before a way is chosen
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : uses
      wire [RR_W-1:0] counter = d_counters[w*RR_W +: RR_W];
      assign d_uses[w*RR_W +: RR_W] = (&counter) ? counter : counter + 1'b1;
    end
  endgenerate

  assign acc_valid = x_valid_q;
  assign /*@{access acc_*}*/ = /*@{access x_*_q}*/;
//@ if APCM_P
  assign acc_last = x_last_q;
//@ end

  always @(posedge clk)
    if (rst)
      x_valid_q <= 1'b0;
    else
      x_valid_q <= report;

  always @(posedge clk)
    if (report) begin
      x_wid_q   <= d_wid_q;
      x_trk_q   <= d_trk_q;
      x_lid_q   <= d_lid_q;
      x_two_q   <= !(|d_num_q[LANE_W-1:1]);
//@ if APCM_P
      x_last_q  <= d_last_q;
//@ end
      x_line_q  <= d_line_q;
      x_count_q <= {RR_W{there}} & /*@if WAYS > 1*/pick_counter(used_at, d_uses)/*@else*/d_uses/*@end*/;
    end
