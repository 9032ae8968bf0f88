//@ # Parameters and ports of a memory with a write port and a read port.
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
