//@ # The L1D's d: what becomes of a request. Part of l1d.v.
//@ #
//@ # The advice of attachments on d's load is in registers when d decides. What is known late (can it merge, does the port
//@ # take an answer) has as few gates after it as possible. Keep beats bypass, hold and refuse. Prefetches ignore all advice.
//@ terms bypass_asked ||
//@ | REQ_BYP : d_byp_q
//@ | ADVISED : advice_bypass
//@ end
//@ terms cached_if &&
//@ | EARLY : !early
//@ | PINS  : !d_stuck_q
//@ | HOLD  : !barred
//@ end
//@ # where loads come again, conditions of a load that is not served do not depend on whether it hits: that is selected last
//@ def unless_hit
/*@if !AGAIN*/!hit && /*@end*/
//@ end
//@ # a load lacks something for which request_buffer.bypass lets it bypass; a load that waits for HOLD lacks no MSHR
//@ terms lacks_if ||
//@ | request_buffer.bypass == assoc && !SECTOR_FILL    : /*@unless_hit*/!in_flight && d_full_q
//@ | request_buffer.bypass == assoc && SECTOR_FILL     : /*@unless_hit*/!in_flight && d_full_q && !(|d_there_q)
//@ | request_buffer.bypass == all                      : in_flight
//@ | request_buffer.bypass == all && HOLD && ON_MISS   : /*@unless_hit*/(d_full_q || !m_free_q && !barred)
//@ | request_buffer.bypass == all && HOLD && !ON_MISS  : /*@unless_hit*/!m_free_q && !barred
//@ | request_buffer.bypass == all && !HOLD             : /*@unless_hit*/!may_allocate
//@ end
//@ # loads that bypass
//@ terms uncached_if ||
//@ | EARLY && (FORWARD || AGAIN)    : early
//@ | EARLY && !FORWARD && !AGAIN    : early && !hit
//@ | PINS                           : /*@unless_hit*/!in_flight && d_stuck_q
//@ | LACK_LINE                      : /*@unless_hit*/!in_flight && d_full_q && lack_line/*@if KEPT*/ && !advice_keep/*@end*/
//@ | HOLD                           : /*@unless_hit*/!in_flight/*@if ON_MISS*/ && !d_full_q/*@end*/ && barred && !hold
//@ | lacks_if : lacks
//@ end
//@ terms slot_taken ||
//@ | PAST  : bypass
//@ | KINDS : store && aside
//@ end
//@ # a hit may go to the response register
//@ def hit_free
/*@if BEHIND*/(f_valid_q ? f_leaves : resp_free)/*@else*/!f_valid_q && resp_free/*@end*/
//@ end
//@ def slot
/*@if KINDS*/takes_slot/*@else*/bypass/*@end*/
//@ end
//@ terms decided ||
//@ | 1    : load_hit || load_merge || miss || store
//@ | PAST : uncached
//@ | PREF : prefetch
//@ end

  // --- decide

  wire [SETS-1:0]    d_at      = SET_0 << d_set_q;
  wire               hit       = |d_hit_q;
  wire               in_flight = /*@if FLIGHT*/d_flight_q/*@else*/|d_mshr_eq_q/*@end*/;
  wire [MERGE_W-1:0] merged_to = pick_count(d_mshr_eq_q, mshr_count_q);
  wire [MSHRS-1:0]   takes_more;
  generate
    for (m = 0; m < MSHRS; m = m + 1) begin : fill_up
      // no count is above MERGE: a count that has the 1s of MERGE is MERGE
      assign takes_more[m] = !mshr_dead_q[m] && |(~mshr_count_q[m*MERGE_W +: MERGE_W] & MERGE[MERGE_W-1:0]);
    end
  endgenerate
//@ if AGAIN
  wire can_merge = d_merges_q;
//@ else
  wire can_merge = |(d_mshr_eq_q & takes_more); // so d's line is in flight
//@ end

  wire             may_allocate = /*@if SECTOR_FILL*/(!d_full_q || |d_there_q) && /*@elif ON_MISS*/!d_full_q && /*@end*/m_free_q;
  wire             mq_full   = mq_count_q == MQ[MQN_W-1:0];
  wire             resp_free = !resp_v_q || resp_ready;

//@ if EARLY
  // a load that is to bypass, whether it lacks anything or not
  wire early  = (/*@bypass_asked*/)/*@if KEPT*/ && !advice_keep/*@end*//*@if PREF*/ && !d_pf_q/*@end*/;
//@ end
//@ if HOLD
  // a load that may not miss now
  wire barred = (hold || hold_refuse)/*@if KEPT*/ && !advice_keep/*@end*//*@if PREF*/ && !d_pf_q/*@end*/;
//@ end
  wire go         = d_valid_q && !fill_now/*@if FILL*/ && !fill_asks/*@end*//*@if PREF*/ && !flush/*@end*/;
  wire load       = go && !d_write_q/*@if PREF*/ && !d_pf_q/*@end*/;
//@ if AGAIN
  wire served     = hit/*@if FORWARD*/ && !early/*@end*/;
  wire load_hit   = load && served && /*@hit_free*/;
//@ else
  wire load_hit   = load && hit/*@if FORWARD*/ && !early/*@end*/ && /*@hit_free*/;
//@ end
  wire load_merge = load && can_merge; // a line in flight does not hit
//@ if AGAIN
  wire may_miss   = !in_flight/*@if cached_if*/ && /*@cached_if*//*@end*/ && may_allocate;
  assign miss     = go && !d_write_q && !hit && may_miss && !mq_full;
//@ else
  assign miss     = go && !d_write_q && !hit && !in_flight/*@if cached_if*/ && /*@cached_if*//*@end*/ && may_allocate && !mq_full;
//@ end
//@ if KINDS
  // an uncached load or an atomic: handled as a store, but it takes a bypass slot
  wire aside      = |d_op_q;
  wire may_store  = !mq_full && !(aside && byp_count_q == BYPS[BYP_W-1:0]);
//@ else
  wire may_store  = !mq_full;
//@ end
  wire store      = go && d_write_q && may_store;
//@ if PREF
  wire prefetch   = go && d_pf_q; // decided at once, whatever it finds (D-SAP-4)
//@ end
//@ if HOLD
//@ if AGAIN
  wire must_wait  = !in_flight/*@if EARLY*/ && !early/*@end*//*@if PINS*/ && !d_stuck_q/*@end*//*@if ON_MISS*/ && !d_full_q/*@end*/ && barred && hold;
  wire held       = load && !hit && must_wait;
//@ else
  wire held       = load && !hit && !in_flight/*@if EARLY*/ && !early/*@end*//*@if PINS*/ && !d_stuck_q/*@end*//*@if ON_MISS*/ && !d_full_q/*@end*/ && barred && hold;
//@ end
//@ end
//@ if PAST

//@ if lacks_if
  wire lacks = /*@if LACK_BYPASS*/lack_bypass && (/*@end*//*@lacks_if*//*@if LACK_BYPASS*/)/*@end*/; // stall bypass helps
//@ end
  // a load that bypasses, unless it merges
  wire bypassable = /*@uncached_if*/;
//@ if AGAIN
  wire may_pass   = bypassable && byp_count_q != BYPS[BYP_W-1:0];
  wire uncached   = load && !served && may_pass && !mq_full;
//@ else
  wire uncached   = load && bypassable && !mq_full && byp_count_q != BYPS[BYP_W-1:0];
//@ end
  wire bypass     = uncached && !can_merge;
//@ end
//@ if BYPS

//@ if KINDS
  wire takes_slot  = /*@slot_taken*/;
//@ end
  wire bypass_back = f_leaves;

  always @(posedge clk)
    if (rst)
      byp_count_q <= {BYP_W{1'b0}};
    else if (/*@slot*/ && !bypass_back)
      byp_count_q <= byp_count_q + 1'b1;
    else if (bypass_back && !/*@slot*/)
      byp_count_q <= byp_count_q - 1'b1;
//@ end

  assign done = /*@decided*/;
//@ if AGAIN

  // a load that lacks something leaves, and the request buffer sends it again; a load stays if it waits for the response port/*@if HOLD*/, or held/*@end*/
  wire stays  = served && !(/*@hit_free*/)/*@if HOLD*/ || held/*@end*/;
  wire leaves = lack_again && load && !stays; // also for a load that is done: such a load does not stay, and done is known later
  wire tried  = leaves || load && done;

  // Whether d moves on, computed for each kind of request at once; the kind is selected last. No line is both valid and in flight.
  wire rest_goes = lack_again/*@if HOLD*/ && !must_wait/*@end*/ || can_merge || (may_miss/*@if PAST*/ || may_pass/*@end*/) && !mq_full;
  assign moves   = !d_valid_q || !fill_now/*@if FILL*/ && !fill_asks/*@end*//*@if PREF*/ && !flush/*@end*/ &&
                   /*@if PREF*/(d_pf_q || /*@end*/(d_write_q ? may_store : served ? /*@hit_free*/ : rest_goes)/*@if PREF*/)/*@end*/;
//@ end
