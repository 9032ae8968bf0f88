//@ # Properties of any entry of the reuse-frequency table of form `bit` (docs/mechanisms/rft.md), for one SM. An update is done in the
//@ # third cycle, so no update waits for another.
//@ small rft.entries=4 rft.queue=2 HASH_BITS=3

  (* anyconst *) reg [RFT_W-1:0] entry;
//@ xor_fold entry_of HPC_W RFT_W 0

  reg any_1, its_1, its_2, used_1, used_2; // an update came; one of the entry came, 1 and 2 cycles ago; it has reuse
  reg known, used;                         // the entry: it was updated since the last clear; one of its lines was reused
  always @(posedge clk) begin
    any_1  <= !rst && !clear && up_valid;
    its_1  <= !rst && !clear && up_valid && entry_of(up_hpc) == entry;
    its_2  <= !rst && !clear && its_1;
    known  <= !rst && !clear && (known || its_2);
    used_1 <= |up_count;
    used_2 <= used_1;
    if (its_2)
      used <= used_2 || (known && used);
  end

  says:       assert property (bypass[entry] == (known && !used));
  never_lost: assert property (!lost);
  forgets:    assert property (!known |-> !bypass[entry]);

  // For the induction: the update in the queue, and the one that is being done.
  state_queue: assert property (q_count_q == any_1);
  state_first: assert property (any_1 |-> (q_hpc_q[q_head_q*RFT_W +: RFT_W] == entry) == its_1 && q_reuse_q[q_head_q] == used_1);
  state_tail:  assert property (q_tail_q == q_head_q + any_1);
  state_done:  assert property ((u_valid_q && u_entry_q == entry) == its_2 && (!its_2 || u_reuse_q == used_2));
  state_entry: assert property (known_q[entry] == known && (!known || reused_q[entry] == used));
