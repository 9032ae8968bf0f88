//@ # The L1D's victim: the way that a line is put in, and recency. Part of l1d.v.
//@ #
//@ # The set is selected last: it is known late, and a way has fewer bits to select than all that decides it.
//@ terms may_not_go |
//@ | ON_MISS && !SECTOR_FILL : reserved_q[s*WAYS +: WAYS]
//@ | SECTOR_FILL : held[s*WAYS +: WAYS]
//@ | ON_MISS && PINS && HOLD : valid_q[s*WAYS +: WAYS] & (d_pin_q | outside)
//@ | ON_MISS && PINS && !HOLD : valid_q[s*WAYS +: WAYS] & d_pin_q
//@ | ON_MISS && !PINS && HOLD : valid_q[s*WAYS +: WAYS] & outside
//@ | FILL : valid_q[s*WAYS +: WAYS] & ~f_may_q
//@ end

  // --- the victim: an empty way, else the least recently used that is not reserved/*@if PINS*/, nor pinned/*@end*//*@if HOLD*/, nor outside of /*@if ON_MISS*/hold_among/*@else*/fill_among/*@end*//*@end*/

//@ if WAYS > 1 || OUTCOME_EVICT && PREF
  wire [SETS-1:0] victim_set_at = /*@if !ON_MISS*/f_set_at/*@elif found*/d_found_at/*@else*/d_at/*@end*/;
//@ end
//@ if ON_MISS && !SECTOR_FILL && (WAYS > 1 || OUTCOME_AT)
  wire [WAYS-1:0] merge_at = WAY_0 << pick_way(d_mshr_eq_q, mshr_way_q); // the way of d's line in flight
//@ end
//@ if HOLD && ON_MISS
  wire [WAYS-1:0] outside = ~hold_among/*@if KEPT*/ & {WAYS{!advice_keep}}/*@end*//*@if PREF*/ & {WAYS{!d_pf_q}}/*@end*/;
//@ end
//@ if WAYS == 1
  assign victim_at  = /*@if HOLD && ON_MISS*/~outside | ~pick_ways(d_at, valid_q)/*@else*/1'b1/*@end*/; // the only way
  assign victim_way = {WAY_W{1'b0}};
  wire [SETS*WAYS-1:0] victims = {SETS*WAYS{1'b1}};
//@ else
  wire [SETS*WAYS-1:0]  victims; // the victim of each set
  wire [SETS*WAY_W-1:0] numbers; // their way numbers
  generate
    for (s = 0; s < SETS; s = s + 1) begin : victim
//@ if ON_MISS || FILL
      wire [WAYS-1:0]  busy  = /*@may_not_go*/;
//@ end
      wire [WAYS-1:0]  empty = /*@if SECTOR_FILL*/~there[s*WAYS +: WAYS]/*@else*/~valid_q[s*WAYS +: WAYS]/*@if ON_MISS*/ & ~reserved_q[s*WAYS +: WAYS]/*@end*//*@end*/;
      wire [LRU_W-1:0] lru   = lru_q[s*LRU_W +: LRU_W];
      for (w = 0; w < WAYS; w = w + 1) begin : age
        wire [WAYS-1:0] yields; // bit o: way w gives way before way o
        for (o = 0; o < WAYS; o = o + 1) begin : than
          if (w == o) begin : itself
            assign yields[o] = /*@if ON_MISS || FILL*/!busy[w]/*@else*/1'b1/*@end*/;
          end else if (w < o) begin : below
            assign yields[o] = /*@if ON_MISS || FILL*/busy[o] || /*@end*/empty[w] || !empty[o] && !lru[w*(2*WAYS-w-1)/2 + o-w-1];
          end else begin : above
            assign yields[o] = /*@if ON_MISS || FILL*/busy[o] || /*@end*/!empty[o] && (empty[w] || lru[o*(2*WAYS-o-1)/2 + w-o-1]);
          end
        end
        assign victims[s*WAYS + w] = &yields;
      end
      assign numbers[s*WAY_W +: WAY_W] = number_of_way(victims[s*WAYS +: WAYS]);
    end
  endgenerate
  assign victim_at  = pick_ways(victim_set_at, victims);
  assign victim_way = pick_number(victim_set_at, numbers);

  // --- recency: bit (i<j) of a set's matrix = way i was used after way j

//@ if ON_MISS
  wire            touch    = load_hit || load_merge || miss;
  wire [SETS-1:0] touch_at = d_at;
//@ if SECTOR_FILL
  wire            replace  = !(|d_there_q);
  wire [WAYS-1:0] used_at  = d_there_q;
//@ else
  wire            replace  = !hit && !in_flight;
  wire [WAYS-1:0] used_at  = hit ? d_hit_q : merge_at;
//@ end
//@ else
  wire            touch    = load_hit || fill_stays;
  wire [SETS-1:0] touch_at = fill_now ? f_set_at : d_at;
  wire            replace  = fill_now;
  wire [WAYS-1:0] used_at  = d_hit_q;
//@ end
  generate
    for (s = 0; s < SETS; s = s + 1) begin : recency
      wire [WAYS-1:0]  touched_at = replace ? victims[s*WAYS +: WAYS] : used_at;
      wire [LRU_W-1:0] now_after, now_before;
      for (w = 0; w < WAYS; w = w + 1) begin : order
        for (o = w + 1; o < WAYS; o = o + 1) begin : pair
          assign now_after[w*(2*WAYS-w-1)/2 + o-w-1]  = touched_at[w];
          assign now_before[w*(2*WAYS-w-1)/2 + o-w-1] = touched_at[o];
        end
      end

      always @(posedge clk)
        if (rst)
          lru_q[s*LRU_W +: LRU_W] <= {LRU_W{1'b0}};
        else if (touch && touch_at[s])
          lru_q[s*LRU_W +: LRU_W] <= lru_q[s*LRU_W +: LRU_W] & ~now_before | now_after;
    end
  endgenerate
//@ end
