//@ # The re-reference table. Spec: docs/mechanisms/casc.md.
//@ #
//@ # The new value of an entry is computed for each place that the old value may come from, and selected at the
//@ # end: to know the place takes as long as to compute the sums.
//@ keys casc.scheme

  localparam [RRT-1:0] ENTRY_0 = 1;
//@ xor_fold entry_of HPC_W HASH_BITS 0

  // an entry, sum above count, with one more line; both halve when the count overflows
  function [UPDATE_WORD_W-1:0] learn(input [UPDATE_WORD_W-1:0] old, input [RR_W-1:0] line);
    reg [RRSUM_W-1:0]  sum;
    reg [SAMPLE_W-1:0] count;
    begin
      sum   = old[SAMPLE_W +: RRSUM_W] + {{SAMPLE_W{1'b0}}, line};
      count = old[0 +: SAMPLE_W] + 1'b1;
      learn = &old[0 +: SAMPLE_W] ? {1'b0, sum[RRSUM_W-1:1], 1'b1, {SAMPLE_W-1{1'b0}}} : {sum, count};
    end
  endfunction

  // --- update: an eviction reads its entry, and writes it in the next cycle

  always @(posedge clk)
    if (rst) begin
      u_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
    end else begin
      u_valid_q <= ev_valid && !clear;
      w_valid_q <= u_valid_q && !clear;
    end

  wire [HASH_BITS-1:0] ev_entry = entry_of(ev_hpc);

  always @(posedge clk) begin
    u_entry_q <= ev_entry;
    u_count_q <= ev_count;
  end

  wire                     near    = w_valid_q && w_entry_q == u_entry_q; // written while it was read
  wire [UPDATE_WORD_W-1:0] begun   = {{SAMPLE_W{1'b0}}, u_count_q, {SAMPLE_W-1{1'b0}}, 1'b1};
  wire [UPDATE_WORD_W-1:0] learned = near ? learn({w_sum_q, w_count_q}, u_count_q)
                                          : learn(update_rdata, u_count_q);
  wire [UPDATE_WORD_W-1:0] written = known_q[u_entry_q] ? learned : begun;

  always @(posedge clk)
    if (rst || clear)
      known_q <= {RRT{1'b0}};
    else
      known_q <= known_q | {RRT{u_valid_q}} & (ENTRY_0 << u_entry_q);

  always @(posedge clk)
    if (u_valid_q) begin
      w_entry_q <= u_entry_q;
      {w_sum_q, w_count_q} <= written;
    end

  assign update_we    = u_valid_q;
  assign update_waddr = u_entry_q;
  assign update_wdata = written;
  assign update_re    = 1'b1;
  assign update_raddr = ev_entry;

  // --- lookup, of the other copy

  wire [HASH_BITS-1:0] lk_entry = entry_of(lk_hpc);

  assign lookup_we    = update_we;
  assign lookup_waddr = update_waddr;
  assign lookup_wdata = update_wdata;
  assign lookup_re    = 1'b1;
  assign lookup_raddr = lk_entry;

  always @(posedge clk)
    l_entry_q <= lk_entry;

  assign lk_known = known_q[l_entry_q];
  assign {lk_sum, lk_count} = w_valid_q && w_entry_q == l_entry_q ? {w_sum_q, w_count_q} : lookup_rdata;
