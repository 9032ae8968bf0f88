//@ part latch
// hd_table_latch: a table of latches with one write port; all its bits are outputs: row r is
// q[r*WIDTH +: WIDTH]. The write data are kept in a register, and the row of a write is transparent in
// the high phase after the edge, while that register holds still. So q changes with the edge, as
// flip-flops with enables would.
module hd_table_latch #(
  parameter ROWS  = 2,
  parameter WIDTH = 1
) (
  input  wire                  clk,
  input  wire [ROWS-1:0]       we,
  input  wire [WIDTH-1:0]      wdata,
  output reg  [ROWS*WIDTH-1:0] q
);

  reg  [WIDTH-1:0] taken;
  wire [ROWS-1:0]  open;

  always @(posedge clk)
    taken <= wdata;

  genvar r;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      hd_icg gate (.clk(clk), .en(we[r]), .gclk(open[r]));
      /*@latch*/
        if (open[r])
          q[r*WIDTH +: WIDTH] = taken;
    end
  endgenerate

endmodule
