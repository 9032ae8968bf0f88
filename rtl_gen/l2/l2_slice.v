//@ # A slice of the L2 cache: its slots; the rest in its parts. Spec: docs/mechanisms/l2.md.
//@ #
//@ # Sets, ways and MSHRs are numbered in registers and one-hot everywhere else (names in _at). What the tags say
//@ # of b's line, and which way is the oldest, comes last in a cycle: what depends on neither is computed beside
//@ # them, for each possible result, which then selects.
//@ part l2_rings
//@ part verilog/any_of

  localparam [L2_SETS-1:0]  SET_0  = 1;
  localparam [L2_MSHRS-1:0] MSHR_0 = 1;
//@ if L2_WAYS > 1
  localparam [L2_WAYS-1:0]  WAY_0  = 1;
//@ end
  localparam LINE_MASK_W = 8*L2_WORDS; // bytes of a /*@if L2_SECTOR_FILL*/sector/*@else*/line/*@end*/
  genvar s, w, /*@if L2_WAYS > 1*/o, /*@end*/m, k/*@if L2_SECTOR_FILL*/, p/*@end*/;
//@ lowest lowest_mshr L2_MSHRS
//@ number number_of_mshr L2_MSHRS L2_MSHR_W
//@ pick pick_count L2_MSHRS L2_MERGE_W
//@ pick pick_set L2_MSHRS L2_SET_W
//@ pick pick_ways L2_SETS L2_WAYS
//@ pick pick_tag L2_WAYS L2_TAG_W
//@ if L2_SECTOR_FILL
//@ lowest lowest_sector SECTORS
//@ number number_of_sector SECTORS SECTOR_W
//@ pick pick_sector L2_MSHRS SECTOR_W
//@ pick ways_of_sector SECTORS L2_WAYS
  /*@any_of(any_sector, SECTORS, L2_WAYS)*/
//@ end
//@ if L2_SLEEPS
//@ pick pick_accesses L2_WAYS CNT_W
//@ pick pick_line L2_MSHRS LINE_W
//@ end
//@ if L2_WAYS > 1
//@ lowest lowest_way L2_WAYS
//@ number number_of_way L2_WAYS L2_WAY_W
//@ pick pick_way L2_MSHRS L2_WAY_W
//@ end

  wire look;   // q's request is looked up, and is b's from the next cycle on
  wire step;   // the next request that waits for f's line is read, and answered in the next cycle
  wire done;   // b's request is decided
  wire undone; // it is to be looked up again
  wire fails;  // once something has changed
  wire over;   // f has answered all that waited
  wire send;   // the memory takes the request at the port
//@ if L2_MAINT
  wire mt_read; // maintenance: a set is read
  wire mt_back; // a line of it is written back
  wire mt_drop; // the set becomes invalid
  wire [L2_WAYS-1:0] mt_at; // the line that is written back
//@ if L2_SECTOR_FILL
  wire [SECTORS-1:0] mt_sector_at; // its sector
//@ end
//@ end
//@ part l2_requests

  // --- slots: a step of a fill's answers, else a look

  wire slot     = b_req_q || b_rep_q;
  wire room     = {1'b0, rq_count_q} + {{L2_RQN_W{1'b0}}, slot} + {{L2_RQN_W{1'b0}}, c_rsp_q} < L2_RQ[L2_RQN_W:0];
  wire out_room = {1'b0, oq_count_q} + {{L2_IQN_W{1'b0}}, c_out_q} < L2_IQ[L2_IQN_W:0];
  // a step may send a line to the memory, and what is in b may too
  wire step_room = {1'b0, oq_count_q} + {{L2_IQN_W{1'b0}}, slot} + {{L2_IQN_W{1'b0}}, c_out_q} < L2_IQ[L2_IQN_W:0];

  wire [L2_MSHRS-1:0]   f_at      = MSHR_0 << f_id_q;
  wire [L2_MERGE_W-1:0] f_waiting = pick_count(f_at, mshr_count_q);
  wire [L2_MERGE_W-1:0] f_after   = f_pos_q + 1'b1;
  wire [L2_MERGE_W-1:0] f_next    = b_rep_q ? f_after : f_pos_q;

  assign step = f_valid_q && f_next != f_waiting && room && step_room;
  assign look = q_valid_q && !blocked_q && room && !step;

  always @(posedge clk)
    if (rst) begin
      b_req_q <= 1'b0;
      b_rep_q <= 1'b0;
    end else begin
      b_req_q <= look && !undone;
      b_rep_q <= step;
    end

  always @(posedge clk)
    if (look)
      /*@{l2req b_*_q}*/ <=
        /*@{l2req q_*}*/;
//@ if L2_MAINT
    else if (mt_read)
      b_line_q <= {{L2_TAG_W{1'b0}}, mt_set_q};
//@ end

  // a request that leaves for the memory/*@if L2_WAKE_LIMITED*/, a row that is awake/*@end*/ or an MSHR that becomes free: one of them ends every reason to fail
  always @(posedge clk)
    if (rst)
      blocked_q <= 1'b0;
    else if (send || over/*@if L2_WAKE_LIMITED*/ || woken/*@end*/)
      blocked_q <= 1'b0;
    else if (fails)
      blocked_q <= 1'b1;
//@ part l2_answers
//@ part l2_fills
//@ part l2_lookup
//@ part l2_flight
//@ part l2_victim
//@ part l2_decide
//@ part l2_sets
//@ part l2_mshrs
//@ part l2_replay
//@ if L2_MAINT
//@ part l2_maint
//@ end
//@ part l2_data
//@ if L2_SLEEPS
//@ part l2_sleep
//@ end
//@ part l2_outputs
