//@ # The L1D's MSHRs: which loads wait for which line. Part of l1d.v.

  // --- MSHRs

  assign taken     = {MSHRS{miss}} & next_at;
  assign freed     = {MSHRS{f_over}} & answered;

  // which MSHR is free after this cycle? The late signals, d takes one and f frees one, are used last
  wire [MSHRS-1:0] others  = ~mshr_wait_q & ~next_at;
  wire             more    = |others;
  wire             frees   = f_over && answering;

  always @(posedge clk)
    if (rst)
      m_free_q <= 1'b1;
    else
      m_free_q <= frees || (miss ? more : m_free_q);

  always @(posedge clk)
    if (rst)
      m_next_q <= {MSHR_W{1'b0}};
    else if (miss ? more || frees : frees && !m_free_q)
      m_next_q <= more ? lowest_mshr(others) : f_id_q;

  // where the load is to be sent when its line comes: a load that finds no MSHR of its line reads a count of 0
  wire [MSHR_W-1:0]  d_entry = number_of_mshr(d_mshr_eq_q) | {MSHR_W{!in_flight}} & m_next_q;
  wire [MERGE_W-1:0] d_count = merged_to + /*@if PREF*/{{MERGE_W-1{1'b0}}, !d_pf_q}/*@else*/1'b1/*@end*/;
//@ if AGAIN

  // may d's load merge? Many decisions depend on that, so it must be known early
  wire c_merges = |(c_waits & takes_more) && !(c_is_d && (store || load_merge && d_count == MERGE[MERGE_W-1:0]));

  always @(posedge clk)
    if (/*@emptied*/)
      d_merges_q <= 1'b0;
    else if (advance)
      d_merges_q <= c_valid_q && (c_merges || miss && c_is_d && /*@if PREF*/(d_pf_q || MERGE != 1)/*@else*/MERGE != 1/*@end*/);
    else
      d_merges_q <= d_merges_q && !(fill_now && f_is_d);
//@ end

//@ if storage.l1d_mshr_line == latch
  assign mshr_line_we    = taken;
  assign mshr_line_wdata = d_line_q;

//@ end
  generate
    for (m = 0; m < MSHRS; m = m + 1) begin : mshr
      always @(posedge clk)
        if (rst)
          mshr_wait_q[m] <= 1'b0;
        else if (taken[m])
          mshr_wait_q[m] <= 1'b1;
        else if (freed[m])
          mshr_wait_q[m] <= 1'b0;

      // a store to a line in flight/*@if PREF*/, or a flush/*@end*/: the fill answers its loads and does not stay (D-L1-1)
      always @(posedge clk)
        if (rst)
          mshr_dead_q[m] <= 1'b0;
        else if (taken[m])
          mshr_dead_q[m] <= 1'b0;
        else if (store && d_mshr_eq_q[m]/*@if PREF*/ || flush && mshr_wait_q[m]/*@end*/)
          mshr_dead_q[m] <= 1'b1;

//@ if storage.l1d_mshr_line == ff
      always @(posedge clk)
        if (taken[m])
          mshr_line_q[m*LINE_W +: LINE_W] <= d_line_q;

//@ end
//@ if ON_MISS
      always @(posedge clk)
        if (taken[m])
          mshr_way_q[m*WAY_W +: WAY_W] <= /*@if SECTOR_FILL*/miss_way/*@else*/victim_way/*@end*/;

//@ end
//@ if SECTOR_FILL
      always @(posedge clk)
        if (taken[m])
          mshr_sector_q[m*SECTOR_W +: SECTOR_W] <= d_sector;

//@ end
//@ if PREF
      always @(posedge clk)
        if (taken[m])
          mshr_pf_q[m] <= d_pf_q;
        else if (load_merge && d_mshr_eq_q[m])
          mshr_pf_q[m] <= 1'b0;

//@ end
//@ if TOOK_PIN
      always @(posedge clk)
        if (taken[m]/*@if PREF*/ || load_merge && d_mshr_eq_q[m] && mshr_pf_q[m]/*@end*/)
          mshr_pin_q[m] <= pin_new;

//@ end
//@ if FILL && HOLD
      always @(posedge clk)
        if (taken[m])
          mshr_among_q[m] <= hold_fill/*@if KEPT*/ && !advice_keep/*@end*//*@if PREF*/ && !d_pf_q/*@end*/;

//@ end
      always @(posedge clk)
        if (taken[m] || load_merge && d_mshr_eq_q[m])
          mshr_count_q[m*MERGE_W +: MERGE_W] <= d_count;
    end
  endgenerate

  assign merged_we    = load_merge || miss/*@if PREF*/ && !d_pf_q/*@end*/;
  assign merged_waddr = d_entry * MERGE[MERGED_ADDR_W-1:0] + /*@widen(merged_to, MERGE_W, MERGED_ADDR_W)*/;
  assign merged_wdata = /*@{target d_*_q}*/;
//@ if PREF

  // the use of prefetches
  wire [WAYS-1:0] d_fresh = d_hit_q & pick_ways(d_at, pf_q);
  wire            d_late  = |(d_mshr_eq_q & mshr_pf_q);

  assign pf_class = pf_c_q;

  always @(posedge clk)
    if (rst)
      pf_c_q <= 2'b00;
    else
      pf_c_q <= {load_merge && d_late, load_hit && |d_fresh};
//@ end
