//@ # The loads that brought the L1D's lines, and the uses of the lines. Spec: docs/mechanisms/line_uses.md.
//@ #
//@ # The set's counters are selected and each is incremented; the way is selected only then.
//@ keys l1d.allocate

  localparam [SETS-1:0] SET_0 = 1;
  genvar s, w;
//@ pick pick_set SETS WAYS*RR_W
//@ if REUSE || APCM
//@ pick pick_way WAYS RR_W
//@ end
//@ if REUSE
//@ number number_of_way WAYS WAY_W
//@ end

  // --- counters of the set that OUTCOME names

  wire [SETS-1:0]      outcome_set_at = SET_0 << outcome_set;
  wire [WAYS*RR_W-1:0] counters       = pick_set(outcome_set_at, rr_q);
  wire [WAYS*RR_W-1:0] counted; // each counter with one use more
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : count
      wire [RR_W-1:0] counter = counters[w*RR_W +: RR_W];
      assign counted[w*RR_W +: RR_W] = (&counter) ? counter : counter + 1'b1;
    end
  endgenerate
//@ if !ON_MISS

  // loads that the MSHR held before this one, at most all ones
  wire [RR_W-1:0] nth = /*@if MERGE_W > RR_W*/(|outcome_nth[MERGE_W-1:RR_W]) ? {RR_W{1'b1}} : outcome_nth[RR_W-1:0]/*@elif MERGE_W == RR_W*/outcome_nth/*@else*/{{RR_W-MERGE_W{1'b0}}, outcome_nth}/*@end*/;
  wire [RR_W-1:0] start = outcome_hit ? {RR_W{1'b0}} : nth; // where a load takes a line
//@ end

  wire used_again = outcome_load && (outcome_hit || outcome_merge);
  generate
    for (s = 0; s < SETS; s = s + 1) begin : reuse
      for (w = 0; w < WAYS; w = w + 1) begin : line
        always @(posedge clk)
          if ((outcome_take || used_again) && outcome_set_at[s] && outcome_at[w])
            rr_q[(s*WAYS + w)*RR_W +: RR_W] <= outcome_take ? /*@if ON_MISS*/{RR_W{1'b0}}/*@else*/start/*@end*/ : counted[w*RR_W +: RR_W];
      end
    end
  endgenerate
//@ if APCM

  wire [RR_W-1:0] count_of = /*@if !ON_MISS*/outcome_merge ? nth : /*@end*/pick_way(outcome_at, counted);

  assign uses = {RR_W{(outcome_hit || outcome_merge) && !outcome_take}} & count_of;
//@ end
//@ if LOC

  assign decide_counters = pick_set(SET_0 << decide_set, rr_q);
//@ if !ON_MISS
  assign fill_counters   = pick_set(SET_0 << fill_set, rr_q);
//@ end
//@ end
//@ if REUSE

  // --- the loads that brought the lines, and the lines that are evicted

  wire [LINE_ROW_W-1:0] row = outcome_set * WAYS + {{LINE_ROW_W-WAY_W{1'b0}}, number_of_way(outcome_at)};

  assign line_hpc_we    = outcome_take;
  assign line_hpc_waddr = row;
  assign line_hpc_wdata = took_hpc;
  assign line_hpc_re    = late_evict;
  assign line_hpc_raddr = late_row;

  assign evict_valid = outcome_evict;
  assign evict_count = pick_way(outcome_at, counters);
//@ if PREF

  // a line that was evicted as it was adopted: its row was written and read in one cycle
  wire same = last_take_q && last_row_q == row;

  always @(posedge clk)
    if (rst)
      last_take_q <= 1'b0;
    else
      last_take_q <= outcome_take;

  always @(posedge clk)
    if (outcome_take) begin
      last_row_q <= row;
      last_hpc_q <= took_hpc;
    end

  assign evict_hpc = same ? last_hpc_q : line_hpc_rdata;
//@ else
  assign evict_hpc = line_hpc_rdata;
//@ end
//@ end
