//@ # The scheduling queue of laws as a list, as macros: kept by places of the queue, for all warps. A property of all
//@ # places is a vector of WARPS bits (a set of places). A number for each place is WID_W such vectors, the planes of its bits;
//@ # the functions work on planes.
//@ #
//@ # Sums over all places on one side, in log steps; and a function that uses them: it moves all elements of a set of places that far
//@ # to the other side, in as many steps as a number has bits. `from` and `to` shift a vector of places away from that
//@ # side and back.
//@ def side(count, move, side, from, to)

  // for each place: how many of v are /*@side*/
  function [PLANES-1:0] /*@count*/(input [WARPS-1:0] v);
    reg [WARPS-1:0] one, two, carry;
    integer step, p;
    begin
      /*@count*/ = {PLANES{1'b0}};
      /*@count*/[0 +: WARPS] = v /*@from*/ 1;
      for (step = 1; step < WARPS; step = step * 2) begin
        carry = {WARPS{1'b0}};
        for (p = 0; p < WID_W; p = p + 1) begin
          one = /*@count*/[p*WARPS +: WARPS];
          two = one /*@from*/ step;
          /*@count*/[p*WARPS +: WARPS] = one ^ two ^ carry;
          carry = one & two | carry & (one | two);
        end
      end
    end
  endfunction

  // the elements of v, 0 where there is none, each moved as many places as far says, so that none meet
  function [PLANES-1:0] /*@move*/(input [PLANES-1:0] v, input [PLANES-1:0] far);
    reg [PLANES-1:0] left;
    reg [WARPS-1:0] go;
    integer step, p;
    begin
      /*@move*/ = v;
      left = far;
      for (step = 0; step < WID_W; step = step + 1) begin
        go = left[step*WARPS +: WARPS];
        for (p = 0; p < WID_W; p = p + 1) begin
          /*@move*/[p*WARPS +: WARPS] =
            /*@move*/[p*WARPS +: WARPS] & ~go | (/*@move*/[p*WARPS +: WARPS] & go) /*@to*/ (1 << step);
          left[p*WARPS +: WARPS] =
            left[p*WARPS +: WARPS] & ~go | (left[p*WARPS +: WARPS] & go) /*@to*/ (1 << step);
        end
      end
    end
  endfunction
//@ end
//@ def list_queue

  // --- the scheduling queue

  wire [PLANES-1:0] list; // the warp at each place
  wire [PLANES-1:0] next;
  generate
    for (k = 0; k < WARPS; k = k + 1) begin : at
      localparam AT = k;
      for (b = 0; b < WID_W; b = b + 1) begin : plane
        assign list[b*WARPS + k] = order_q[k*WID_W + b];

        always @(posedge clk)
          if (rst)
            order_q[k*WID_W + b] <= AT[b];
          else
            order_q[k*WID_W + b] <= next[b*WARPS + k];
      end
    end
  endgenerate

  wire [WARPS-1:0] ready_at = places(ready/*@if PICKS*/ & ~withhold/*@end*/, list);
//@ if PREFERS
  wire [WARPS-1:0] ready_at_preferred = places(ready & prefer/*@if PICKS*/ & ~withhold/*@end*/, list);
//@ end
//@ if GROUPED

  // the target first: a target that is the head already counts as going up, and stays the head
  wire [WARPS-1:0]  up_there = places(up, list);
  wire [WARPS-1:0]  pushed   = up_to({WARPS{tgt_valid}} & place_of(tgt_wid, list));
  wire [WARPS-1:0]  up_at    = pushed & {up_there[WARPS-2:0], 1'b1} | ~pushed & up_there;
  wire [PLANES-1:0] now;
  generate
    for (b = 0; b < WID_W; b = b + 1) begin : head
      assign now[b*WARPS +: WARPS] = pushed & {list[b*WARPS +: WARPS-1], tgt_wid[b]} |
                                     ~pushed & list[b*WARPS +: WARPS];
    end
  endgenerate
//@ else
  wire [WARPS-1:0] up_at    = places(up, list);
  wire [PLANES-1:0] now     = list;
//@ end

  // warps that go up close ranks at the head, the others at the tail
  wire [PLANES-1:0] ups   = {WID_W{up_at}};
  wire [PLANES-1:0] heads = to_head(now & ups, count_before(~up_at) & ups);
  wire [PLANES-1:0] tails = to_tail(now & ~ups, count_behind(up_at) & ~ups);
  assign next = heads | tails;
//@ end
//@ def list_pick(among)

      // the first place whose warp is ready and belongs to s: its id says so in the low bits
      wire [WARPS-1:0] candidates/*@among*/;
//@ if SCHEDS > 1
      for (k = 0; k < WARPS; k = k + 1) begin : candidate/*@among*/
        localparam OWN = s;
        assign candidates/*@among*/[k] = ready_at/*@among*/[k] && order_q[k*WID_W +: OWN_W] == OWN[OWN_W-1:0];
      end
//@ else
      assign candidates/*@among*/ = ready_at/*@among*/;
//@ end
      wire [WARPS-1:0] first_at/*@among*/ = first(candidates/*@among*/);
      wire [MEMBER_W-1:0] queue_place/*@among*/;
      for (b = 0; b < MEMBER_W; b = b + 1) begin : place_bit/*@among*/
        assign queue_place/*@among*/[b] = |(first_at/*@among*/ & list[(OWN_W + b)*WARPS +: WARPS]);
      end
//@ end
