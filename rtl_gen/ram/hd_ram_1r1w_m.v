// hd_ram_1r1w_m: a memory with a write port with masks and a read port, read synchronously; rdata
// holds what was read last. A read of bits that are written in the same cycle is
// undefined: here it returns the complement of the new data, so that nothing can depend on it.
//@ part banner
module hd_ram_1r1w_m #(
//@ part masked_parameters
) (
  input  wire              clk,
  input  wire              we,
  input  wire [ADDR_W-1:0] waddr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask, // 1 = write these bits
  input  wire              re,
  input  wire [ADDR_W-1:0] raddr,
  output reg  [WIDTH-1:0]  rdata
);

//@ part masked_body
  always @(posedge clk)
    if (we)
      mem[waddr] <= (wdata & written) | (mem[waddr] & ~written);

  always @(posedge clk)
    if (re)
      rdata <= (we && waddr == raddr) ? (~wdata & written) | (mem[raddr] & ~written) : mem[raddr];

endmodule
`endif
