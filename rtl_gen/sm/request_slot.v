//@ # The baseline's single request register. Spec: docs/mechanisms/mrpb.md, "The baseline".

  assign enq_ready = !valid_q || deq_ready;
  assign deq_valid = valid_q;
  assign /*@{req deq_*}*/ =
         /*@{req r_*_q}*/;
  assign deq_wdata = wdata_q;
  assign deq_wmask = wmask_q;

  wire take = enq_valid && enq_ready;

  always @(posedge clk)
    if (rst)
      valid_q <= 1'b0;
    else if (enq_ready)
      valid_q <= enq_valid;

  always @(posedge clk)
    if (take)
      /*@{req r_*_q}*/ <=
        /*@{req enq_*}*/;

  // a load brings no bytes
  always @(posedge clk)
    if (take && enq_write) begin
      wdata_q <= enq_wdata;
      wmask_q <= enq_wmask;
    end
