// hd_ram_1rw_m_sleep: a memory with one port and write masks whose rows can be powered off, read
// synchronously; rdata holds what was read last. In silicon sleep drives each row's power switch.
// A row loses its contents when it sleeps: until the whole row is written while awake, a read of it
// is undefined. Here it returns the complement of the stored bits, so that nothing can depend
// on it.
//@ part banner
module hd_ram_1rw_m_sleep #(
//@ part masked_parameters
) (
  input  wire              clk,
  input  wire              en,    // access in this cycle
  input  wire              we,    // 1 = write, 0 = read
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask, // 1 = write these bits
  input  wire [DEPTH-1:0]  sleep, // 1 = the row is without power
  output reg  [WIDTH-1:0]  rdata
);

//@ part masked_body
  always @(posedge clk)
    if (en && we)
      mem[addr] <= (wdata & written) | (mem[addr] & ~written);

  // rows that hold written data; the other rows have lost theirs, or were never written
  reg [DEPTH-1:0] holds;
  initial holds = 0;
  always @(posedge clk) begin
    holds <= holds & ~sleep;
    if (en && we && (&wmask) && !sleep[addr])
      holds[addr] <= 1'b1;
  end

  always @(posedge clk)
    if (en && !we)
      rdata <= (holds[addr] && !sleep[addr]) ? mem[addr] : ~mem[addr];

endmodule
`endif
