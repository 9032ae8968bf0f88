//@ # The L2 slice: its requests come in.
//@ def request
/*@{l2req req_*}*/
//@ end

  // --- iq: requests that wait; q is the one that was read last

//@ each l2req f
  wire /*@f_range*/ q_/*@f*/;
//@ end
  assign /*@{l2req q_*}*/ = iq_rdata;
  wire [L2_SET_W-1:0] q_set = q_line[L2_SET_W-1:0];

  assign req_ready = iq_count_q < L2_IQ[L2_IQN_W-1:0]/*@if L2_MAINT*/ && mt_ready/*@end*/;

  // the requests in q and b have been read already
  wire take    = req_valid && req_ready;
  wire iq_more = q_valid_q && b_req_q ? iq_count_q > 2 : q_valid_q || b_req_q ? iq_count_q > 1 : |iq_count_q;
  wire iq_read = iq_more && (!q_valid_q || look);

  /*@kept(iq, iq, @request, take, iq_read, iq_next_q)*/

  // its bytes are read as it is looked up
  /*@kept(iq, iq_wdata, req_wdata, take, look, q_row_q)*/
  /*@kept(iq, iq_wmask, req_wmask, take, look, q_row_q)*/
  /*@place(iq, tail, L2_IQ, L2_IQ_W, take)*/
  /*@place(iq, head, L2_IQ, L2_IQ_W, done)*/
  /*@count(iq, L2_IQN_W, take, done)*/

  // a request that is not done is read again
  always @(posedge clk)
    if (rst)
      iq_next_q <= {L2_IQ_W{1'b0}};
    else if (undone)
      iq_next_q <= iq_head_q;
    else if (iq_read)
      iq_next_q <= /*@next(iq_next_q, L2_IQ, L2_IQ_W)*/;

  always @(posedge clk)
    if (rst || undone)
      q_valid_q <= 1'b0;
    else if (!q_valid_q || look)
      q_valid_q <= iq_read;

  always @(posedge clk)
    if (iq_read)
      q_row_q <= iq_next_q;
