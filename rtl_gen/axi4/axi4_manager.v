//@ # An AXI4 manager: requests and their addresses; answers in their part. Spec: docs/mechanisms/axi4.md.
//@ #
//@ # Ids are numbered in registers and one-hot everywhere else (names in _at).
//@ keys bus.data_bits bus.writes bus.bypassed
//@ part verilog/next
//@ # a value of `from` bits in `to` bits, which may be as many
//@ def widen(value, from, to)
{{/*@to*/-/*@from*/{1'b0}}, /*@value*/}
//@ end

  localparam [BUS_READS-1:0]  READ_0  = 1;
  localparam [BUS_WRITES-1:0] WRITE_0 = 1;
  genvar r, w;

  wire [BUS_READS-1:0]  shown_read;  // the read that leaves the queue
  wire [BUS_WRITES-1:0] busy_writes; // writes whose places are used
  wire [BUS_READS-1:0]  ended_read;  // the read that has come
  wire [BUS_WRITES-1:0] ended_write; // the write that is answered

  // --- lookup: what is in flight of the line that is offered?

  wire [BUS_READS-1:0]  same_read;
  wire [BUS_WRITES-1:0] same_write;
  generate
    for (r = 0; r < BUS_READS; r = r + 1) begin : reads
      assign same_read[r] = read_open_q[r] && read_line_q[r*LINE_W +: LINE_W] == req_line;
    end
    for (w = 0; w < BUS_WRITES; w = w + 1) begin : writes
      assign same_write[w] = write_open_q[w] && write_line_q[w*LINE_W +: LINE_W] == req_line;
    end
  endgenerate

//@ if BUS_SM
  wire write = req_kind == 2'd2;
//@ else
  wire write = req_write;
//@ end
//@ if BUS_BYPS > 1
  wire [BUS_ID_W-1:0] bypass_id = BUS_MSHRS[BUS_ID_W-1:0] + /*@widen(bypass_next_q, BUS_BYP_W, BUS_ID_W)*/;
//@ elif BUS_BYPS
  wire [BUS_ID_W-1:0] bypass_id = BUS_MSHRS[BUS_ID_W-1:0];
//@ end
//@ if BUS_BYPS
  wire [BUS_ID_W-1:0] read_id = req_kind[0] ? bypass_id : /*@widen(req_id, BUS_MSHR_W, BUS_ID_W)*/;
//@ else
  wire [BUS_ID_W-1:0] read_id = /*@widen(req_id, BUS_MSHR_W, BUS_ID_W)*/;
//@ end
  wire [BUS_READS-1:0]  read_at  = READ_0 << read_id;
  wire [BUS_WRITES-1:0] write_at = WRITE_0 << write_next_q;

  wire take       = req_valid && req_ready;
  wire take_read  = take && may_read_q;
  wire take_write = take && !may_read_q;
  wire look       = req_valid && !take;

  assign req_ready = may_read_q && !ar_valid_q || may_write_q && !aw_valid_q && !w_valid_q;

  always @(posedge clk)
    if (rst) begin
      may_read_q  <= 1'b0;
      may_write_q <= 1'b0;
    end else begin
      may_read_q  <= look && !write && !(|same_write) && !(|(read_used_q & read_at));
      may_write_q <= look && write && !(|same_write) && !(|same_read) && !(|(busy_writes & write_at));
    end

  // --- what is in flight

  always @(posedge clk)
    if (rst) begin
      read_used_q  <= {BUS_READS{1'b0}};
      read_open_q  <= {BUS_READS{1'b0}};
      write_open_q <= {BUS_WRITES{1'b0}};
    end else begin
      read_used_q  <= read_used_q & ~shown_read | read_at & {BUS_READS{take_read}};
      read_open_q  <= read_open_q & ~ended_read | read_at & {BUS_READS{take_read}};
      write_open_q <= write_open_q & ~ended_write | write_at & {BUS_WRITES{take_write}};
    end

  generate
    for (r = 0; r < BUS_READS; r = r + 1) begin : read_lines
      always @(posedge clk)
        if (take_read && read_at[r])
          read_line_q[r*LINE_W +: LINE_W] <= req_line;
    end
    for (w = 0; w < BUS_WRITES; w = w + 1) begin : write_lines
      always @(posedge clk)
        if (take_write && write_at[w])
          write_line_q[w*LINE_W +: LINE_W] <= req_line;
    end
  endgenerate
//@ if BUS_BYPS > 1

  always @(posedge clk)
    if (rst)
      bypass_next_q <= {BUS_BYP_W{1'b0}};
    else if (take_read && req_kind[0])
      bypass_next_q <= /*@next(bypass_next_q, BUS_BYPS, BUS_BYP_W)*/;
//@ end

  always @(posedge clk)
    if (rst)
      write_next_q <= {BUS_WRITE_W{1'b0}};
    else if (take_write)
      write_next_q <= /*@next(write_next_q, BUS_WRITES, BUS_WRITE_W)*/;

//@ if BUS_SM
  assign echo_we    = take;
  assign echo_waddr = take_read ? /*@widen(read_id, BUS_ID_W, ECHO_ADDR_W)*/
                                : BUS_READS[ECHO_ADDR_W-1:0] + /*@widen(write_next_q, BUS_WRITE_W, ECHO_ADDR_W)*/;
//@ else
  assign echo_we    = take_read;
  assign echo_waddr = read_id[ECHO_ADDR_W-1:0];
//@ end
  assign echo_wdata = /*@{busrsp req_*}*/;

  // --- AR, AW, W

  always @(posedge clk)
    if (rst)
      ar_valid_q <= 1'b0;
    else
      ar_valid_q <= take_read || ar_valid_q && !m_axi_arready;

  always @(posedge clk)
    if (take_read) begin
      ar_id_q   <= read_id;
      ar_line_q <= req_line;
    end

  always @(posedge clk)
    if (rst)
      aw_valid_q <= 1'b0;
    else
      aw_valid_q <= take_write || aw_valid_q && !m_axi_awready;

  always @(posedge clk)
    if (take_write) begin
      aw_id_q   <= write_next_q;
      aw_line_q <= req_line;
    end

  wire beat = w_valid_q && m_axi_wready;

  always @(posedge clk)
    if (rst)
      w_valid_q <= 1'b0;
    else
      w_valid_q <= take_write || w_valid_q && !(beat && m_axi_wlast);
//@ if BEATS > 1

  always @(posedge clk)
    if (take_write) begin
      w_left_q <= {BEAT_W{1'b1}};
      w_last_q <= 1'b0;
    end else if (beat && !w_last_q) begin
      w_left_q <= w_left_q - 1'b1;
      w_last_q <= w_left_q == {{BEAT_W-1{1'b0}}, 1'b1};
    end

  // the topmost beat stays
  always @(posedge clk)
    if (take_write)
      w_data_q <= req_wdata;
    else if (beat)
      w_data_q[(BEATS-1)*BUS_BITS-1:0] <= w_data_q[BEATS*BUS_BITS-1:BUS_BITS];
//@ if BUS_SM

  always @(posedge clk)
    if (take_write)
      w_mask_q <= req_wmask;
    else if (beat)
      w_mask_q[(BEATS-1)*BUS_BITS/8-1:0] <= w_mask_q[BEATS*BUS_BITS/8-1:BUS_BITS/8];
//@ end
//@ else

  always @(posedge clk)
    if (take_write) begin
      w_data_q <= req_wdata;
//@ if BUS_SM
      w_mask_q <= req_wmask;
//@ end
    end
//@ end
//@ if BUS_SM

  // AxUSER: the request's wid, slot, num, last
  wire [BUS_USER_W-1:0] user = {req_wid, req_slot, req_num, req_last};

  always @(posedge clk)
    if (take_read)
      ar_user_q <= user;

  always @(posedge clk)
    if (take_write)
      aw_user_q <= user;

  assign m_axi_aruser  = ar_user_q;
  assign m_axi_awuser  = aw_user_q;
//@ end
//@ def burst(ax)
  assign m_axi_/*@ax*/len   = /*@= BEATS - 1*/;
  assign m_axi_/*@ax*/size  = /*@= BUS_SIZE*/;
  assign m_axi_/*@ax*/burst = 2'b01;   // INCR
  assign m_axi_/*@ax*/lock  = 1'b0;
  assign m_axi_/*@ax*/cache = 4'b0011; // normal, bufferable
  assign m_axi_/*@ax*/prot  = 3'b010;  // data, non-secure, unprivileged
//@ end

  assign m_axi_arvalid = ar_valid_q;
  assign m_axi_arid    = ar_id_q;
  assign m_axi_araddr  = {ar_line_q, {ADDR_W-LINE_W{1'b0}}};
/*@burst(ar)*/
  assign m_axi_awvalid = aw_valid_q;
  assign m_axi_awid    = /*@widen(aw_id_q, BUS_WRITE_W, BUS_ID_W)*/;
  assign m_axi_awaddr  = {aw_line_q, {ADDR_W-LINE_W{1'b0}}};
/*@burst(aw)*/
  assign m_axi_wvalid  = w_valid_q;
  assign m_axi_wdata   = w_data_q[BUS_BITS-1:0];
//@ if BUS_SM
  assign m_axi_wstrb   = w_mask_q[BUS_BITS/8-1:0];
//@ else
  assign m_axi_wstrb   = {BUS_BITS/8{1'b1}};
//@ end
//@ if BEATS > 1
  assign m_axi_wlast   = w_last_q;
//@ else
  assign m_axi_wlast   = 1'b1;
//@ end
//@ part axi4_answers
