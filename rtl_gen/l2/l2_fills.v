//@ # The L2 slice: lines come in from the memory.

  // --- fq: lines that have come; f: one of them, while the requests that wait for it are answered

  assign fill_ready = fq_count_q < L2_FQ[L2_FQN_W-1:0]/*@if L2_FILL_W*/ && !(|fill_wait_q)/*@end*/;
  wire fill_take = fill_valid && fill_ready;
//@ if L2_WAKES
  wire [L2_MSHRS-1:0] fo_at = MSHR_0 << fq_id_rdata;
  wire f_load    = fo_valid_q && !f_valid_q && !(|(fo_at & mshr_wakes_q)); // once its row is awake
//@ else
  wire f_load    = fo_valid_q && !f_valid_q;
//@ end
  /*@held(fq, L2_FQ, L2_FQ_W, L2_FQN_W, fill_take, f_load, fo)*/

  /*@kept(fq, fq_id, fill_id, fill_take, fq_read, fq_head_q)*/
  /*@kept(fq, fq_data, fill_data, fill_take, fq_read, fq_head_q)*/
//@ if L2_FILL_W

  // the port is busy for some cycles with each line
  always @(posedge clk)
    if (rst)
      fill_wait_q <= {L2_FILL_W{1'b0}};
    else if (fill_take)
      fill_wait_q <= /*@= L2_FILL_W*/'d/*@= L2_FILL - 1*/;
    else if (|fill_wait_q)
      fill_wait_q <= fill_wait_q - 1'b1;
//@ end

  wire [L2_WORDS*64-1:0] f_line; // the line with what the store that is being answered has written

  always @(posedge clk)
    if (rst)
      f_valid_q <= 1'b0;
    else if (f_load)
      f_valid_q <= 1'b1;
    else if (over)
      f_valid_q <= 1'b0;

  always @(posedge clk)
    if (f_load)
      f_id_q <= fq_id_rdata;

  always @(posedge clk)
    if (f_load)
      f_pos_q <= {L2_MERGE_W{1'b0}};
    else if (b_rep_q)
      f_pos_q <= f_after;

  always @(posedge clk)
    if (f_load)
      f_data_q <= fq_data_rdata;
    else if (b_rep_q)
      f_data_q <= f_line;
