//@ # Scores of lost locality, and which warps may load. Spec: docs/mechanisms/ccws.md.
//@ #
//@ # The warps stand in a memory in the order of their scores. A pass reads it from the highest to the lowest, a row a cycle:
//@ # a warp with a new score finds its place on the way, every score falls, and the scores are taken off the cutoff.
//@ keys ccws.base ccws.k ccws.count_bits
//@ part verilog/next
//@ part verilog/ones

  localparam [1:0] IDLE = 2'd0, MULTIPLY = 2'd1, DIVIDE = 2'd2, DONE = 2'd3;
  localparam [WARPS-1:0] WARP_0 = 1;
  localparam SCALE = LLS_BASE * LLS_K;
  localparam BELOW = WARPS / 2, ABOVE = WARPS - BELOW; // halves of the slots

  // --- the warps that are there, and the sum of scores when none has lost anything

  wire [WARPS-1:0] starts = {WARPS{launch_valid}} & launch_warps;

  always @(posedge clk)
    if (rst)
      present_q <= {WARPS{1'b0}};
    else
      present_q <= present_q & ~exit | starts;

  // the halves are counted, then added
  /*@ones(ones_below, BELOW, THERE_LOW_W)*/

  /*@ones(ones_above, ABOVE, THERE_HIGH_W)*/

  always @(posedge clk)
    if (rst) begin
      there_low_q  <= {THERE_LOW_W{1'b0}};
      there_high_q <= {THERE_HIGH_W{1'b0}};
    end else begin
      there_low_q  <= ones_below(present_q[BELOW-1:0]);
      there_high_q <= ones_above(present_q[WARPS-1:BELOW]);
    end

  wire [THERE_W-1:0] there =
    {{THERE_W-THERE_LOW_W{1'b0}}, there_low_q} + {{THERE_W-THERE_HIGH_W{1'b0}}, there_high_q};

  // --- hits, and instructions issued

  wire idle   = phase_q == IDLE;
  wire done   = phase_q == DONE;
  wire halves = idle && (issued_q[TALLY_W-1] || hits_q[TALLY_W-1]);

  function [PICKED_W-1:0] picks(input [SCHEDS-1:0] v);
    reg [PICKED_W-1:0] one;
    integer i;
    begin
      picks = {PICKED_W{1'b0}};
      one   = {PICKED_W{1'b0}};
      for (i = 0; i < SCHEDS; i = i + 1) begin
        one[0] = v[i];
        picks  = picks + one;
      end
    end
  endfunction

  wire [TALLY_W-1:0] issued = issued_q + {{TALLY_W-PICKED_W{1'b0}}, picked_q};
  wire [TALLY_W-1:0] hits   = hits_q + {{TALLY_W-1{1'b0}}, hit_valid};

  always @(posedge clk)
    if (rst) begin
      picked_q <= {PICKED_W{1'b0}};
      issued_q <= {TALLY_W{1'b0}};
      hits_q   <= {TALLY_W{1'b0}};
    end else begin
      picked_q <= picks(pick_valid);
      issued_q <= halves ? issued >> 1 : issued;
      hits_q   <= halves ? hits >> 1 : hits;
    end

  // --- warps that wait for a score: served goes round to the next one, and on once that one has its score

  wire             look      = idle && !halves;
  wire [WARPS-1:0] served_at = WARP_0 << served_q;
  wire             serve     = look && |(waits_q & served_at);
  wire [WARPS-1:0] hit_at    = {WARPS{hit_valid}} & (WARP_0 << hit_wid);
  wire             begins; // a pass, which brings the score

  always @(posedge clk)
    if (rst)
      waits_q <= {WARPS{1'b0}};
    else
      waits_q <= waits_q & ~({WARPS{look}} & served_at) | hit_at;

  always @(posedge clk)
    if (rst)
      served_q <= {WID_W{1'b0}};
    else if (look && |waits_q && !serve || begins && done)
      served_q <= /*@next(served_q, WARPS, WID_W)*/;

  // --- its score: hits times scaled by issued, a bit a cycle; the product is built and used up in high and low

  localparam BIT_LAST = LLS_W - 1;
  wire multiply = phase_q == MULTIPLY;
  wire divide   = phase_q == DIVIDE;
  wire last     = bit_q == BIT_LAST[LLS_BIT_W-1:0];

  // one adder: by is added to the product, or taken off the remainder. The lowest bit carries in
  wire [TALLY_W:0]   part = divide ? {high_q, low_q[LLS_W-1]} : {1'b0, high_q};
  wire [TALLY_W:0]   term = divide ? ~{1'b0, by_q} : {1'b0, by_q} & {TALLY_W+1{low_q[0]}};
  wire [TALLY_W+2:0] sum  = {1'b0, part, 1'b1} + {1'b0, term, divide};
  wire               goes = sum[TALLY_W+2]; // the remainder is not less than by

  always @(posedge clk)
    if (look) begin // whether a warp is served is known late
      high_q <= {TALLY_W{1'b0}};
      low_q  <= there * SCALE;
    end else if (multiply)
      {high_q, low_q} <= {sum[TALLY_W+1:1], low_q[LLS_W-1:1]};
    else if (divide)
      {high_q, low_q} <= {goes ? sum[TALLY_W:1] : part[TALLY_W-1:0], low_q[LLS_W-2:0], goes};

  always @(posedge clk)
    if (look)
      by_q <= hits_q < issued_q ? hits_q : issued_q;
    else if (multiply && last)
      by_q <= {issued_q[TALLY_W-1:1], issued_q[0] || !(|issued_q)};

  always @(posedge clk)
    if (serve || multiply && last)
      bit_q <= {LLS_BIT_W{1'b0}};
    else if (multiply || divide && !last)
      bit_q <= bit_q + 1'b1;

  always @(posedge clk)
    if (rst)
      phase_q <= IDLE;
    else if (serve)
      phase_q <= MULTIPLY;
    else if ((multiply || divide) && last)
      phase_q <= phase_q + 1'b1;
    else if (begins && done)
      phase_q <= IDLE;

  // --- pass: the rows of the list, one after the other

  localparam ROW_FLUSH = WARPS + 1, ROW_LAST = WARPS + 2;
  wire              going    = |row_q;
  wire              ends     = row_q == ROW_LAST[PASS_W-1:0];
  wire [PASS_W-1:0] next_row = ends ? {PASS_W{1'b0}} : row_q + 1'b1;
  assign begins = !going && (again_q || done);

  always @(posedge clk)
    if (rst)
      row_q <= {PASS_W{1'b0}};
    else if (begins || going)
      row_q <= next_row;

  always @(posedge clk)
    if (rst)
      made_q <= 1'b0;
    else if (ends)
      made_q <= 1'b1;

  // a row is read a cycle ahead of the one in which it is wanted, the first one as the pass before ends
  assign list_re    = (begins || going) && next_row < WARPS[PASS_W-1:0];
  assign list_raddr = next_row[WID_W-1:0];

  // the row that was read; before a first pass has made the list, the warps in their order, all at the base
  always @(posedge clk)
    if (begins || going && row_q < WARPS[PASS_W-1:0])
      {x_wid_q, x_score_q} <= made_q ? list_rdata : {row_q[WID_W-1:0], LLS_BASE[LLS_W-1:0]};

  // --- one warp is on its way down: the one with a new score, or the last one that came

  // a > b; both halves are compared at once
  localparam LOWER = LLS_W / 2;
  function exceeds(input [LLS_W-1:0] a, input [LLS_W-1:0] b);
    exceeds = a[LLS_W-1:LOWER] > b[LLS_W-1:LOWER] ||
              a[LLS_W-1:LOWER] == b[LLS_W-1:LOWER] && a[LOWER-1:0] > b[LOWER-1:0];
  endfunction

  wire flushes = row_q == ROW_FLUSH[PASS_W-1:0];
  wire comes   = going && row_q <= WARPS[PASS_W-1:0] && !(move_q && x_wid_q == moved_q); // not from its old place
  wire passes  = hold_valid_q && !flushes && exceeds(x_score_q, hold_score_q); // it goes ahead

  always @(posedge clk)
    if (rst)
      move_q <= 1'b0;
    else if (begins)
      move_q <= done;

  always @(posedge clk)
    if (begins && done)
      moved_q <= served_q;

  always @(posedge clk)
    if (rst)
      hold_valid_q <= 1'b0;
    else if (begins)
      hold_valid_q <= done;
    else if (comes)
      hold_valid_q <= 1'b1;

  always @(posedge clk)
    if (begins && done) begin
      hold_wid_q   <= served_q;
      hold_score_q <= low_q < LLS_BASE[LLS_W-1:0] ? LLS_BASE[LLS_W-1:0] : low_q;
    end else if (comes && !passes) begin
      hold_wid_q   <= x_wid_q;
      hold_score_q <= x_score_q;
    end

  // --- the next of the order: its score falls, it is written back, and it may load while the cutoff is not used up

  wire gives = comes && hold_valid_q || flushes;

  always @(posedge clk)
    if (rst)
      y_valid_q <= 1'b0;
    else
      y_valid_q <= gives;

  always @(posedge clk)
    if (gives) begin
      y_wid_q   <= passes ? x_wid_q : hold_wid_q;
      y_score_q <= passes ? x_score_q : hold_score_q;
    end

  localparam LEAST = LLS_BASE + PASS; // a score up to this falls to the base
  wire [WARPS-1:0] y_at   = {WARPS{y_valid_q}} & (WARP_0 << y_wid_q);
  wire             here   = |(present_q & y_at);
  wire             above  = here && {1'b0, y_score_q} > LEAST[LLS_W:0];
  wire             fits   = !beyond_q && y_score_q <= /*@if LLS_K > 1*/{{LLS_W-CUTOFF_W{1'b0}}, left_q}/*@else*/left_q/*@end*/;
  wire             allow  = fits || first_q || !here;
  // the halves fall at once: the upper one with and without what the lower one borrows
  wire [LOWER:0]       low_fallen = {1'b0, y_score_q[LOWER-1:0]} - {1'b0, PASS[LOWER-1:0]};
  wire [LLS_W-1:LOWER] top_fallen = y_score_q[LLS_W-1:LOWER] - PASS[LLS_W-1:LOWER];
  wire [LLS_W-1:LOWER] top_less   = y_score_q[LLS_W-1:LOWER] + ~PASS[LLS_W-1:LOWER];
  wire [LLS_W-1:0]     fallen     =
    above ? {low_fallen[LOWER] ? top_less : top_fallen, low_fallen[LOWER-1:0]} : LLS_BASE[LLS_W-1:0];

  assign list_we    = y_valid_q;
  assign list_waddr = at_q;
  assign list_wdata = {y_wid_q, fallen};

  always @(posedge clk)
    if (begins)
      at_q <= {WID_W{1'b0}};
    else if (y_valid_q)
      at_q <= at_q + 1'b1;

  always @(posedge clk)
    if (begins) begin
      left_q   <= there * LLS_BASE;
      first_q  <= 1'b1;
      beyond_q <= 1'b0;
    end else if (here) begin
      if (!beyond_q)
        left_q <= left_q - y_score_q[CUTOFF_W-1:0];
      first_q  <= 1'b0;
      beyond_q <= !fits;
    end

  always @(posedge clk)
    if (rst || begins)
      again_q <= 1'b0;
    else if (above || here && !allow)
      again_q <= 1'b1;

  always @(posedge clk)
    if (rst)
      allowed_q <= {WARPS{1'b0}};
    else
      allowed_q <= allowed_q & ~y_at | {WARPS{allow}} & y_at | starts | {WARPS{!ccws_en}};

  // a scheduler waits for it
  assign withhold = next_load & ~allowed_q;
