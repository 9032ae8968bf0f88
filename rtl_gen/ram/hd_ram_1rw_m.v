// hd_ram_1rw_m: a memory with one port and write masks, read synchronously; rdata holds what was
// read last.
//@ part banner
module hd_ram_1rw_m #(
//@ part masked_parameters
) (
  input  wire              clk,
  input  wire              en,    // access in this cycle
  input  wire              we,    // 1 = write, 0 = read
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask, // 1 = write these bits
  output reg  [WIDTH-1:0]  rdata
);

//@ part masked_body
  always @(posedge clk)
    if (en && we)
      mem[addr] <= (wdata & written) | (mem[addr] & ~written);

  always @(posedge clk)
    if (en && !we)
      rdata <= mem[addr];

endmodule
`endif
