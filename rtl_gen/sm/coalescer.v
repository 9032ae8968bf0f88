//@ # The coalescer. Spec: docs/mechanisms/coalescer.md.
//@ #
//@ # Both places are searched and compared at once, and `turn` selects one of the results: a selection between
//@ # their lines would put 2 * LANES * LINE_W loads on it, at the start of every path.
//@ def first(what, W)
function [/*@W*/-1:0] first_/*@what*/(input [LANES-1:0] at, input [LANES*/*@W*/-1:0] v);
  reg [LANES-1:0]        any;
  reg [LANES*/*@W*/-1:0] /*@what*/;
  integer i, step;
  begin
    any  = at;
    /*@what*/ = v;
    for (step = 1; step < LANES; step = step * 2)
      for (i = 0; i + step < LANES; i = i + 2 * step) begin
        if (!any[i])
          /*@what*/[i*/*@W*/ +: /*@W*/] = /*@what*/[(i+step)*/*@W*/ +: /*@W*/];
        any[i] = any[i] | any[i+step];
      end
    first_/*@what*/ = /*@what*/[0 +: /*@W*/];
  end
endfunction
//@ end

  localparam [WARPS-1:0] WARP_0 = 1;
  genvar lane, p;

  // the line of the lowest lane of at: a knock-out tournament, whose choices are made ahead of the lines
  /*@first(line, LINE_W)*/
//@ if SPLIT

  // and its sector
  /*@first(sector, SECTOR_W)*/
//@ end
//@ lowest lowest_lane LANES
//@ if HPC_W
//@ xor_fold hash PC_W HPC_W 2
//@ end
//@ if CASC
//@ # Counts in unary, up to the limit: a binary sum would be deeper than the paths beside it.

  // v has more 1s than the L1D has ways; element i of tally: bit k = more than k in its part of v
  function more_than_ways(input [LANES-1:0] v);
    reg [LANES*(WAYS+1)-1:0] tally;
    reg [WAYS:0]             a, b;
    integer i, k, m, step;
    begin
      tally = {LANES*(WAYS+1){1'b0}};
      for (i = 0; i < LANES; i = i + 1)
        tally[i*(WAYS+1)] = v[i];
      for (step = 1; step < LANES; step = step * 2)
        for (i = 0; i + step < LANES; i = i + 2 * step) begin
          a = tally[i*(WAYS+1) +: WAYS+1];
          b = tally[(i+step)*(WAYS+1) +: WAYS+1];
          for (k = 0; k <= WAYS; k = k + 1) begin
            tally[i*(WAYS+1)+k] = a[k] | b[k];
            for (m = 0; m < k; m = m + 1)
              tally[i*(WAYS+1)+k] = tally[i*(WAYS+1)+k] | (a[m] & b[k-1-m]);
          end
        end
      more_than_ways = tally[WAYS];
    end
  endfunction
//@ end
//@ if SECTORED

  // the sectors of the lanes at
  function [SECTORS-1:0] sectors_of(input [LANES-1:0] at, input [LANES*SECTOR_W-1:0] v);
    integer i;
    begin
      sectors_of = {SECTORS{1'b0}};
      for (i = 0; i < LANES; i = i + 1)
        sectors_of = sectors_of | {{SECTORS-1{1'b0}}, at[i]} << v[i*SECTOR_W +: SECTOR_W];
    end
  endfunction
//@ end

  // --- the place in turn is split: all lanes with the leader's line make one request

  wire             t = turn_q;
  wire             take = issue_valid && issue_ready;
  wire             emit = lead_valid_q && (!o_valid_q || req_ready);
  wire [LANES-1:0] eq_0, eq_1;
  generate
    for (lane = 0; lane < LANES; lane = lane + 1) begin : compare
      assign eq_0[lane] = p_line_q[lane*LINE_W +: LINE_W] == lead_line_q/*@if SPLIT*/ && p_sector_q[lane*SECTOR_W +: SECTOR_W] == lead_sector_q/*@end*/;
      assign eq_1[lane] = p_line_q[(LANES+lane)*LINE_W +: LINE_W] == lead_line_q/*@if SPLIT*/ && p_sector_q[(LANES+lane)*SECTOR_W +: SECTOR_W] == lead_sector_q/*@end*/;
    end
  endgenerate
  wire [LANES-1:0] eq   = t ? eq_1 : eq_0;
  wire [LANES-1:0] same = mask_q & eq;
  wire [LANES-1:0] left = mask_q & ~eq;
  wire             last = t ? !(|(mask_q & ~eq_1)) : !(|(mask_q & ~eq_0));

  always @(posedge clk)
    if (rst) begin
      turn_q <= 1'b0;
      num_q  <= {LANE_W{1'b0}};
    end else if (emit) begin
      turn_q <= t ^ last;
      num_q  <= last ? {LANE_W{1'b0}} : num_q + 1'b1;
    end

  // --- the leader of the next request: the lowest lane left that begins a run, before the result of the compare is known;
  // else the lowest lane of the other place, else of the instruction that comes

  wire             choose  = !lead_valid_q || emit;
  wire             waiting = t ? p_valid_q[0] : p_valid_q[1];
  wire             here    = t ? p_valid_q[1] : p_valid_q[0];
  wire [LANES-1:0] rest    = mask_q & ~({LANES{lead_valid_q}} & lead_q);
  wire [LANES-1:0] heads_0 = rest & p_head_q[0 +: LANES];
  wire [LANES-1:0] heads_1 = rest & p_head_q[LANES +: LANES];
  wire             more    = here && (t ? |heads_1 : |heads_0);
  wire [LANES-1:0] head    = lowest_lane(t ? heads_1 : heads_0);
  wire [LANES-1:0] first   = lowest_lane(waiting ? n_mask_q : issue_mask);

  wire [LANES-1:0]  at_0   = t ? n_mask_q : heads_0;
  wire [LANES-1:0]  at_1   = t ? heads_1 : n_mask_q;
  wire [LINE_W-1:0] line_0 = first_line(at_0, p_line_q[0 +: LANES*LINE_W]);
  wire [LINE_W-1:0] line_1 = first_line(at_1, p_line_q[LANES*LINE_W +: LANES*LINE_W]);
  wire [LINE_W-1:0] line_i = first_line(issue_mask, issue_line);
//@ if SPLIT
  wire [SECTOR_W-1:0] sector_0 = first_sector(at_0, p_sector_q[0 +: LANES*SECTOR_W]);
  wire [SECTOR_W-1:0] sector_1 = first_sector(at_1, p_sector_q[LANES*SECTOR_W +: LANES*SECTOR_W]);
  wire [SECTOR_W-1:0] sector_i = first_sector(issue_mask, issue_sector);
//@ end

  // a head whose line has just been sent can't be the leader
  always @(posedge clk)
    if (rst)
      lead_valid_q <= 1'b0;
    else if (choose)
      lead_valid_q <= more ? !lead_valid_q || !(|(head & eq)) : waiting || take;

  always @(posedge clk)
    if (choose && (more || waiting || take)) begin
      lead_q      <= more ? head : first;
      lead_line_q <= !more && !waiting ? line_i : more == t ? line_1 : line_0;
      /*@if SPLIT*/lead_sector_q <= !more && !waiting ? sector_i : more == t ? sector_1 : sector_0;/*@end*/
    end

  // --- the two places; an instruction goes to the one in turn if that is empty

  assign issue_ready = !(&p_valid_q);

  // the lanes move, the lines stay in place: the slowest path begins and ends at the lanes
  wire [LANES-1:0] n_mask = waiting ? n_mask_q : issue_mask;

  always @(posedge clk)
    if (emit)
      mask_q <= left | {LANES{last}} & n_mask;
    else if (!here)
      mask_q <= issue_mask;

  always @(posedge clk)
    if (take)
      n_mask_q <= issue_mask;

  // where runs begin
  wire [LANES-1:0] issue_head;
  generate
    for (lane = 0; lane < LANES; lane = lane + 1) begin : run
      if (lane == 0) begin : first
        assign issue_head[lane] = issue_mask[lane];
      end else begin : next
        assign issue_head[lane] = issue_mask[lane] && (!issue_mask[lane-1] ||
          issue_line[lane*LINE_W +: LINE_W] != issue_line[(lane-1)*LINE_W +: LINE_W]/*@if SPLIT*/ || issue_sector[lane*SECTOR_W +: SECTOR_W] != issue_sector[(lane-1)*SECTOR_W +: SECTOR_W]/*@end*/);
      end
    end

    for (p = 0; p < 2; p = p + 1) begin : place
      wire enter = take && !p_valid_q[p] && (t == p || p_valid_q[t]);
      wire split = emit && t == p;

      always @(posedge clk)
        if (rst)
          p_valid_q[p] <= 1'b0;
        else if (enter || split)
          p_valid_q[p] <= enter || !last;

      always @(posedge clk)
        if (enter) begin
          p_write_q[p] <= issue_write;
          /*@if OP_W*/p_op_q[p*OP_W +: OP_W] <= issue_op;/*@end*/
          p_wid_q[p*WID_W +: WID_W] <= issue_wid;
          p_slot_q[p*SLOT_W +: SLOT_W] <= issue_slot;
          /*@if SIG_W*/p_sig_q[p*SIG_W +: SIG_W] <= issue_sig;/*@end*/
          /*@if GID_W*/p_gid_q[p*GID_W +: GID_W] <= issue_gid;/*@end*/
          /*@if REQ_PC_W*/p_pc_q[p*REQ_PC_W +: REQ_PC_W] <= issue_pc;/*@end*/
          /*@if LOW_W*/p_low_q[p*LOW_W +: LOW_W] <= issue_low;/*@end*/
          /*@if HPC_W*/p_hpc_q[p*HPC_W +: HPC_W] <= hash(issue_pc);/*@end*/
          /*@if APCM*/p_trk_q[p] <= issue_trk;/*@end*/
          /*@if LID_W*/p_lid_q[p*LID_W +: LID_W] <= issue_lid;/*@end*/
          /*@if PE_W*/p_pe_q[p*PE_W +: PE_W] <= issue_pe;/*@end*/
          p_line_q[p*LANES*LINE_W +: LANES*LINE_W] <= issue_line;
          /*@if SECTORED*/p_sector_q[p*LANES*SECTOR_W +: LANES*SECTOR_W] <= issue_sector;/*@end*/
          p_head_q[p*LANES +: LANES] <= issue_head;
        end
    end
  endgenerate
//@ if CASC

  //@ # beside the choice of leaders, not in it
  wire [1:0] many; // a place has more runs than the L1D has ways
  generate
    for (p = 0; p < 2; p = p + 1) begin : count
      assign many[p] = more_than_ways(p_head_q[p*LANES +: LANES]);
    end
  endgenerate
//@ end

  // --- the request at the output

  assign req_valid = o_valid_q;
  assign /*@{coalesced req_*}*/ =
         /*@{coalesced o_*_q}*/;
  /*@if SIG_W*/assign req_sig   = o_sig_q;/*@end*/
  /*@if CASC*/assign req_many  = o_many_q;/*@end*/
  assign req_lanes = o_lanes_q;

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else if (emit || req_ready)
      o_valid_q <= emit;

  always @(posedge clk)
    if (emit) begin
      o_line_q  <= lead_line_q;
      o_write_q <= p_write_q[t];
      /*@if OP_W*/o_op_q    <= p_op_q[t*OP_W +: OP_W];/*@end*/
      o_wid_q   <= p_wid_q[t*WID_W +: WID_W];
      o_slot_q  <= p_slot_q[t*SLOT_W +: SLOT_W];
      o_num_q   <= num_q;
      o_last_q  <= last;
      /*@if SECTORED*/o_sectors_q <= sectors_of(same, t ? p_sector_q[LANES*SECTOR_W +: LANES*SECTOR_W] : p_sector_q[0 +: LANES*SECTOR_W]);/*@end*/
      /*@if SIG_W*/o_sig_q   <= p_sig_q[t*SIG_W +: SIG_W];/*@end*/
      /*@if GID_W*/o_gid_q   <= p_gid_q[t*GID_W +: GID_W];/*@end*/
      /*@if REQ_PC_W*/o_pc_q    <= p_pc_q[t*REQ_PC_W +: REQ_PC_W];/*@end*/
      /*@if LOW_W*/o_low_q   <= p_low_q[t*LOW_W +: LOW_W];/*@end*/
      /*@if HPC_W*/o_hpc_q   <= p_hpc_q[t*HPC_W +: HPC_W];/*@end*/
      /*@if APCM*/o_trk_q   <= p_trk_q[t];/*@end*/
      /*@if LID_W*/o_lid_q   <= p_lid_q[t*LID_W +: LID_W];/*@end*/
      /*@if PE_W*/o_pe_q    <= p_pe_q[t*PE_W +: PE_W];/*@end*/
      /*@if CASC*/o_many_q  <= t ? many[1] : many[0];/*@end*/
      o_lanes_q <= same;
    end

  assign busy = {WARPS{p_valid_q[0]}} & (WARP_0 << p_wid_q[0 +: WID_W])
              | {WARPS{p_valid_q[1]}} & (WARP_0 << p_wid_q[WID_W +: WID_W])
              | {WARPS{o_valid_q}} & (WARP_0 << o_wid_q);
