//@ # What docs/mechanisms/l2.md says of the rings of a slice and of its MSHRs, before a memory that brings what was asked for, once.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 l2.sets=2 l2.ways=2 l2.mshrs=2 l2.mshr_merge=2 l2.queue=2 l2.replies=2 l2.fills=2 LINE_W=3 WORDS=1

  reg [L2_MSHRS-1:0] asked; // reads that the memory has taken and not brought
  integer i;
  always @(posedge clk)
    for (i = 0; i < L2_MSHRS; i = i + 1)
      asked[i] <= !rst && (asked[i] ? !(fill_valid && fill_ready && fill_id == i) : out_valid && out_ready && !out_write && out_id == i);
  brings: assume property (fill_valid |-> asked[fill_id]);

  iq_ring: assert property ((iq_head_q + iq_count_q) % L2_IQ == iq_tail_q && iq_count_q <= L2_IQ);
  rq_ring: assert property ((rq_tail_q + L2_RQ - rq_head_q) % L2_RQ == (rq_count_q - ro_valid_q) % L2_RQ);
  fq_ring: assert property ((fq_tail_q + L2_FQ - fq_head_q) % L2_FQ == (fq_count_q - fo_valid_q) % L2_FQ);
  oq_ring: assert property ((oq_tail_q + L2_IQ - oq_head_q) % L2_IQ == (oq_count_q - oo_valid_q) % L2_IQ);
//@ if L2_SECTOR_FILL
  one_sector_each: assert property (mshr_used_q[0] && mshr_used_q[1] |-> mshr_line_q[0 +: LINE_W] != mshr_line_q[LINE_W +: LINE_W] || mshr_sector_q[0 +: SECTOR_W] != mshr_sector_q[SECTOR_W +: SECTOR_W]);
//@ else
  one_line_each: assert property (mshr_used_q[0] && mshr_used_q[1] |-> mshr_line_q[0 +: LINE_W] != mshr_line_q[LINE_W +: LINE_W]);
//@ end
  asked_once: assert property (out_valid && !out_write |-> !asked[out_id] && mshr_used_q[out_id]);
//@ if L2_WAKES
  awake_first: assert property (f_valid_q |-> !mshr_wakes_q[f_id_q]);
//@ end
//@ if L2_WAKE_LIMITED
  asks_if_room: assert property (!wake_room |-> act != 2);
//@ end
