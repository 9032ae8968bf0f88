//@ # The L1D's d: what becomes of a request. Part of l1d.v.
//@ #
//@ # Whether d's load is to bypass, and what its locality degree says, is in registers when it decides; what is known
//@ # late (can it merge, does the port take an answer) stands behind as little as possible.

  // --- decide

  wire [SETS-1:0]    d_at      = SET_0 << d_set_q;
  wire               hit       = |d_hit_q;
  wire               in_flight = |d_mshr_eq_q;
  wire [MERGE_W-1:0] merged_to = pick_count(d_mshr_eq_q, mshr_count_q);
  wire [MSHRS-1:0]   takes_more;
  generate
    for (m = 0; m < MSHRS; m = m + 1) begin : fill_up
      assign takes_more[m] = !mshr_dead_q[m] && mshr_count_q[m*MERGE_W +: MERGE_W] != MERGE[MERGE_W-1:0];
    end
  endgenerate
  wire can_merge = |(d_mshr_eq_q & takes_more); // so it is in flight

  // an MSHR whose loads are being answered is not free yet, and waits no more
  wire             answering = f_valid_q && f_kind_q == 2'd0;
  wire [MSHRS-1:0] free      = ~mshr_wait_q & ~({MSHRS{answering}} & f_at);
  wire [MSHRS-1:0] free_at   = lowest_mshr(free);
//@ # d's set is found anew in its line where much is chosen by it
//@ if COUNTED || PROBES && ON_MISS && WAYS > 1

  // d's set once more, for choices: d_set_q drives enough
  wire [SET_W-1:0] d_found    = /*@set_of(d_line_q)*/;
  wire [SETS-1:0]  d_found_at = SET_0 << d_found;

//@ end
  wire             may_allocate = /*@if ON_MISS*/!d_full_q && /*@end*/m_free_q;
  wire             mq_full   = mq_count_q == MQ[MQN_W-1:0];
  wire             resp_free = !resp_v_q || resp_ready;

//@ # d's load goes by its locality degree: one that is to be protected does not
//@ def by_loc
/*@if APCM_P*/measured/*@else*/d_loc_q/*@end*/
//@ end
//@ terms told ||
//@ | CASC   : d_byp_q/*@if PREF*/ && !d_pf_q/*@end*/
//@ | RFT    : d_rft_q
//@ | APCM_B : d_apb_q
//@ end
//@ terms cached &&
//@ | TOLD   : !early
//@ | APCM_P : !d_stuck_q
//@ | LOC    : (!/*@by_loc*/ || degree_pays)
//@ end
//@ terms passed_by ||
//@ | TOLD && FORWARD                       : early
//@ | TOLD && !FORWARD                      : early && !hit
//@ | request_buffer.bypass == all          : in_flight
//@ | APCM_P                                : !hit && !in_flight && d_stuck_q
//@ | LOC                                   : !hit && !in_flight && /*@by_loc*/ && (d_full_q || degree_not)
//@ | request_buffer.bypass == assoc        : !hit && !in_flight && d_full_q
//@ | request_buffer.bypass == all          : !hit && !may_allocate/*@if LOC*/ && (!/*@by_loc*/ || degree_pays)/*@end*/
//@ end
//@ terms decided ||
//@ | 1             : load_hit || load_merge || miss || store
//@ | EARLY         : uncached
//@ | BYPS && !EARLY : bypass
//@ | PREF          : prefetch
//@ end
//@ if told && APCM_P
  // a load that is to bypass, whether it lacks anything or not; what is protected is cached whatever the others say
  wire early = !d_keep_q && (/*@told*/);
//@ elif told
  // a load that is to bypass, whether it lacks anything or not
  wire early = /*@told*/;
//@ end
//@ if LOC && APCM_P
  wire measured = d_loc_q && !d_keep_q;
//@ end
//@ if LOC
  // one with a locality degree is cached if that says so; its line takes the place of one with fewer
  // re-references, if no way is empty
  wire degree_pays = l_step_q[1] && (l_room_q || l_better_q);
  wire degree_not  = l_step_q[1] && !(l_room_q || l_better_q);
  wire by_degree   = /*@by_loc*/ && !l_room_q;
  wire cacheable   = /*@cached*/;

//@ elif EARLY
  wire cacheable = /*@cached*/;

//@ end
  wire go         = d_valid_q && !fill_now/*@if PREF*/ && !flush/*@end*/;
  wire load       = go && !d_write_q/*@if PREF*/ && !d_pf_q/*@end*/;
  wire load_hit   = load && hit/*@if FORWARD*/ && !early/*@end*/ && !f_valid_q && resp_free;
  wire load_merge = load && can_merge; // a line in flight is not there
  assign miss     = go && !d_write_q && !hit && !in_flight/*@if EARLY*/ && cacheable/*@end*/ && may_allocate && !mq_full;
  wire store      = go && d_write_q && !mq_full;
//@ if PREF
  wire prefetch   = go && d_pf_q; // decided at once, whatever it finds (D-SAP-4)
//@ end
//@ if LOC
  // its locality degree takes two cycles
  wire looking    = !hit && !in_flight && !early && /*@if APCM_P*/!d_stuck_q && /*@end*//*@by_loc*/ && !d_full_q && !l_step_q[1];
//@ end
//@ if EARLY
  // what goes on uncached, unless it merges
  wire bypassable = /*@passed_by*/;
  wire uncached   = load && bypassable && !mq_full && byp_count_q != BYPS[BYP_W-1:0];
  wire bypass     = uncached && !can_merge;
//@ elif BYPS
//@ if request_buffer.bypass == assoc
  // a load whose set has no line to give goes on uncached (MRPB section 3.4)
  wire bypassable = !hit && !in_flight && d_full_q;
//@ else
  // a load that lacks a line, an MSHR or a place to merge goes on uncached (MRPB section 3.4)
  wire bypassable = !hit && !can_merge && (in_flight || !may_allocate);
//@ end
  wire bypass     = load && bypassable && !mq_full && byp_count_q != BYPS[BYP_W-1:0];
//@ end
//@ if BYPS

  wire bypass_back = f_gives && f_kind_q == 2'd1;

  always @(posedge clk)
    if (rst)
      byp_count_q <= {BYP_W{1'b0}};
    else if (bypass && !bypass_back)
      byp_count_q <= byp_count_q + 1'b1;
    else if (bypass_back && !bypass)
      byp_count_q <= byp_count_q - 1'b1;

//@ end
  assign done     = /*@decided*/;
//@ if MEMSCHED

//@ # MemSched brings what lacks something again, so little keeps a load in d
  // a load stays for the response port/*@if LOC*/ and its locality degree/*@end*/; one that lacks anything else comes again
  wire stays = hit/*@if FORWARD*/ && !early/*@end*/ && (f_valid_q || !resp_free)/*@if LOC*/ || looking/*@end*/;
  wire tried = load && (memsched_en ? !stays : done);
  assign gone = tried || store/*@if PREF*/ || prefetch/*@end*/;

  assign back_valid = b_valid_q;
  assign back_wid   = b_wid_q;
  assign back_ok    = b_ok_q;

  always @(posedge clk)
    if (rst)
      b_valid_q <= 1'b0;
    else
      b_valid_q <= tried;

  always @(posedge clk)
    if (tried) begin
      b_wid_q <= d_wid_q;
      b_ok_q  <= done;
    end
//@ end
