//@ # The L1D's a and p: requests and prefetches come in. Part of l1d.v.

  // --- a: two places for requests, so that ready comes from a register

  wire push = req_valid && req_ready;
  wire pop  = advance && |a_count_q;

  assign req_ready = !a_count_q[1];

  always @(posedge clk)
    if (rst)
      a_count_q <= 2'd0;
    else if (push && !pop)
      a_count_q <= a_count_q + 2'd1;
    else if (pop && !push)
      a_count_q <= a_count_q - 2'd1;

  always @(posedge clk)
    if (pop && a_count_q[1])
      /*@{req a0_*_q}*/ <=
        /*@{req a1_*_q}*/;
    else if (push && (pop || !a_count_q[0]))
      /*@{req a0_*_q}*/ <=
        /*@{req req_*}*/;

  always @(posedge clk)
    if (push && !pop && a_count_q[0])
      /*@{req a1_*_q}*/ <=
        /*@{req req_*}*/;

  // a store's bytes wait beside the pipeline: stores leave the cache in the order in which they came
  assign sdata_we    = push && req_write;
  assign sdata_waddr = sd_tail_q;
  assign sdata_wdata = req_wdata;
  assign smask_we    = sdata_we;
  assign smask_waddr = sd_tail_q;
  assign smask_wdata = req_wmask;

  always @(posedge clk)
    if (rst)
      sd_tail_q <= {SD_W{1'b0}};
    else if (sdata_we)
      sd_tail_q <= /*@next(sd_tail_q, SD, SD_W)*/;
//@ if PREF

  // --- p: a prefetch waits until no request waits

  wire p_goes = p_valid_q && !(|a_count_q); // into c when the pipeline moves

  assign pf_ready = !p_valid_q;

  always @(posedge clk)
    if (rst || flush)
      p_valid_q <= 1'b0;
    else if (pf_ready || p_goes && advance)
      p_valid_q <= pf_ready && pf_valid;

  always @(posedge clk)
    if (pf_ready && pf_valid)
      p_line_q <= pf_line;
//@ end
