//@ # CASC's locality degree of d's load. Part of l1d.v.
//@ #
//@ # What is asked of the counters of d's set is asked of one choice among all. No line that is pinned gives way,
//@ # whatever its counter.
//@ def givable
/*@if APCM_P*/d_loose/*@else*/d_lines/*@end*/
//@ end

  // --- the locality degree of d's load: what there is in its set, then what it promises

  genvar x;
  wire looks = load && looking;
//@ if APCM_P
  wire [WAYS-1:0] d_loose = d_lines & ~d_pin_q; // no pinned line gives way
//@ end
  wire [WAYS-1:0] d_least; // all are compared with all at once, and not one after another
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : degree
      wire [WAYS-1:0] more; // bit x: way x is no better to give away than way w
      for (x = 0; x < WAYS; x = x + 1) begin : than
        if (w == x)
          assign more[x] = 1'b1;
        else
          assign more[x] = !/*@givable*/[x] ||
                           d_counters[w*RR_W +: RR_W] <= d_counters[x*RR_W +: RR_W];
      end
      assign d_least[w] = /*@givable*/[w] && (&more);
    end
  endgenerate

  wire [RR_W-1:0] d_min = pick_counter(d_least, d_counters); // several pick what is the same
  // the average of what is known, without dividing: sum > minimum * count if this is below 0
  wire [RRSUM_W:0] promise = {{SAMPLE_W+1{1'b0}}, l_min_q} * {{RR_W+1{1'b0}}, lk_count} - {1'b0, lk_sum};

  assign lk_hpc = d_hpc_q;

  always @(posedge clk)
    if (rst || advance)
      l_step_q <= 2'd0;
    else if (looks)
      l_step_q <= {l_step_q[0], !l_step_q[0]};

  always @(posedge clk)
    if (looks && !l_step_q[0]) begin
      l_room_q  <= d_room;
      l_least_q <= d_least;
      l_min_q   <= (|/*@givable*/) ? d_min : {RR_W{1'b1}};
    end

  always @(posedge clk)
    if (looks && l_step_q[0])
      l_better_q <= !lk_known || promise[RRSUM_W];
