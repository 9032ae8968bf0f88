//@ # Properties of the cache access information table (docs/mechanisms/apcm.md), for any load.
//@ small sm.warps=4 sm.ctas=2 apcm.loads=4 l1d.count_bits=2 apcm.threshold=2

  (* anyconst *) reg [LID_W-1:0] id;
  an_id: assume property (id < /*@= LAT*/);

  wire heard = up_valid && up_id == id;
  reg [RR_W-1:0]  most;   // the most accesses of one of its lines; 0: no update came
  reg             intra;  // that line had more than one access, all of the monitored warp
//@ if APCM_P
  reg [LID_W-1:0] until;
//@ end
  always @(posedge clk)
    if (rst || clear) begin
      most  <= 0;
      intra <= 1'b0;
    end else if (heard && up_count > most) begin
      most  <= up_count;
      intra <= up_count > 1 && up_intra == up_count;
    end
//@ if APCM_P
  always @(posedge clk)
    if (heard && up_count > count_q[id*RR_W +: RR_W])
      until <= up_last;
//@ end

  counts:   assert property (count_q[id*RR_W +: RR_W] == most);
//@ if APCM_B
  streams:  assert property (bypass[id] == (most == 1));
//@ end
//@ if APCM_P
  protects: assert property (protect[id] == intra);
  lasts:    assert property (most != 0 && protect[id] |-> last[id*LID_W +: LID_W] == until);
//@ end
//@ if APCM_P && APCM_B
  not_both: assert property (!(bypass[id] && protect[id]));
//@ end
