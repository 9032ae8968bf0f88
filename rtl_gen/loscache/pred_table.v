//@ # The prediction table of LoSCache. Spec: docs/mechanisms/loscache.md.
//@ #
//@ # Entries are one-hot everywhere (names in _at) and numbered only where they leave. For late inputs the answer is
//@ # ready before: for a request the prediction with its extra, for an instruction the entry that it gets if it has
//@ # none.
//@ keys loscache.gate

  localparam [WARPS-1:0]   WARP_0    = 1;
  localparam [LPT-1:0]     ENTRY_0   = 1;
//@ if !APB
  localparam [PHASE_W-1:0] LAST_SEEN = PHASE[PHASE_W-1:0] - 1'b1;
//@ end
//@ if ADAPT
  localparam               TOTAL_W     = (CNT_W > EXTRA_W ? CNT_W : EXTRA_W) + 1;
//@ end
  genvar e;
//@ pick pick_line LPT LINE_W
//@ pick pick_prediction LPT CNT_W

  // one of n CTA slots, chosen by a fraction in 1/256
  function [PICK_W-1:0] scale(input [7:0] fraction, input [CTA_W:0] n);
    reg [CTA_W+8:0] product;
    integer i;
    begin
      product = {{CTA_W+1{1'b0}}, fraction} * {8'd0, n};
      for (i = 0; i < PICK_W; i = i + 1)
        scale[i] = product[i+8];
    end
  endfunction

  // an entry's number + 1, as at the ports; and back
  function [PE_W-1:0] pe_of(input [LPT-1:0] at);
    integer i;
    begin
      pe_of = 0;
      for (i = 1; i <= LPT; i = i + 1)
        pe_of = pe_of | ({PE_W{at[i-1]}} & i[PE_W-1:0]);
    end
  endfunction
  function [LPT-1:0] entry_of(input [PE_W-1:0] pe);
    integer i;
    for (i = 1; i <= LPT; i = i + 1)
      entry_of[i-1] = pe == i[PE_W-1:0];
  endfunction

  // --- a kernel begins: choice of the CTA that will be its predictor

  wire              begins   = kernel && en;
  wire [7:0]        fraction = fold_q ^ seed[15:8] ^ seed[7:0];
  wire [PICK_W-1:0] slot     = scale(fraction, kernel_ctas);

  // eight steps at once: none of them depends on the bits that another shifts in
  wire [7:0] brought = lfsr_q[7:0] ^ lfsr_q[9:2] ^ lfsr_q[10:3] ^ lfsr_q[12:5];

  always @(posedge clk)
    if (rst) begin
      lfsr_q <= 16'd44257;
      fold_q <= 8'd77;
    end else if (kernel) begin
      lfsr_q <= {brought, lfsr_q[15:8]};
      fold_q <= brought ^ lfsr_q[15:8];
    end

  always @(posedge clk)
    if (begins)
      pick_q <= slot;

  // --- the predictor: its warps

  wire             phase     = state_q == 2'd1;
  wire [WARPS-1:0] remain    = predictor_q & ~exit;
  wire             joins     = launch_valid && seek_q && launch_cta == pick_q; // after its kernel has begun
  wire             starts    = kernel ? launch_valid && en && launch_cta == slot : joins;
  wire             is_over   = !joins && |predictor_q && !(|remain); // it ends with its last warps; without `kernel`

  always @(posedge clk)
    if (rst)
      predictor_q <= {WARPS{1'b0}};
    else
      predictor_q <= launch_warps & {WARPS{starts}} | remain & {WARPS{!kernel && !joins}};

  // the schedulers let them go first
  assign prefer   = predictor_q;
  assign boosting = phase && en;

  // --- entries: an instruction finds its own, or one of the predictor gets the next

  wire [LPT-1:0] found_at;
  wire [LPT-1:0] free_at = ~used_q & {used_q[LPT-2:0], 1'b1}; // entries are used in order
  wire           found   = |found_at;
  wire           learns  = phase && en && |(predictor_q & (WARP_0 << ld_wid));
  wire           shows   = !phase && en || learns;
  wire [LPT-1:0] give_at = free_at & {LPT{learns && ld_valid && !found && !kernel}};

  assign ld_pe = pe_of(found_at & {LPT{shows}}) | pe_of(free_at) & {PE_W{learns && !found}};

  always @(posedge clk)
    if (rst || kernel)
      used_q <= {LPT{1'b0}};
    else
      used_q <= used_q | give_at;

  // --- lines: the first access of an entry gives its line; PHASE accesses end the phase
  //@ # Lines, and the end of the phase.

  wire [LPT-1:0] mq_at   = entry_of(mq_pe);
  wire           counts  = mq_taken && |mq_pe && phase && !kernel;
  wire [LPT-1:0] line_at = mq_at & used_q & ~has_q & {LPT{counts}};
//@ if APB
  wire           enough  = seen_q >= los_phase - 1'b1;
  wire           ends    = counts && enough || is_over && phase && !kernel;
//@ else
  wire           ends    = counts && seen_q == LAST_SEEN || is_over && phase && !kernel;
//@ end

  always @(posedge clk)
    if (begins)
      seen_q <= {PHASE_W{1'b0}};
    else if (counts)
      seen_q <= seen_q + 1'b1;

  always @(posedge clk)
    if (rst || kernel)
      has_q <= {LPT{1'b0}};
    else
      has_q <= has_q | line_at;

  always @(posedge clk)
    if (rst)
      seek_q <= 1'b0;
    else
      seek_q <= (kernel ? en : seek_q && !ends) && !starts;

  // --- walk: a query for each entry's line

  wire [LPT-1:0] walk_at = ENTRY_0 << walk_q;
  wire           o_free  = !o_valid_q || q_ready;
  wire           steps   = state_q == 2'd2 && o_free && !mq_waits && !kernel;
  wire           is_used = |(used_q & walk_at);
  wire           asks    = steps && |(used_q & has_q & walk_at);

  always @(posedge clk)
    if (rst)
      state_q <= 2'd0;
    else if (kernel)
      state_q <= {1'b0, en};
    else if (ends)
      state_q <= 2'd2;
    else if (steps && (!is_used || walk_at[LPT-1]))
      state_q <= 2'd0;

  always @(posedge clk)
    if (ends)
      walk_q <= {LPT_W{1'b0}};
    else if (steps)
      walk_q <= walk_q + 1'b1;

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else if (o_free)
      o_valid_q <= asks;

  always @(posedge clk)
    if (asks) begin
      o_line_q <= pick_line(walk_at, block_q);
      o_pe_q   <= pe_of(walk_at);
    end

  assign q_valid = o_valid_q;
  assign q_line  = o_line_q;
  assign q_pe    = o_pe_q;

  // --- the table: each entry for itself

  wire [LPT-1:0]       ans_at = entry_of(ans_pe) & used_q & {LPT{ans_valid && !kernel}};
//@ if ADAPT
  wire [LPT-1:0]       low_at = entry_of(early_pe) & used_q & {LPT{early_valid && !kernel}};
//@ end
  wire [LPT*CNT_W-1:0] predictions;
  generate
    for (e = 0; e < LPT; e = e + 1) begin : entry
      assign found_at[e] = used_q[e] && pc_q[e*PC_W +: PC_W] == ld_pc;

      wire [CNT_W-1:0] count = count_q[e*CNT_W +: CNT_W];
//@ if ADAPT
      wire [EXTRA_W-1:0] extra = extra_q[e*EXTRA_W +: EXTRA_W];
      wire [TOTAL_W-1:0] total = {{TOTAL_W-CNT_W{1'b0}}, count} + {{TOTAL_W-EXTRA_W{1'b0}}, extra};
      wire               grows = |count && total < {{TOTAL_W-CNT_W{1'b0}}, early_count} && extra != EXTRA[EXTRA_W-1:0];
//@ end
      assign predictions[e*CNT_W +: CNT_W] =
//@ if ADAPT
        (total[0 +: CNT_W] | {CNT_W{|total[TOTAL_W-1:CNT_W]}}) & {CNT_W{used_q[e] && |count}};
//@ else
        count & {CNT_W{used_q[e]}};
//@ end

//@ if storage.pred_table_pc == ff
      always @(posedge clk)
        if (give_at[e])
          pc_q[e*PC_W +: PC_W] <= ld_pc;

//@ end
      always @(posedge clk)
        if (give_at[e] || ans_at[e])
          count_q[e*CNT_W +: CNT_W] <= {CNT_W{!give_at[e]}} &
            (ans_count/*@if GONE*/ | {{CNT_W-1{1'b0}}, !(|ans_count)}/*@end*/);
//@ if storage.pred_table_block == ff

      always @(posedge clk)
        if (line_at[e])
          block_q[e*LINE_W +: LINE_W] <= mq_line;
//@ end
//@ if ADAPT

      always @(posedge clk)
        if (give_at[e])
          extra_q[e*EXTRA_W +: EXTRA_W] <= {EXTRA_W{1'b0}};
        else if (low_at[e] && grows)
          extra_q[e*EXTRA_W +: EXTRA_W] <= extra + 1'b1;
//@ end
    end
  endgenerate
//@ if storage.pred_table_pc == latch
  assign pc_we    = give_at;
  assign pc_wdata = ld_pc;
//@ end
//@ if storage.pred_table_block == latch
  assign block_we    = line_at;
  assign block_wdata = mq_line;
//@ end

  assign mq_pred = pick_prediction(mq_at, predictions);
