//@ # The L1D's c: the tags are compared, and d's request is prepared for its decision. Part of l1d.v.
//@ #
//@ # Where d's set selects much, it is computed anew from d's line address.
//@ terms found ||
//@ | DECIDE_SET || DECIDE_LINES || OUTCOME_EVICT && ON_MISS || LINES || LINES_WAITING : d_found
//@ end

  // --- c: the tags are compared; d: the request is decided

//@ if PREF
  wire             coming   = |a_count_q || p_valid_q;
  wire [SET_W-1:0] come_set = p_goes ? /*@set_of(p_line_q)*/ :
                              /*@set_of(a0_line_q)*/;
//@ else
  wire             coming   = |a_count_q;
  wire [SET_W-1:0] come_set = /*@set_of(a0_line_q)*/;
//@ end

  always @(posedge clk)
    if (/*@emptied*/) begin
      c_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
    end else if (advance) begin
      c_valid_q <= coming;
      d_valid_q <= c_valid_q;
    end

  always @(posedge clk)
    if (advance) begin
      /*@{req c_*_q}*/ <=
        /*@{req a0_*_q}*/;
//@ if PREF
      if (p_goes) begin
        c_line_q  <= p_line_q;
        c_write_q <= 1'b0;
      end
      c_pf_q  <= p_goes;
//@ end
      /*@{req d_*_q}*/ <=
        /*@{req c_*_q}*/;
      d_set_q <= c_set_q;
//@ if PREF
      d_pf_q  <= c_pf_q;
//@ end
    end

  // read anew in every cycle that c waits, so the data are never older than the last cycle's write; also read where no request
  // needs it, since it is known late whether the pipeline moves (and a flush, which leaves c empty, makes that later)
  assign tags_re    = coming || c_valid_q;
  assign tags_raddr = moves ? come_set : c_set_q;

  // by the tags' multiplexer: with one of its own and a linear set index, synthesis finds c_set_q in c_line_q
  always @(posedge clk)
    c_set_q <= /*@if PREF*/flush ? come_set : /*@end*/tags_raddr;

//@ if ON_MISS
  // a tag is written when its line is /*@if SECTOR_FILL*/given a way/*@else*/reserved/*@end*/
  wire             tag_written = miss/*@if SECTOR_FILL*/ && !(|d_there_q)/*@end*/;
  wire [SET_W-1:0] tag_set     = d_set_q;
  wire [TAG_W-1:0] tag         = /*@tag_of(d_line_q)*/;
//@ else
  // a tag is written when its line is filled
  wire             tag_written = fill_stays;
  wire [SET_W-1:0] tag_set     = f_set_q;
  wire [TAG_W-1:0] tag         = pick_tag(f_at, mshr_tag);
//@ end

  assign tags_we    = {WAYS{tag_written}} & victim_at;
  assign tags_waddr = tag_set;
  assign tags_wdata = tag;
//@ if PROTECT

  // the tags' check bits, in the same rows
  assign tags_check_re    = tags_re;
  assign tags_check_raddr = tags_raddr;
  assign tags_check_we    = tags_we;
  assign tags_check_waddr = tags_waddr;
  assign tags_check_wdata = tag_check(tags_wdata);
//@ end

//@ if found
  // a copy of d's set, for selections: d_set_q has much fan-out already
  wire [SET_W-1:0] d_found    = /*@set_of(d_line_q)*/;
//@ if DECIDE_LINES || ON_MISS && (OUTCOME_EVICT || WAYS > 1)
  wire [SETS-1:0]  d_found_at = SET_0 << d_found;
//@ end
//@ end

  // The lookup of c, as it will be after this cycle. Only a fill can make c's line valid; what
  // d decides only invalidates lines.
  wire [SETS-1:0] c_at     = SET_0 << c_set_q;
  wire [WAYS-1:0] c_lines  = /*@if SECTOR_FILL*/pick_row(c_row_at, sector_valid_q)/*@else*/pick_ways(c_at, valid_q)/*@end*/;
  wire [TAG_W-1:0] c_tag   = /*@tag_of(c_line_q)*/;
  wire            f_is_c   = |(f_at & c_line_eq);
  wire            f_is_d   = |(f_at & d_mshr_eq_q);
  wire            c_is_d_set = /*@if found*/d_found/*@else*/d_set_q/*@end*/ == c_set_q; // known early: what d drops is late
  wire [WAYS-1:0] c_tag_eq;
//@ if !ON_MISS
  // the macros may not show the last cycle's write
  wire [WAYS-1:0] recent       = {WAYS{outcome_write_q && outcome_set_q == c_set_q}} & outcome_at_q;
  wire            outcome_is_c = outcome_tag_q == c_tag;
//@ end
//@ if SECTOR_FILL
  // the macros may not show the last cycle's write, and its line is there already
  wire [WAYS-1:0] recent       = {WAYS{tagged_q && tagged_set_q == c_set_q}} & tagged_at_q;
  wire            tagged_is_c  = tagged_tag_q == c_tag;
//@ end
//@ if PROTECT
  // a tag with flipped bits does not match: its check bits must be those of c's tag
  wire [TAG_CHECK_W-1:0] c_check = tag_check(c_tag);
  wire [WAYS-1:0]        c_check_eq, c_spoilt;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : codes
      wire [TAG_CHECK_W-1:0] stored = tags_check_rdata[w*TAGS_CHECK_WORD_W +: TAGS_CHECK_WORD_W];
      assign c_check_eq[w] = stored == c_check;
      assign c_spoilt[w]   = c_lines[w]/*@if !ON_MISS*/ && !recent[w]/*@end*/ &&
                             stored != tag_check(tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W]);
    end
  endgenerate
//@ end
//@ if ON_MISS
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : compare
      assign c_tag_eq[w] = /*@if SECTOR_FILL*/recent[w] ? tagged_is_c : /*@end*/tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] == c_tag/*@if PROTECT*/ && c_check_eq[w]/*@end*/;
    end
  endgenerate
//@ if SECTOR_FILL
  wire [WAYS-1:0] c_dropped = {WAYS{c_is_d_set}} & tags_we | {WAYS{c_is_d_set && c_sector == d_sector}} & drop_at;
//@ else
  wire [WAYS-1:0] c_dropped = {WAYS{c_is_d_set}} & drop_at;
//@ end
  wire [WAYS-1:0] c_hit     = c_lines & c_tag_eq & ~c_dropped | {WAYS{f_is_c}} & come_at;
  wire [WAYS-1:0] d_hit     = d_hit_q | {WAYS{f_is_d}} & come_at;
//@ else
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : compare
      assign c_tag_eq[w] = recent[w] ? outcome_is_c : tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] == c_tag/*@if PROTECT*/ && c_check_eq[w]/*@end*/;
    end
  endgenerate
  // a fill may put its line in the place of c's or d's
  wire [WAYS-1:0] c_dropped = {WAYS{c_is_d_set}} & drop_at | {WAYS{f_set_q == c_set_q}} & come_at;
  wire [WAYS-1:0] d_dropped = {WAYS{f_set_q == d_set_q}} & come_at;
  wire [WAYS-1:0] c_hit     = c_lines & c_tag_eq & ~c_dropped | {WAYS{f_is_c}} & come_at;
  wire [WAYS-1:0] d_hit     = d_hit_q & ~d_dropped | {WAYS{f_is_d}} & come_at;
//@ end

  always @(posedge clk)
    if (/*@emptied*/)
      d_hit_q <= {WAYS{1'b0}};
    else if (advance)
      d_hit_q <= {WAYS{c_valid_q}} & c_hit/*@if PROTECT*/ & ~c_gone/*@end*/;
    else
      d_hit_q <= d_hit/*@if PROTECT*/ & ~d_gone/*@end*/;
//@ if ON_MISS && !SECTOR_FILL

  wire [WAYS-1:0] c_reserved = pick_ways(c_at, reserved_q) | {WAYS{c_is_d_set}} & reserve_at;
  wire            c_full     = &c_reserved && !(fill_now && f_set_q == c_set_q);

  always @(posedge clk)
    if (/*@emptied*/)
      d_full_q <= 1'b0;
    else if (advance)
      d_full_q <= c_valid_q && c_full;
    else if (fill_now && f_set_q == d_set_q)
      d_full_q <= 1'b0;
//@ end

  // the line's MSHR, if it has one; a fill's MSHR no longer counts, a miss takes one
  wire [MSHRS-1:0] c_waits = mshr_wait_q & c_line_eq & ~answered;
  wire             c_is_d  = d_line_q == c_line_q/*@if SECTOR_FILL*/ && d_sector == c_sector/*@end*/;

  always @(posedge clk)
    if (/*@emptied*/)
      d_mshr_eq_q <= {MSHRS{1'b0}};
    else if (advance)
      d_mshr_eq_q <= {MSHRS{c_valid_q}} & (c_waits | {MSHRS{c_is_d}} & taken);
    else
      d_mshr_eq_q <= d_mshr_eq_q & ~answered;

//@ if FLIGHT
  // is d's line in flight? Every decision depends on this
  always @(posedge clk)
    if (/*@emptied*/)
      d_flight_q <= 1'b0;
    else if (advance)
      d_flight_q <= c_valid_q && (|c_waits || miss && c_is_d);
    else
      d_flight_q <= d_flight_q && !(fill_now && f_is_d);
//@ end
