//@ # What all warp schedulers have in common, as macros.
//@ #
//@ # They stand inside scheduler s of a generate loop; the module has the genvars s, m, b and the localparam OWN_W.
//@ #
//@ # The warps of s that may issue, by their places, and the place issued last. Where a module prefers warps, also those
//@ # of them that are preferred, and whether these go before the others: then a scheduler picks from both sets, by one
//@ # macro with `among` behind its wires (nothing, or _preferred), and at last takes one of the picks.
//@ def mine
      wire [MEMBERS-1:0] mine;
//@ if PREFERS
      wire [MEMBERS-1:0] mine_preferred;
//@ end
      for (m = 0; m < MEMBERS; m = m + 1) begin : warp
        if (m * SCHEDS + s < WARPS) begin : there
          assign mine[m] = ready[m*SCHEDS + s]/*@if PICKS*/ && !withhold[m*SCHEDS + s]/*@end*/;
//@ if PREFERS
          assign mine_preferred[m] = mine[m] && prefer[m*SCHEDS + s];
//@ end
        end else begin : none
          assign mine[m] = 1'b0;
//@ if PREFERS
          assign mine_preferred[m] = 1'b0;
//@ end
        end
      end
//@ if PREFERS
      wire boost = |mine_preferred && boosting; // preferred warps go before the others
//@ end
      wire [MEMBER_W-1:0] last = last_q[s*MEMBER_W +: MEMBER_W];

//@ end
//@ #
//@ # `at`: the pick of lrr from one of the sets, alone among the places.
//@ def lrr(at, among)
      // the first ready warp after the last one, else the first
      wire [MEMBERS-1:0] behind/*@among*/  = mine/*@among*/ & ({MEMBERS{1'b1}} << last << 1);
      wire [MEMBERS-1:0] /*@at*//*@among*/ = |behind/*@among*/ ? lowest(behind/*@among*/) : lowest(mine/*@among*/);
//@ end
//@ #
//@ # The places picked from all and from those that are preferred, and whether there is one.
//@ def picked(place, preferred, valid)
      wire [MEMBER_W-1:0] place = /*@if PREFERS*/boost ? /*@preferred*/ : /*@end*//*@place*/;
      assign pick_valid[s] = /*@valid*/;
      assign pick_wid[s*WID_W + OWN_W +: MEMBER_W] = place;
      for (b = 0; b < OWN_W; b = b + 1) begin : own
        assign pick_wid[s*WID_W + b] = (s >> b) % 2 == 1 && pick_valid[s];
      end

      always @(posedge clk)
        if (rst)
          last_q[s*MEMBER_W +: MEMBER_W] <= MEMBERS[MEMBER_W-1:0] - 1'b1;
        else if (/*@valid*/)
          last_q[s*MEMBER_W +: MEMBER_W] <= place;
//@ end
