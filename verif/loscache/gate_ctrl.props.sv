//@ # Properties of the power of an L2 slice's lines (docs/mechanisms/loscache.md), for any line.
//@ small l2.sets=2 l2.ways=2 loscache.count_bits=3

  (* anyconst *) reg [L2_SET_W-1:0] set;
  (* anyconst *) reg way;
  a_line: assume property (set < L2_SETS && way < L2_WAYS);

  wire does  = act != 0 && act_set == set;
  wire at    = does && act_at[way];
  wire wrote = act >= 1 && act <= 4 && act_set == set;
  wire [CNT_W-1:0] here = count[way*CNT_W +: CNT_W];
  wire [CNT_W-1:0] more = &here ? here : here + 1'b1;

  reg powered;          // the line has power
  reg known;            // its count means something
  reg [CNT_W-1:0] uses; // the count
  reg fresh;            // the set was looked up in the last cycle: only then `count` is its row
  reg [L2_SET_W-1:0] looked;
  always @(posedge clk) begin
    if (look_valid)
      looked <= look_set;
    if (rst) begin
      powered <= 1'b0;
      known   <= 1'b0;
    end else if (at) begin
      powered <= act == 2 || (act == 1 && powered);
      known   <= known || act == 2 || act == 3;
    end
    if (at && (act == 2 || act == 3))
      uses <= 1;
    else if (at && (act == 1 || act == 4))
      uses <= &uses ? uses : uses + 1'b1;
    fresh <= !rst && look_valid && look_set == set;
  end

  acts:        assume property (act <= 5 && (act == 0 || (act_at & (act_at - 1'b1)) == 0 && act_at != 0));
  the_looked:  assume property (looked_set == looked);
  in_the_set:  assume property (act >= 1 && act <= 4 |-> act_set == looked_set);
  once_a_look: assume property (wrote |-> fresh);

  power:       assert property (sleep[set*L2_WAYS + way] == !powered);
  says_on:     assert property (looked_set == set |-> on[way] == powered);
  never_woken: assert property (looked_set == set && on[way] |-> !sleep[set*L2_WAYS + way]);
  counts:      assert property (fresh && known |-> here == uses);
  last_one:    assert property (looked_pred != 0 && {1'b0, here} + 1 >= {1'b0, looked_pred} |-> last[way]);
  not_last:    assert property (looked_pred == 0 || {1'b0, here} + 1 < {1'b0, looked_pred} |-> !last[way]);
  only_access: assert property (once == (looked_pred == 1) && predicted == (looked_pred != 0));

  integer i, total;
  always @* begin
    total = 0;
    for (i = 0; i < L2_LINES; i = i + 1)
      total = total + !sleep[i];
  end
  all_counted: assert property (awake == total);

  // For the induction: the macro's row, and its read data.
  wire [CNT_W-1:0] stored = counts_rows[(set*L2_WAYS + way)*CNT_W +: CNT_W];
  wire [CNT_W-1:0] read   = w_hit_q ? w_row_q[way*CNT_W +: CNT_W] : counts_rdata[way*CNT_W +: CNT_W];
  state_stored: assert property (known |-> stored == uses);
  state_read:   assert property (fresh && known |-> read == uses);
//@ if WAKES

  // --- rows that need time to wake

  reg [5:0] age;                   // cycles for which the line has been waking, with this one; 0: it is not waking
  reg [L2_MSHR_W-1:0] asked_by;    // its MSHR
  wire begins = at && act == 2 && !powered;
  always @(posedge clk) begin
    if (rst)
      age <= 6'd0;
    else if (begins)
      age <= 6'd1;
    else if (age != 0)
      age <= age == WAKE ? 6'd0 : age + 1'b1;
    if (begins)
      asked_by <= act_mshr;
  end

  in_flight: assume property (age != 0 && at |-> act == 1);
  in_time:   assert property (age == WAKE |-> woken && woken_mshr == asked_by);

  // bit k: a row's power switch was closed k cycles ago; the row wakes for WAKE cycles
  reg  [L2_LINES-1:0] slept;
  reg  [31:0] closed;
  wire [31:0] closes = {closed[30:0], |(slept & ~sleep)};
  always @(posedge clk) begin
    slept  <= sleep;
    closed <= rst ? 32'd0 : closes;
  end
  integer k, waking;
  always @* begin
    waking = 0;
    for (k = 0; k < WAKE; k = k + 1)
      waking = waking + closes[k];
  end
  one_a_cycle: assert property (waking <= WAKE);
//@ end
//@ if WAKE_LIMITED
  asks_if_room: assume property (act == 2 |-> wake_room);
  limit:        assert property (waking <= WAKE_MOST);
  says_room:    assert property (wake_room |-> waking - closes[WAKE-1] < WAKE_MOST);
//@ end
