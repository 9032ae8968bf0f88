//@ # How often the L1D's lines are used again. Part of l1d.v.
//@ #
//@ # Each counter adds for itself: one adder for the chosen set would stand behind a choice and before many.

  // --- re-references of lines/*@if REUSE*/, and the loads that brought them/*@end*/

  wire [WAYS*RR_W-1:0] d_counters = pick_counters(d_found_at, rr_q);
  wire used_again = load_hit || load_merge/*@if FORWARD*/ || bypass && hit/*@end*/;
  generate
    for (s = 0; s < SETS; s = s + 1) begin : reuse
      for (w = 0; w < WAYS; w = w + 1) begin : line
        wire [RR_W-1:0] counter = rr_q[(s*WAYS + w)*RR_W +: RR_W];

        always @(posedge clk)
          if (miss && d_at[s] && victims[s*WAYS + w])
            rr_q[(s*WAYS + w)*RR_W +: RR_W] <= {RR_W{1'b0}};
          else if (used_again && d_at[s] && /*@if WAYS > 1*/used_at[w]/*@else*/1'b1/*@end*/ && !(&counter))
            rr_q[(s*WAYS + w)*RR_W +: RR_W] <= counter + 1'b1;
      end
    end
  endgenerate
