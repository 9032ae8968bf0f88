// The manager of configs/lockstep/axi4/axi4_small under its protocol checker, for yosys-smtbmc: any requests that stay until they are
// taken, any subordinate, any resets after the first.
module prove (
  input wire        clk,
  input wire        rst,
  input wire        req_valid,
  input wire [1:0]  req_kind,
  input wire [14:0] req_line,
  input wire        req_id,
  input wire [2:0]  req_wid,
  input wire        req_slot,
  input wire [1:0]  req_num,
  input wire        req_last,
  input wire [255:0] req_wdata,
  input wire [31:0] req_wmask,
  input wire        rsp_ready,
  input wire        clear,
  input wire        m_axi_awready, m_axi_wready, m_axi_arready,
  input wire        m_axi_bvalid,
  input wire [1:0]  m_axi_bid,
  input wire [1:0]  m_axi_bresp,
  input wire        m_axi_rvalid,
  input wire [1:0]  m_axi_rid,
  input wire [63:0] m_axi_rdata,
  input wire [1:0]  m_axi_rresp,
  input wire        m_axi_rlast
);

  localparam ID_W = 2, ADDR_W = 20, DATA_W = 64, USER_W = 7;
  localparam MSHR_W = 1, WID_W = 3, SLOT_W = 1, NUM_W = 2, LINE_BITS = 256;
`include "axi4_nets.vh"
`include "axi4_sm_nets.vh"
  wire [7:0]  errors;
  wire        fault;
  wire [6:0]  manager;
  wire [4:0]  subordinate;

  axi4_manager u_manager (
`include "axi4_manager.vh"
  );

  axi4_check #(.ID_W(ID_W), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .AHEAD(1)) u_check (
    .clk(clk), .rst(rst), .manager(manager), .subordinate(subordinate),
`include "axi4_check.vh"
  );

  reg         first = 1'b1, waits = 1'b0;
  reg [24:0] kept;
  wire [24:0] payload = {req_kind, req_line, req_id, req_wid, req_slot, req_num, req_last};

  always @(posedge clk) begin
    first <= 1'b0;
    waits <= req_valid && !req_ready && !rst;
    kept  <= payload;
  end

  always @* begin
    if (first)
      assume (rst);
    if (waits)
      assume (req_valid && payload == kept);
    assume (req_kind != 2'd3);
`ifdef SHOW
    // something is shown: two reads of interleaved beats, and a write that is answered
    cover (!first && u_check.w_whole != 0 && u_check.r_beat[0] == 8'd2 && u_check.r_beat[2] == 8'd1 && m_axi_bvalid &&
           m_axi_bready && subordinate == 0);
`endif
  end

endmodule
