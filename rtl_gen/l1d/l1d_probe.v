//@ # The probe units of MemSched. Part of l1d.v.
//@ #
//@ # Each unit reads tags of its own, so no probe ever stands in the way of a request.

  // --- probe units: lines that may be asked for next are looked up in tags of their own

  genvar u;
  wire mq_takes = mq_count_q != MQ[MQN_W-1:0];
//@ if PTAG_FF
//@ # one set of flip-flops for all units
  wire [SETS-1:0] tag_set_at = /*@if ON_MISS*/d_at/*@else*/f_set_at/*@end*/;
  generate
    for (s = 0; s < SETS; s = s + 1) begin : probed
      for (w = 0; w < WAYS; w = w + 1) begin : line
        always @(posedge clk)
          if (tag_written && tag_set_at[s] && victims[s*WAYS + w])
            ptag_q[(s*WAYS + w)*TAG_W +: TAG_W] <= tag;
      end
    end
  endgenerate

  always @(posedge clk)
    pr_q_q <= pr_line;
//@ else
//@ # the units' copies of the tags, a macro a way: written with the tags
  wire [PROBES*SET_W-1:0]      ask_sets;
  wire [PROBES*WAYS*TAG_W-1:0] copies;
  generate
    for (u = 0; u < PROBES; u = u + 1) begin : ask
      wire [LINE_W-1:0] line = pr_line[u*LINE_W +: LINE_W];
      assign ask_sets[u*SET_W +: SET_W] = /*@set_of(line)*/;

      always @(posedge clk)
        pr_q_q[u*LINE_W +: LINE_W] <= line;
    end
  endgenerate
//@ for n PROBES

  assign tags_/*@n*/_we    = tags_we;
  assign tags_/*@n*/_waddr = tags_waddr;
  assign tags_/*@n*/_wdata = tags_wdata;
  assign tags_/*@n*/_re    = 1'b1;
  assign tags_/*@n*/_raddr = ask_sets[/*@n*/*SET_W +: SET_W];
  assign copies[/*@n*/*WAYS*TAG_W +: WAYS*TAG_W] = tags_/*@n*/_rdata;
//@ end
//@ end

  // a tag written in the last cycle may not be what a copy shows
  wire [WAYS-1:0] written_at = {WAYS{t1_valid_q}} & (WAY_0 << t1_way_q);
  generate
    for (u = 0; u < PROBES; u = u + 1) begin : probe
      wire [LINE_W-1:0]     line   = pr_q_q[u*LINE_W +: LINE_W];
      wire [SET_W-1:0]      set    = /*@set_of(line)*/;
      wire [SETS-1:0]       set_at = SET_0 << set;
      wire [TAG_W-1:0]      ltag   = /*@tag_of(line)*/;
      wire [WAYS*TAG_W-1:0] stored = /*@if PTAG_FF*/pick_tags(set_at, ptag_q)/*@else*/copies[u*WAYS*TAG_W +: WAYS*TAG_W]/*@end*/;
      wire [WAYS-1:0]       held   = pick_ways(set_at, valid_q);
      wire                  fresh  = t1_set_q == set;
      wire [WAYS-1:0]       match;
      for (w = 0; w < WAYS; w = w + 1) begin : compare
        assign match[w] = stored[w*TAG_W +: TAG_W] == ltag && !(fresh && written_at[w]);
      end
//@ if ON_MISS
      wire [WAYS-1:0]       waiting = pick_ways(set_at, reserved_q);
      wire                  can     = |(match & waiting) || !(&waiting) && m_free_q && mq_takes;
//@ else
      wire                  can     = m_free_q && mq_takes;
//@ end

      always @(posedge clk)
        if (rst) begin
          pr_h_q[u] <= 1'b0;
          pr_c_q[u] <= 1'b0;
        end else begin
          pr_h_q[u] <= |(match & held);
          pr_c_q[u] <= can;
        end
    end
  endgenerate

  assign pr_hit = pr_h_q;
  assign pr_can = pr_c_q;
