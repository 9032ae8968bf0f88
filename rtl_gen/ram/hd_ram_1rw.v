// hd_ram_1rw: a memory with one port, read synchronously; rdata holds what was read last.
//@ part banner
module hd_ram_1rw #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,    // access in this cycle
  input  wire              we,    // 1 = write, 0 = read
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
`endif
