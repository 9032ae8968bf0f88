//@ # Contention-aware selective caching: a divergent load is gathered in one of two banks, and leaves
//@ # from there. Spec: docs/mechanisms/casc.md.
//@ #
//@ # The next module's ready comes late: only the last gates of in_ready and read wait for it.
//@ keys casc.scheme l1d.set_index
//@ part l1d/set_index
//@ #
//@ # Whether request next_q of the bank read is to bypass. Only the first condition tests the count: with no more
//@ # requests than ways none fulfils another condition, since none has that many before or after it.
//@ def bypass
//@ if casc.scheme == all
count > WAYS[LANE_W:0]
//@ elif casc.scheme == first
next_q >= WAYS[LANE_W-1:0]
//@ elif casc.scheme == last
{1'b0, next_q} + WAYS[LANE_W:0] < count
//@ else
drain_q ? crowded[LANES[LANE_W:0] + {1'b0, next_q}] : crowded[{1'b0, next_q}]
//@ end
//@ end

  localparam [WARPS-1:0] WARP_0 = 1;
//@ if BY_SET
  localparam [LANES-1:0] LANE_0 = 1;
//@ end
  genvar b/*@if BY_SET*/, j/*@end*/;
  wire [2*WARPS-1:0] held; // warps that have requests in each bank

  // --- in: a request is gathered, or passes if nothing is gathered

  wire first = in_num == {LANE_W{1'b0}};
  wire mine  = in_valid && !in_write && in_many && (first ? en : mid_q);
  wire room  = fill_q ? !full_q[1] : !full_q[0];
  wire take  = mine && room;
  wire idle  = !o_valid_q && !(|full_q) && !mid_q;

  assign in_ready = mine ? room : idle && out_ready;

  always @(posedge clk)
    if (rst) begin
      fill_q <= 1'b0;
      mid_q  <= 1'b0;
    end else if (take) begin
      fill_q <= fill_q ^ in_last;
      mid_q  <= !in_last;
    end

  assign lines_we    = take;
  assign lines_wdata = in_line;
//@ if SECTORED
  assign sectors_we    = take;
  assign sectors_wdata = in_sectors;
//@ end

  wire leaves = o_valid_q && out_ready && o_last_q; // the last of its load
  generate
    for (b = 0; b < 2; b = b + 1) begin : bank
      wire here = take && fill_q == b;

      always @(posedge clk)
        if (rst)
          full_q[b] <= 1'b0;
        else
          full_q[b] <= here && in_last || full_q[b] && !(leaves && o_bank_q == b);

      always @(posedge clk)
        if (here)
          b_count_q[b*(LANE_W+1) +: LANE_W+1] <= {1'b0, in_num} + 1'b1;

      always @(posedge clk)
        if (here && first) begin
          b_wid_q[b*WID_W +: WID_W] <= in_wid;
          b_slot_q[b*SLOT_W +: SLOT_W] <= in_slot;
//@ if SIG_W
          b_sig_q[b*SIG_W +: SIG_W] <= in_sig;
//@ end
//@ each coalesced f but line write op wid slot num last sectors
          b_/*@f*/_q[b*/*@f_width*/ +: /*@f_width*/] <= in_/*@f*/;
//@ end
        end

      assign held[b*WARPS +: WARPS] = {WARPS{full_q[b] || mid_q && fill_q == b}} &
                                      (WARP_0 << b_wid_q[b*WID_W +: WID_W]);
    end
  endgenerate
  assign busy = held[0 +: WARPS] | held[WARPS +: WARPS];
//@ if BY_SET

  // --- sets: every request is counted by the earlier requests of its set
  //@ # For each gathered request: how many later requests of its load go to its set.

  wire [SET_W-1:0] in_set = /*@set_of(in_line)*/;
  wire [LANES-1:0] in_at  = LANE_0 << in_num;
  wire [LANES-2:0] prior  = ~({LANES-1{1'b1}} << in_num);
  wire [LANES-1:0] again; // an earlier request to the same set
  wire [2*LANES-1:0] crowded; // as many later requests as ways: these would evict its line
  assign again[LANES-1] = 1'b0;
  generate
    for (j = 0; j < LANES - 1; j = j + 1) begin : sets
      always @(posedge clk)
        if (take && in_at[j])
          set_q[j*SET_W +: SET_W] <= in_set;
      assign again[j] = prior[j] && set_q[j*SET_W +: SET_W] == in_set;
    end

    for (j = 0; j < LANES; j = j + 1) begin : request
      for (b = 0; b < 2; b = b + 1) begin : bank
        localparam AT = (b * LANES + j) * LATER_W;
        assign crowded[b*LANES+j] = later_q[AT +: LATER_W] == WAYS[LATER_W-1:0];

        always @(posedge clk)
          if (take && fill_q == b && (in_at[j] || again[j] && !crowded[b*LANES+j]))
            later_q[AT +: LATER_W] <= in_at[j] ? {LATER_W{1'b0}} : later_q[AT +: LATER_W] + 1'b1;
      end
    end
  endgenerate
//@ end

  // --- out: a bank that is full is read, one request a cycle

  wire            ready = drain_q ? full_q[1] : full_q[0];
  wire            read  = ready && (!o_valid_q || out_ready);
  wire [LANE_W:0] count = b_count_q[drain_q*(LANE_W+1) +: LANE_W+1];
  wire [LANE_W:0] after = {1'b0, next_q} + 1'b1;
  wire            last  = after == count;
  wire            byp   = /*@bypass*/;

  always @(posedge clk)
    if (rst) begin
      drain_q <= 1'b0;
      next_q  <= {LANE_W{1'b0}};
    end else if (read) begin
      drain_q <= drain_q ^ last;
      next_q  <= last ? {LANE_W{1'b0}} : after[LANE_W-1:0];
    end

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else if (!o_valid_q || out_ready)
      o_valid_q <= ready;

  always @(posedge clk)
    if (read) begin
      o_bank_q <= drain_q;
      o_num_q  <= next_q;
      o_last_q <= last;
      o_byp_q  <= byp;
//@ if LOC
      o_loc_q  <= count > WAYS[LANE_W:0] && !byp;
//@ end
    end

  assign lines_re = read;
  assign lines_waddr = (fill_q ? LANES[LINES_ADDR_W-1:0] : {LINES_ADDR_W{1'b0}}) + {1'b0, in_num};
  assign lines_raddr = (drain_q ? LANES[LINES_ADDR_W-1:0] : {LINES_ADDR_W{1'b0}}) + {1'b0, next_q};
//@ if SECTORED
  assign sectors_re    = read;
  assign sectors_waddr = lines_waddr;
  assign sectors_raddr = lines_raddr;
//@ end

  assign out_valid = o_valid_q || idle && in_valid && !mine;
  assign out_line  = o_valid_q ? lines_rdata : in_line;
//@ if SECTORED
  assign out_sectors = o_valid_q ? sectors_rdata : in_sectors;
//@ end
  assign out_write = !o_valid_q && in_write;
//@ if OP_W
  assign out_op    = in_op & {OP_W{!o_valid_q}}; // only loads are gathered
//@ end
  assign out_num   = o_valid_q ? o_num_q : in_num;
  assign out_last  = o_valid_q ? o_last_q : in_last;
  assign out_wid = o_valid_q ? b_wid_q[o_bank_q*WID_W +: WID_W] : in_wid;
  assign out_slot = o_valid_q ? b_slot_q[o_bank_q*SLOT_W +: SLOT_W] : in_slot;
//@ if SIG_W
  assign out_sig = o_valid_q ? b_sig_q[o_bank_q*SIG_W +: SIG_W] : in_sig;
//@ end
//@ each coalesced f but line write op wid slot num last sectors
  assign out_/*@f*/ = o_valid_q ? b_/*@f*/_q[o_bank_q*/*@f_width*/ +: /*@f_width*/] : in_/*@f*/;
//@ end
  assign out_byp = o_valid_q && o_byp_q;
//@ if LOC
  assign out_loc = o_valid_q && o_loc_q;
//@ end
