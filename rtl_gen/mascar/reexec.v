//@ # The re-execution queue. Spec: docs/mechanisms/mascar.md.
//@ #
//@ # A load takes its place in the queue as it leaves for the L1D, so a load that comes back always has room.
//@ part verilog/next
//@ def request
/*@{req in_*_q}*/
//@ end

  localparam [WARPS-1:0] WARP_0 = 1;
  genvar w;

  // --- the input register, or the oldest of the queue: the request that goes to the L1D

  wire [WARPS-1:0] in_at = WARP_0 << in_wid_q;
  wire             first     = in_valid_q && in_may_q && !stays_q; // the input register offers
  wire             in_leaves = first && deq_ready;
  wire             o_leaves  = !first && o_valid_q && deq_ready;
  wire             take      = enq_valid && enq_ready;

  assign enq_ready = !in_valid_q || in_leaves;
  assign deq_valid = first || o_valid_q;
  assign /*@{req deq_*}*/ = !first ? fifo_rdata :
         /*@request*/;
  assign deq_wdata = in_wdata_q;
  assign deq_wmask = in_wmask_q;

  always @(posedge clk)
    if (rst)
      in_valid_q <= 1'b0;
    else if (enq_ready)
      in_valid_q <= enq_valid;

  always @(posedge clk)
    if (take)
      /*@request*/ <=
        /*@{req enq_*}*/;

  // a load brings no bytes
  always @(posedge clk)
    if (take && enq_write) begin
      in_wdata_q <= enq_wdata;
      in_wmask_q <= enq_wmask;
    end

  // a load that the queue has offered stays until it is taken
  always @(posedge clk)
    if (rst)
      stays_q <= 1'b0;
    else
      stays_q <= !first && o_valid_q && !deq_ready;

  // --- queue: loads that came back; the one read last is at the output

  wire back   = reexec_en && outcome_tried && !outcome_load;
  wire refill = |count_q && (!o_valid_q || o_leaves);

  assign fifo_we    = back;
  assign fifo_waddr = tail_q;
  assign fifo_wdata = /*@{req outcome_*, write=1'b0, op={OP_W{1'b0}}}*/;
  assign fifo_re    = refill;
  assign fifo_raddr = head_q;

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else
      o_valid_q <= refill || o_valid_q && !o_leaves;

  always @(posedge clk)
    if (rst)
      tail_q <= {DEPTH_W{1'b0}};
    else if (back)
      tail_q <= /*@next(tail_q, DEPTH, DEPTH_W)*/;

  always @(posedge clk)
    if (rst)
      head_q <= {DEPTH_W{1'b0}};
    else if (refill)
      head_q <= /*@next(head_q, DEPTH, DEPTH_W)*/;

  always @(posedge clk)
    if (rst)
      count_q <= {COUNT_W{1'b0}};
    else if (back ^ refill)
      count_q <= back ? count_q + 1'b1 : count_q - 1'b1;

  // --- places of the queue: taken by a load that leaves for the first time, given back when it is served

  wire             enter      = reexec_en && in_leaves && !in_write_q;
  wire             serve      = reexec_en && outcome_tried && outcome_load;
  wire [WARPS-1:0] outcome_at = WARP_0 << outcome_wid;
  wire [WARPS-1:0] none, one; // the warp has no place, has one place

  always @(posedge clk)
    if (rst)
      inside_q <= {COUNT_W{1'b0}};
    else if (enter ^ serve)
      inside_q <= enter ? inside_q + 1'b1 : inside_q - 1'b1;

  generate
    for (w = 0; w < WARPS; w = w + 1) begin : warp
      wire [COUNT_W-1:0] mine = mine_q[w*COUNT_W +: COUNT_W];
      wire               more = enter && in_at[w];
      wire               less = serve && outcome_at[w];
      assign none[w]    = mine == 0;
      assign one[w]     = mine == 1;
      assign drained[w] = none[w] && !(in_valid_q && in_at[w]);

      always @(posedge clk)
        if (rst)
          mine_q[w*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
        else if (more ^ less)
          mine_q[w*COUNT_W +: COUNT_W] <= more ? mine + 1'b1 : mine - 1'b1;
    end
  endgenerate

  // --- whether what is in the input register after this cycle may go (D-MASCAR-10). A request that may go stays so until it has gone. So
  // if the one in the register may not, it is checked again, else the one that comes

  wire             waits      = in_valid_q && !in_may_q;
  wire             asks_write = waits ? in_write_q : enq_write;
  wire [WID_W-1:0] asks_wid   = waits ? in_wid_q : enq_wid;
  wire [WARPS-1:0] asks_at    = WARP_0 << asks_wid;
  wire             alone      = |(asks_at & (none | {WARPS{serve && outcome_wid == asks_wid}} & one)) &&
                                !(enter && in_wid_q == asks_wid);
  wire             room       = serve || inside_q != DEPTH[COUNT_W-1:0] - {{COUNT_W-1{1'b0}}, enter};

  always @(posedge clk)
    if (waits || take)
      in_may_q <= asks_write ? alone : room;
