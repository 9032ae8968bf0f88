//@ # The L2 slice: its MSHRs, and the requests that wait in them.
//@ #
//@ # Request `number` of an MSHR in `waiting`, as an address.
//@ def waits_at(mshr, number)
/*@mshr*/ * L2_MERGE[WAITING_ADDR_W-1:0] + {{WAITING_ADDR_W-L2_MERGE_W{1'b0}}, /*@number*/}
//@ end

  // --- MSHRs: b's request takes one, or waits in that of its line

  wire [L2_MSHRS-1:0] taken_at  = {L2_MSHRS{taken}} & free_at;
  wire [L2_MSHRS-1:0] merged_at = {L2_MSHRS{merge}} & flight_at;

  always @(posedge clk)
    if (rst)
      mshr_used_q <= {L2_MSHRS{1'b0}};
    else
      mshr_used_q <= mshr_used_q & ~({L2_MSHRS{over}} & f_at) | taken_at;
//@ if L2_WAKES

  wire [L2_MSHRS-1:0] woken_at  = {L2_MSHRS{woken}} & (MSHR_0 << woken_mshr);
//@ end

//@ if storage.l2_slice_mshr_line == latch
  assign mshr_line_we    = taken_at;
  assign mshr_line_wdata = b_line_q;

//@ end
  generate
    for (m = 0; m < L2_MSHRS; m = m + 1) begin : mshr
//@ if storage.l2_slice_mshr_line == ff
      always @(posedge clk)
        if (taken_at[m])
          mshr_line_q[m*LINE_W +: LINE_W] <= b_line_q;

//@ end
      always @(posedge clk)
        if (taken_at[m])
          mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] <= 1;
        else if (merged_at[m])
          mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] <= mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] + 1'b1;

      always @(posedge clk)
        if (taken_at[m])
          mshr_store_q[m] <= b_store;
        else if (merged_at[m] && b_store)
          mshr_store_q[m] <= 1'b1;

      always @(posedge clk)
        if (taken_at[m])
          mshr_after_q[m] <= 1'b0;
        else if (merged_at[m] && !b_store && mshr_store_q[m])
          mshr_after_q[m] <= 1'b1;
//@ if L2_SECTOR_FILL

      always @(posedge clk)
        if (taken_at[m])
          mshr_sector_q[m*SECTOR_W +: SECTOR_W] <= b_sector;
//@ end
//@ if L2_WAYS > 1

      always @(posedge clk)
        if (taken_at[m]/*@if L2_SLEEPS*/ && stored/*@end*/)
          mshr_way_q[m*L2_WAY_W +: L2_WAY_W] <= way;
//@ end
//@ if L2_SLEEPS

      always @(posedge clk)
        if (taken_at[m])
          mshr_keep_q[m] <= stored;

      // of the accesses that are predicted the latest says whether the line is to stay
      always @(posedge clk)
        if (taken_at[m] && stored)
          mshr_close_q[m] <= once;
        else if (merged_at[m] && predicted && mshr_keep_q[m])
          mshr_close_q[m] <= |(match & last);
//@ end
//@ if L2_WAKES

      always @(posedge clk)
        if (taken_at[m])
          mshr_wakes_q[m] <= stored && !(|(way_at & on));
        else if (woken_at[m])
          mshr_wakes_q[m] <= 1'b0;
//@ end
    end
  endgenerate

  wire [L2_MSHR_W-1:0]  b_mshr   = number_of_mshr(flight ? flight_at : free_at);
  wire [L2_MERGE_W-1:0] b_number = pick_count(flight_at, mshr_count_q); // 0 if it takes one

  assign waiting_we    = taken || merge;
  assign waiting_waddr = /*@waits_at(b_mshr, b_number)*/;
  assign waiting_wdata = /*@{l2rsp b_*_q, count=b_count}*/;
  assign waiting_re    = step;
  assign waiting_raddr = /*@waits_at(f_id_q, f_next)*/;

  // the store buffer; the first store writes all of its row
  wire                   sb_begins = !(|(flight_at & mshr_store_q));
  wire [LINE_MASK_W-1:0] sb_bytes  = iq_wmask_rdata | {LINE_MASK_W{sb_begins}};

  assign sb_we    = b_store && (taken || merge);
  assign sb_waddr = b_mshr;
  assign sb_wdata = iq_wdata_rdata;
  assign sb_wmask = sb_bytes;
  assign sb_re    = step;
  assign sb_raddr = f_id_q;
  assign sb_mask_we    = sb_we;
  assign sb_mask_waddr = b_mshr;
  assign sb_mask_wdata = iq_wmask_rdata;
  assign sb_mask_wmask = sb_bytes;
  assign sb_mask_re    = step;
  assign sb_mask_raddr = f_id_q;
