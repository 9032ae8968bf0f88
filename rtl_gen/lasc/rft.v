//@ # The reuse-frequency table. Spec: docs/mechanisms/rft.md.
//@ #
//@ # Every SM's queue offers its oldest update before the turn is known, and the selection is one-hot. An entry
//@ # of form `bit` updates itself in place; averages share adders.
//@ keys rft.form
//@ part verilog/next
//@ #
//@ # The next value of a place in a queue, which moves on when `moves`.
//@ def moved(place, moves)

  always @(posedge clk)
    if (rst || clear)
      /*@place*/_q[s*UQ_W +: UQ_W] <= {UQ_W{1'b0}};
    else if (/*@moves*/)
      /*@place*/_q[s*UQ_W +: UQ_W] <= /*@next(@(place)_q[s*UQ_W +: UQ_W], UQ, UQ_W)*/;
//@ end

  localparam [RFT-1:0] ENTRY_0 = 1;
//@ if RFT_AVG
  localparam BLEND_W = AVG_W + FORGET;
//@ if !(APB && RFT_IN)
  localparam SHARES  = (THRESHOLD + 1) << FORGET; // the smallest value above the threshold, times 2^FORGET
//@ end
//@ end
  genvar s, p/*@if RFT_AVG*/, g, e/*@end*/;
//@ xor_fold entry_of HPC_W RFT_W 0
//@ if SHARERS > 1
//@ lowest lowest SHARERS
//@ number number SHARERS SHARER_W
//@ pick pick_entry SHARERS RFT_W
//@ pick pick_reuse SHARERS REUSE_W
//@ end

  // --- the queues: an update that finds its queue full is lost

  wire [SHARERS-1:0]         full;
  wire [SHARERS-1:0]         some;
  wire [SHARERS-1:0]         served; // the SM whose oldest update is done
  wire [SHARERS*RFT_W-1:0]   oldest_entry;
  wire [SHARERS*REUSE_W-1:0] oldest_reuse;
  generate
    for (s = 0; s < SHARERS; s = s + 1) begin : queue
      wire [RFT_W-1:0]   entry = entry_of(up_hpc[s*HPC_W +: HPC_W]);
      wire [REUSE_W-1:0] reuse = /*@if !RFT_AVG*/|/*@end*/up_count[s*RR_W +: RR_W];
      wire [UQN_W-1:0]   count = q_count_q[s*UQN_W +: UQN_W];
      wire               come  = up_valid[s] && !full[s];
      assign full[s] = count == UQ[UQN_W-1:0];
      assign some[s] = |count;

      always @(posedge clk)
        if (rst || clear)
          q_count_q[s*UQN_W +: UQN_W] <= {UQN_W{1'b0}};
        else if (come ^ served[s])
          q_count_q[s*UQN_W +: UQN_W] <= come ? count + 1'b1 : count - 1'b1;
//@ if UQ > 1
      /*@moved(q_tail, come)*/
      /*@moved(q_head, served[s])*/
//@ end

      for (p = 0; p < UQ; p = p + 1) begin : waiting
        always @(posedge clk)
          if (come/*@if UQ > 1*/ && q_tail_q[s*UQ_W +: UQ_W] == p/*@end*/) begin
            q_hpc_q[(s*UQ+p)*RFT_W +: RFT_W] <= entry;
            q_reuse_q[(s*UQ+p)*REUSE_W +: REUSE_W] <= reuse;
          end
      end

      wire [UQ*RFT_W-1:0]   entries = q_hpc_q[s*UQ*RFT_W +: UQ*RFT_W];
      wire [UQ*REUSE_W-1:0] reuses  = q_reuse_q[s*UQ*REUSE_W +: UQ*REUSE_W];
//@ if UQ > 1
      wire [UQ_W-1:0]       head    = q_head_q[s*UQ_W +: UQ_W];
      assign oldest_entry[s*RFT_W +: RFT_W] = entries[head*RFT_W +: RFT_W];
      assign oldest_reuse[s*REUSE_W +: REUSE_W] = reuses[head*REUSE_W +: REUSE_W];
//@ else
      assign oldest_entry[s*RFT_W +: RFT_W] = entries;
      assign oldest_reuse[s*REUSE_W +: REUSE_W] = reuses;
//@ end
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      lose_q <= {SHARERS{1'b0}};
    else
      lose_q <= up_valid & full & ~{SHARERS{clear}};
  assign lost = lose_q;

  // --- turn: one update a cycle

//@ if SHARERS > 1
  // the first SM after the one served last, else the first
  wire [SHARERS-1:0] behind = some & ({SHARERS{1'b1}} << turn_q << 1);
  assign served = |behind ? lowest(behind) : lowest(some);

  always @(posedge clk)
    if (rst)
      turn_q <= SHARERS[SHARER_W-1:0] - 1'b1;
    else if (|some)
      turn_q <= number(served);
//@ else
  assign served = some;
//@ end

  always @(posedge clk)
    if (rst)
      u_valid_q <= 1'b0;
    else
      u_valid_q <= |some && !clear;

  always @(posedge clk)
    if (|some) begin
      u_entry_q <= /*@if SHARERS > 1*/pick_entry(served, oldest_entry)/*@else*/oldest_entry/*@end*/;
      u_reuse_q <= /*@if SHARERS > 1*/pick_reuse(served, oldest_reuse)/*@else*/oldest_reuse/*@end*/;
    end

  // --- update

  wire [RFT-1:0] u_at = {RFT{u_valid_q}} & (ENTRY_0 << u_entry_q);

  always @(posedge clk)
    if (rst || clear)
      known_q <= {RFT{1'b0}};
    else
      known_q <= known_q | u_at;
//@ if RFT_AVG

  // a few entries share an adder: after a selection among all entries it would come too late
  localparam PART   = RFT < 8 ? RFT : 8;
  localparam PART_W = $clog2(PART);
  wire [RFT-1:0]   high;
  wire [AVG_W-1:0] value = {{1'b0, u_reuse_q} + 1'b1, 4'b0000};
  generate
    for (g = 0; g < RFT; g = g + PART) begin : part
      // old + floor((value - old) / 2^FORGET), as one sum that is divided at its end
      wire [PART_W-1:0]     place    = u_entry_q[PART_W-1:0];
      wire [PART*AVG_W-1:0] averages = average_q[g*AVG_W +: PART*AVG_W];
      wire [PART-1:0]       knowns   = known_q[g +: PART];
      wire [AVG_W-1:0]      old      = averages[place*AVG_W +: AVG_W];
      wire [BLEND_W-1:0]    blend    = {old, {FORGET{1'b0}}} - {{FORGET{1'b0}}, old} + {{FORGET{1'b0}}, value};
      wire                  known    = knowns[place];
      wire [AVG_W-1:0]      next     = known ? blend[FORGET +: AVG_W] : value;
//@ if APB && RFT_IN
      assign high[g +: PART] = {PART{known ? {{THRESHOLD_W{1'b0}}, blend} > {{AVG_W{1'b0}}, rft_threshold, {FORGET{1'b1}}}
                                           : {{THRESHOLD_W{1'b0}}, value} > {{AVG_W{1'b0}}, rft_threshold}}};
//@ else
      assign high[g +: PART] = {PART{known ? {1'b0, blend} >= SHARES[BLEND_W:0]
                                           : {1'b0, value} > THRESHOLD[AVG_W:0]}};
//@ end

      for (e = g; e < g + PART; e = e + 1) begin : entry
        always @(posedge clk)
          if (u_at[e])
            average_q[e*AVG_W +: AVG_W] <= next;
      end
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      above_q <= {RFT{1'b0}};
    else
      above_q <= above_q & ~u_at | high & u_at;

  assign bypass = known_q & ~above_q;
//@ else

  always @(posedge clk)
    if (rst)
      reused_q <= {RFT{1'b0}};
    else
      reused_q <= reused_q & (known_q | ~u_at) | {RFT{u_reuse_q}} & u_at;

  assign bypass = known_q & ~reused_q;
//@ end
