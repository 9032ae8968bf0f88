// The L1D of configs/axi4 behind AXI4: how a module's memory port and axi4_manager are connected. The SM's side is the L1D's.
// An error of the bus is counted, and goes through the L1D to the SM (docs/mechanisms/axi4.md, D-AXI-6).
module l1d_axi4 (
  input  wire          clk,
  input  wire          rst,
  input  wire          flush,
  input  wire          sm_req_valid,
  output wire          sm_req_ready,
  input  wire [24:0]   sm_req_line,
  input  wire          sm_req_write,
  input  wire [5:0]    sm_req_wid,
  input  wire [1:0]    sm_req_slot,
  input  wire [4:0]    sm_req_num,
  input  wire          sm_req_last,
  input  wire [1023:0] sm_req_wdata,
  input  wire [127:0]  sm_req_wmask,
  output wire          resp_valid,
  input  wire          resp_ready,
  output wire          resp_write,
  output wire [5:0]    resp_wid,
  output wire [1:0]    resp_slot,
  output wire [4:0]    resp_num,
  output wire          resp_last,
  output wire          resp_error,
  output wire [1023:0] resp_data,
  input  wire          clear,
  output wire [7:0]    errors,
  output wire          fault,
  output wire          m_axi_awvalid,
  input  wire          m_axi_awready,
  output wire [5:0]    m_axi_awid,
  output wire [31:0]   m_axi_awaddr,
  output wire [7:0]    m_axi_awlen,
  output wire [2:0]    m_axi_awsize,
  output wire [1:0]    m_axi_awburst,
  output wire          m_axi_awlock,
  output wire [3:0]    m_axi_awcache,
  output wire [2:0]    m_axi_awprot,
  output wire [13:0]   m_axi_awuser,
  output wire          m_axi_wvalid,
  input  wire          m_axi_wready,
  output wire [127:0]  m_axi_wdata,
  output wire [15:0]   m_axi_wstrb,
  output wire          m_axi_wlast,
  input  wire          m_axi_bvalid,
  output wire          m_axi_bready,
  input  wire [5:0]    m_axi_bid,
  input  wire [1:0]    m_axi_bresp,
  output wire          m_axi_arvalid,
  input  wire          m_axi_arready,
  output wire [5:0]    m_axi_arid,
  output wire [31:0]   m_axi_araddr,
  output wire [7:0]    m_axi_arlen,
  output wire [2:0]    m_axi_arsize,
  output wire [1:0]    m_axi_arburst,
  output wire          m_axi_arlock,
  output wire [3:0]    m_axi_arcache,
  output wire [2:0]    m_axi_arprot,
  output wire [13:0]   m_axi_aruser,
  input  wire          m_axi_rvalid,
  output wire          m_axi_rready,
  input  wire [5:0]    m_axi_rid,
  input  wire [127:0]  m_axi_rdata,
  input  wire [1:0]    m_axi_rresp,
  input  wire          m_axi_rlast
);

  wire          req_valid, req_last, rsp_ready;
  wire [1:0]    req_kind, req_slot;
  wire [24:0]   req_line;
  wire [4:0]    req_id, req_num;
  wire [5:0]    req_wid;
  wire [1023:0] req_wdata;
  wire [127:0]  req_wmask;
  localparam MSHR_W = 5, WID_W = 6, SLOT_W = 2, NUM_W = 5, LINE_BITS = 1024;
`include "axi4_sm_nets.vh"

  l1d u_l1d (
    .clk(clk), .rst(rst), .flush(flush), .req_valid(sm_req_valid), .req_ready(sm_req_ready), .req_line(sm_req_line),
    .req_write(sm_req_write), .req_wid(sm_req_wid), .req_slot(sm_req_slot), .req_num(sm_req_num), .req_last(sm_req_last),
    .req_wdata(sm_req_wdata), .req_wmask(sm_req_wmask), .resp_valid(resp_valid), .resp_ready(resp_ready),
    .resp_write(resp_write), .resp_wid(resp_wid), .resp_slot(resp_slot), .resp_num(resp_num), .resp_last(resp_last),
    .resp_error(resp_error), .resp_data(resp_data), .mreq_valid(req_valid), .mreq_ready(req_ready), .mreq_kind(req_kind),
    .mreq_line(req_line), .mreq_id(req_id), .mreq_wid(req_wid), .mreq_slot(req_slot), .mreq_num(req_num),
    .mreq_last(req_last), .mreq_wdata(req_wdata), .mreq_wmask(req_wmask), .mrsp_valid(rsp_valid),
    .mrsp_ready(rsp_ready), .mrsp_kind(rsp_kind), .mrsp_id(rsp_id), .mrsp_wid(rsp_wid), .mrsp_slot(rsp_slot),
    .mrsp_num(rsp_num), .mrsp_last(rsp_last), .mrsp_error(|rsp_error), .mrsp_data(rsp_data));

  axi4_manager u_manager (
`include "axi4_manager.vh"
  );

endmodule
