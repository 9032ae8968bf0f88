//@ # The L2 slice: maintenance commands. A set is read, then its dirty lines leave one by one, then it becomes invalid.

  // --- maintenance: all sets in turn, with nothing else inside

  localparam [2:0] MT_IDLE = 3'd0, MT_REST = 3'd1, MT_READ = 3'd2, MT_DEAL = 3'd3, MT_LEAVE = 3'd4;

  wire mt_take = mt_valid && mt_ready;
  wire mt_rest = !(|iq_count_q) && !slot && !(|mshr_used_q);
  wire mt_deal = mt_phase_q == MT_DEAL;
  wire mt_out  = !(|oq_count_q) && !c_out_q;
  wire [L2_WAYS-1:0] mt_left = b_valid & /*@if L2_SECTOR_FILL*/any_sector(dirty_rdata)/*@else*/dirty_rdata/*@end*//*@if L2_SLEEPS*/ & on/*@end*/;
//@ if L2_SLEEPS
  wire [L2_WAYS-1:0] mt_off  = /*@if L2_WAYS > 1*/lowest_way(on)/*@else*/on/*@end*/;
  wire mt_sleep = mt_deal && !mt_back && mt_op_q[1] && |on; // way mt_off goes to sleep
//@ end
  wire mt_next = mt_deal && !mt_back/*@if L2_SLEEPS*/ && !mt_sleep/*@end*/; // nothing is left in the set
  wire mt_last = &mt_set_q;

  assign mt_ready = mt_phase_q == MT_IDLE;
  assign mt_done  = mt_done_q;
  assign mt_read  = mt_phase_q == MT_READ && out_room;
  assign mt_back  = mt_deal && mt_op_q[0] && |mt_left;
  assign mt_drop  = mt_next && mt_op_q[1];
  assign mt_at    = /*@if L2_WAYS > 1*/lowest_way(mt_left)/*@else*/mt_left/*@end*/;

//@ if L2_SECTOR_FILL
  // of the line its lowest sector with bytes that the memory has not
  wire [SECTORS-1:0] mt_sectors;
  wire [SECTORS*L2_WAYS-1:0] mt_cleans;
  generate
    for (p = 0; p < SECTORS; p = p + 1) begin : left_of
      assign mt_sectors[p] = |(mt_at & dirty_rdata[p*L2_WAYS +: L2_WAYS]);
      assign mt_cleans[p*L2_WAYS +: L2_WAYS] = mt_at & {L2_WAYS{mt_sector_at[p]}};
    end
  endgenerate
  assign mt_sector_at = lowest_sector(mt_sectors);

//@ end
  // from one phase to the next, but back to the next line or set, and to the begin
  wire mt_on = mt_take || mt_phase_q == MT_REST && mt_rest || mt_read || mt_next && mt_last;

  always @(posedge clk)
    if (rst || mt_phase_q == MT_LEAVE && mt_out)
      mt_phase_q <= MT_IDLE;
    else if (mt_back || mt_next && !mt_last)
      mt_phase_q <= MT_READ;
    else if (mt_on)
      mt_phase_q <= mt_phase_q + 1'b1;

  always @(posedge clk)
    if (rst)
      mt_done_q <= 1'b0;
    else
      mt_done_q <= mt_phase_q == MT_LEAVE && mt_out;

  always @(posedge clk)
    if (mt_take)
      mt_op_q <= mt_op;

  always @(posedge clk)
    if (mt_phase_q == MT_REST && mt_rest)
      mt_set_q <= {L2_SET_W{1'b0}};
    else if (mt_next)
      mt_set_q <= mt_set_q + 1'b1;
