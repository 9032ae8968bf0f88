//@ # Power of an L2 slice's lines. Spec: docs/mechanisms/loscache.md.
//@ #
//@ # What the slice does comes last in its cycle, so all possible results are computed before, from the row of
//@ # the set looked up last; `act` only selects.
//@ keys loscache.gate

  localparam [L2_SETS-1:0] SET_0 = 1;
  genvar s, w;
//@ pick pick_ways L2_SETS L2_WAYS
//@ # The lookup, and its row: if a row was written while it was read, the copy kept beside the macro is used.

  // --- look

  wire writes = act == 3'd1 || act == 3'd2 || act == 3'd3 || act == 3'd4; // the row of looked_set

  always @(posedge clk)
    if (rst)
      w_hit_q <= 1'b0;
    else
      w_hit_q <= look_valid && writes && look_set == looked_set;

  wire [COUNTS_WORD_W-1:0] row = w_hit_q ? w_row_q : counts_rdata;
  wire [COUNTS_WORD_W-1:0] row_done; // the row after act

  always @(posedge clk)
    if (writes)
      w_row_q <= row_done;

  assign counts_we    = writes;
  assign counts_waddr = looked_set;
  assign counts_wdata = row_done;
  assign counts_re    = look_valid;
  assign counts_raddr = look_set;

  // --- the ways of the set: the outputs for each, and its new count if act is for it

  wire               more     = act != 3'd2 && act != 3'd3; // one more access, not the first
  wire               predicts = |looked_pred;
  wire [CNT_W-1:0]   earlier  = looked_pred - 1'b1; // accesses before the last one
  generate
    for (w = 0; w < L2_WAYS; w = w + 1) begin : way
      wire [CNT_W-1:0] some = row[w*CNT_W +: CNT_W];
      wire [CNT_W-1:0] next = &some ? some : some + 1'b1;
      assign last[w] = predicts && some >= earlier;
      assign row_done[w*CNT_W +: CNT_W] =
        !act_at[w] ? some : more ? next : {{CNT_W-1{1'b0}}, 1'b1};
    end
  endgenerate
  assign count     = row;
  assign predicted = predicts;
  assign once      = looked_pred == 1;

  // --- power

  wire wakes  = act == 3'd2;
  wire sleeps = act == 3'd3 || act == 3'd4 || act == 3'd5;

  assign on    = pick_ways(SET_0 << looked_set, power_q);
  assign sleep = ~power_q;

  wire [L2_SETS-1:0] act_set_at = SET_0 << act_set;
  generate
    for (s = 0; s < L2_SETS; s = s + 1) begin : lines
      always @(posedge clk)
        if (rst)
          power_q[s*L2_WAYS +: L2_WAYS] <= {L2_WAYS{1'b0}};
        else if (act_set_at[s] && (wakes || sleeps))
          power_q[s*L2_WAYS +: L2_WAYS] <=
            power_q[s*L2_WAYS +: L2_WAYS] & ~act_at | act_at & {L2_WAYS{wakes}};
    end
  endgenerate

  // the number of powered lines: one more or less, if the line's power changes
  wire [L2_WAYS-1:0]    were_on = pick_ways(act_set_at, power_q);
  wire                  up      = wakes && |(act_at & ~were_on);
  wire                  down    = sleeps && |(act_at & were_on);
  wire [L2_LINES_W-1:0] n_up    = n_q + 1'b1;
  wire [L2_LINES_W-1:0] n_down  = n_q - 1'b1;

  always @(posedge clk)
    if (rst)
      n_q <= {L2_LINES_W{1'b0}};
    else if (up || down)
      n_q <= n_up & {L2_LINES_W{up}} | n_down & {L2_LINES_W{down}};

  assign awake = n_q;
//@ if WAKES

  // --- wake: a row that begins to wake moves through waking_q, one bit a cycle, and is awake when it leaves

  wire [WAKE-1:0] wakes_on = /*@if WAKE > 1*/{waking_q[WAKE-2:0], up}/*@else*/up/*@end*/;

  always @(posedge clk)
    if (rst)
      waking_q <= {WAKE{1'b0}};
    else
      waking_q <= wakes_on;

  always @(posedge clk)
    if (wakes_on[0])
      waking_mshr_q[0 +: L2_MSHR_W] <= act_mshr;
//@ if WAKE > 1
  genvar i;
  generate
    for (i = 1; i < WAKE; i = i + 1) begin : wakes_for
      always @(posedge clk)
        if (wakes_on[i])
          waking_mshr_q[i*L2_MSHR_W +: L2_MSHR_W] <= waking_mshr_q[(i-1)*L2_MSHR_W +: L2_MSHR_W];
    end
  endgenerate
//@ end

  assign woken      = waking_q[WAKE-1];
  assign woken_mshr = waking_mshr_q[(WAKE-1)*L2_MSHR_W +: L2_MSHR_W];
//@ end
//@ if WAKE_LIMITED

  // rows that wake in the next cycle: those not at the end, and one that begins now
  function [5:0] number_of_rows(input [WAKE-2:0] rows);
    integer k;
    begin
      number_of_rows = 6'd0;
      for (k = 0; k < WAKE - 1; k = k + 1)
        number_of_rows = number_of_rows + {5'd0, rows[k]};
    end
  endfunction

  assign wake_room = number_of_rows(waking_q[WAKE-2:0]) < 6'd/*@= WAKE_MOST*/;
//@ end
