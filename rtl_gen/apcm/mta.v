//@ # The monitor tag array. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # All possible results of an access are computed for each way beside the comparison of tags, and then selected: which way
//@ # matches, if any, is known last. Ways are one-hot, a set is a number. A word is its tag, which the access knows, above
//@ # its body.
//@ #
//@ # Sets are rows of a RAM; with one set only (MTA_FA) its words are registers.
//@ keys apcm.manage apcm.ways
//@ #
//@ # Set and way of the entry with number e. Where ways are no power of two, functions divide.
//@ def set(e)
//@ if MTA_WAYS & MTA_WAYS - 1
set_of(/*@e*/)
//@ elif MTA_WAYS > 1
/*@e*/[MTA_N_W-1:MTA_WAY_W]
//@ else
/*@e*/
//@ end
//@ end
//@ #
//@ def way(e)
//@ if MTA_FA
/*@e*/
//@ elif MTA_WAYS & MTA_WAYS - 1
way_of(/*@e*/)
//@ else
/*@e*/[MTA_WAY_W-1:0]
//@ end
//@ end
//@ #
//@ # The function for one of them: i is the set, j the way.
//@ def division(name, part, width)

  function [/*@width*/-1:0] /*@name*/(input [MTA_N_W-1:0] e);
    reg [MTA-1:0] at;
    integer i, j;
    begin
      at = ENTRY_0 << e;
      /*@name*/ = 0;
      for (i = 0; i < MTA_SETS; i = i + 1)
        for (j = 0; j < MTA_WAYS; j = j + 1)
          /*@name*/ = /*@name*/ | ({/*@width*/{at[i*MTA_WAYS + j]}} & /*@part*/[/*@width*/-1:0]);
    end
  endfunction
//@ end

  localparam BODY_W = MTA_W - MTA_TAG_W;
  localparam [MTA-1:0] ENTRY_0 = 1;
//@ if !MTA_FA
  localparam [MTA_SETS-1:0] SET_0 = 1;
//@ end
//@ if MTA_WAYS > 1
  localparam [MTA_WAYS-1:0] WAY_0 = 1;
//@ end
  genvar s, w;
//@ if MTA_WAYS > 1 && !MTA_FA
//@ number number MTA_WAYS MTA_WAY_W
//@ pick pick_next MTA_SETS MTA_WAY_W
//@ end
//@ if !MTA_FA
//@ pick pick_ways MTA_SETS MTA_WAYS
//@ end
//@ pick pick_body MTA_WAYS BODY_W
//@ if !MTA_FA && MTA_WAYS & MTA_WAYS - 1
  /*@division(set_of, i, MTA_SET_W)*/
  /*@division(way_of, j, MTA_WAY_W)*/
//@ end

  // a body after one more access/*@if APCM_P*/, by load lid if `by`/*@end*/
  function [BODY_W-1:0] used(input [BODY_W-1:0] old, input mine/*@if APCM_P*/, by, input [LID_W-1:0] lid/*@end*/);
    reg more;
    begin
      more = !(&old[RR_W +: RR_W]);
//@ if APCM_P
      used = {old[2*RR_W + LAST_W +: LID_W], by ? lid : old[2*RR_W +: LAST_W],
//@ else
      used = {old[2*RR_W +: LID_W],
//@ end
              old[RR_W +: RR_W] + {{RR_W-1{1'b0}}, more},
              old[0 +: RR_W] + {{RR_W-1{1'b0}}, mine && more}};
    end
  endfunction

  // --- the warp that is monitored, and the scan that reads the entries out after it

  localparam SCAN_LAST = MTA - 1;
  wire begins = acc_valid && acc_trk && !mon_q && !over_q;
  wire leaves = mon_q && exit[mon_wid_q];
  wire ends   = scan_at_q == SCAN_LAST[MTA_N_W-1:0];

  always @(posedge clk)
    if (rst || clear) begin
      mon_q  <= 1'b0;
      over_q <= 1'b0;
      scan_q <= 1'b0;
    end else begin
      mon_q  <= begins || mon_q && !leaves;
      over_q <= over_q || leaves;
      scan_q <= leaves || scan_q && !ends;
    end

  always @(posedge clk)
    if (begins && !clear)
      mon_wid_q <= acc_wid;

  always @(posedge clk)
    if (rst || clear)
      scan_at_q <= {MTA_N_W{1'b0}};
    else if (scan_q || leaves)
      scan_at_q <= ends || leaves ? {MTA_N_W{1'b0}} : scan_at_q + 1'b1;

  // --- take: an access is looked up, or an entry is read out, in the next cycle

  always @(posedge clk)
    if (rst || clear)
      m_valid_q <= 1'b0;
    else
      m_valid_q <= acc_valid && (mon_q || begins) || scan_q;

  always @(posedge clk) begin
    m_scan_q  <= scan_q;
    m_mine_q  <= begins || acc_wid == mon_wid_q;
    m_trk_q   <= acc_trk;
    m_lid_q   <= acc_lid;
    m_two_q   <= acc_two;
    m_line_q  <= acc_line;
    m_count_q <= acc_count/*@if APCM_O*/ & {RR_W{!acc_own}}/*@end*/;
    m_at_q    <= scan_at_q;
  end
//@ if !MTA_FA

  assign entry_re    = 1'b1;
  assign entry_raddr = scan_q ? /*@set(scan_at_q)*/ : acc_line[MTA_SET_W-1:0];
//@ end

  // --- look
  //@ # The words of the set: which are in use, which have the tag of the access, and their bodies.
  //@ # The word written in the last cycle is compared beside the rows, and only then replaces one of them.

  wire [MTA_TAG_W-1:0]       tag = m_line_q[LINE_W-1:MTA_SET_W];
  wire [MTA_WAYS-1:0]        held, same;
  wire [MTA_WAYS*BODY_W-1:0] bodies;
//@ if !MTA_FA
  wire [MTA_SET_W-1:0]       set     = m_line_q[MTA_SET_W-1:0];
  wire [MTA_SETS-1:0]        set_at  = SET_0 << set;
  wire [MTA_WAYS-1:0]        last_at = /*@if MTA_WAYS > 1*/WAY_0 << w_way_q/*@else*/1'b1/*@end*/;
  wire asked_last = w_valid_q && w_set_q == set; // the RAM's row is out of date
  wire read_last  = w_valid_q && w_set_q == /*@set(m_at_q)*/;
  wire body_last  = m_scan_q ? read_last : asked_last;
  wire same_last  = w_word_q[BODY_W +: MTA_TAG_W] == tag;
  assign held = pick_ways(set_at, valid_q);
  generate
    for (w = 0; w < MTA_WAYS; w = w + 1) begin : row
      wire [MTA_W-1:0] word = entry_rdata[w*MTA_W +: MTA_W];
      assign same[w] = asked_last && last_at[w] ? same_last : word[BODY_W +: MTA_TAG_W] == tag;
      assign bodies[w*BODY_W +: BODY_W] = body_last && last_at[w] ? w_word_q[0 +: BODY_W]
                                                                  : word[0 +: BODY_W];
    end
  endgenerate
//@ else
  assign held = valid_q;
  generate
    for (w = 0; w < MTA_WAYS; w = w + 1) begin : row
      wire [MTA_W-1:0] word = word_q[w*MTA_W +: MTA_W];
      assign same[w] = word[BODY_W +: MTA_TAG_W] == tag;
      assign bodies[w*BODY_W +: BODY_W] = word[0 +: BODY_W];
    end
  endgenerate
//@ end
//@ # `match` does not depend on whether the pipeline holds an access: that is checked beside it.

  wire asks  = m_valid_q && !m_scan_q;
  wire reads = m_valid_q && m_scan_q;
  wire may   = asks && m_mine_q && m_trk_q && m_two_q; // allocate

  wire [MTA_WAYS-1:0]        match = held & same;
  wire [MTA_WAYS-1:0]        enough;
  wire [MTA_WAYS*BODY_W-1:0] grown;
  generate
    for (w = 0; w < MTA_WAYS; w = w + 1) begin : grow
      wire [BODY_W-1:0] body = used(bodies[w*BODY_W +: BODY_W], m_mine_q/*@if APCM_P*/, m_mine_q && m_trk_q, m_lid_q/*@end*/);
      assign enough[w] = body[RR_W +: RR_W] >= /*@if APB*/apcm_threshold/*@else*/ENOUGH[RR_W-1:0]/*@end*/;
      assign grown[w*BODY_W +: BODY_W] = body;
    end
  endgenerate
  wire found = |match;
  wire hit   = asks && found;
  wire takes = may && !found;
//@ # The way that an access allocates: the first empty one, else the one whose turn it is. The way whose entry leaves:
//@ # the same, or the one that is read out. The ways of a set come into use from the lowest up. Once the scan has begun, none
//@ # is allocated until all have left. So the first empty way is the one above a way in use, and a set is full if its highest
//@ # way is in use.

  wire                full = held[MTA_WAYS-1];
//@ if MTA_WAYS == 1
  wire                victim_at = 1'b1; // the only way
  wire                gone_at   = 1'b1;
//@ else
  wire [MTA_WAYS-1:0] turn_at   = WAY_0 << /*@if MTA_FA*/next_q/*@else*/pick_next(set_at, next_q)/*@end*/;
  wire [MTA_WAYS-1:0] empty_at  = ~held & {held[MTA_WAYS-2:0], 1'b1}; // used from the lowest up
  wire [MTA_WAYS-1:0] victim_at = full ? turn_at : empty_at;
  wire [MTA_WAYS-1:0] gone_at   = m_scan_q ? WAY_0 << /*@way(m_at_q)*/ : turn_at;
//@ end
  wire [BODY_W-1:0]   gone_body = pick_body(gone_at, bodies);
  wire [BODY_W-1:0]   hit_body  = pick_body(match, grown);
  wire [BODY_W-1:0]   new_body  = {m_lid_q/*@if APCM_P*/, m_lid_q/*@end*/, m_count_q + {{RR_W-1{1'b0}}, !(&m_count_q)},
                                   {RR_W-1{1'b0}}, 1'b1};

  // --- a pattern is known: to the table

  wire [MTA-1:0] read_at = {MTA{reads}} & (ENTRY_0 << m_at_q);
  wire           known   = asks && |(match & enough) || takes && full || |(read_at & valid_q);

  always @(posedge clk)
    if (rst || clear)
      u_valid_q <= 1'b0;
    else
      u_valid_q <= known;

  always @(posedge clk)
    if (known && !clear)
      {u_id_q,/*@if APCM_P*/ u_last_q,/*@end*/ u_count_q, u_intra_q} <= hit ? hit_body : gone_body;

  assign up_valid = u_valid_q;
  assign up_id    = u_id_q;
//@ if APCM_P
  assign up_last  = u_last_q;
//@ end
  assign up_count = u_count_q;
  assign up_intra = u_intra_q;

  // --- written
  //@ # The word that an access writes: into registers, where hit or miss is known early, or into the RAM; the RAM's is also kept for
  //@ # the next access.

  wire [MTA_WAYS-1:0] grows = match & {MTA_WAYS{asks && !clear}};
  wire [MTA_WAYS-1:0] comes = {MTA_WAYS{takes}} & victim_at & {MTA_WAYS{!clear}};
//@ if MTA_FA
  generate
    for (w = 0; w < MTA_WAYS; w = w + 1) begin : entry
      always @(posedge clk)
        if (comes[w])
          word_q[w*MTA_W +: MTA_W] <= {tag, new_body};
        else if (grows[w])
          word_q[w*MTA_W +: BODY_W] <= grown[w*BODY_W +: BODY_W];
    end
  endgenerate
//@ else

  assign entry_we    = grows | comes;
  assign entry_waddr = set;
  assign entry_wdata = {tag, found ? hit_body : new_body};

  always @(posedge clk)
    if (rst || clear)
      w_valid_q <= 1'b0;
    else
      w_valid_q <= hit || may;

  always @(posedge clk)
    if ((hit || may) && !clear) begin
      w_set_q  <= set;
//@ if MTA_WAYS > 1
      w_way_q  <= found ? number(match) : number(victim_at);
//@ end
      w_word_q <= entry_wdata;
    end
//@ end

  // --- sets
  //@ # Which entries are in use, and the next victim of each set.

//@ if MTA_WAYS & MTA_WAYS - 1
  localparam WAY_LAST = MTA_WAYS - 1;
//@ end
  generate
    for (s = 0; s < MTA_SETS; s = s + 1) begin : sets
      wire [MTA_WAYS-1:0] goes = read_at[s*MTA_WAYS +: MTA_WAYS];
      wire [MTA_WAYS-1:0] old  = valid_q[s*MTA_WAYS +: MTA_WAYS];

      always @(posedge clk)
        if (rst || clear)
          valid_q[s*MTA_WAYS +: MTA_WAYS] <= {MTA_WAYS{1'b0}};
        else
          valid_q[s*MTA_WAYS +: MTA_WAYS] <= old & ~goes | /*@if !MTA_FA*/{MTA_WAYS{set_at[s]}} & /*@end*/comes;
//@ if MTA_WAYS > 1

      wire [MTA_WAY_W-1:0] place = next_q[s*MTA_WAY_W +: MTA_WAY_W];

      always @(posedge clk)
        if (rst || clear)
          next_q[s*MTA_WAY_W +: MTA_WAY_W] <= {MTA_WAY_W{1'b0}};
        else if (takes && full/*@if !MTA_FA*/ && set_at[s]/*@end*/)
          next_q[s*MTA_WAY_W +: MTA_WAY_W] <= /*@if MTA_WAYS & MTA_WAYS - 1*/place == WAY_LAST[MTA_WAY_W-1:0] ? {MTA_WAY_W{1'b0}} : /*@end*/place + 1'b1;
//@ end
    end
  endgenerate
