//@ # The L1D's f: answers of the memory. Part of l1d.v.

  // --- f: answers of the memory

  wire f_take = mrsp_valid && mrsp_ready;

//@ if BEHIND
  // a bypassed load's answer goes to the SM from here, and another answer may wait behind it (D-L1-17)
  assign mrsp_ready = !g_valid_q && (!f_valid_q || direct) && !(resp_v_q && r_fill_q); // resp_data still shows f's line

  // f can load at this edge: the answer in g, else the one at the port
  wire f_open = !f_valid_q || f_leaves;
  wire f_mrsp  = f_take && f_open;
  wire f_g     = g_valid_q && f_leaves;

  always @(posedge clk)
    if (rst)
      g_valid_q <= 1'b0;
    else
      g_valid_q <= g_valid_q ? !f_leaves : f_take && !f_open;

  always @(posedge clk)
    if (f_take && !f_open)
      /*@{behind g_*_q}*/ <=
        /*@{mrsp mrsp_*}*/;

  always @(posedge clk)
    if (f_take && !f_open && !mrsp_kind[1])
      g_data_q <= mrsp_data;

//@ else
  assign mrsp_ready = !f_valid_q && !(resp_v_q && r_fill_q); // resp_data still shows f's line

//@ end
//@ # an answer of the memory goes into f at once
//@ def enters
/*@if BEHIND*/f_mrsp/*@else*/f_take/*@end*/
//@ end
//@ # a fill comes into f
//@ def fill_comes
/*@enters*/ && mrsp_kind == 2'd0/*@if BEHIND*/ || f_g && g_kind_q == 2'd0/*@end*/
//@ end
//@ def fill_begins
/*@if FILL*/f_ask_q/*@else*/f_commit_q/*@end*/
//@ end
  always @(posedge clk)
    if (rst)
      f_valid_q <= 1'b0;
    else if (f_take/*@if BEHIND*/ || g_valid_q/*@end*/)
      f_valid_q <= 1'b1;
    else if (f_over)
      f_valid_q <= 1'b0;

//@ if FILL
  // attachments are asked first which way the fill takes
  always @(posedge clk)
    if (rst)
      f_commit_q <= 1'b0;
    else
      f_commit_q <= f_ask_q;

//@ end
  always @(posedge clk)
    if (rst)
      /*@fill_begins*/ <= 1'b0;
    else
      /*@fill_begins*/ <= /*@fill_comes*/;

  always @(posedge clk)
    if (/*@enters*//*@if BEHIND*/ || f_g/*@end*/)
//@ if BEHIND
      /*@{mrsp f_*_q}*/ <= g_valid_q ?
        /*@{behind g_*_q}*/ :
//@ else
      /*@{mrsp f_*_q}*/ <=
//@ end
        /*@{mrsp mrsp_*}*/;

  always @(posedge clk)
    if (/*@enters*/ && !mrsp_kind[1]/*@if BEHIND*/ || f_g/*@end*/)
      f_data_q <= /*@if BEHIND*/g_valid_q ? g_data_q : /*@end*/mrsp_data;

  // set and way of a fill, looked up as it comes
  wire [MSHRS-1:0] mrsp_at = MSHR_0 << mrsp_id;

  always @(posedge clk)
    if (f_take && mrsp_kind == 2'd0) begin
      f_set_q <= pick_set(mrsp_at, mshr_set);
//@ if ON_MISS
      f_way_q <= pick_way(mrsp_at, mshr_way_q);
//@ end
//@ if SECTOR_FILL
      f_sector_q <= pick_sector(mrsp_at, mshr_sector_q);
//@ end
    end

//@ if FILL
  // the attachments' advice on its set
//@ if HOLD
  wire [WAYS-1:0] f_among = fill_among | {WAYS{!(|(f_at & mshr_among_q))}};
//@ end
//@ if PINS && HOLD
  wire [WAYS-1:0] f_both  = f_among & ~fill_pins;
//@ end

  always @(posedge clk)
    if (fill_asks) begin
//@ if PINS && HOLD
      f_may_q   <= (|f_both) ? f_both : ~fill_pins;
//@ elif PINS
      f_may_q   <= ~fill_pins;
//@ else
      f_may_q   <= (|f_among) ? f_among : {WAYS{1'b1}};
//@ end
//@ if PINS
      f_stuck_q <= /*@if PREF*/!flush && /*@end*/&(pick_ways(f_set_at, valid_q) & fill_pins);
//@ end
    end

//@ end
  // a fill: in its first cycle the line goes into the cache, then its loads are answered one by one
  wire [MERGE_W-1:0] f_next = f_pos_q + 1'b1;
  wire [MERGE_W-1:0] f_read = fill_now ? {MERGE_W{1'b0}} : f_next;
  wire               f_last = f_kind_q != 2'd0 || f_next == f_count_q;
  wire [MERGE_W-1:0] f_loads = pick_count(f_at, mshr_count_q);

  assign f_gives = f_valid_q && !f_commit_q/*@if FILL*/ && !fill_asks/*@end*//*@if BEHIND*/ && !direct/*@end*/ && resp_free;
  assign f_over  = /*@if BEHIND*/f_leaves || /*@end*/f_gives && f_last/*@if PREF*/ || fill_now && !(|f_loads)/*@end*/;

  always @(posedge clk)
    if (fill_now) begin
      f_pos_q   <= {MERGE_W{1'b0}};
      f_count_q <= f_loads;
    end else if (f_gives && f_kind_q == 2'd0)
      f_pos_q <= f_next;

  assign merged_re    = fill_now || f_gives && !f_last;
  assign merged_raddr = f_id_q * MERGE[MERGED_ADDR_W-1:0] + /*@widen(f_read, MERGE_W, MERGED_ADDR_W)*/;

  // the load that is answered next
//@ each target f
  wire [/*@f_width*/-1:0] merged_/*@f*/;
//@ end
  assign /*@{target merged_*}*/ = merged_rdata;
