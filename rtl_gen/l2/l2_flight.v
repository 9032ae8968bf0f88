//@ # The L2 slice: what the MSHRs say of b's line.

  // --- b: its line in flight

  wire b_store = b_kind_q == 2'd2;
//@ if L2_SLEEPS
  wire b_query = b_req_q && b_kind_q == 2'd3;
  wire b_asks  = b_req_q && b_kind_q != 2'd3; // for a line

  // the only access: a line that misses is not stored, unless a store writes only a part of it
  wire read_through  = once && !b_kind_q[1];
  wire write_through = once && b_store && b_full_q;
  wire stored        = !read_through && !write_through;
//@ else
  wire b_asks  = b_req_q; // for a line
//@ end

  wire [L2_MSHRS-1:0] flight_at;
  wire [L2_MSHRS-1:0] mergeable;
  wire [L2_MSHRS*L2_SET_W-1:0] mshr_set;
  wire [L2_WAYS*L2_MSHRS-1:0] held; // the ways of b's set that lines in flight go to
  wire [L2_WAYS-1:0] busy;
  generate
    for (m = 0; m < L2_MSHRS; m = m + 1) begin : flights
      wire [LINE_W-1:0] line = mshr_line_q[m*LINE_W +: LINE_W];
      assign mshr_set[m*L2_SET_W +: L2_SET_W] = line[L2_SET_W-1:0];
      assign flight_at[m] = mshr_used_q[m] && line == b_line_q/*@if L2_SECTOR_FILL*/ && mshr_sector_q[m*SECTOR_W +: SECTOR_W] == b_sector/*@end*/;

      // a store/*@if L2_SLEEPS*/ needs a line that stays,/*@end*/ can't pass a load that came after another store, nor come when answers have begun
      wire for_store = /*@if L2_SLEEPS*/mshr_keep_q[m] && /*@end*/!mshr_after_q[m] && !(f_valid_q && f_at[m]);
      assign mergeable[m] = mshr_count_q[m*L2_MERGE_W +: L2_MERGE_W] != L2_MERGE[L2_MERGE_W-1:0] && (!b_store || for_store);

      wire in_set = mshr_used_q[m] && /*@if L2_SLEEPS*/mshr_keep_q[m] && /*@end*/line[L2_SET_W-1:0] == b_set;
//@ if L2_WAYS > 1
      wire [L2_WAYS-1:0] goes_to = WAY_0 << mshr_way_q[m*L2_WAY_W +: L2_WAY_W];
//@ end
      for (w = 0; w < L2_WAYS; w = w + 1) begin : ways
        assign held[w*L2_MSHRS + m] = in_set/*@if L2_WAYS > 1*/ && goes_to[w]/*@end*/;
      end
    end
    for (w = 0; w < L2_WAYS; w = w + 1) begin : hold
      assign busy[w] = |held[w*L2_MSHRS +: L2_MSHRS];
    end
  endgenerate
  wire flight    = |flight_at;
  wire can_merge = |(flight_at & mergeable); // so b's line is in flight
  wire [L2_MSHRS-1:0]  free_at   = lowest_mshr(~mshr_used_q);
  wire [L2_MSHR_W-1:0] free_mshr = number_of_mshr(free_at); // 0 if none is free
