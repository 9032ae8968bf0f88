//@ # The L2 slice: its answers go out, and its requests to the memory.
//@ def answer
/*@{l2rsp c_*_q}*/
//@ end
//@ def order
/*@{l2out co_*_q}*/
//@ end

  // --- rq: answers; oq: reads and writes for the memory, in order

  wire [L2_WORDS*64-1:0] c_line; // the line that goes with what is in c

  assign rsp_valid = ro_valid_q;
  assign /*@{l2rsp rsp_*}*/ = rq_rdata;
  assign rsp_data  = rq_data_rdata;
  wire reply   = rsp_valid && rsp_ready;
  /*@held(rq, L2_RQ, L2_RQ_W, L2_RQN_W, c_rsp_q, reply, ro)*/

  /*@kept(rq, rq, @answer, c_rsp_q, rq_read, rq_head_q)*/
  /*@kept(rq, rq_data, c_line, c_rsp_q, rq_read, rq_head_q)*/

  assign out_valid = oo_valid_q;
  assign /*@{l2out out_*}*/ = oq_rdata;
  assign out_data  = oq_data_rdata;
  assign send      = out_valid && out_ready;
  /*@held(oq, L2_IQ, L2_IQ_W, L2_IQN_W, c_out_q, send, oo)*/

  /*@kept(oq, oq, @order, c_out_q, oq_read, oq_head_q)*/
  /*@kept(oq, oq_data, c_line, c_out_q, oq_read, oq_head_q)*/
