// Random traffic of an L1D for the manager of configs/axi4, and a subordinate with random stalls that answers in any order, its
// reads' beats interleaved. axi4_check watches; a read must bring its line as the writes taken before it made it.
// Says "transfers N, bad M" at the end: N are handshakes at the five channels.
module bench;

  parameter CYCLES = 20000;
  parameter ERRORS = 0; // 1: one answer in eight is SLVERR
  localparam IDS = 64, LINES = 16;

  reg         clk = 1'b0, rst = 1'b1;
  reg [63:0]  r = 64'h9e3779b97f4a7c15; // xorshift
  integer     cycle = 0, transfers = 0, bad = 0, answers = 0, errors_given = 0, i;

  reg            req_valid = 1'b0, rsp_ready = 1'b0;
  reg  [1:0]     req_kind;
  reg  [3:0]     line;
  reg  [4:0]     req_id, req_num;
  reg  [1023:0]  req_wdata;
  wire [24:0]    req_line  = {21'h15a5b, line};
  wire [5:0]     req_wid   = 6'd9;
  wire [1:0]     req_slot  = 2'd1;
  wire           req_last  = 1'b1, clear = 1'b0;
  wire [127:0]   req_wmask = {128{1'b1}};
  wire [7:0]     errors;
  wire           fault;
  localparam ID_W = 6, ADDR_W = 32, DATA_W = 128, USER_W = 14;
  localparam MSHR_W = 5, WID_W = 6, SLOT_W = 2, NUM_W = 5, LINE_BITS = 1024;
`include "axi4_nets.vh"
`include "axi4_sm_nets.vh"
  reg            m_axi_awready = 1'b0, m_axi_wready = 1'b0, m_axi_arready = 1'b0;
  reg            m_axi_bvalid = 1'b0, m_axi_rvalid = 1'b0, m_axi_rlast;
  reg  [5:0]     m_axi_bid = 6'd0, m_axi_rid = 6'd0;
  reg  [127:0]   m_axi_rdata;
  reg  [1:0]     m_axi_rresp, m_axi_bresp;
  wire [6:0]     manager;
  wire [4:0]     subordinate;

  axi4_manager u_manager (
`include "axi4_manager.vh"
  );

  axi4_check #(.ID_W(ID_W), .ADDR_W(ADDR_W), .DATA_W(DATA_W)) u_check (
    .clk(clk), .rst(rst), .manager(manager), .subordinate(subordinate),
`include "axi4_check.vh"
  );

  // the lines: as the writes that were taken made them; as the subordinate has them
  reg [1023:0] image [0:LINES-1];
  reg [1023:0] memory [0:LINES-1];
  // what the SM has inside: fills by their MSHRs, bypassed loads by their numbers
  reg [1023:0] fill_due [0:31];
  reg [1023:0] load_due [0:31];
  reg [31:0]   fill_open = 0, load_open = 0, store_open = 0;
  // what the subordinate has
  reg [IDS-1:0]  read_open = 0, write_open = 0;
  reg [3:0]      read_line [0:IDS-1];
  reg [2:0]      read_beat [0:IDS-1];
  reg [3:0]      write_line [0:IDS-1];
  reg [1023:0]   write_data [0:IDS-1];
  reg            have_aw = 1'b0, have_w = 1'b0;
  reg [5:0]      aw_id;
  reg [3:0]      aw_line;
  reg [1023:0]   w_data;

  function [63:0] shift(input [63:0] v);
    begin
      shift = v ^ v << 13;
      shift = shift ^ shift >> 7;
      shift = shift ^ shift << 17;
    end
  endfunction

  // some 1 of v, from a place on; IDS: none
  function integer some(input [IDS-1:0] v, input [5:0] from);
    integer k;
    begin
      some = IDS;
      for (k = 0; k < IDS; k = k + 1)
        if (some == IDS && v[from + k[5:0]])
          some = {26'd0, from + k[5:0]};
    end
  endfunction

  initial
    for (i = 0; i < LINES; i = i + 1) begin
      image[i] = {32{i[31:0] * 32'h01010101}};
      memory[i] = image[i];
    end

  // Stalls: for 256 cycles a channel is fast, or slow.
  function go(input slow, input [2:0] dice);
    go = !slow || dice == 3'd0;
  endfunction
  reg [6:0] slow = 7'd0;

  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst   <= cycle < 3;
    r     <= shift(r);
    if (cycle % 256 == 0)
      slow <= r[40:34];
    m_axi_awready <= go(slow[0], r[2:0]) && !(have_aw || m_axi_awvalid && m_axi_awready);
    m_axi_wready  <= go(slow[1], r[5:3]) && !(have_w || m_axi_wvalid && m_axi_wready && m_axi_wlast);
    m_axi_arready <= go(slow[2], r[8:6]);
    rsp_ready <= go(slow[3], r[11:9]);

    // --- the SM
    if (req_valid && req_ready) begin
      req_valid <= 1'b0;
      if (req_kind == 2'd2) begin
        image[line] = req_wdata;
        store_open[req_num] <= 1'b1;
      end else if (req_kind == 2'd1) begin
        load_due[req_num]  <= image[line];
        load_open[req_num] <= 1'b1;
      end else begin
        fill_due[req_id]  <= image[line];
        fill_open[req_id] <= 1'b1;
      end
    end
    if (!rst && (!req_valid || req_ready) && go(slow[4], r[14:12])) begin
      req_kind <= r[16:15] == 2'd3 ? 2'd0 : r[16:15];
      line     <= r[20:17];
      req_id   <= r[25:21];
      req_num  <= r[30:26];
      for (i = 0; i < 16; i = i + 1)
        req_wdata[64*i +: 64] <= r ^ {i[31:0], cycle};
      // of one that is inside, or has been taken just now, there is none
      req_valid <= !(req_valid && (req_id == r[25:21] || req_num == r[30:26])) && !fill_open[r[25:21]] &&
                   !load_open[r[30:26]] && !store_open[r[30:26]];
    end
    if (rsp_valid && rsp_ready) begin
      answers <= answers + 1;
      if (ERRORS == 0 && rsp_error != 0) bad <= bad + 1;
      if (rsp_kind == 2'd2) begin
        store_open[rsp_num] <= 1'b0;
        if (!store_open[rsp_num]) bad <= bad + 1;
      end else if (rsp_kind == 2'd1) begin
        load_open[rsp_num] <= 1'b0;
        if (!load_open[rsp_num] || rsp_error == 0 && rsp_data != load_due[rsp_num]) bad <= bad + 1;
      end else begin
        fill_open[rsp_id] <= 1'b0;
        if (!fill_open[rsp_id] || rsp_error == 0 && rsp_data != fill_due[rsp_id]) bad <= bad + 1;
      end
    end

    // --- the subordinate
    if (m_axi_arvalid && m_axi_arready) begin
      read_open[m_axi_arid] <= 1'b1;
      read_line[m_axi_arid] <= m_axi_araddr[10:7];
      read_beat[m_axi_arid] <= 3'd0;
    end
    if (m_axi_rvalid && m_axi_rready) begin
      read_beat[m_axi_rid] <= read_beat[m_axi_rid] + 3'd1;
      if (m_axi_rlast) read_open[m_axi_rid] <= 1'b0;
    end
    if (!m_axi_rvalid || m_axi_rready) begin
      m_axi_rvalid <= 1'b0;
      i = some(read_open & ~({63'd0, m_axi_rvalid} << m_axi_rid), r[36:31]); // not the one whose beat goes now
      if (i != IDS && go(slow[5], r[39:37])) begin
        m_axi_rvalid <= 1'b1;
        m_axi_rid    <= i[5:0];
        m_axi_rdata  <= memory[read_line[i]][128*read_beat[i] +: 128];
        m_axi_rlast  <= &read_beat[i];
        m_axi_rresp  <= ERRORS != 0 && r[42:40] == 3'd0 ? 2'd2 : 2'd0;
      end
    end
    if (m_axi_awvalid && m_axi_awready) begin
      have_aw <= 1'b1;
      aw_id   <= m_axi_awid;
      aw_line <= m_axi_awaddr[10:7];
    end
    if (m_axi_wvalid && m_axi_wready) begin
      w_data <= {m_axi_wdata, w_data[1023:128]};
      have_w <= m_axi_wlast;
      if (m_axi_wstrb != 16'hffff) bad <= bad + 1;
    end
    if (have_aw && have_w) begin
      have_aw <= 1'b0;
      have_w  <= 1'b0;
      write_open[aw_id] <= 1'b1;
      write_line[aw_id] <= aw_line;
      write_data[aw_id] <= w_data;
    end
    if (m_axi_bvalid && m_axi_bready) begin
      m_axi_bvalid <= 1'b0;
      memory[write_line[m_axi_bid]] = write_data[m_axi_bid];
      write_open[m_axi_bid] <= 1'b0;
    end
    if (!m_axi_bvalid) begin
      i = some(write_open, r[48:43]);
      if (i != IDS && go(slow[6], r[51:49])) begin
        m_axi_bvalid <= 1'b1;
        m_axi_bid    <= i[5:0];
        m_axi_bresp  <= ERRORS != 0 && r[54:52] == 3'd0 ? 2'd2 : 2'd0;
      end
    end
    if (m_axi_rvalid && m_axi_rready && m_axi_rresp[1] || m_axi_bvalid && m_axi_bready && m_axi_bresp[1])
      errors_given <= errors_given + 1;
    transfers <= transfers + (m_axi_awvalid && m_axi_awready) + (m_axi_wvalid && m_axi_wready) +
                 (m_axi_bvalid && m_axi_bready) + (m_axi_arvalid && m_axi_arready) + (m_axi_rvalid && m_axi_rready);

    if (cycle == CYCLES) begin
      if (manager != 0 || subordinate != 0)
        $display("rules broken: manager %b, subordinate %b", manager, subordinate);
      if (fault || (errors != 0) != (errors_given != 0) || answers < CYCLES / 100)
        $display("errors %0d of %0d, fault %0d, answers %0d", errors, errors_given, fault, answers);
      $display("transfers %0d, bad %0d", transfers, bad + (manager != 0) + (subordinate != 0) + {31'd0, fault} +
               ((errors != 0) != (errors_given != 0)) + (answers < CYCLES / 100));
      $finish;
    end
  end

  always #1 clk = !clk;

endmodule
