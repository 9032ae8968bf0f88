//@ # What docs/mechanisms/rft.md says of the table's word at the L1D, of any load, and of any entry whose loads are counted.
//@ small rft.entries=4 rft.resample=3

  (* anyconst *) reg [RFT_W-1:0] entry;

  // The hash is the number of the entry: only a wider table beside this one makes it longer.
  reg past, adv;                   // a cycle was before; the request in c moved into d in it
  reg d_there, e_there;            // there is a request in d; in e
  reg [HPC_W-1:0] d_hpc, e_hpc;    // its hash
  reg word, rare, before;          // what the table said of the one in d; it is cached to see; what was advised then
  reg e_sent, e_seen;              // the one in e was to bypass; was cached to see
  reg [1:0] uncached;              // loads of the entry that went on uncached since one was cached to see, up to 2
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

  // For the induction: what is known of the loads in d and in e.
  state_d: assert property (d_there |-> d_rft_q == (word && !rare) && d_res_q == (word && rare));
  state_e: assert property (e_there |-> e_rft_q == e_sent && e_res_q == e_seen);
