//@ # The locality degree at the L1D. Spec: docs/mechanisms/casc.md.
//@ #
//@ # All ways of the set are compared with each other at once, not one after another.

  genvar w, x;
//@ pick pick_counter WAYS RR_W

  // --- the first cycle of HOLD: the lines in the load's set

  wire [WAYS-1:0] loose = decide_lines/*@if PINS*/ & ~decide_pins/*@end*/; // lines that may be evicted
  wire [WAYS-1:0] least;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : degree
      wire [WAYS-1:0] more; // bit x: way x is no better victim than way w
      for (x = 0; x < WAYS; x = x + 1) begin : than
        if (w == x) begin : itself
          assign more[x] = 1'b1;
        end else begin : other
          assign more[x] = !loose[x] || decide_counters[w*RR_W +: RR_W] <= decide_counters[x*RR_W +: RR_W];
        end
      end
      assign least[w] = loose[w] && (&more);
    end
  endgenerate

  always @(posedge clk)
    if (late_held && l_step_q == 2'd0) begin
      l_room_q  <= !(&/*@if ON_MISS*/(decide_lines | decide_reserved)/*@else*/decide_lines/*@end*/);
//@ if ON_MISS
      l_least_q <= least;
//@ end
      l_min_q   <= (|loose) ? pick_counter(least, decide_counters) : {RR_W{1'b1}}; // if several, their counters are equal
    end

  // --- the second: the re-references that the load promises, looked up meanwhile

  // is the average above the minimum? without dividing: sum > minimum * count if this is below 0
  wire [RRSUM_W:0] promise = {{SAMPLE_W+1{1'b0}}, l_min_q} * {{RR_W+1{1'b0}}, lk_count} - {1'b0, lk_sum};

  assign lk_hpc = decide_hpc;

  always @(posedge clk)
    if (late_held && l_step_q == 2'd1)
      l_better_q <= !lk_known || promise[RRSUM_W];

  always @(posedge clk)
    if (rst || late_advance)
      l_step_q <= 2'd0;
    else if (late_held)
      l_step_q <= {|l_step_q, !(|l_step_q)};

  // --- the answer

  wire by_degree = decide_loc && !l_room_q; // a line has to give way

  assign hold        = decide_loc && !l_step_q[1];
  assign hold_refuse = by_degree && l_step_q[1] && !l_better_q;
//@ if ON_MISS
  assign hold_among  = l_least_q | {WAYS{!by_degree}};
  assign lack_line   = decide_loc;
//@ else
  assign hold_fill   = decide_loc;

  // --- the line that gives way when the load's line comes

  generate
    for (w = 0; w < WAYS; w = w + 1) begin : filled
      wire [WAYS-1:0] more; // bit x: way x is no better victim than way w
      for (x = 0; x < WAYS; x = x + 1) begin : than
        if (w == x) begin : itself
          assign more[x] = 1'b1;
        end else begin : other
          assign more[x] = fill_counters[w*RR_W +: RR_W] <= fill_counters[x*RR_W +: RR_W];
        end
      end
      assign fill_among[w] = &more;
    end
  endgenerate
//@ end
