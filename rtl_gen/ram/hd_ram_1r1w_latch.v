//@ part latch
// hd_ram_1r1w_latch: a memory of latches with a write port and a read port, read synchronously; rdata holds
// what was read last. A read of the row that is written in the same cycle returns its old contents. The
// write data are kept in a register, and the row is transparent in the high phase after the edge, while
// that register holds still. So rows change with the edge, as flip-flops with enables would.
module hd_ram_1r1w_latch #(
//@ part ports_1r1w

  (* mem2reg *) // tells Yosys to make no memory: it has none of latches
  reg  [WIDTH-1:0] mem [0:DEPTH-1];
  reg  [WIDTH-1:0] taken;
  wire [DEPTH-1:0] open;

  localparam [DEPTH-1:0] ROW_0 = 1;
  wire [DEPTH-1:0] at = {DEPTH{we}} & (ROW_0 << waddr);

  always @(posedge clk)
    taken <= wdata;

  genvar r;
  generate
    for (r = 0; r < DEPTH; r = r + 1) begin : row
      hd_icg gate (.clk(clk), .en(at[r]), .gclk(open[r]));
      /*@latch*/
        if (open[r])
          mem[r] = taken;
    end
  endgenerate

  always @(posedge clk)
    if (re)
      rdata <= mem[raddr];

endmodule
