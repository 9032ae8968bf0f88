//@ # An AXI4 manager: R, B, and the answers made of them. Part of axi4_manager.v.
//@ pick pick_error BUS_READS 2
//@ if BEATS > 1
//@ pick pick_beat BUS_READS BEAT_W
//@ end
//@ pick pick_entry BUS_QUEUE BUS_ENTRY_W

  localparam [BUS_QUEUE-1:0] PLACE_0 = 1;
  genvar p;

  // --- R: always taken

  assign m_axi_rready = 1'b1;

  always @(posedge clk)
    if (rst)
      r_valid_q <= 1'b0;
    else
      r_valid_q <= m_axi_rvalid;

  always @(posedge clk)
    if (m_axi_rvalid) begin
      r_id_q   <= m_axi_rid;
      r_at_q   <= READ_0 << m_axi_rid;
      r_data_q <= m_axi_rdata;
      r_resp_q <= m_axi_rresp;
      r_last_q <= m_axi_rlast;
    end

  wire                 r_known = r_valid_q && |(read_open_q & r_at_q);
//@ if BEATS > 1
  wire [BEAT_W-1:0]    r_beat  = pick_beat(r_at_q, read_beat_q);
  wire                 r_full  = &r_beat;
//@ else
  wire                 r_full  = 1'b1;
//@ end
  wire                 r_odd   = r_last_q != r_full;
  wire                 r_ends  = r_known && (r_last_q || r_full);
  wire [1:0]           r_error = pick_error(r_at_q, read_error_q) | r_resp_q & {2{r_resp_q[1]}} | {r_odd, 1'b0};

  assign ended_read = r_at_q & {BUS_READS{r_ends}};

//@ if BEATS > 1
  generate
    for (p = 0; p < BEATS; p = p + 1) begin : beats
      assign lines_we[p] = r_known && r_beat == p;
    end
  endgenerate
//@ else
  assign lines_we    = r_known;
//@ end
  assign lines_waddr = r_id_q[LINES_ADDR_W-1:0];
  assign lines_wdata = r_data_q;

  generate
    for (r = 0; r < BUS_READS; r = r + 1) begin : progress
//@ if BEATS > 1
      always @(posedge clk)
        if (take_read && read_at[r])
          read_beat_q[r*BEAT_W +: BEAT_W] <= {BEAT_W{1'b0}};
        else if (r_known && r_at_q[r])
          read_beat_q[r*BEAT_W +: BEAT_W] <= r_beat + 1'b1;

//@ end
      always @(posedge clk)
        if (take_read && read_at[r])
          read_error_q[2*r +: 2] <= 2'b00;
        else if (r_known && r_at_q[r] && !r_ends)
          read_error_q[2*r +: 2] <= r_error;
    end
  endgenerate

  // --- B: waits while a read ends

  wire                  b_goes  = b_valid_q && !r_ends;
  wire [BUS_WRITES-1:0] b_at    = WRITE_0 << b_id_q;
  wire                  b_known = |(write_open_q & b_at);
  wire                  b_early = (aw_valid_q || w_valid_q) && m_axi_awid == b_id_q;
  wire [1:0]            b_error = b_resp_q & {2{b_resp_q[1]}} | {b_early, 1'b0};
  wire                  b_ends  = b_goes && b_known;

  assign m_axi_bready = !b_valid_q;
  assign ended_write  = b_at & {BUS_WRITES{b_ends}};

  always @(posedge clk)
    if (rst)
      b_valid_q <= 1'b0;
    else
      b_valid_q <= b_valid_q ? !b_goes : m_axi_bvalid;

  always @(posedge clk)
    if (m_axi_bvalid && !b_valid_q) begin
      b_id_q   <= m_axi_bid;
      b_resp_q <= m_axi_bresp;
    end

  // --- complete answers wait to be offered

//@ if BUS_SM
  wire                   enter = r_ends || b_ends;
  wire [BUS_ENTRY_W-1:0] entry = r_ends ? {r_error, 1'b0, r_id_q} : {b_error, 1'b1, b_id_q};
//@ else
  wire                   enter = r_ends;
  wire [BUS_ENTRY_W-1:0] entry = {r_error, r_id_q};
//@ end
  wire                   show  = |queue_count_q && (!o_valid_q || rsp_ready);
  wire [BUS_QUEUE-1:0]   tail_at   = PLACE_0 << queue_tail_q;
  wire [BUS_QUEUE_W-1:0] next_head = /*@next(queue_head_q, BUS_QUEUE, BUS_QUEUE_W)*/;
  wire                   only = queue_count_q == {{BUS_QUEUEN_W-1{1'b0}}, 1'b1}; // the first is all there is
  wire [BUS_ID_W-1:0]    head_id   = head_q[BUS_ID_W-1:0];

  generate
    for (p = 0; p < BUS_QUEUE; p = p + 1) begin : places
      always @(posedge clk)
        if (enter && tail_at[p])
          queue_q[p*BUS_ENTRY_W +: BUS_ENTRY_W] <= entry;
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      queue_tail_q <= {BUS_QUEUE_W{1'b0}};
    else if (enter)
      queue_tail_q <= /*@next(queue_tail_q, BUS_QUEUE, BUS_QUEUE_W)*/;

  always @(posedge clk)
    if (rst)
      queue_head_q <= {BUS_QUEUE_W{1'b0}};
    else if (show)
      queue_head_q <= next_head;

  // the oldest answer, read before it is known whether it leaves
  always @(posedge clk)
    if (enter && (!(|queue_count_q) || show && only))
      head_q <= entry;
    else if (show && !only)
      head_q <= pick_entry(PLACE_0 << next_head, queue_q);

  always @(posedge clk)
    if (rst)
      queue_count_q <= {BUS_QUEUEN_W{1'b0}};
    else if (enter ^ show)
      queue_count_q <= enter ? queue_count_q + 1'b1 : queue_count_q - 1'b1;

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else
      o_valid_q <= show || o_valid_q && !rsp_ready;

  always @(posedge clk)
    if (show)
      o_error_q <= head_q[BUS_ENTRY_W-1:BUS_ENTRY_W-2];

//@ if BUS_SM
  wire head_write = head_q[BUS_ID_W];
  wire [BUS_WRITES-1:0] shown_write = WRITE_0 << head_id & {BUS_WRITES{show && head_write}};
  assign shown_read  = READ_0 << head_id & {BUS_READS{show && !head_write}};
  assign busy_writes = write_used_q;

  always @(posedge clk)
    if (rst)
      write_used_q <= {BUS_WRITES{1'b0}};
    else
      write_used_q <= write_used_q & ~shown_write | write_at & {BUS_WRITES{take_write}};

  assign echo_raddr = head_write ? BUS_READS[ECHO_ADDR_W-1:0] + /*@widen(head_id, BUS_ID_W, ECHO_ADDR_W)*/
                                 : /*@widen(head_id, BUS_ID_W, ECHO_ADDR_W)*/;
  assign lines_re   = show && !head_write;
//@ else
  assign shown_read  = READ_0 << head_id & {BUS_READS{show}};
  assign busy_writes = write_open_q;

  assign echo_raddr = head_id[ECHO_ADDR_W-1:0];
  assign lines_re   = show;
//@ end
  assign echo_re     = show;
  assign lines_raddr = head_id[LINES_ADDR_W-1:0];

  assign rsp_valid = o_valid_q;
  assign rsp_error = o_error_q;
  assign /*@{busrsp rsp_*}*/ = echo_rdata;
  assign rsp_data  = lines_rdata;

  // --- errors
//@ if BUS_L2

  always @(posedge clk)
    if (rst)
      write_error_q <= 2'b00;
    else
      write_error_q <= b_error & {2{b_ends}};

  assign write_error = write_error_q;
//@ end

  wire       bad   = r_ends && |r_error || b_ends && |b_error;
  wire       wrong = r_valid_q && (!r_known || r_odd) || b_goes && (!b_known || b_early);
  wire [7:0] count = errors_q & {8{!clear}};

  always @(posedge clk)
    if (rst)
      errors_q <= 8'd0;
    else
      errors_q <= bad && !(&count) ? count + 1'b1 : count;

  always @(posedge clk)
    if (rst)
      fault_q <= 1'b0;
    else
      fault_q <= fault_q && !clear || wrong;

  assign errors = errors_q;
  assign fault  = fault_q;
