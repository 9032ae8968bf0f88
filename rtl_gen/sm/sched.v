//@ # The warp schedulers. Spec: docs/mechanisms/sched.md.
//@ #
//@ # Warps and CTA slots are one-hot until the very end, where the picked warp gets its number. Where warps may be
//@ # preferred, a pick is made twice, among all that are ready and among those, and which of the two counts is the last
//@ # thing asked.
//@ keys scheduler.policy
//@ part scheduler
//@ #
//@ # Greedy, then oldest, from one of the sets.
//@ def gto(among)
      // the last warp again, else the first ready one of the oldest CTA that has any
      wire [MEMBERS-1:0]      stay_at/*@among*/ = mine/*@among*/ & {MEMBERS{ran_q[s]}} & (MEMBER_0 << last);
      wire [CTAS-1:0]         competes/*@among*/;
      wire [CTAS-1:0]         oldest/*@among*/;
      wire [CTAS*MEMBERS-1:0] first_at/*@among*/;
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
        assign first_at/*@among*/[c*MEMBERS +: MEMBERS] = lowest(members);
      end
      wire [MEMBERS-1:0] oldest_at/*@among*/ = pick_members(oldest/*@among*/, first_at/*@among*/);
      wire [MEMBERS-1:0] pick_at/*@among*/   = |stay_at/*@among*/ ? stay_at/*@among*/ : oldest_at/*@among*/;

//@ end
//@ #
//@ # Whether a scheduler picks one. With two picks to choose from that comes from what is known before either is made.
//@ def valid
//@ if !LOS
|pick_at
//@ elif GTO
boost ? |{stay_at_preferred, competes_preferred} : |{stay_at, competes}
//@ else
|mine
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
//@ lowest lowest MEMBERS
//@ number number MEMBERS MEMBER_W
//@ if GTO
//@ pick pick_members CTAS MEMBERS

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
//@ end
//@ if SWL
//@ # Which warps may issue. No more than LIMIT ever do, so that there is a place unless that many are active and all of
//@ # them stay: how many there are is known from registers, ahead of who stays.

  // how many 1s v has: sums of pairs, in log steps
  localparam ONES_W = $clog2(MEMBERS + 1);
  function [ONES_W-1:0] ones(input [MEMBERS-1:0] v);
    reg [MEMBERS*ONES_W-1:0] sum;
    integer i, step;
    begin
      for (i = 0; i < MEMBERS; i = i + 1)
        sum[i*ONES_W +: ONES_W] = {{ONES_W-1{1'b0}}, v[i]};
      for (step = 1; step < MEMBERS; step = step * 2)
        for (i = 0; i + step < MEMBERS; i = i + 2 * step)
          sum[i*ONES_W +: ONES_W] = sum[i*ONES_W +: ONES_W] + sum[(i+step)*ONES_W +: ONES_W];
      ones = sum[0 +: ONES_W];
    end
  endfunction

  // a bit for each warp, by schedulers and their places; and back
  function [SCHEDS*MEMBERS-1:0] by_place(input [WARPS-1:0] v);
    integer i;
    begin
      by_place = {SCHEDS*MEMBERS{1'b0}};
      for (i = 0; i < WARPS; i = i + 1)
        by_place[i%SCHEDS*MEMBERS + i/SCHEDS] = v[i];
    end
  endfunction
  function [WARPS-1:0] by_warp(input [SCHEDS*MEMBERS-1:0] v);
    integer i;
    for (i = 0; i < WARPS; i = i + 1)
      by_warp[i] = v[i%SCHEDS*MEMBERS + i/SCHEDS];
  endfunction

  // --- the static limit: who is active stays so while awake, then the first that is awake follows

  wire [WARPS-1:0]          may    = ready & active_q;
  wire [SCHEDS*MEMBERS-1:0] active = by_place(active_q);
  wire [SCHEDS*MEMBERS-1:0] leaves = by_place(active_q & ~awake);
  wire [SCHEDS*MEMBERS-1:0] wants  = by_place(awake & ~active_q);
  wire [SCHEDS*MEMBERS-1:0] enters;
  generate
    for (s = 0; s < SCHEDS; s = s + 1) begin : limit
      wire full = ones(active[s*MEMBERS +: MEMBERS]) >= LIMIT[ONES_W-1:0] && !(|leaves[s*MEMBERS +: MEMBERS]);
      assign enters[s*MEMBERS +: MEMBERS] = lowest(wants[s*MEMBERS +: MEMBERS]) & {MEMBERS{!full}};
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      active_q <= {WARPS{1'b0}};
    else
      active_q <= active_q & awake | by_warp(enters);
//@ end

  // --- the schedulers: each sees its own warps, by their places

  generate
    for (s = 0; s < SCHEDS; s = s + 1) begin : scheduler
//@ if SWL
      /*@mine(may)*/
//@ else
      /*@mine(ready)*/
//@ end
//@ if GTO
      /*@gto()*/
//@ if LOS
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
//@ if LOS
      /*@lrr(pick_at, _preferred)*/
//@ end
//@ end
      /*@picked(number(pick_at), number(pick_at_preferred), @valid)*/
    end
  endgenerate
