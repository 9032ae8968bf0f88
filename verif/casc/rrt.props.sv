//@ # Properties of the re-reference table (docs/mechanisms/casc.md), for any entry.
//@ small casc.pc_bits=3 casc.sample_bits=2 l1d.count_bits=2

  (* anyconst *) reg [/*@= HASH_BITS*/-1:0] entry;

  // A hash is the number of its entry here; HPC_W differs from HASH_BITS only beside a wider table.
  reg  u, l;                                // an update of the entry is in progress; it was looked up in the last cycle
  reg  [RR_W-1:0] counter;
  reg  known;                               // known, sum, count: the entry, from the second cycle of an update on
  reg  [RRSUM_W-1:0]  sum;
  reg  [SAMPLE_W-1:0] count;
  wire [RRSUM_W:0]  new_sum   = {1'b0, sum} + counter;
  wire [SAMPLE_W:0] new_count = {1'b0, count} + 1'b1;
  wire full = new_count[SAMPLE_W];
  always @(posedge clk) begin
    u       <= !rst && ev_valid && !clear && ev_hpc == entry;
    counter <= ev_count;
    l       <= !rst && lk_hpc == entry;
    known   <= !rst && !clear && (known || u);
    if (u && !known) begin
      sum   <= counter;
      count <= 1;
    end else if (u) begin
      sum   <= full ? new_sum[RRSUM_W:1] : new_sum[RRSUM_W-1:0];
      count <= full ? new_count[SAMPLE_W:1] : new_count[SAMPLE_W-1:0];
    end
  end

  knows:    assert property (l |-> lk_known == known);
  the_sum:  assert property (l && known |-> lk_sum == sum && lk_count == count);
  bounded:  assert property (known |-> count != 0 && sum <= count * {RR_W{1'b1}});

  // For the induction: the two copies of the table, and the row that an update has read.
  state_known:  assert property (known_q[entry] == known);
  state_copies: assert property (known |-> update_rows[entry*(RRSUM_W+SAMPLE_W) +: RRSUM_W+SAMPLE_W] == {sum, count}
                                        && lookup_rows[entry*(RRSUM_W+SAMPLE_W) +: RRSUM_W+SAMPLE_W] == {sum, count});
  state_under:  assert property (u |-> u_valid_q && u_entry_q == entry && u_count_q == counter);
  state_others: assert property (u_valid_q && u_entry_q == entry |-> u);
  state_looked: assert property (l == (l_entry_q == entry) || !l);
  state_update: assert property (u && known |-> (w_valid_q && w_entry_q == entry ? {w_sum_q, w_count_q} : update_rdata) == {sum, count});
  state_lookup: assert property (l && known |-> (w_valid_q && w_entry_q == entry ? {w_sum_q, w_count_q} : lookup_rdata) == {sum, count});
  state_newest: assert property (w_valid_q && w_entry_q == entry && known |-> {w_sum_q, w_count_q} == {sum, count});
