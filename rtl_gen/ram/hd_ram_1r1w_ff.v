// hd_ram_1r1w_ff: a memory of flip-flops with a write port and a read port, read synchronously; rdata holds
// what was read last. A read of the row that is written in the same cycle gives what it held before.
module hd_ram_1r1w_ff #(
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
      rdata <= mem[raddr];

endmodule
