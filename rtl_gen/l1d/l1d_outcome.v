//@ # The outcome of the request that was in d: hook OUTCOME. Part of l1d.v.
//@ #
//@ # The latest signals end here, in one register each.
//@ def bit(name, value)

  always @(posedge clk)
    if (rst)
      outcome_/*@name*/_q <= 1'b0;
    else
      outcome_/*@name*/_q <= /*@value*/;
//@ end
//@ def tell(name, value)
/*@bit(@name, @value)*/

  assign outcome_/*@name*/ = outcome_/*@name*/_q;
//@ end
//@ terms hits ||
//@ | 1       : load_hit
//@ | FORWARD : bypass && hit
//@ end
//@ # with on_fill, a line takes a way only when it comes: its fill tells which load takes it
//@ terms takes ||
//@ | ON_MISS && !PREF  : miss
//@ | ON_MISS && PREF   : miss && !d_pf_q || load_merge && d_late
//@ | !ON_MISS && !PREF : fill_stays
//@ | !ON_MISS && PREF  : fill_stays && |f_loads
//@ | PREF              : load_hit && |d_fresh
//@ end

  // --- e: what became of d's request
//@ if PINS && PREF && !ON_MISS

  // d's load adopts a line
  assign take_at = {WAYS{load_hit}} & d_fresh;
//@ elif PINS && ON_MISS || LATE_TAKE

  // d's load takes a way: it reserves/*@if PREF*/ or adopts/*@end*/ it
  assign take_at = reserve_at/*@if PREF*/ & {WAYS{!d_pf_q}} | {WAYS{load_hit}} & d_fresh | {WAYS{load_merge && d_late}} & merge_at/*@end*/;
//@ end
//@ if DECIDE_LINES || OUTCOME_EVICT && ON_MISS

  wire [WAYS-1:0] d_lines    = pick_ways(d_found_at, valid_q);
//@ if ON_MISS
  wire [WAYS-1:0] d_reserved = pick_ways(d_found_at, reserved_q);
//@ end
//@ end
//@ if OUTCOME_EVICT

  // an empty way is taken before a line is evicted: so whether a line is evicted is known before the way
//@ if ON_MISS
  wire room   = !(&(d_lines | d_reserved));
//@ else
  wire room   = !(&pick_ways(f_set_at, valid_q));
//@ end
  wire evicts = tag_written && !room/*@if PREF*/ && !(|(victim_at & pick_ways(victim_set_at, pf_q)))/*@end*/;
//@ end
//@ if OUTCOME_LOAD
/*@tell(load, load && done)*/
//@ end
//@ if OUTCOME_TRIED
/*@tell(tried, tried)*/
//@ end
//@ if OUTCOME_HIT
/*@tell(hit, @hits)*/
//@ end
//@ if OUTCOME_MERGE
/*@tell(merge, load_merge)*/
//@ end
//@ if OUTCOME_PAST
//@ if PAST
/*@tell(past, bypass)*/
//@ else
/*@tell(past, 1'b0)*/
//@ end
//@ end
//@ if RECENT
/*@bit(write, tag_written)*/
//@ end
//@ if OUTCOME_WRITE

  assign outcome_write = outcome_write_q;
//@ end
//@ if TOOK_ALONE
/*@tell(take, @takes)*/
//@ elif OUTCOME_TAKE

  assign outcome_take = outcome_write_q; // each miss is a load's
//@ end
//@ if OUTCOME_EVICT
/*@tell(evict, evicts)*/
//@ end
//@ if OUTCOME_AT && ON_MISS

  // where: the way is known before what is done in it
  wire placed = /*@hits*/ || load_merge || miss;

  always @(posedge clk)
    if (d_valid_q) begin
      outcome_set_q <= d_set_q;
      outcome_at_q  <= {WAYS{placed}} & (hit ? d_hit_q : in_flight ? merge_at : victim_at);
    end
//@ elif !ON_MISS

  // where
  always @(posedge clk)
    if (d_valid_q || fill_now) begin
      outcome_set_q <= fill_now ? f_set_q : d_set_q;
      outcome_at_q  <= come_at | {WAYS{/*@hits*/}} & d_hit_q;
    end

  always @(posedge clk)
    if (tag_written)
      outcome_tag_q <= tag;
//@ end
//@ if OUTCOME_AT

  assign outcome_set = outcome_set_q;
  assign outcome_at  = outcome_at_q;
//@ end
//@ if OUTCOME_NTH

  assign outcome_nth = outcome_nth_q;

  always @(posedge clk)
    if (d_valid_q || fill_now)
      outcome_nth_q <= fill_now ? f_loads - 1'b1 : merged_to;
//@ end
//@ each outcome f

  assign outcome_/*@f*/ = outcome_/*@f*/_q;
//@ end
//@ each outcome f but first two

  always @(posedge clk)
    if (d_valid_q)
      outcome_/*@f*/_q <= d_/*@f*/_q;
//@ end
//@ if OUTCOME_FIRST

  always @(posedge clk)
    if (d_valid_q)
      outcome_first_q <= !(|d_num_q);
//@ end
//@ if OUTCOME_TWO

  always @(posedge clk)
    if (d_valid_q)
      outcome_two_q <= !(|d_num_q[LANE_W-1:1]);
//@ end
//@ if TOOK_OWN

  always @(posedge clk)
    if (d_valid_q)
      took_hpc_q <= d_hpc_q;
//@ end
//@ if TOOK && !ON_MISS

  // of a fill, the load that takes the line is at the output of `merged` now
  always @(posedge clk)
    took_fill_q <= fill_now;
//@ end
//@ if TOOK_HPC

  assign took_hpc = /*@if !ON_MISS*/took_fill_q ? merged_hpc : /*@end*//*@if TOOK_OWN*/took_hpc_q/*@else*/outcome_hpc_q/*@end*/;
//@ end
//@ if TOOK_WID

  assign took_wid = /*@if !ON_MISS*/took_fill_q ? merged_wid : /*@end*/outcome_wid_q;
//@ end
//@ if TOOK_LINE

  assign took_line = /*@if !ON_MISS*/took_fill_q ? pick_line(f_at, mshr_line_q) : /*@end*/outcome_line_q;
//@ end
//@ if TOOK_PIN

  always @(posedge clk)
    took_pin_q <= fill_now ? |(f_at & mshr_pin_q) : pin_new;

  assign took_pin = took_pin_q;
//@ end
