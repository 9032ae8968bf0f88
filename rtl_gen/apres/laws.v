//@ # The locality-aware warp scheduler: loads, groups, feedback. Spec: docs/mechanisms/laws.md.
//@ #
//@ # To move a group to the tail is to move all others to the head, so the queue has one kind of move. Warps and
//@ # entries are one-hot or sets of bits everywhere but in registers and at ports.
//@ #
//@ # The queue has two forms. Both find `up`, the warps that go before all others in this cycle (all or none: no move);
//@ # with SAP the target at the ports goes before even these. The list moves once for all schedulers, the matrix in each.
//@ keys laws.queue laws.on_miss
//@ part sm/scheduler
//@ part laws_matrix
//@ part laws_list

  localparam OWN_W = WID_W - MEMBER_W; // the low bits of a warp's id: its scheduler
  localparam [WARPS-1:0] WARP_0 = 1;
//@ if WGT > 1
  localparam [WGT-1:0]   ENTRY_0 = 1;
//@ end
  genvar s, m, b, w, e/*@if !MATRIX*/, k/*@end*/;
//@ lowest lowest MEMBERS
//@ number number MEMBERS MEMBER_W
//@ if WGT > 1
//@ lowest lowest_group WGT
//@ number number_of_entry WGT WGT_W
//@ end
//@ number number_of_gid (WGT+1) GID_W
//@ pick pick_pc WARPS PC_W
//@ pick pick_group WGT WARPS
//@ if !MATRIX
//@ part laws_list_functions
//@ end

  // --- last load table

  wire [WARPS-1:0] load_at = {WARPS{load_valid}} & (WARP_0 << load_wid);
  wire [WARPS-1:0] starts  = {WARPS{launch_valid}} & launch_warps;
//@ if storage.laws_llt == latch
  assign llt_we    = load_at;
  assign llt_wdata = load_pc;
//@ else
  generate
    for (w = 0; w < WARPS; w = w + 1) begin : last_load
      always @(posedge clk)
        if (load_at[w])
          llt_q[w*PC_W +: PC_W] <= load_pc;
    end
  endgenerate
//@ end

  always @(posedge clk)
    if (rst)
      llt_valid_q <= {WARPS{1'b0}};
    else
      llt_valid_q <= (llt_valid_q | load_at) & ~starts;

  // --- warp group table: a load takes an entry, the next cycle fills it, its feedback frees it

  wire [WGT-1:0] free_at = /*@if WGT > 1*/lowest_group(~wgt_valid_q)/*@else*/~wgt_valid_q/*@end*/;
  wire [WGT-1:0] taken   = {WGT{load_valid}} & free_at;
  wire [WGT-1:0] decided;

  assign load_gid = number_of_gid({free_at, 1'b0});

  always @(posedge clk)
    if (rst)
      wgt_valid_q <= {WGT{1'b0}};
    else
      wgt_valid_q <= (wgt_valid_q | taken) & ~decided;

  always @(posedge clk)
    if (rst)
      g_valid_q <= 1'b0;
    else
      g_valid_q <= |taken;

  always @(posedge clk)
    if (|taken) begin
      g_known_q <= |(load_at & llt_valid_q);
      g_pc_q    <= pick_pc(load_at, llt_q);
      g_wid_q   <= load_wid;
//@ if WGT > 1
      g_at_q    <= number_of_entry(free_at);
//@ end
    end

  // the warps whose last load is the one that the load's warp had loaded before, and that warp
  wire [WARPS-1:0] same;
  generate
    for (w = 0; w < WARPS; w = w + 1) begin : search
      assign same[w] = llt_valid_q[w] && llt_q[w*PC_W +: PC_W] == g_pc_q;
    end
  endgenerate
  wire [WARPS-1:0] formed = {WARPS{g_known_q}} & same | WARP_0 << g_wid_q;
  wire [WGT-1:0]   form   = /*@if WGT > 1*/{WGT{g_valid_q}} & (ENTRY_0 << g_at_q)/*@else*/g_valid_q/*@end*/;
  generate
    for (e = 0; e < WGT; e = e + 1) begin : entry
      localparam NUMBER = e + 1;
      assign decided[e] = fb_valid && fb_gid == NUMBER[GID_W-1:0];

      always @(posedge clk)
        if (form[e])
          wgt_q[e*WARPS +: WARPS] <= formed;
    end
  endgenerate

//@ if laws.on_miss == nobody
  // --- feedback: the group goes to the head, or no warp moves
//@ else
  // --- feedback: the group goes to the head, or all others do
//@ end

  wire [WARPS-1:0] group = pick_group(decided, wgt_q);
//@ if laws.on_miss == group
  wire [WARPS-1:0] up    = group ^ {WARPS{!fb_hit}};
//@ elif laws.on_miss == others
  wire [WARPS-1:0] stays = {WARPS{!fb_hit}} & (WARP_0 << fb_wid); // the warp that missed keeps its place
  wire [WARPS-1:0] up    = group & ~stays ^ {WARPS{!fb_hit}};
//@ else
  wire [WARPS-1:0] up    = group & {WARPS{fb_hit}};
//@ end
//@ if GROUPED

  assign miss_valid = en && fb_valid && |fb_gid && !fb_hit;
  assign miss_group = {WARPS{miss_valid}} & group;
//@ end
//@ if !MATRIX
  /*@list_queue*/
//@ elif GROUPED

  wire [WARPS-1:0] target = {WARPS{tgt_valid}} & (WARP_0 << tgt_wid);
//@ end

  // --- the schedulers: each sees its own warps, at their places

  generate
    for (s = 0; s < SCHEDS; s = s + 1) begin : scheduler
      /*@mine*/
      /*@lrr(lrr_at, )*/
//@ if PREFERS
      /*@lrr(lrr_at, _preferred)*/
//@ end
//@ if MATRIX
      /*@matrix_queue*/
//@ if ORDER_X
      /*@matrix_last*/
//@ end
      /*@matrix_pick()*/
//@ if PREFERS
      /*@matrix_pick(_preferred)*/
//@ end
      /*@picked(number(en ? queue_at : lrr_at), number(en ? queue_at_preferred : lrr_at_preferred), |mine)*/
//@ else
      /*@list_pick()*/
//@ if PREFERS
      /*@list_pick(_preferred)*/
//@ end
      /*@picked(en ? queue_place : number(lrr_at), (en ? queue_place_preferred : number(lrr_at_preferred)), |mine)*/
//@ end
    end
  endgenerate
