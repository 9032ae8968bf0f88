//@ # What docs/mechanisms/l1d.md promises of MSHRs and answers. The marked load is any one: it alone has slot 1.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l1d.ways=2 l1d.mshrs=2 l1d.mshr_merge=2 l1d.miss_queue=2 LINE_W=2 WORDS=1

  (* anyconst *) reg [MSHR_W-1:0] id;
  an_mshr: assume property (id < MSHRS);

  wire taken  = req_valid && req_ready;
  wire sent   = mreq_valid && mreq_ready;
  wire back   = mrsp_valid && mrsp_ready;
  wire told   = resp_valid && resp_ready;
  wire marked = !req_write && req_slot == 1;

  reg [MSHRS-1:0] out;       // fills that have been asked for and have not come back
  reg [3:0]       stores;    // stores of which the memory has not said that they are done
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
