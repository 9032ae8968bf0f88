//@ # Properties of the table's advice at the L1D (docs/mechanisms/rft.md), for any load and any entry whose loads are counted.
//@ small rft.entries=4 rft.resample=3

  (* anyconst *) reg [RFT_W-1:0] entry;

  // A hash is the number of its entry: it is longer only beside a wider table.
  reg past, adv;                   // the last cycle was no reset; in it the request in c moved into d
  reg d_there, e_there;            // a request is in d; in e
  reg [HPC_W-1:0] d_hpc, e_hpc;    // their hashes
  reg word, rare, before;          // the table's advice for d; d is cached to sample the reuse; the advice of the last cycle
  reg e_sent, e_seen;              // the request in e: advised to bypass; cached to sample the reuse
  reg [1:0] uncached;              // loads of the entry that bypassed since one was cached to sample, up to 2
  wire its_load = outcome_hpc == entry;
  wire says     = rft_en && look_valid && !look_write && rft_bypass[look_hpc];
  always @(posedge clk) begin
    past    <= !rst;
    adv     <= !rst && late_advance;
    before  <= advice_bypass;
    d_there <= !rst && (d_there || late_advance);
    e_there <= !rst && d_there;
    e_hpc   <= d_hpc;
    e_sent  <= advice_bypass;
    e_seen  <= word && rare;
    if (late_advance) begin
      d_hpc <= look_hpc;
      word  <= says;
      rare  <= says && rs_q[look_hpc*RESAMPLE_W +: RESAMPLE_W] == 2;
    end
    if (rst || (outcome_load && its_load && e_seen))
      uncached <= 2'd0;
    else if (outcome_past && its_load && e_sent && uncached != 2'd2)
      uncached <= uncached + 2'd1;
  end

  told: assume property (outcome_load || outcome_past |-> e_there && outcome_hpc == e_hpc);

  counts:        assert property (rs_q[entry*RESAMPLE_W +: RESAMPLE_W] == uncached);
  stays:         assert property (past && !adv |-> advice_bypass == before);
  never_else:    assert property (past && adv && !word |-> !advice_bypass);
  as_told:       assert property (past && adv && word && !rare |-> advice_bypass);
  cached_to_see: assert property (past && adv && word && rare |-> !advice_bypass);

  // For the induction: the registers for the loads in d and in e.
  state_d: assert property (d_there |-> d_rft_q == (word && !rare) && d_res_q == (word && rare));
  state_e: assert property (e_there |-> e_rft_q == e_sent && e_res_q == e_seen);
