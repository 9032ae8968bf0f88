//@ # What the L1D tells the scheduler and the prefetcher. Part of l1d.v.

  // --- what became of a load/*@if !SLD*/, by its first request/*@end*/

  wire tell = done && !d_write_q/*@if PREF*/ && !d_pf_q/*@end*//*@if !SLD*/ && !(|d_num_q)/*@end*/;

  assign verdict_valid = v_valid_q;
  assign /*@{verdict verdict_*}*/ = /*@{verdict v_*_q}*/;

  always @(posedge clk)
    if (rst)
      v_valid_q <= 1'b0;
    else
      v_valid_q <= tell;

  always @(posedge clk)
    if (tell) begin
//@ if V_HIT
      v_hit_q  <= hit;
//@ end
//@ if GID_W
      v_gid_q  <= d_gid_q;
//@ end
//@ if STRIDE
      v_wid_q  <= d_wid_q;
//@ end
//@ if REQ_PC_W
      v_pc_q   <= d_pc_q;
//@ end
//@ if PREF
      v_line_q <= d_line_q;
//@ end
//@ if LOW_W
      v_low_q  <= d_low_q;
//@ end
    end
