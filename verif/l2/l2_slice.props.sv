//@ # Properties of a slice's rings and MSHRs (docs/mechanisms/l2.md), with a memory that brings each requested line once.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 gpu.sms=1 l1d.sets=2 l1d.mshrs=4 l2.sets=2 l2.ways=2 l2.mshrs=2 l2.mshr_merge=2 l2.queue=2 l2.replies=2 l2.fills=2 LINE_W=3 WORDS=1

  reg [L2_MSHRS-1:0] asked; // MSHRs whose read the memory has taken and not answered
  integer i;
  always @(posedge clk)
    for (i = 0; i < L2_MSHRS; i = i + 1)
      asked[i] <= !rst && (asked[i] ? !(fill_valid && fill_ready && fill_id == i) : out_valid && out_ready && !out_write && out_id == i);
  brings: assume property (fill_valid |-> asked[fill_id]);

  iq_ring: assert property ((iq_head_q + iq_count_q) % L2_IQ == iq_tail_q && iq_count_q <= L2_IQ);
  rq_ring: assert property ((rq_tail_q + L2_RQ - rq_head_q) % L2_RQ == (rq_count_q - ro_valid_q) % L2_RQ);
  fq_ring: assert property ((fq_tail_q + L2_FQ - fq_head_q) % L2_FQ == (fq_count_q - fo_valid_q) % L2_FQ);
  oq_ring: assert property ((oq_tail_q + L2_IQ - oq_head_q) % L2_IQ == (oq_count_q - oo_valid_q) % L2_IQ);
  (* anyconst *) reg [L2_MSHR_W-1:0] one, other; // any two MSHRs
  wire both = one < other && other < L2_MSHRS && mshr_used_q[one] && mshr_used_q[other];
  wire same_line = mshr_line_q[one*LINE_W +: LINE_W] == mshr_line_q[other*LINE_W +: LINE_W];
//@ if L2_SECTOR_FILL
  wire same_sector = mshr_sector_q[one*SECTOR_W +: SECTOR_W] == mshr_sector_q[other*SECTOR_W +: SECTOR_W];
  one_sector_each: assert property (both |-> !same_line || !same_sector);
//@ else
  one_line_each: assert property (both |-> !same_line);
//@ end
  asked_once: assert property (out_valid && !out_write |-> !asked[out_id] && mshr_used_q[out_id]);
//@ if L2_WAKES
  awake_first: assert property (f_valid_q |-> !mshr_wakes_q[f_id_q]);
//@ end
//@ if L2_WAKE_LIMITED
  asks_if_room: assert property (!wake_room |-> act != 2);
//@ end
