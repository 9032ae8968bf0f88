//@ # The victim tag arrays. Spec: docs/mechanisms/ccws.md.
//@ #
//@ # Events of the L1D wait in a queue; one entry at a time is worked on, one step a cycle. A row of tags is in order
//@ # of use, so to use a tag shifts the tags in front of it.
//@ keys ccws.entries ccws.ways ccws.queue
//@ part verilog/next
//@ #
//@ # The row of a line of warp `wid`.
//@ def row_of(wid, line)
/*@if VTA_SET_W*/{/*@wid*/, /*@line*/[VTA_SET_W-1:0]}/*@else*//*@wid*//*@end*/
//@ end

  localparam [2:0] IDLE = 3'd0, START = 3'd1, READ = 3'd2, LOOK = 3'd3, START_VICTIM = 3'd4,
                   READ_VICTIM = 3'd5, INSERT = 3'd6;
  localparam [VTA_ROWS-1:0] ROW_0 = 1;
  localparam VTA_PLACE_W = 1 + VTA_TAG_W; // a place of a row: whether a tag is there, the tag
  genvar t;
//@ number number_of_way WAYS WAY_W

  // --- the L1D's lines: the warps that brought them

  wire [LINE_ROW_W-1:0]   outcome_row = outcome_set * WAYS + {{LINE_ROW_W-WAY_W{1'b0}}, number_of_way(outcome_at)};
  wire                    took        = outcome_take && |outcome_at;
  wire [WID_W+LINE_W-1:0] victim;
//@ if !ON_MISS
  wire [WID_W+LINE_W-1:0] taker       = {took_wid, took_line};
//@ end

  assign lines_we    = took;
  assign lines_waddr = outcome_row;
  assign lines_wdata = /*@if ON_MISS*/{outcome_wid, outcome_line}/*@else*/taker/*@end*/;
  assign lines_re    = late_evict;
  assign lines_raddr = late_row;
//@ if PREF

  // a line that was evicted as it was adopted: its row was written and read in one cycle
  wire same = last_take_q && last_row_q == outcome_row;

  always @(posedge clk)
    if (rst)
      last_take_q <= 1'b0;
    else
      last_take_q <= took;

  always @(posedge clk)
    if (took) begin
      last_row_q  <= outcome_row;
      last_line_q <= /*@if ON_MISS*/{outcome_wid, outcome_line}/*@else*/taker/*@end*/;
    end

  assign victim = same ? last_line_q : lines_rdata;
//@ else
  assign victim = lines_rdata;
//@ end

  // --- queue: misses, and the lines that they evicted

//@ if ON_MISS
  wire missed = outcome_take/*@if PREF*/ && !outcome_hit && !outcome_merge/*@end*/;
//@ else
  wire missed = outcome_load && !outcome_hit && !outcome_merge/*@if PAST*/ && !outcome_past/*@end*/;
//@ end
  wire push   = ccws_en && !clear && (missed || outcome_evict) && count_q != VTA_Q[VTA_QN_W-1:0];
  wire pop    = !clear && step_q == IDLE && |count_q;

  assign queue_we    = push;
  assign queue_waddr = tail_q;
  assign queue_wdata = {outcome_evict, victim, missed, outcome_wid, outcome_line};
  assign queue_re    = pop;
  assign queue_raddr = head_q;

  always @(posedge clk)
    if (rst || clear)
      tail_q <= {VTA_Q_W{1'b0}};
    else if (push)
      tail_q <= /*@next(tail_q, VTA_Q, VTA_Q_W)*/;

  always @(posedge clk)
    if (rst || clear)
      head_q <= {VTA_Q_W{1'b0}};
    else if (pop)
      head_q <= /*@next(head_q, VTA_Q, VTA_Q_W)*/;

  always @(posedge clk)
    if (rst || clear)
      count_q <= {VTA_QN_W{1'b0}};
    else if (push ^ pop)
      count_q <= push ? count_q + 1'b1 : count_q - 1'b1;

  // --- steps: look for the miss in its row, then put the victim into its own

  wire              evicted;    // a line was evicted
  wire [WID_W-1:0]  victim_wid;
  wire [LINE_W-1:0] victim_line;
  wire              to_look;    // a load missed
  wire [WID_W-1:0]  miss_wid;
  wire [LINE_W-1:0] miss_line;
  assign {evicted, victim_wid, victim_line, to_look, miss_wid, miss_line} = queue_rdata;

  wire start  = step_q == START && to_look || step_q == START_VICTIM;
  wire arrive = step_q == READ || step_q == READ_VICTIM;
  wire look   = step_q == LOOK;
  wire insert = step_q == INSERT;

  always @(posedge clk)
    if (rst || clear)
      step_q <= IDLE;
    else
      case (step_q)
        IDLE:    step_q <= pop ? START : IDLE;
        START:   step_q <= to_look ? READ : START_VICTIM;
        LOOK:    step_q <= evicted ? START_VICTIM : IDLE;
        INSERT:  step_q <= IDLE;
        default: step_q <= step_q + 1'b1;
      endcase

  wire [WID_W-1:0]     wid  = step_q == START ? miss_wid : victim_wid;
  wire [LINE_W-1:0]    line = step_q == START ? miss_line : victim_line;
  wire [VTA_ROW_W-1:0] row  = /*@row_of(wid, line)*/;

  always @(posedge clk)
    if (start && !clear) begin
      row_q <= row;
      tag_q <= line[LINE_W-1:LINE_W-VTA_TAG_W];
    end

  // --- the row: the tag is its first from now on

  wire [VTA_ROWS-1:0] row_at    = ROW_0 << row_q;
  wire                row_known = |(known_q & row_at);
  wire [VTA_WAYS-1:0] match;
  wire [VTA_WAYS*VTA_PLACE_W-1:0] used; // as it is then
  wire found = |match;
  wire write = !clear && (look && found || insert);
  generate
    for (t = 0; t < VTA_WAYS; t = t + 1) begin : place
      wire [VTA_PLACE_W-1:0] now = w_q[t*VTA_PLACE_W +: VTA_PLACE_W];
      assign match[t] = now == {1'b1, tag_q};
      if (t == 0) begin : first
        assign used[t*VTA_PLACE_W +: VTA_PLACE_W] = {1'b1, tag_q};
      end else begin : other
        wire stays = |match[t-1:0]; // it is behind the one that is used
        assign used[t*VTA_PLACE_W +: VTA_PLACE_W] = stays ? now : w_q[(t-1)*VTA_PLACE_W +: VTA_PLACE_W];
      end

      wire [VTA_PLACE_W-1:0] read = vta_rdata[t*VTA_PLACE_W +: VTA_PLACE_W];
      always @(posedge clk)
        if (arrive && !clear)
          w_q[t*VTA_PLACE_W +: VTA_PLACE_W] <= {read[VTA_TAG_W] && row_known, read[VTA_TAG_W-1:0]};
    end
  endgenerate

  assign vta_en    = start && !clear || write;
  assign vta_we    = write;
  assign vta_addr  = write ? row_q : row;
  assign vta_wdata = used;

  always @(posedge clk)
    if (rst || clear)
      known_q <= {VTA_ROWS{1'b0}};
    else if (write)
      known_q <= known_q | row_at;

  // --- lost locality

  always @(posedge clk)
    if (rst || clear)
      h_valid_q <= 1'b0;
    else
      h_valid_q <= look && found;

  always @(posedge clk)
    if (look && found && !clear)
      h_wid_q <= miss_wid;

  assign hit_valid = h_valid_q;
  assign hit_wid   = h_wid_q;
