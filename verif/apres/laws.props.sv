//@ # Properties of LAWS (docs/mechanisms/laws.md): the picks, the warps of a group, and how moves change the order of any two warps.
//@ small sm.warps=8 sm.ctas=2 sm.schedulers=2 sm.pc_bits=8 PC_W=3 laws.groups=2

  (* anyconst *) reg [WID_W-1:0] a, c; // any two warps of a scheduler
  (* anyconst *) reg [WGT_W-1:0] entry; // any entry
  two_warps:  assume property (a < WARPS && c < WARPS && a < c && a % SCHEDS == c % SCHEDS);
  some_entry: assume property (entry < WGT);
  gid:        assume property (!fb_valid || fb_gid <= WGT);
  is_warp:    assume property (load_wid < WARPS);
//@ if OTHERS
  fb_warp:    assume property (fb_wid < WARPS);
//@ end

//@ if PICKS
  wire [WARPS-1:0] can = ready & ~withhold;
//@ else
  wire [WARPS-1:0] can = ready;
//@ end
  wire             s      = a % SCHEDS;
  wire             picks  = pick_valid[s];
  wire [WID_W-1:0] picked = pick_wid[s*WID_W +: WID_W];
  integer w;
  reg [WARPS-1:0] mine;
  always @*
    for (w = 0; w < WARPS; w = w + 1)
      mine[w] = w % SCHEDS == s;

  // The order of the two warps. a_first: a is nearer to the head.
  wire             fb    = fb_valid && fb_gid != 0;
  wire [WARPS-1:0] group = wgt_q[(fb_gid - 1)*WARPS +: WARPS];
  reg [WARPS-1:0]  to_tail;
  always @* begin
    to_tail = group;
//@ if laws.on_miss == others
    to_tail[fb_wid] = 1'b0;
//@ elif laws.on_miss == nobody
    to_tail = 0;
//@ end
  end
  reg a_first, a_next;
  always @* begin
    a_next = a_first;
    if (fb && fb_hit && group[a] != group[c])
      a_next = group[a];
    if (fb && !fb_hit && to_tail[a] != to_tail[c])
      a_next = to_tail[c];
//@ if GROUPED
    if (tgt_valid && (tgt_wid == a || tgt_wid == c))
      a_next = tgt_wid == a;
//@ end
  end

  // The last loads of the two warps; the entry's load, if it is of warp a.
  reg known_a, known_c;
  reg [PC_W-1:0] pc_a, pc_c;
  reg forms, formed, with_c, had_a; // a load of a got the entry: in the last cycle; earlier; c belongs to its group
  reg [PC_W-1:0] had_pc;
  always @(posedge clk) begin
    a_first <= rst || a_next;
    known_a <= !rst && !(launch_valid && launch_warps[a]) && (known_a || (load_valid && load_wid == a));
    known_c <= !rst && !(launch_valid && launch_warps[c]) && (known_c || (load_valid && load_wid == c));
    if (load_valid && load_wid == a)
      pc_a <= load_pc;
    if (load_valid && load_wid == c)
      pc_c <= load_pc;
    forms  <= !rst && load_valid && load_wid == a && load_gid == entry + 1;
    had_a  <= known_a;
    had_pc <= pc_a;
    formed <= !rst && (forms || formed) && !(load_valid && load_gid == entry + 1) && !(fb_valid && fb_gid == entry + 1);
    if (forms)
      with_c <= had_a && known_c && pc_c == had_pc;
  end
  once: assume property (fb && fb_gid == entry + 1 |-> wgt_valid_q[entry] && !forms);

  picks_ready: assert property (picks |-> can[picked] && mine[picked]);
  else_zero:   assert property (!picks |-> picked == 0);
  never_idles: assert property (|(can & mine) |-> picks);
//@ if !PREFERS
  in_order:    assert property (en && can[a] && can[c] |-> picked != (a_first ? c : a));
//@ end
  gets_free:   assert property (load_gid == entry + 1 |-> !wgt_valid_q[entry]);
  lowest:      assert property (load_gid == entry + 1 && entry != 0 |-> wgt_valid_q[0]);
  none_free:   assert property (load_gid == 0 |-> &wgt_valid_q);
  in_range:    assert property (load_gid <= WGT);
  its_warp:    assert property (formed |-> wgt_q[entry*WARPS + a]);
  same_load:   assert property (formed |-> wgt_q[entry*WARPS + c] == with_c);
//@ if GROUPED
  miss_told:   assert property (miss_valid == (en && fb && !fb_hit));
  miss_whom:   assert property (miss_group == (miss_valid ? group : {WARPS{1'b0}}));
//@ end

  // For the induction: the tables and the order.
  state_a:     assert property (llt_valid_q[a] == known_a && (!known_a || llt_q[a*PC_W +: PC_W] == pc_a));
  state_c:     assert property (llt_valid_q[c] == known_c && (!known_c || llt_q[c*PC_W +: PC_W] == pc_c));
  state_group: assert property (forms |-> g_valid_q && g_at_q == entry && g_wid_q == a && g_known_q == had_a && (!had_a || g_pc_q == had_pc));
  state_other: assert property (formed |-> !(g_valid_q && g_at_q == entry) && wgt_valid_q[entry]);
  state_taken: assert property (forms |-> wgt_valid_q[entry]);
  // A scheduler has four places: pair (i, j) is bit i * (7 - i) / 2 + j - i - 1 of its bits.
  wire [7:0] i = a / SCHEDS, j = c / SCHEDS;
  state_order: assert property (before_q[s*6 + i*(8'd7 - i)/2 + j - i - 1] == !a_first);
