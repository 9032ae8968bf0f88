//@ # Check bits of the L1D's lines, and lines that are dropped since bits of them have flipped. Part of l1d.v.
//@ #
//@ # Spec: docs/mechanisms/ecc.md. Tags are compared with their check bits in l1d_lookup.v; errors in either
//@ # drop the line a cycle later, from registers.

  // --- check bits of the data, in the same rows

  wire [WORDS-1:0] word_lost;
//@ if SECDED
  wire [WORDS-1:0] word_mended;
//@ end
  genvar k;
  generate
    for (k = 0; k < WORDS; k = k + 1) begin : word
      assign data_check_wdata[k*DATA_CHECK_W +: DATA_CHECK_W] = word_check(data_wdata[k*64 +: 64]);

      wire [DATA_CHECK_W-1:0] syndrome = word_check(data_rdata[k*64 +: 64]) ^ data_check_rdata[k*DATA_CHECK_W +: DATA_CHECK_W];
//@ if SECDED
      assign {word_lost[k], data_mended[k*64 +: 64]} = word_mend(data_rdata[k*64 +: 64], syndrome);
      assign word_mended[k] = |syndrome && !word_lost[k];
//@ else
      assign word_lost[k] = syndrome;
//@ end
    end
  endgenerate

  assign data_check_en   = data_en;
  assign data_check_we   = data_we;
  assign data_check_addr = data_addr;

  wire   lost        = |word_lost;
  assign resp_poison = resp_v_q && !r_fill_q && !r_write_q && lost;

  // --- errors found: in the cycle after a hit was read, and as c moves

  always @(posedge clk)
    if (rst)
      h_new_q <= 1'b0;
    else
      h_new_q <= load_hit;

  always @(posedge clk)
    if (load_hit) begin
      h_set_q <= d_set_q;
      h_at_q  <= d_hit_q;
    end

  wire            read_lost = h_new_q && lost;
  wire [WAYS-1:0] c_bad     = {WAYS{advance && c_valid_q && !read_lost}} & c_spoilt;

  always @(posedge clk)
    if (rst)
      e_at_q <= {WAYS{1'b0}};
    else
      e_at_q <= {WAYS{read_lost}} & h_at_q | c_bad;

  always @(posedge clk)
    e_set_q <= read_lost ? h_set_q : c_set_q;

  assign c_gone    = {WAYS{e_set_q == c_set_q}} & e_at_q;
  assign d_gone    = {WAYS{e_set_q == d_set_q}} & e_at_q;
  assign ecc_found = ecc_q;

  always @(posedge clk)
    if (rst)
      ecc_q <= /*@if SECDED*/3'b000/*@else*/2'b00/*@end*/;
    else
      ecc_q <= {/*@if SECDED*/h_new_q && |word_mended, /*@end*/read_lost, |c_bad};
