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
  input wire        awready, wready, arready,
  input wire        bvalid,
  input wire [1:0]  bid,
  input wire [1:0]  bresp,
  input wire        rvalid,
  input wire [1:0]  rid,
  input wire [63:0] rdata,
  input wire [1:0]  rresp,
  input wire        rlast
);

  wire        req_ready, awvalid, wvalid, wlast, bready, arvalid, rready;
  wire [1:0]  awid, arid, awburst, arburst;
  wire [19:0] awaddr, araddr;
  wire [7:0]  awlen, arlen;
  wire [2:0]  awsize, arsize;
  wire [63:0] wdata;
  wire [7:0]  wstrb;
  wire [6:0]  manager;
  wire [4:0]  subordinate;

  axi4_manager u_manager (
    .clk(clk), .rst(rst), .req_valid(req_valid), .req_ready(req_ready), .req_kind(req_kind), .req_line(req_line),
    .req_id(req_id), .req_wid(req_wid), .req_slot(req_slot), .req_num(req_num), .req_last(req_last),
    .req_wdata(req_wdata), .req_wmask(req_wmask), .rsp_valid(), .rsp_ready(rsp_ready), .rsp_kind(), .rsp_id(),
    .rsp_wid(), .rsp_slot(), .rsp_num(), .rsp_last(), .rsp_error(), .rsp_data(), .clear(clear), .errors(), .fault(),
    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
    .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(),
    .m_axi_awuser(), .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb),
    .m_axi_wlast(wlast), .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(bresp),
    .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr),
    .m_axi_arlen(arlen), .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(), .m_axi_arcache(),
    .m_axi_arprot(), .m_axi_aruser(), .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid),
    .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(rlast));

  axi4_check #(.ID_W(2), .ADDR_W(20), .DATA_W(64), .AHEAD(1)) u_check (
    .clk(clk), .rst(rst), .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .awlen(awlen),
    .awsize(awsize), .awburst(awburst), .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb),
    .wlast(wlast), .bvalid(bvalid), .bready(bready), .bid(bid), .bresp(bresp), .arvalid(arvalid),
    .arready(arready), .arid(arid), .araddr(araddr), .arlen(arlen), .arsize(arsize), .arburst(arburst),
    .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rresp(rresp), .rlast(rlast), .manager(manager),
    .subordinate(subordinate));

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
    cover (!first && u_check.w_whole != 0 && u_check.r_beat[0] == 8'd2 && u_check.r_beat[2] == 8'd1 && bvalid &&
           bready && subordinate == 0);
`endif
  end

endmodule
