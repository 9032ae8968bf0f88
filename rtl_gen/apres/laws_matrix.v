//@ # The scheduling queue of laws as a matrix, as macros: each scheduler keeps it for its own warps. All pairs move at once:
//@ # a pair depends on its own two warps only.
//@ #
//@ # How N pairs (i<j) move, from bit FROM of `queue` on: used inside a block that has wires for whether i and j go up.
//@ def moves(queue)
        wire [N-1:0] j_first = /*@queue*/[FROM +: N];
        wire [N-1:0] moved   = j_up & ~i_up | j_first & (j_up | ~i_up);

        always @(posedge clk)
          if (rst)
            /*@queue*/[FROM +: N] <= {N{1'b0}};
          else
            /*@queue*/[FROM +: N] <= /*@if GROUPED*/j_aimed | moved & ~i_aimed/*@else*/moved/*@end*/;

//@ end
//@ def matrix_queue

      // the scheduling queue of its warps: bit of pair (i<j) = the warp of place j is nearer to the
      // head. A warp that goes up overtakes one that does not; any other pair keeps its order.
      // Bit m*MEMBERS + b of ahead: the warp of place b is nearer than that of place m
      wire [MEMBERS*MEMBERS-1:0] ahead;
      wire [ORDER_Q-1:0] rises;
//@ if GROUPED
      wire [ORDER_Q-1:0] aimed;
//@ end
      for (m = 0; m < ORDER_Q; m = m + 1) begin : member
        assign rises[m] = up[m*SCHEDS + s];
//@ if GROUPED
        assign aimed[m] = target[m*SCHEDS + s];
//@ end
        assign ahead[m*MEMBERS + m] = 1'b0;
      end
      for (m = 0; m < ORDER_Q - 1; m = m + 1) begin : row
        localparam N    = ORDER_Q - 1 - m;
        localparam LOW  = m * ORDER_C; // or above another row
        localparam HIGH = (2*ORDER_N - 1 - m) * ORDER_C + ORDER_Q - 2*ORDER_N + m;
        localparam FROM = s * ORDER_N * ORDER_C + (m < ORDER_N ? LOW : HIGH);
        wire [N-1:0] j_up    = rises[ORDER_Q-1:m+1];
        wire [N-1:0] i_up    = {N{rises[m]}};
//@ if GROUPED
        wire [N-1:0] j_aimed = aimed[ORDER_Q-1:m+1];
        wire [N-1:0] i_aimed = {N{aimed[m]}};
//@ end
        /*@moves(before_q)*/
        for (b = m + 1; b < ORDER_Q; b = b + 1) begin : pair
          assign ahead[m*MEMBERS + b] = j_first[b-m-1];
          assign ahead[b*MEMBERS + m] = !j_first[b-m-1];
        end
      end
//@ end
//@ #
//@ # The pairs with the last place, which only some schedulers have.
//@ def matrix_last
      assign ahead[ORDER_Q*MEMBERS + ORDER_Q] = 1'b0;
      if (s < ORDER_X) begin : last_row
        localparam N    = ORDER_Q;
        localparam FROM = s * ORDER_Q;
        wire [N-1:0] j_up    = {N{up[ORDER_Q*SCHEDS + s]}};
        wire [N-1:0] i_up    = rises;
//@ if GROUPED
        wire [N-1:0] j_aimed = {N{target[ORDER_Q*SCHEDS + s]}};
        wire [N-1:0] i_aimed = aimed;
//@ end
        /*@moves(before_last_q)*/
        for (m = 0; m < ORDER_Q; m = m + 1) begin : pair
          assign ahead[m*MEMBERS + ORDER_Q] = j_first[m];
          assign ahead[ORDER_Q*MEMBERS + m] = !j_first[m];
        end
      end else begin : no_last_row
        for (m = 0; m < ORDER_Q; m = m + 1) begin : pair
          assign ahead[m*MEMBERS + ORDER_Q] = 1'b0;
          assign ahead[ORDER_Q*MEMBERS + m] = 1'b0;
        end
      end
//@ end
//@ def matrix_pick(among)

      // the ready warp before which no other ready one comes
      wire [MEMBERS-1:0] queue_at/*@among*/;
      for (m = 0; m < MEMBERS; m = m + 1) begin : rank/*@among*/
        assign queue_at/*@among*/[m] = mine/*@among*/[m] && !(|(mine/*@among*/ & ahead[m*MEMBERS +: MEMBERS]));
      end
//@ end
