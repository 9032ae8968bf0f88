//@ # Properties of APCM at the L1D (docs/mechanisms/apcm.md), for any request and any way of any set.
//@ small sm.warps=8 apcm.loads=4 l1d.sets=2 l1d.ways=2

  (* anyconst *) reg [SET_W-1:0] set;
  (* anyconst *) reg [0:0]       way;

  // The pattern of the request in c. Ids are below LAT, warps below WARPS.
  wire known     = apcm_en && look_valid && look_trk && !look_write;
  wire [LID_W-1:0] until = m_last[look_lid*LID_W +: LID_W];
  wire may       = !psb_on[look_wid] || (psb_last[look_wid*LID_W +: LID_W] == until && psb_loop[look_wid] == (until == look_lid));
  reg past, adv, bypass, keep, was_bypass, was_keep;
  reg d_there, e_there, d_keep, e_keep;   // a request is in d, in e; it protects its line
  reg [LID_W-1:0] d_until, e_until;
  // A line that a load took to protect it, and its owner, by OUTCOME; the row written and the row read in the last cycle.
  reg             mine;
  reg [WID_W-1:0] owner;
  reg             took, read;
  reg [SET_W-1:0] took_set, read_set;
  reg [WAYS-1:0]  took_at;
  reg [WID_W-1:0] took_wid;
  wire at = outcome_set == set && outcome_at[way];
  always @(posedge clk) begin
    past       <= !rst;
    adv        <= !rst && late_advance;
    was_bypass <= advice_bypass;
    was_keep   <= pin_new;
    d_there    <= !rst && (d_there || late_advance);
    e_there    <= !rst && d_there;
    e_keep     <= d_keep;
    e_until    <= d_until;
    if (late_advance) begin
      bypass  <= known && m_bypass[look_lid];
      keep    <= known && m_protect[look_lid] && may;
      d_keep  <= known && m_protect[look_lid] && may;
      d_until <= until;
    end
    took     <= !rst && late_take != 0;
    took_set <= decide_set;
    took_at  <= late_take;
    took_wid <= decide_wid;
    read     <= !rst && late_read;
    read_set <= late_set;
    if (rst)
      mine <= 1'b0;
    else if (outcome_take && at) begin
      mine  <= e_keep;
      owner <= outcome_wid;
    end else if (outcome_write && at)
      mine <= 1'b0;
  end

  // The owner protects a line now, or from the next cycle on.
  wire protects = psb_on[owner] || (ps_valid && ps_wid == owner);
  wire told     = at && (outcome_take || outcome_write);
  wire wrote    = took && took_set == set && took_at[way];

  a_warp:   assume property (look_wid < WARPS && decide_wid < WARPS && outcome_wid < WARPS);
  a_load:   assume property (look_lid < LAT && outcome_lid < LAT);
  of_a_set: assume property (way < WAYS);
  one_way:  assume property ((late_take & (late_take - 1)) == 0 && (late_take == 0 || d_there));
  in_e:     assume property (outcome_take == took);
  of_it:    assume property (took |-> outcome_set == took_set && outcome_at == took_at && outcome_wid == took_wid);
  in_c:     assume property (look_valid |-> read && look_set == read_set);

  stays:    assert property (past && !adv |-> pin_new == was_keep);
//@ if APCM_B
  bypasses: assert property (past |-> advice_bypass == (adv ? bypass : was_bypass));
//@ end
  keeps:    assert property (past && adv |-> pin_new == keep);
//@ if KEPT
  same_way: assert property (advice_keep == pin_new);
//@ end
  begins:   assert property (ps_valid == (outcome_take && e_keep));
  ends_by:  assert property (ps_valid |-> ps_wid == outcome_wid && ps_last == e_until && ps_loop == (e_until == outcome_lid));
  new_pin:  assert property (look_valid && look_set == set && told |-> pins[way] == (outcome_take && e_keep));
  pinned:   assert property (look_valid && look_set == set && !told && mine && protects |-> pins[way]);
  not_mine: assert property (look_valid && look_set == set && !told && !(mine && protects) |-> !pins[way]);

  // For the induction: the registers for the requests in d and in e, for the line, and for its owner as written and read.
  reg [WID_W-1:0] row, got;
  always @* begin
    row = {WID_W{1'b0}};
    got = {WID_W{1'b0}};
//@ for w WAYS
    if (way == /*@w*/) begin
      row = owner_/*@w*/_rows[set*WID_W +: WID_W];
      got = owner_/*@w*/_rdata;
    end
//@ end
  end
  state_d:    assert property (d_there |-> d_keep_q == d_keep && d_final_q == d_until);
  state_e:    assert property (e_there |-> e_keep_q == e_keep && e_final_q == e_until);
  state_line: assert property (prot_q[set*WAYS + way] == mine);
  state_took: assert property (wrote |-> row == took_wid);
  state_row:  assert property (mine && !wrote |-> row == owner);
  state_read: assert property (read && read_set == set && mine && !wrote |-> got == owner);
