//@ # The queues of memory request scheduling: input register, heads, what is behind them.
//@ #
//@ # Invariant: late inputs (the L1D's answer about a load) drive only enables.
//@ #
//@ # Bits of what a queue keeps once for all requests of its load.
//@ terms load_w +
//@ | 1 : SLOT_W
//@ | GID_W : GID_W
//@ | REQ_PC_W : REQ_PC_W
//@ | LOW_W : LOW_W
//@ | HPC_W : HPC_W
//@ | APCM : 1
//@ | LID_W : LID_W
//@ end
//@ #
//@ # The head of queue w, and the load that it belongs to.
//@ def head
/*@{queued h_*_q[w*# +: #], last=h_last_q[w], byp=h_byp_q[w], loc=h_loc_q[w]}*/
//@ end
//@ def load
/*@{queued_load l_*_q[w*# +: #]}*/
//@ end

  localparam LOAD_W = /*@load_w*/; // bits kept once per load
//@ pick pick_place WARPS DEPTH_W
//@ pick pick_load WARPS LOAD_W

  // --- the state of each queue

  wire [WARPS-1:0] refill_at = r_valid_q ? WARP_0 << r_wid_q : {WARPS{1'b0}};
  wire [WARPS-1:0] back_at   = (back_valid ? WARP_0 << back_wid : {WARPS{1'b0}}) & tried_q;
  wire [WARPS-1:0] served_at = back_at & {WARPS{back_ok}};
  wire [WARPS-1:0] none; // the queue is empty behind its head
  wire [WARPS-1:0] full;
  wire [WARPS-1:0] empty = none & ~h_valid_q & ~refill_at;
  generate
    for (w = 0; w < WARPS; w = w + 1) begin : look
      assign none[w] = count_q[w*COUNT_W +: COUNT_W] == 0;
      assign full[w] = count_q[w*COUNT_W +: COUNT_W] == DEPTH[COUNT_W-1:0];
    end
  endgenerate

  // --- input register: a read waits here for its queue, a write for its queue to be empty

  wire             in_read   = in_valid_q && !in_on_q;
  wire [WARPS-1:0] room      = ~full & (empty | {WARPS{!in_first_q}});
  wire [WARPS-1:0] enter_at  = in_at_q & room & {WARPS{in_read}};
  wire [WARPS-1:0] direct_at = // it becomes the head
    enter_at & none & ~refill_at & (~h_valid_q | served_at);
  wire [WARPS-1:0] append_at = enter_at & ~direct_at;
  wire             in_pass   = |(in_at_q & (in_on_q ? empty : room));

  wire write_waits  = in_valid_q && in_on_q && in_pass;
  wire write_leaves = write_waits && !o_valid_q && deq_ready;

  // while a write waits for the output, no load is sent: the write goes first
  wire o_ok = write_waits ? write_leaves : !o_valid_q || deq_ready;

  assign enq_ready = !in_valid_q || in_pass && (in_read || !o_valid_q && deq_ready);

  wire take = enq_valid && enq_ready;

  always @(posedge clk)
    if (rst)
      in_valid_q <= 1'b0;
    else if (enq_ready)
      in_valid_q <= enq_valid;

  always @(posedge clk)
    if (take) begin
      /*@{req in_*_q}*/ <=
        /*@{req enq_*}*/;
      in_at_q    <= WARP_0 << enq_wid;
      in_first_q <= enq_num == 0;
      in_on_q    <= enq_write || !en;
    end

  // a load brings no bytes
  always @(posedge clk)
    if (take && enq_write) begin
      in_wdata_q <= enq_wdata;
      in_wmask_q <= enq_wmask;
    end
//@ # The queues behind their heads, in one RAM: written by the input, read when a head is served.

  // --- entries behind the heads: the place that is written, and the place that is read

  wire [WARPS-1:0]   read_at   = served_at & ~none;
  wire               read      = |read_at;
  wire [DEPTH_W-1:0] in_tail   = pick_place(in_at_q, tail_q);
  wire [DEPTH_W-1:0] back_head = pick_place(back_at, head_q);
  wire [DEPTH_W-1:0] next_tail = /*@next(in_tail, DEPTH, DEPTH_W)*/;
  wire [DEPTH_W-1:0] next_head = /*@next(back_head, DEPTH, DEPTH_W)*/;

  assign fifo_we    = |append_at;
  assign fifo_waddr = in_wid_q * DEPTH[FIFO_ADDR_W-1:0] + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, in_tail};
  assign fifo_wdata = /*@{queued in_*_q}*/;
  assign fifo_re    = read;
  assign fifo_raddr = back_wid * DEPTH[FIFO_ADDR_W-1:0] + {{FIFO_ADDR_W-DEPTH_W{1'b0}}, back_head};

  always @(posedge clk)
    if (rst)
      r_valid_q <= 1'b0;
    else
      r_valid_q <= read;

  always @(posedge clk)
    if (read)
      r_wid_q <= back_wid;

  // --- the queues

  wire [WARPS-1:0] chosen_at; // it is tried from now on
  wire [WARPS-1:0] passed_at; // another head of its group is sent, or none
  wire [WARPS*FIFO_WORD_W-1:0] heads;
  wire [WARPS*LOAD_W-1:0]      loads;

  always @(posedge clk)
    if (rst)
      h_valid_q <= {WARPS{1'b0}};
    else
      h_valid_q <= h_valid_q & ~served_at | refill_at | direct_at;

  always @(posedge clk)
    if (rst)
      tried_q <= {WARPS{1'b0}};
    else
      tried_q <= (tried_q & ~back_at | chosen_at) & ~passed_at;

  generate
    for (w = 0; w < WARPS; w = w + 1) begin : queue
      assign heads[w*FIFO_WORD_W +: FIFO_WORD_W] =
        /*@head*/;
      assign loads[w*LOAD_W +: LOAD_W] =
        /*@load*/;

      always @(posedge clk)
        if (refill_at[w] || direct_at[w])
          /*@head*/ <=
            refill_at[w] ? fifo_rdata : /*@{queued in_*_q}*/;

      always @(posedge clk)
        if (enter_at[w] && in_first_q)
          /*@load*/ <=
            /*@{queued_load in_*_q}*/;

      always @(posedge clk)
        if (rst)
          tail_q[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
        else if (append_at[w])
          tail_q[w*DEPTH_W +: DEPTH_W] <= next_tail;

      always @(posedge clk)
        if (rst)
          head_q[w*DEPTH_W +: DEPTH_W] <= {DEPTH_W{1'b0}};
        else if (read_at[w])
          head_q[w*DEPTH_W +: DEPTH_W] <= next_head;

      wire [COUNT_W-1:0] some = count_q[w*COUNT_W +: COUNT_W];
      always @(posedge clk)
        if (rst)
          count_q[w*COUNT_W +: COUNT_W] <= {COUNT_W{1'b0}};
        else if (append_at[w] ^ read_at[w])
          count_q[w*COUNT_W +: COUNT_W] <= read_at[w] ? some - 1'b1 : some + 1'b1;

      assign drained[w] = empty[w] && !(in_valid_q && in_at_q[w]);
    end
  endgenerate
