//@ # The warp schedulers. Spec: docs/mechanisms/sched.md.
//@ #
//@ # CTA slots are one-hot, and warps too until they are picked; the number of each slot's first ready warp is known
//@ # as early as the slot that goes first. Where warps may be preferred, two picks are made: among all ready warps and
//@ # among the preferred ones; which of the two counts is selected last.
//@ keys scheduler.policy
//@ part scheduler
//@ part verilog/lowest_number
//@ #
//@ # Greedy, then oldest, from one of the two sets.
//@ def gto(among)
      // the last warp again, else the first ready one of the oldest CTA that has any
      wire [MEMBERS-1:0]      stay_at/*@among*/ = mine/*@among*/ & {MEMBERS{ran_q[s]}} & (MEMBER_0 << last);
      wire [CTAS-1:0]         competes/*@among*/;
      wire [CTAS-1:0]         oldest/*@among*/;
      wire [CTAS*MEMBER_W-1:0] first/*@among*/; // place of the first ready one of each, if there is one
      for (c = 0; c < CTAS; c = c + 1) begin : cta/*@among*/
        wire [MEMBERS-1:0] members;
        for (m = 0; m < MEMBERS; m = m + 1) begin : member
          if (m * SCHEDS + s < WARPS) begin : there
            assign members[m] = mine/*@among*/[m] && cta_warps_q[c*WARPS + m*SCHEDS + s];
          end else begin : none
            assign members[m] = 1'b0;
          end
        end
        assign competes/*@among*/[c] = |members;
        assign oldest/*@among*/[c]   = competes/*@among*/[c] && !(|(competes/*@among*/ & elders[c*CTAS +: CTAS]));
        assign first/*@among*/[c*MEMBER_W +: MEMBER_W] = lowest_place(members);
      end
      wire [MEMBER_W-1:0] pick/*@among*/ = |stay_at/*@among*/ ? last : pick_place(oldest/*@among*/, first/*@among*/);

//@ end
//@ #
//@ # Whether a scheduler picks a warp: known before the pick itself.
//@ def valid
//@ if GTO && PREFERS
boost ? |{stay_at_preferred, competes_preferred} : |{stay_at, competes}
//@ elif GTO
|{stay_at, competes}
//@ elif PREFERS
|mine
//@ else
|pick_at
//@ end
//@ end

  localparam OWN_W = WID_W - MEMBER_W; // the low bits of a warp's id: its scheduler
//@ if GTO
  localparam [MEMBERS-1:0] MEMBER_0 = 1;
  localparam [CTAS-1:0]    CTA_0    = 1;
  genvar s, m, b, c/*@if CTAS > 1*/, k/*@end*/;
//@ else
  genvar s, m, b;
//@ end
//@ if GTO

  /*@lowest_number(lowest_place, MEMBERS, MEMBER_W)*/
//@ pick pick_place CTAS MEMBER_W

  // --- ages: elders[c] = the slots launched before c. A bit for each pair: slots end in any order.

  wire [CTAS*CTAS-1:0] elders;
  wire [CTAS-1:0]      starts = {CTAS{launch_valid}} & (CTA_0 << launch_cta);
  generate
    for (c = 0; c < CTAS; c = c + 1) begin : slot
      always @(posedge clk)
        if (rst)
          cta_warps_q[c*WARPS +: WARPS] <= {WARPS{1'b0}};
        else if (starts[c])
          cta_warps_q[c*WARPS +: WARPS] <= launch_warps;

      assign elders[c*CTAS + c] = 1'b0;
//@ if CTAS > 1
      for (k = c + 1; k < CTAS; k = k + 1) begin : pair
        localparam PAIR = c * (2 * CTAS - c - 1) / 2 + (k - c - 1);
        assign elders[c*CTAS + k] = !older_q[PAIR];
        assign elders[k*CTAS + c] = older_q[PAIR];

        always @(posedge clk)
          if (rst)
            older_q[PAIR] <= 1'b0;
          else if (starts[c] || starts[k])
            older_q[PAIR] <= starts[k];
      end
//@ end
    end
  endgenerate
//@ else
//@ lowest lowest MEMBERS
//@ number number MEMBERS MEMBER_W
//@ end

  // --- the schedulers: each sees its own warps, at their places

  generate
    for (s = 0; s < SCHEDS; s = s + 1) begin : scheduler
      /*@mine*/
//@ if GTO
      /*@gto()*/
//@ if PREFERS
      /*@gto(_preferred)*/
//@ end
//@ # a scheduler that has issued may stay with its warp
      always @(posedge clk)
        if (rst)
          ran_q[s] <= 1'b0;
        else if (/*@valid*/)
          ran_q[s] <= 1'b1;

//@ else
      /*@lrr(pick_at, )*/
//@ if PREFERS
      /*@lrr(pick_at, _preferred)*/
//@ end
//@ end
//@ if GTO
      /*@picked(pick, pick_preferred, @valid)*/
//@ else
      /*@picked(number(pick_at), number(pick_at_preferred), @valid)*/
//@ end
    end
  endgenerate
