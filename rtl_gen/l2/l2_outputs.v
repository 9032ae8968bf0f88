//@ # The L2 slice: what a slot leaves.

  // --- c: what the slot leaves, an answer and something for the memory

  wire c_answers = answered || b_rep_q;
  wire c_goes    = goes_out/*@if L2_SLEEPS*/ || f_put/*@end*//*@if L2_MAINT*/ || mt_back/*@end*/;

  always @(posedge clk)
    if (rst) begin
      c_rsp_q <= 1'b0;
      c_out_q <= 1'b0;
    end else begin
      c_rsp_q <= c_answers;
      c_out_q <= c_goes;
    end

  always @(posedge clk)
    if (c_answers)
      /*@{l2rsp c_*_q}*/ <= b_rep_q ? /*@{l2rsp t_*}*/ :
        /*@{l2rsp b_*_q, count=b_count}*/;

  // address of the line that is written back; its tag was read before: a tag written since belongs to a line that is in flight or clean
  wire [L2_TAG_W-1:0] back_tag = pick_tag(/*@if L2_MAINT*/mt_back ? mt_at : /*@end*/oldest_at, tags_rdata);

  always @(posedge clk)
    if (c_goes) begin
      co_write_q <= !taken;
      co_line_q  <= /*@if L2_SLEEPS*/b_rep_q ? pick_line(f_at, mshr_line_q) : /*@end*/back/*@if L2_MAINT*/ || mt_back/*@end*/ ? {back_tag, b_set} : b_line_q;
//@ if L2_SECTOR_FILL
      co_sector_q <= /*@if L2_MAINT*/mt_back ? mt_sector : /*@end*/d_sector;
//@ end
      co_id_q    <= free_mshr & {L2_MSHR_W{taken}};
    end

  always @(posedge clk)
    if (slot)
      c_data_q <= b_rep_q ? f_line : iq_wdata_rdata;

//@ if L2_SLEEPS
  // for a store that is its line's last access: the bytes that it writes; for a line that is not stored: all
  wire c_all  = b_rep_q || fresh && !hit && write_through && !back;
  wire c_some = fresh && closes && b_store;

  always @(posedge clk)
    if (slot/*@if L2_MAINT*/ || mt_back/*@end*/)
      c_mask_q <= iq_wmask_rdata & {LINE_MASK_W{c_some}} | {LINE_MASK_W{c_all}};

  generate
    for (k = 0; k < LINE_MASK_W; k = k + 1) begin : left
      assign c_line[k*8 +: 8] = c_mask_q[k] ? c_data_q[k*8 +: 8] : data_rdata[k*8 +: 8];
    end
  endgenerate
//@ else
  always @(posedge clk)
    if (slot/*@if L2_MAINT*/ || mt_back/*@end*/)
      c_mask_q <= b_rep_q;

  assign c_line = c_mask_q ? c_data_q : data_rdata;
//@ end
