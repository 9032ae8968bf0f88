//@ # Properties of MSHRs and answers (docs/mechanisms/l1d.md). The marked load is any load: only it has slot 1.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l1d.ways=2 l1d.mshrs=2 l1d.mshr_merge=2 l1d.miss_queue=2 LINE_W=3 WORDS=1

  (* anyconst *) reg [MSHR_W-1:0] id;
  an_mshr: assume property (id < MSHRS);

  wire taken  = req_valid && req_ready;
  wire sent   = mreq_valid && mreq_ready;
  wire back   = mrsp_valid && mrsp_ready;
  wire told   = resp_valid && resp_ready;
  wire marked = !req_write && req_slot == 1;

  reg [MSHRS-1:0] out;       // fills that were requested and have not come back
  reg [3:0]       stores;    // number of stores that the memory has not acknowledged
  reg             in, ended; // the marked load has been taken; has been answered
  reg             past, was_waiting;
  reg [LINE_W-1:0]  was_line;
  reg [MERGE_W-1:0] was_count;
  integer i;
  always @(posedge clk) begin
    for (i = 0; i < MSHRS; i = i + 1)
      out[i] <= !rst && (out[i] ? !(back && mrsp_kind == 0 && mrsp_id == i) : sent && mreq_kind == 0 && mreq_id == i);
    stores      <= rst ? 4'd0 : stores + (sent && mreq_kind == 2) - (back && mrsp_kind == 2);
    in          <= !rst && (in || (taken && marked));
    ended       <= !rst && (ended || (told && !resp_write && resp_slot == 1));
    past        <= !rst;
    was_waiting <= mshr_wait_q[id];
    was_line    <= mshr_line_q[id*LINE_W +: LINE_W];
    was_count   <= mshr_count_q[id*MERGE_W +: MERGE_W];
  end

  no_flush:   assume property (!flush);
  one_marked: assume property (req_valid && req_slot == 1 |-> !req_write && !in);
  fill_of:    assume property (mrsp_valid |-> (mrsp_kind == 0 ? out[mrsp_id] : mrsp_kind == 2 && stores != 0));
  no_slot:    assume property (mrsp_valid |-> mrsp_slot == 0);

  waits_for_one: assert property (past && was_waiting && mshr_wait_q[id] |-> mshr_line_q[id*LINE_W +: LINE_W] == was_line);
  only_grows:    assert property (past && was_waiting && mshr_wait_q[id] |-> mshr_count_q[id*MERGE_W +: MERGE_W] - was_count <= 1);
  asked_once:    assert property (sent && mreq_kind == 0 |-> !out[mreq_id] && mshr_wait_q[mreq_id]);
  free_known:    assert property (m_free_q == !(&mshr_wait_q));
  answered_once: assert property (told && !resp_write && resp_slot == 1 |-> in && !ended);

  // For the induction. Each MSHR that waits has one place: the miss queue, the memory's port, the memory, or f. The marked load has one
  // place: the pipeline, an MSHR's loads, or the response register; or it is answered.
//@ each mreq e
  reg [/*@e_width*/-1:0] e_/*@e*/;
//@ end
//@ each target t
  reg [/*@t_width*/-1:0] t_/*@t*/, now_/*@t*/;
//@ end
  reg [MSHRS-1:0] waits; // the MSHR waits and is not being answered
  reg [3:0]       places, marks;
  reg             ring, placed, counts, apart, known, answers;
  integer m, n, o;
  always @* begin
    ring    = (mq_head_q + mq_count_q) % MQ == mq_tail_q;
    placed  = 1'b1;
    counts  = 1'b1;
    apart   = 1'b1;
    known   = 1'b1;
    answers = 1'b1;
    waits   = mshr_wait_q;
    marks   = (a_count_q > 0 && !a0_write_q && a0_slot_q == 1) + (a_count_q > 1 && !a1_write_q && a1_slot_q == 1)
              + (c_valid_q && !c_write_q && c_slot_q == 1/*@if PREF*/ && !c_pf_q/*@end*/)
              + (d_valid_q && !d_write_q && d_slot_q == 1/*@if PREF*/ && !d_pf_q/*@end*/) + (resp_v_q && !r_write_q && r_slot_q == 1);
    /*@{target now_*}*/ = merged_rdata;
    for (m = 0; m < MSHRS; m = m + 1) begin
      places = out[m] + (mo_valid_q && mreq_kind == 0 && mreq_id == m) + (f_valid_q && f_kind_q == 0 && f_id_q == m);
//@ if BEHIND
      places = places + (g_valid_q && g_kind_q == 0 && g_id_q == m);
//@ end
      for (o = 0; o < MQ; o = o + 1) begin
        /*@{mreq e_*}*/ = mq_rows[((mq_head_q + o) % MQ)*$bits(mq_rdata) +: $bits(mq_rdata)];
        places = places + (o < mq_count_q && e_kind == 0 && e_id == m);
      end
      placed = placed && places == mshr_wait_q[m];
      if (f_valid_q && !f_commit_q/*@if FILL*/ && !f_ask_q/*@end*/ && f_kind_q == 0 && f_id_q == m)
        waits[m] = 1'b0;
      counts = counts && !(mshr_wait_q[m] && (mshr_count_q[m*MERGE_W +: MERGE_W] > MERGE/*@if !PREF*/ || mshr_count_q[m*MERGE_W +: MERGE_W] == 0/*@end*/));
      for (o = 0; o < MERGE; o = o + 1) begin
        /*@{target t_*}*/ = merged_rows[(m*MERGE + o)*$bits(merged_rdata) +: $bits(merged_rdata)];
        if (mshr_wait_q[m] && o < mshr_count_q[m*MERGE_W +: MERGE_W] && (waits[m] || o >= f_pos_q))
          marks = marks + (t_slot == 1);
        if (mshr_wait_q[m] && !waits[m] && o == f_pos_q)
          answers = answers && {/*@{target t_*}*/} == {/*@{target now_*}*/};
      end
      if (mshr_wait_q[m] && !waits[m])
        answers = answers && f_count_q == mshr_count_q[m*MERGE_W +: MERGE_W] && f_pos_q < f_count_q;
      known = known && d_mshr_eq_q[m] == (d_valid_q && waits[m] && mshr_line_q[m*LINE_W +: LINE_W] == d_line_q
                                          /*@if SECTOR_FILL*/&& d_sectors_q[mshr_sector_q[m*SECTOR_W +: SECTOR_W]]/*@end*/);
    end
    for (m = 0; m < MSHRS; m = m + 1)
      for (n = 0; n < m; n = n + 1)
        apart = apart && !(waits[m] && waits[n] && mshr_line_q[m*LINE_W +: LINE_W] == mshr_line_q[n*LINE_W +: LINE_W]
                           /*@if SECTOR_FILL*/&& mshr_sector_q[m*SECTOR_W +: SECTOR_W] == mshr_sector_q[n*SECTOR_W +: SECTOR_W]/*@end*/);
  end
  state_input:   assert property (a_count_q <= 2);
  state_ring:    assert property (ring);
  state_placed:  assert property (placed);
  state_next:    assert property (m_free_q |-> !mshr_wait_q[m_next_q]);
  state_count:   assert property (counts);
  state_apart:   assert property (apart);
  state_eq:      assert property (known);
  state_answers: assert property (answers);
  state_fill:    assert property (f_commit_q |-> f_valid_q && f_kind_q == 0);
  state_kind:    assert property (f_valid_q |-> f_kind_q == 0 || f_kind_q == 2);
  state_marked:  assert property (marks + ended <= in);
//@ if LINE_FILL
  never_reserved_and_valid: assert property ((valid_q & reserved_q) == 0);
//@ else
  one_sector: assume property (req_valid |-> req_sectors != 0 && (req_sectors & (req_sectors - 1)) == 0);

  wire [WAY_W-1:0]    its_way    = mshr_way_q[id*WAY_W +: WAY_W];
  wire [SECTOR_W-1:0] its_sector = mshr_sector_q[id*SECTOR_W +: SECTOR_W];
  reg [WAY_W-1:0]     was_way;
  reg [SECTOR_W-1:0]  was_sector;
  always @(posedge clk) begin
    was_way    <= its_way;
    was_sector <= its_sector;
  end

  never_reserved_and_valid: assert property ((sector_valid_q & sector_reserved_q) == 0);
  line_in_one_way: assert property ((d_there_q & (d_there_q - 1)) == 0);
  there_if_hit:    assert property ((d_hit_q & ~d_there_q) == 0);
  keeps_its_place: assert property (past && was_waiting && mshr_wait_q[id] |-> its_way == was_way && its_sector == was_sector);
//@ end
//@ if ON_MISS && l1d.set_index == linear && !PROTECT

  // For the induction. Each MSHR that waits has its line, or its sector of it, reserved in a way with the line's tag. No line is in two
  // ways. The registers for d, c and a fill match the tags and the valid and reserved bits.
//@ if LINE_FILL
  localparam PARTS = 1; // parts of a line with valid and reserved bits of their own
  wire [SETS*WAYS-1:0] valid = valid_q, reserved = reserved_q;
//@ else
  localparam PARTS = SECTORS;
  wire [SETS*PARTS*WAYS-1:0] valid = sector_valid_q, reserved = sector_reserved_q;
//@ end
  reg [SETS*WAYS-1:0]       there, held, asked; // asked: an MSHR waits for it
  reg [SETS*WAYS*TAG_W-1:0] tag, read;          // for each way: its tag; the read data of its macro
  reg [SET_W-1:0]           set;
  reg                       in_place, once, hit, looked, found, full, fresh;
  integer w, v, s, q;
  always @* begin
//@ for w WAYS
    for (s = 0; s < SETS; s = s + 1) begin
      tag[(s*WAYS + /*@w*/)*TAG_W +: TAG_W]  = tags_/*@w*/_rows[s*TAG_W +: TAG_W];
      read[(s*WAYS + /*@w*/)*TAG_W +: TAG_W] = tags_/*@w*/_rdata;
    end
//@ end
    there = {SETS*WAYS{1'b0}};
    held  = {SETS*WAYS{1'b0}};
    for (s = 0; s < SETS; s = s + 1)
      for (q = 0; q < PARTS; q = q + 1) begin
        held[s*WAYS +: WAYS]  = held[s*WAYS +: WAYS] | reserved[(s*PARTS + q)*WAYS +: WAYS];
        there[s*WAYS +: WAYS] = there[s*WAYS +: WAYS] | valid[(s*PARTS + q)*WAYS +: WAYS];
      end
    there    = there | held;
    in_place = 1'b1;
    asked    = {SETS*WAYS{1'b0}};
    for (q = 0; q < MSHRS; q = q + 1) begin
      set = mshr_line_q[q*LINE_W +: SET_W];
      w   = mshr_way_q[q*WAY_W +: WAY_W];
      if (waits[q]) begin
        in_place = in_place && w < WAYS && reserved[(set*PARTS/*@if SECTOR_FILL*/ + mshr_sector_q[q*SECTOR_W +: SECTOR_W]/*@end*/)*WAYS + w]
                   /*@if LINE_FILL*/&& !asked[set*WAYS + w] /*@end*/&& tag[(set*WAYS + w)*TAG_W +: TAG_W] == mshr_line_q[q*LINE_W + SET_W +: TAG_W];
        asked[set*WAYS + w] = 1'b1;
      end
    end
    once = 1'b1;
    for (s = 0; s < SETS; s = s + 1)
      for (w = 0; w < WAYS; w = w + 1)
        for (v = 0; v < w; v = v + 1)
          once = once && !(there[s*WAYS + w] && there[s*WAYS + v] && tag[(s*WAYS + w)*TAG_W +: TAG_W] == tag[(s*WAYS + v)*TAG_W +: TAG_W]);
    hit    = 1'b1;
    looked = 1'b1;
    found  = 1'b1;
    fresh  = 1'b1;
    full   = 1'b1;
    for (w = 0; w < WAYS; w = w + 1) begin
      full = full && held[d_set_q*WAYS + w];
//@ if LINE_FILL
      hit  = hit && d_hit_q[w] == (valid[d_set_q*WAYS + w] && tag[(d_set_q*WAYS + w)*TAG_W +: TAG_W] == d_line_q[SET_W +: TAG_W]);
      fresh = fresh && (!valid[c_set_q*WAYS + w] || read[w*TAG_W +: TAG_W] == tag[(c_set_q*WAYS + w)*TAG_W +: TAG_W]);
//@ else
      for (q = 0; q < PARTS; q = q + 1)
        if (d_sectors_q[q])
          hit = hit && d_hit_q[w] == (valid[(d_set_q*PARTS + q)*WAYS + w]
                                      && tag[(d_set_q*WAYS + w)*TAG_W +: TAG_W] == d_line_q[SET_W +: TAG_W]);
      if (there[d_set_q*WAYS + w] && tag[(d_set_q*WAYS + w)*TAG_W +: TAG_W] == d_line_q[SET_W +: TAG_W])
        found = found && d_there_q[w];
      if (d_there_q[w])
        looked = looked && tag[(d_set_q*WAYS + w)*TAG_W +: TAG_W] == d_line_q[SET_W +: TAG_W];
      fresh = fresh && (tagged_q && tagged_set_q == c_set_q && tagged_at_q[w] ? tagged_tag_q : read[w*TAG_W +: TAG_W])
                       == tag[(c_set_q*WAYS + w)*TAG_W +: TAG_W];
//@ end
    end
  end
  state_c:      assert property (c_valid_q |-> c_set_q == c_line_q[SET_W-1:0]);
  state_d:      assert property (d_valid_q |-> d_set_q == d_line_q[SET_W-1:0]);
  state_tags:   assert property (c_valid_q |-> fresh);
  state_place:  assert property (in_place);
  state_once:   assert property (once);
  state_hit:    assert property (d_valid_q |-> hit);
  state_full:   assert property (d_full_q == (d_valid_q && full));
  state_none:   assert property (!d_valid_q |-> d_hit_q == 0/*@if SECTOR_FILL*/ && d_there_q == 0/*@end*/);
  state_f:      assert property (f_commit_q |-> f_set_q == mshr_line_q[f_id_q*LINE_W +: SET_W] && f_way_q == mshr_way_q[f_id_q*WAY_W +: WAY_W]);
//@ if LINE_FILL
  state_asked:  assert property (held == asked);
//@ else
  state_a0_one: assert property (a_count_q > 0 |-> a0_sectors_q != 0 && (a0_sectors_q & (a0_sectors_q - 1)) == 0);
  state_a1_one: assert property (a_count_q > 1 |-> a1_sectors_q != 0 && (a1_sectors_q & (a1_sectors_q - 1)) == 0);
  state_c_one:  assert property (c_valid_q |-> c_sectors_q != 0 && (c_sectors_q & (c_sectors_q - 1)) == 0);
  state_d_one:  assert property (d_valid_q |-> d_sectors_q != 0 && (d_sectors_q & (d_sectors_q - 1)) == 0);
  state_looked: assert property (d_valid_q |-> looked);
  state_found:  assert property (d_valid_q |-> found);
  state_sector: assert property (f_commit_q |-> f_sector_q == mshr_sector_q[f_id_q*SECTOR_W +: SECTOR_W]);
//@ end
//@ end
