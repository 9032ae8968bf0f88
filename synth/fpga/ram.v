// The memory wrappers as an FPGA's block RAM holds them: same modules, parameters and ports as the
// generated ones, in the shapes that Yosys maps to block RAM. Bits that are read while they are
// written are x, so no logic is made for them. Rows can't be powered off: a sleep port does nothing,
// and a row keeps what it held, which the wrapper's contract allows. Each wrapper has its own `mem`,
// which lockstep looks into.
module hd_ram_1rw #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  output reg  [WIDTH-1:0]  rdata
);
  reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk)
    if (en && we)
      mem[addr] <= wdata;

  always @(posedge clk)
    if (en && !we)
      rdata <= mem[addr];
endmodule

module hd_ram_1r1w #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              we,
  input  wire [ADDR_W-1:0] waddr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire              re,
  input  wire [ADDR_W-1:0] raddr,
  output reg  [WIDTH-1:0]  rdata
);
  reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk)
    if (we)
      mem[waddr] <= wdata;

  always @(posedge clk)
    if (re)
      rdata <= (we && waddr == raddr) ? {WIDTH{1'bx}} : mem[raddr];
endmodule

module hd_ram_1rw_m #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  output reg  [WIDTH-1:0]  rdata
);
  localparam LANE_W = WIDTH / MASK_W;
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  genvar i;

  generate
    for (i = 0; i < MASK_W; i = i + 1) begin : lane
      always @(posedge clk)
        if (en && we && wmask[i])
          mem[addr][i*LANE_W +: LANE_W] <= wdata[i*LANE_W +: LANE_W];
    end
  endgenerate

  always @(posedge clk)
    if (en && !we)
      rdata <= mem[addr];
endmodule

module hd_ram_1rw_m_sleep #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  input  wire [DEPTH-1:0]  sleep,
  output reg  [WIDTH-1:0]  rdata
);
  localparam LANE_W = WIDTH / MASK_W;
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  genvar i;

  generate
    for (i = 0; i < MASK_W; i = i + 1) begin : lane
      always @(posedge clk)
        if (en && we && wmask[i])
          mem[addr][i*LANE_W +: LANE_W] <= wdata[i*LANE_W +: LANE_W];
    end
  endgenerate

  always @(posedge clk)
    if (en && !we)
      rdata <= mem[addr];
endmodule

module hd_ram_1r1w_m #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              we,
  input  wire [ADDR_W-1:0] waddr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  input  wire              re,
  input  wire [ADDR_W-1:0] raddr,
  output reg  [WIDTH-1:0]  rdata
);
  localparam LANE_W = WIDTH / MASK_W;
  reg [WIDTH-1:0] mem [0:DEPTH-1];
  genvar i;

  generate
    for (i = 0; i < MASK_W; i = i + 1) begin : lane
      always @(posedge clk)
        if (we && wmask[i])
          mem[waddr][i*LANE_W +: LANE_W] <= wdata[i*LANE_W +: LANE_W];

      always @(posedge clk)
        if (re)
          rdata[i*LANE_W +: LANE_W] <= we && waddr == raddr && wmask[i] ? {LANE_W{1'bx}} : mem[raddr][i*LANE_W +: LANE_W];
    end
  endgenerate
endmodule
