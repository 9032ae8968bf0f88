//@ part latch
// hd_ram_1r1w_latch: a memory of latches with a write port and a read port, read synchronously; rdata holds
// what was read last. A read of the row that is written in the same cycle gives what it held before. What is
// to be written is kept in a register, and its row is transparent in the high phase behind the edge, while
// that register holds still. So rows change with the edge, as flip-flops with enables would.
module hd_ram_1r1w_latch #(
//@ part ports_1r1w

  (* mem2reg *) // Yosys: no memory, for it knows none of latches
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
