//@ # The probe units of MemSched at the L1D. Spec: docs/mechanisms/memsched.md.
//@ #
//@ # Each unit reads tags of its own, so no probe ever stands in the way of a request.
//@ keys l1d.set_index l1d.allocate request_buffer.tags
//@ part l1d/set_index

  localparam [SETS-1:0] SET_0 = 1;
  genvar u, w;
//@ pick pick_ways SETS WAYS
//@ if PTAG_FF
//@ pick pick_tags SETS WAYS*TAG_W
//@ end

  // --- the tags, a copy of their own
//@ if PTAG_FF

  genvar s;
  wire [SETS-1:0] tag_set_at = SET_0 << late_tag_set;
  generate
    for (s = 0; s < SETS; s = s + 1) begin : probed
      for (w = 0; w < WAYS; w = w + 1) begin : way
        always @(posedge clk)
          if (tag_set_at[s] && late_tag_we[w])
            ptag_q[(s*WAYS + w)*TAG_W +: TAG_W] <= late_tag;
      end
    end
  endgenerate

  always @(posedge clk)
    pr_q_q <= pr_line;
//@ else

  wire [PROBES*SET_W-1:0]      ask_sets;
  wire [PROBES*WAYS*TAG_W-1:0] copies;
  generate
    for (u = 0; u < PROBES; u = u + 1) begin : ask
      wire [LINE_W-1:0] line = pr_line[u*LINE_W +: LINE_W];
      assign ask_sets[u*SET_W +: SET_W] = /*@set_of(line)*/;

      always @(posedge clk)
        /*@if PROBE_EARLY*/pr_tag_q[u*TAG_W +: TAG_W] <= /*@tag_of(line)*//*@else*/pr_q_q[u*LINE_W +: LINE_W] <= line/*@end*/;
    end
  endgenerate
//@ for u PROBES

  assign tags_/*@u*/_we    = late_tag_we;
  assign tags_/*@u*/_waddr = late_tag_set;
  assign tags_/*@u*/_wdata = late_tag;
  assign tags_/*@u*/_re    = 1'b1;
  assign tags_/*@u*/_raddr = ask_sets[/*@u*/*SET_W +: SET_W];
  assign copies[/*@u*/*WAYS*TAG_W +: WAYS*TAG_W] = tags_/*@u*/_rdata;
//@ end
//@ end

//@ if PROBE_EARLY
  // --- the sets' state, read as their tags are read

  wire [WAYS-1:0] writes_at = late_tag_we; // ways of late_tag_set: a copy may give garbage for these
  generate
    for (u = 0; u < PROBES; u = u + 1) begin : probe
      wire [LINE_W-1:0]     asked   = pr_line[u*LINE_W +: LINE_W];
      wire [SET_W-1:0]      set     = /*@set_of(asked)*/;
      wire [SETS-1:0]       set_at  = SET_0 << set;
      wire [WAYS-1:0]       known   = ~(late_tag_set == set ? writes_at : {WAYS{1'b0}});
//@ if ON_MISS
      wire [WAYS-1:0]       waiting = pick_ways(set_at, lines_reserved);
//@ end

      always @(posedge clk)
        if (rst)
          pr_held_q[u*WAYS +: WAYS] <= {WAYS{1'b0}};
        else
          pr_held_q[u*WAYS +: WAYS] <= pick_ways(set_at, lines_valid) & known;
//@ if ON_MISS

      always @(posedge clk)
        if (rst) begin
          pr_wait_q[u*WAYS +: WAYS] <= {WAYS{1'b0}};
          pr_room_q[u] <= 1'b0;
        end else begin
          pr_wait_q[u*WAYS +: WAYS] <= waiting & known;
          pr_room_q[u] <= !(&waiting) && lines_free && lines_room;
        end
//@ end

      // in the next cycle: the tags that were read
//@ if PTAG_FF
      wire [LINE_W-1:0]     line   = pr_q_q[u*LINE_W +: LINE_W];
      wire [TAG_W-1:0]      ltag   = /*@tag_of(line)*/;
      wire [SET_W-1:0]      of_set = /*@set_of(line)*/;
      wire [WAYS*TAG_W-1:0] stored = pick_tags(SET_0 << of_set, ptag_q);
//@ else
      wire [TAG_W-1:0]      ltag   = pr_tag_q[u*TAG_W +: TAG_W];
      wire [WAYS*TAG_W-1:0] stored = copies[u*WAYS*TAG_W +: WAYS*TAG_W];
//@ end
      wire [WAYS-1:0]       match;
      for (w = 0; w < WAYS; w = w + 1) begin : compare
        assign match[w] = stored[w*TAG_W +: TAG_W] == ltag;
      end
      assign pr_hit[u] = |(match & pr_held_q[u*WAYS +: WAYS]);
      assign pr_can[u] = /*@if ON_MISS*/|(match & pr_wait_q[u*WAYS +: WAYS]) || pr_room_q[u]/*@else*/pr_room_q/*@end*/;
    end
  endgenerate
//@ if !ON_MISS

  always @(posedge clk)
    if (rst)
      pr_room_q <= 1'b0;
    else
      pr_room_q <= lines_free && lines_room;
//@ end
//@ else
  // --- the lines, looked up

  wire [WAYS-1:0] written_at = outcome_at & {WAYS{outcome_write}}; // ways that a copy may not show right
  generate
    for (u = 0; u < PROBES; u = u + 1) begin : probe
      wire [LINE_W-1:0]     line   = pr_q_q[u*LINE_W +: LINE_W];
      wire [SET_W-1:0]      set    = /*@set_of(line)*/;
      wire [SETS-1:0]       set_at = SET_0 << set;
      wire [TAG_W-1:0]      ltag   = /*@tag_of(line)*/;
      wire [WAYS*TAG_W-1:0] stored = /*@if PTAG_FF*/pick_tags(set_at, ptag_q)/*@else*/copies[u*WAYS*TAG_W +: WAYS*TAG_W]/*@end*/;
      wire [WAYS-1:0]       held   = pick_ways(set_at, lines_valid);
      wire                  fresh  = outcome_set == set;
      wire [WAYS-1:0]       match;
      for (w = 0; w < WAYS; w = w + 1) begin : compare
        assign match[w] = stored[w*TAG_W +: TAG_W] == ltag && !(fresh && written_at[w]);
      end
//@ if ON_MISS
      wire [WAYS-1:0]       waiting = pick_ways(set_at, lines_reserved);
      wire                  can     = |(match & waiting) || !(&waiting) && lines_free && lines_room;
//@ end

      always @(posedge clk)
        if (rst)
          pr_h_q[u] <= 1'b0;
        else
          pr_h_q[u] <= |(match & held);
//@ if ON_MISS

      always @(posedge clk)
        if (rst)
          pr_c_q[u] <= 1'b0;
        else
          pr_c_q[u] <= can;
//@ end
    end
  endgenerate
//@ if !ON_MISS

  always @(posedge clk)
    if (rst)
      pr_c_q <= 1'b0;
    else
      pr_c_q <= lines_free && lines_room;
//@ end

  assign pr_hit = pr_h_q;
  assign pr_can = /*@if ON_MISS*/pr_c_q/*@else*/{PROBES{pr_c_q}}/*@end*/;
//@ end
