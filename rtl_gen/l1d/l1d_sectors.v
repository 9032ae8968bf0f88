//@ # The state of the L1D's sectors: valid, reserved; and in which way a line is. Part of l1d.v, in place of l1d_lines.v.
//@ #
//@ # Spec: docs/mechanisms/sectored.md. No register says that a line is there, or held: that follows from the registers of its sectors.

  // --- which sectors hold data, which wait for their fill

  wire [WAYS-1:0]    miss_at    = (|d_there_q) ? d_there_q : victim_at; // the way that a miss is for
  wire [WAY_W-1:0]   miss_way   = (|d_there_q) ? number_of_way(d_there_q) : victim_way;
  assign             reserve_at = {WAYS{miss}} & miss_at;
  assign             drop_at    = {WAYS{store}} & d_hit_q;
  assign             come_at    = {WAYS{fill_stays}} & f_way_at;
  wire [WAYS-1:0]    release_at = {WAYS{fill_now}} & f_way_at;
  wire [SECTOR_ROWS-1:0]    d_row_at   = ROW_0 << {d_set_q, d_sector};
  wire [SECTOR_ROWS-1:0]    f_row_at   = ROW_0 << {f_set_q, f_sector_q};
  wire [SETS*WAYS-1:0] held_still; // held, but for the sector that a fill of this cycle brings

  generate
    for (s = 0; s < SETS; s = s + 1) begin : lines
      wire [SECTORS*WAYS-1:0] valid    = sector_valid_q[s*SECTORS*WAYS +: SECTORS*WAYS];
      wire [SECTORS*WAYS-1:0] reserved = sector_reserved_q[s*SECTORS*WAYS +: SECTORS*WAYS];
      wire [SECTORS*WAYS-1:0] stay;
      wire [WAYS-1:0]         taken_by = {WAYS{tag_written && d_at[s]}} & victims[s*WAYS +: WAYS]; // another line
      wire [WAYS-1:0]         reserve  = {WAYS{miss}} & (victims[s*WAYS +: WAYS] & {WAYS{!(|d_there_q)}} | d_there_q);

//@ if WAYS > 1
      assign held[s*WAYS +: WAYS]       = any_sector(reserved);
//@ end
      assign there[s*WAYS +: WAYS]      = any_sector(valid | reserved);
      assign held_still[s*WAYS +: WAYS] = any_sector(stay);

      for (p = 0; p < SECTORS; p = p + 1) begin : sector
        assign stay[p*WAYS +: WAYS] = reserved[p*WAYS +: WAYS] & ~({WAYS{f_row_at[s*SECTORS + p]}} & release_at);

        always @(posedge clk)
          if (rst || flush)
            sector_valid_q[(s*SECTORS + p)*WAYS +: WAYS] <= {WAYS{1'b0}};
          else
            sector_valid_q[(s*SECTORS + p)*WAYS +: WAYS] <=
              (valid[p*WAYS +: WAYS] | {WAYS{f_row_at[s*SECTORS + p]}} & come_at) &
              ~(taken_by | {WAYS{d_row_at[s*SECTORS + p]}} & drop_at);

        always @(posedge clk)
          if (rst)
            sector_reserved_q[(s*SECTORS + p)*WAYS +: WAYS] <= {WAYS{1'b0}};
          else
            sector_reserved_q[(s*SECTORS + p)*WAYS +: WAYS] <=
              stay[p*WAYS +: WAYS] | {WAYS{d_row_at[s*SECTORS + p]}} & reserve;
      end
    end
  endgenerate

  // --- in which way is the line? A miss of this cycle gives one line a way, and may take it from another

  wire [WAYS-1:0] c_new   = {WAYS{c_is_d_set}} & reserve_at;
  wire            c_beside = d_line_q == c_line_q; // c is of d's line
  wire [WAYS-1:0] c_there = pick_ways(c_at, there) & c_tag_eq & ~c_new | c_new & {WAYS{c_beside}};
  wire            c_full  = &(pick_ways(c_at, held_still) | c_new);

  always @(posedge clk)
    if (rst)
      d_there_q <= {WAYS{1'b0}};
    else if (advance)
      d_there_q <= {WAYS{c_valid_q}} & c_there;

  always @(posedge clk)
    if (rst)
      d_full_q <= 1'b0;
    else if (advance)
      d_full_q <= c_valid_q && c_full;
    else
      d_full_q <= &pick_ways(d_at, held_still);

  // --- the tag written last: in the next cycle the macros may not show it

  always @(posedge clk)
    if (rst)
      tagged_q <= 1'b0;
    else
      tagged_q <= tag_written;

  always @(posedge clk)
    if (tag_written) begin
      tagged_set_q <= d_set_q;
      tagged_at_q  <= victim_at;
      tagged_tag_q <= tag;
    end
