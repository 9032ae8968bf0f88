//@ # The stride prefetchers. Spec: docs/mechanisms/sap.md. This part learns strides; sap_prefetch.v makes the prefetches.
//@ #
//@ # Events go through the stages in order, one stage a cycle, and never wait; prefetches wait for the L1D all together.
//@ # In the `look` stage an entry is one-hot, after it a number. Warps are a set of bits until one is picked.
//@ keys prefetch.kind prefetch.reach
//@ #
//@ # Pages that prefetches may go to, if not to all.
//@ terms paged &&
//@ | prefetch.first_page > 0         : page >= 33'd/*@= prefetch.first_page*/
//@ | prefetch.last_page < 4294967295 : page <= 33'd/*@= prefetch.last_page*/
//@ end

//@ if prefetch.kind == sap
  localparam [WARPS-1:0] WARP_0 = 1;
//@ end
  localparam [PT-1:0] ENTRY_0 = 1;
  localparam DRQ_LAST = DRQ - 1;
  genvar e/*@if PT > 1*/, j/*@end*/;
//@ if PT > 1
//@ lowest lowest_entry PT
//@ end
//@ number number_of_entry PT PTN_W
//@ pick wid_at PT WID_W
//@ pick addr_at PT ADDR_W
//@ pick stride_at PT STRIDE_W
//@ if CUT
//@ pick cta_at PT CTA_W
//@ end
//@ lowest lowest_warp WARPS
//@ lowest lowest_one WID_W
//@ number number_of_one WID_W TWOS_W

  // some bits of the quotient by the divisor 2h + 1: takes the carry from the bits below and the dividend; gives their
  // own carry and the dividend rotated, with the bits of the quotient in place of its own. The digits follow from the low bits
  // alone; what they subtract is added up without carries, digit by digit.
  function [WID_W+ADDR_W:0] divide(input [WID_W:0] c, input [WID_W-1:0] h, input [ADDR_W-1:0] x, input integer bits);
    reg [WID_W+DIGIT_W:0] a, b, less, both;
    reg [DIGIT_W-1:0]     low;
    reg [ADDR_W-1:0]      rest;
    reg                   up;
    integer               k;
    begin
      a = {{DIGIT_W{c[WID_W]}}, c};
      low = a[DIGIT_W-1:0] + x[DIGIT_W-1:0];
      b = {{WID_W+1{1'b0}}, x[DIGIT_W-1:0] & ~({DIGIT_W{1'b1}} << bits)};
      rest = x;
      for (k = 0; k < DIGIT_W; k = k + 1)
        if (k < bits) begin
          rest = {low[k], rest[ADDR_W-1:1]};
          less = ({{DIGIT_W{~h[WID_W-1]}}, ~h, 1'b1} & {WID_W+DIGIT_W+1{low[k]}}) << k; // the divisor, negative
          low = low + less[DIGIT_W-1:0];
          both = (a & b | a & less | b & less) << 1;
          a = a ^ b ^ less;
          b = both;
        end
      // the bits that are used up sum to 0: they carry unless all of them are 0
      up = |(a & ~({WID_W+DIGIT_W+1{1'b1}} << bits));
      a = a >> bits;
      b = b >> bits;
      divide = {a[WID_W:0] + b[WID_W:0] + {{WID_W{1'b0}}, up}, rest};
    end
  endfunction

  // s times a digit from -2 to 2: `one`, `two`, or neither is set; for a negative digit the complement, which
  // lacks 1
  function [STRIDE_W:0] times_digit(input [STRIDE_W-1:0] s, input one, input two, input neg);
    times_digit = ({s[STRIDE_W-1], s} & {STRIDE_W+1{one}} | {s, 1'b0} & {STRIDE_W+1{two}}) ^ {STRIDE_W+1{neg}};
  endfunction

  // s times a number of two digits
  function [TERM_W-1:0] times(input [STRIDE_W-1:0] s, input [1:0] one, input [1:0] two, input [1:0] neg);
    reg [STRIDE_W:0] low, high;
    begin
      low = times_digit(s, one[0], two[0], neg[0]);
      high = times_digit(s, one[1], two[1], neg[1]);
      times = {{TERM_W-STRIDE_W-1{low[STRIDE_W]}}, low} + {high, 2'b00} + {{TERM_W-3{1'b0}}, neg[1], 1'b0, neg[0]};
    end
  endfunction

  wire go = !pf_v_q || pf_ready; // prefetches move
  wire [PT-1:0] hits;            // entries that the load of the event that arrives has

  // --- arrive

  always @(posedge clk)
    if (rst || clear)
      e_v_q <= 1'b0;
    else
      e_v_q <= ev_valid && en;

  always @(posedge clk)
    if (ev_valid && en) begin
      /*@{load_event e_*_q}*/ <= /*@{load_event ev_*}*/;
      e_at_q <= hits;
//@ if CUT
      e_cta_q <= launch_valid && launch_warps[ev_wid] ? launch_cta : cta_q[ev_wid*CTA_W +: CTA_W];
//@ end
    end

//@ if CUT
  // --- CTA slots of the warp slots

  wire [WARPS-1:0] mates;
  generate
    for (e = 0; e < WARPS; e = e + 1) begin : warp
      assign mates[e] = cta_q[e*CTA_W +: CTA_W] == e_cta_q;

      always @(posedge clk)
        if (rst)
          cta_q[e*CTA_W +: CTA_W] <= {CTA_W{1'b0}};
        else if (launch_valid && launch_warps[e])
          cta_q[e*CTA_W +: CTA_W] <= launch_cta;
    end
  endgenerate

//@ end
  // --- look: the entry of the load, which gets one if it is new

  wire          known = |e_at_q;
  wire [PT-1:0] new_at;
  wire [PT-1:0] taken  = {PT{e_v_q && !known}} & new_at;
  wire [PT-1:0] looked = {PT{e_v_q}} & (e_at_q | taken);

//@ if PT > 1
  wire [PT-1:0]    free_at = lowest_entry(~pt_valid_q);
  wire [PT*PT-1:0] older; // bit e*PT + j = entry e gives way before entry j
  wire [PT-1:0]    oldest_at;
  wire [PT_W-1:0]  now_after, now_before;
  generate
    for (e = 0; e < PT; e = e + 1) begin : age
      assign older[e*PT + e] = 1'b1;
      for (j = e + 1; j < PT; j = j + 1) begin : pair
        localparam PAIR = e*(2*PT-e-1)/2 + j-e-1;
        assign older[e*PT + j]  = !pt_lru_q[PAIR];
        assign older[j*PT + e]  = pt_lru_q[PAIR];
        assign now_after[PAIR]  = looked[e];
        assign now_before[PAIR] = looked[j];
      end
      assign oldest_at[e] = &older[e*PT +: PT];
    end
  endgenerate
  assign new_at = |free_at ? free_at : oldest_at;

  always @(posedge clk)
    if (rst)
      pt_lru_q <= {PT_W{1'b0}};
    else
      pt_lru_q <= pt_lru_q & ~now_before | now_after;
//@ else
  assign new_at = 1'b1; // the only entry
//@ end

  always @(posedge clk)
    if (rst || clear)
      pt_valid_q <= {PT{1'b0}};
    else
      pt_valid_q <= pt_valid_q | taken;

  generate
    for (e = 0; e < PT; e = e + 1) begin : load
      // hits of the event that arrives: they include the entry that the event before it takes in this cycle
      assign hits[e] = taken[e] ? ev_pc == e_pc_q : pt_valid_q[e] && pt_pc_q[e*PC_W +: PC_W] == ev_pc;

      always @(posedge clk)
        if (taken[e])
          pt_pc_q[e*PC_W +: PC_W] <= e_pc_q;
    end
  endgenerate

  wire room = drq_count_q != DRQ[DRQN_W-1:0];
  wire push = e_v_q && room;

  always @(posedge clk)
    if (rst || clear)
      l_v_q <= 1'b0;
    else
      l_v_q <= e_v_q;

  always @(posedge clk)
    if (e_v_q) begin
      l_new_q  <= !known;
      l_row_q  <= room;
      l_at_q   <= looked;
      l_wid_q  <= e_wid_q;
//@ if CUT
      l_cta_q  <= e_cta_q;
//@ end
      l_addr_q <= e_addr_q;
    end

  // --- its row of the demand request queue

//@ if prefetch.kind == str
  wire [WARPS-1:0] group = ~({WARPS{1'b1}} << DEGREE) << e_wid_q << 1;
//@ elif GROUPED
  wire [WARPS-1:0] group = e_group_q & ~(WARP_0 << e_wid_q);
//@ else
  wire [WARPS-1:0] group = ~(WARP_0 << e_wid_q);
//@ end
  wire [WID_W-1:0]  row_wid     = e_wid_q;
  wire [ADDR_W-1:0] row_addr    = e_addr_q;
  wire [WARPS-1:0]  row_members = group/*@if CUT*/ & mates/*@end*/;

  assign drq_we    = push;
  assign drq_waddr = drq_tail_q;
  assign drq_wdata = /*@{demand row_*}*/;

  always @(posedge clk)
    if (rst || clear)
      drq_tail_q <= {DRQ_W{1'b0}};
    else if (push)
      drq_tail_q <= drq_tail_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_tail_q + 1'b1;

  // --- select: the entry's old contents, and its new ones

  always @(posedge clk)
    if (rst || clear)
      o_v_q <= 1'b0;
    else
      o_v_q <= l_v_q;

  always @(posedge clk)
    if (l_v_q) begin
      o_new_q      <= l_new_q;
      o_row_q      <= l_row_q;
      o_at_q       <= number_of_entry(l_at_q);
      o_wid_q      <= l_wid_q;
      o_addr_q     <= l_addr_q;
      o_old_wid_q  <= wid_at(l_at_q, pt_wid_q);
      o_old_addr_q <= addr_at(l_at_q, pt_addr_q);
//@ if CUT
      o_far_q      <= cta_at(l_at_q, pt_cta_q) != l_cta_q;
//@ end
    end

  generate
    for (e = 0; e < PT; e = e + 1) begin : last
      always @(posedge clk)
        if (l_v_q && l_at_q[e]) begin
          pt_wid_q[e*WID_W +: WID_W]    <= l_wid_q;
//@ if CUT
          pt_cta_q[e*CTA_W +: CTA_W]    <= l_cta_q;
//@ end
          pt_addr_q[e*ADDR_W +: ADDR_W] <= l_addr_q;
        end
    end
  endgenerate

  // --- differ

  always @(posedge clk)
    if (rst || clear)
      d_v_q <= 1'b0;
    else
      d_v_q <= o_v_q;

  always @(posedge clk)
    if (o_v_q) begin
      d_new_q  <= o_new_q;
      d_row_q  <= o_row_q;
      d_go_q   <= !o_new_q && o_wid_q != o_old_wid_q/*@if CUT*/ && !o_far_q/*@end*/;
      d_at_q   <= o_at_q;
      d_dist_q <= {1'b0, o_addr_q} - {1'b0, o_old_addr_q};
      d_n_q    <= {1'b0, o_wid_q} - {1'b0, o_old_wid_q};
    end

  // --- align: the divisor's twos are removed, and as many low bits of the dividend

  wire [WID_W-1:0]    one   = lowest_one(d_n_q[WID_W-1:0]);
  wire [TWOS_W-1:0]   twos  = number_of_one(one);
  wire [WID_W-1:0]    below = one - 1'b1; // all, if there is none
  wire [STRIDE_W-1:0] shifted = $signed(d_dist_q) >>> twos;
  wire [WID_W-1:0]    half  = $signed(d_n_q[WID_W:1]) >>> twos;

  // --- divide

  wire [DIV_N*STRIDE_W-1:0]     x_next;
  wire [DIV_N*(WID_W+1)-1:0]    c_next;
  wire [(DIV_N+1)*STRIDE_W-1:0] x_in   = {x_next, shifted};
  wire [DIV_N*(WID_W+1)-1:0]    c_in   = {x_c_q[(DIV_N-1)*(WID_W+1)-1:0], {WID_W+1{1'b0}}};
  wire [(DIV_N+1)*WID_W-1:0]    h_in   = {x_h_q[DIV_N*WID_W-1:0], half};
  wire [DIV_N*PTN_W-1:0]        at_in  = {x_at_q[(DIV_N-1)*PTN_W-1:0], d_at_q};
  wire [DIV_N:0]                load_x = {x_v_q[DIV_N-1:0], d_v_q};
  generate
    for (e = 0; e < DIV_N; e = e + 1) begin : digits
      localparam BITS = e == DIV_N - 1 ? ADDR_W - DIGIT_W*e : DIGIT_W;
      wire [STRIDE_W-1:0] x = x_x_q[e*STRIDE_W +: STRIDE_W];
      assign x_next[e*STRIDE_W + ADDR_W] = x[ADDR_W]; // the sign
      assign {c_next[e*(WID_W+1) +: WID_W+1], x_next[e*STRIDE_W +: ADDR_W]} =
        divide(c_in[e*(WID_W+1) +: WID_W+1], x_h_q[e*WID_W +: WID_W], x[ADDR_W-1:0], BITS);

      always @(posedge clk)
        if (x_v_q[e])
          x_c_q[e*(WID_W+1) +: WID_W+1] <= c_next[e*(WID_W+1) +: WID_W+1];

      always @(posedge clk)
        if (load_x[e])
          x_at_q[e*PTN_W +: PTN_W] <= at_in[e*PTN_W +: PTN_W];
    end

    for (e = 0; e < DIV_N + 1; e = e + 1) begin : stage
      always @(posedge clk)
        if (load_x[e]) begin
          x_x_q[e*STRIDE_W +: STRIDE_W] <= x_in[e*STRIDE_W +: STRIDE_W];
          x_h_q[e*WID_W +: WID_W]       <= h_in[e*WID_W +: WID_W];
        end
    end
  endgenerate

  always @(posedge clk)
    if (load_x[DIV_N])
      x_entry_q <= ENTRY_0 << x_at_q[(DIV_N-1)*PTN_W +: PTN_W];

  always @(posedge clk)
    if (rst || clear)
      x_v_q <= {DIV_N+1{1'b0}};
    else
      x_v_q <= load_x;

  always @(posedge clk) begin
    x_new_q  <= x_new_q & ~load_x | {x_new_q[DIV_N-1:0], d_new_q} & load_x;
    x_row_q  <= x_row_q & ~load_x | {x_row_q[DIV_N-1:0], d_row_q} & load_x;
    x_go_q   <= x_go_q & ~load_x | {x_go_q[DIV_N-1:0], d_go_q} & load_x;
    x_rest_q <= x_rest_q & ~load_x | {x_rest_q[DIV_N-1:0], |(d_dist_q[WID_W-1:0] & below)} & load_x;
  end

  // --- store: the quotient's sign bit; the stride, and whether it is the same as before

  wire                store   = x_v_q[DIV_N];
  wire [STRIDE_W-1:0] x_last  = x_x_q[DIV_N*STRIDE_W +: STRIDE_W];
  wire [WID_W:0]      c_last  = x_c_q[(DIV_N-1)*(WID_W+1) +: WID_W+1];
  wire [WID_W-1:0]    h_last  = x_h_q[DIV_N*WID_W +: WID_W];
  wire                sign    = x_last[ADDR_W];
  wire                top     = c_last[0] ^ sign;
  wire [WID_W+1:0]    sum     = {c_last[WID_W], c_last} + ({h_last[WID_W-1], h_last, 1'b1} & {WID_W+2{top}});
  wire                exact   = !x_rest_q[DIV_N] && sum == {{WID_W+1{1'b0}}, sign};
  wire [STRIDE_W-1:0] stride  = {top, x_last[ADDR_W-1:0]};
  wire [PT-1:0]       forgets = {PT{store && x_new_q[DIV_N]}} & x_entry_q;
  wire [PT-1:0]       stores  = {PT{store && x_go_q[DIV_N] && !x_new_q[DIV_N]}} & x_entry_q;
  wire                same    = |(pt_known_q & stores) && exact && stride == stride_at(x_entry_q, pt_stride_q);
  wire                decide  = store && x_row_q[DIV_N];

  always @(posedge clk)
    pt_known_q <= pt_known_q & ~forgets & ~stores | stores & {PT{exact}};

  generate
    for (e = 0; e < PT; e = e + 1) begin : result
      always @(posedge clk)
        if (stores[e])
          pt_stride_q[e*STRIDE_W +: STRIDE_W] <= stride;
    end

    for (e = 0; e < DRQ; e = e + 1) begin : outcome
      localparam PLACE = e;
      always @(posedge clk)
        if (decide && drq_done_q == PLACE[DRQ_W-1:0])
          drq_match_q[e] <= same;
    end
  endgenerate

  assign drq_s_we    = decide;
  assign drq_s_waddr = drq_done_q;
  assign drq_s_wdata = stride;

  always @(posedge clk)
    if (rst || clear)
      drq_done_q <= {DRQ_W{1'b0}};
    else if (decide)
      drq_done_q <= drq_done_q == DRQ_LAST[DRQ_W-1:0] ? {DRQ_W{1'b0}} : drq_done_q + 1'b1;
//@ part sap_prefetch
