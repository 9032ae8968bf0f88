//@ # MRPB's choice of a queue in two stages. Part of mrpb.v; spec: docs/mechanisms/mrpb.md, "Two stages".
  // first stage: in each group of queues the lowest is picked, and stays picked until it is chosen. avail still counts its entry
  wire [QUEUES-1:0]       one      = gone_at_q & plenty_q | ~gone_at_q & ready_q; // queue q has one entry left, or more
  wire [QUEUES-1:0]       two      = gone_at_q & three_q | ~gone_at_q & plenty_q;
  wire [QUEUES-1:0]       open     = two | one & ~pick_at_q;
  wire [GROUP*GROUPS-1:0] open_in  = {{GROUP*GROUPS-QUEUES{1'b0}}, open};
  wire [GROUPS-1:0]       has_open; // the group has an open queue
  wire [GROUPS-1:0]       picks;    // its pick is free to change
  wire [GROUPS-1:0]       group_at = lowest_group(pick_valid_q);
  wire [QUEUES-1:0]       policy_at;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : group
      assign has_open[g] = |open_in[g*GROUP +: GROUP];
    end
    for (q = 0; q < QUEUES; q = q + 1) begin : picked
      wire [GROUP-1:0] below = open_in[q/GROUP*GROUP +: GROUP] << (GROUP - q%GROUP); // queues of the group below this one
      assign policy_at[q] = pick_at_q[q] && group_at[q/GROUP];

      always @(posedge clk)
        if (rst)
          pick_at_q[q] <= 1'b0;
        else if (picks[q/GROUP])
          pick_at_q[q] <= open[q] && !(|below);
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      pick_valid_q <= {GROUPS{1'b0}};
    else
      pick_valid_q <= picks & has_open | ~picks & pick_valid_q;

  // second stage: the pick of the lowest group
  wire choose_free = !sel_valid_q || read;
//@ if request_buffer.flush

  // the input comes first: its queue is read if it is full, or if a request that enters no queue waits for it to empty. That there is
  // an entry is known a cycle ahead
  wire [QUEUES-1:0] choose_at = forced_q ? in_at_q : policy_at;
  wire [GROUP*GROUPS-1:0] forced_in = {{GROUP*GROUPS-QUEUES{1'b0}}, pick_at_q & in_at_q};
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : may_pick
      assign picks[g] = !pick_valid_q[g] && !forced_q || choose_free && (forced_q ? |forced_in[g*GROUP +: GROUP] : group_at[g]);
    end
  endgenerate
  wire [QUEUES-1:0] may_go = pick_at_q | {QUEUES{forced_q}}; // queues that this cycle may choose
  wire              forces = in_valid_q && !in_pass_q && !in_straight_q && |(in_at_q & (two | one & ~({QUEUES{choose_free}} & may_go)));

  always @(posedge clk)
    if (rst)
      forced_q <= 1'b0;
    else
      forced_q <= forces;
//@ else
  wire [QUEUES-1:0] choose_at = policy_at;
  assign picks = ~pick_valid_q | {GROUPS{choose_free}} & group_at;
//@ end
  wire              choose    = choose_free && (|pick_valid_q/*@if request_buffer.flush*/ || forced_q/*@end*/);

  always @(posedge clk)
    if (rst)
      sel_valid_q <= 1'b0;
    else if (choose_free)
      sel_valid_q <= choose;

  always @(posedge clk)
    if (rst)
      gone_at_q <= {QUEUES{1'b0}};
    else
      gone_at_q <= {QUEUES{choose_free}} & choose_at;
