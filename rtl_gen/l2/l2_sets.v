//@ # The L2 slice: what is written to tags, recency and dirty bits.

  // --- b's writes to its set, and the read of the next one

  wire rows_we = touch || back;
  wire to_w    = look && q_set == b_set; // the set that is written is being looked up

  assign tags_we    = used_at & {L2_WAYS{fresh && !/*@if L2_SLEEPS*/hit/*@else*/found/*@end*/ && may_miss}};
  assign tags_waddr = b_set;
  assign tags_wdata = b_tag;
  assign tags_re    = look/*@if L2_MAINT*/ || mt_read/*@end*/;
  assign tags_raddr = /*@if L2_MAINT*/mt_read ? mt_set_q : /*@end*/q_set;

  generate
    for (s = 0; s < L2_SETS; s = s + 1) begin : lines
      always @(posedge clk)
        if (rst)
          valid_q[s*L2_WAYS +: L2_WAYS] <= {L2_WAYS{1'b0}};
        else
          valid_q[s*L2_WAYS +: L2_WAYS] <= /*@if L2_MAINT*/~{L2_WAYS{mt_drop && b_at[s]}} & (/*@end*/valid_q[s*L2_WAYS +: L2_WAYS] | {L2_WAYS{b_at[s]}} & tags_we/*@if L2_MAINT*/)/*@end*/;
    end
  endgenerate

//@ if L2_SECTOR_FILL
  // a new line has one sector, a line that is there gets another one; a sector of the victim that has been written back is clean
  wire wipe = fresh && !found;
  wire [SECTORS*L2_WAYS-1:0] dirty_now, present_now;
  generate
    for (p = 0; p < SECTORS; p = p + 1) begin : sectors
      wire [L2_WAYS-1:0] clean = {L2_WAYS{wipe}} & (empty_at | gone_at & {L2_WAYS{back_at[p]}});
      assign dirty_now[p*L2_WAYS +: L2_WAYS]   = b_dirty[p*L2_WAYS +: L2_WAYS] & ~clean | used_at & {L2_WAYS{b_store && b_sectors_q[p]}};
      assign present_now[p*L2_WAYS +: L2_WAYS] = b_present[p*L2_WAYS +: L2_WAYS] & ~(used_at & {L2_WAYS{!found}}) | used_at & {L2_WAYS{b_sectors_q[p]}};
    end
  endgenerate

  assign present_we    = rows_we;
  assign present_waddr = b_set;
  assign present_wdata = present_now;
  assign present_re    = look;
  assign present_raddr = q_set;
//@ else
  // dirty: a load in a line that stays changes nothing
  wire wipe = fresh && /*@if L2_SLEEPS*/(!hit || closes)/*@else*/!found/*@end*/;
  wire mark = b_store/*@if L2_SLEEPS*/ && (flight || (hit ? !closes : stored))/*@end*/;
  wire [L2_WAYS-1:0] dirty_now = b_dirty & ~(way_at & {L2_WAYS{wipe}}) | used_at & {L2_WAYS{mark}};
//@ end

  assign dirty_we    = rows_we/*@if L2_MAINT*/ || mt_back/*@end*/;
  assign dirty_waddr = b_set;
  assign dirty_wdata = /*@if L2_MAINT*/mt_back ? dirty_rdata & ~/*@if L2_SECTOR_FILL*/mt_cleans/*@else*/mt_at/*@end*/ : /*@end*/dirty_now;
  assign dirty_re    = look/*@if L2_MAINT*/ || mt_read/*@end*/;
  assign dirty_raddr = /*@if L2_MAINT*/mt_read ? mt_set_q : /*@end*/q_set;
//@ if L2_WAYS > 1

  // recency: bit (i<j) of the matrix = way i was used after way j
  wire [L2_LRU_N*L2_LRU_C-1:0] now_after, now_before;
  generate
    for (w = 0; w < L2_WAYS; w = w + 1) begin : order
      for (o = w + 1; o < L2_WAYS; o = o + 1) begin : pair
        assign now_after[w*(2*L2_WAYS-w-1)/2 + o-w-1]  = used_at[w];
        assign now_before[w*(2*L2_WAYS-w-1)/2 + o-w-1] = used_at[o];
      end
    end
  endgenerate

  assign lru_we    = rows_we;
  assign lru_waddr = b_set;
  assign lru_wdata = b_lru & ~now_before | now_after;
  assign lru_re    = look;
  assign lru_raddr = q_set;
//@ end

  always @(posedge clk)
    if (rst) begin
      w_valid_q  <= 1'b0;
      w_tagged_q <= 1'b0;
    end else begin
      w_valid_q  <= to_w && rows_we;
      w_tagged_q <= to_w && new_tag;
    end

  always @(posedge clk)
    if (rows_we) begin
//@ if L2_WAYS > 1
      w_lru_q   <= lru_wdata;
//@ end
      w_dirty_q <= dirty_now;
//@ if L2_SECTOR_FILL
      w_present_q <= present_now;
//@ end
    end

  always @(posedge clk)
    if (new_tag) begin
//@ if L2_WAYS > 1
      w_way_q <= way;
//@ end
      w_tag_q <= b_tag;
    end
