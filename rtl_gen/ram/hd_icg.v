// Below is the simulation body. For silicon define HEDDLE_ICG_MACRO: then this file is empty, and
// you give a module of the same name and ports, with your library's clock-gating cell in it: a latch that is
// transparent while clk is 0, and an AND.
`ifndef HEDDLE_ICG_MACRO
// hd_icg: a clock-gating cell: gclk follows clk in a high phase if en was 1 before its rising edge, else it is 0.
module hd_icg (
  input  wire clk,
  input  wire en,
  output reg  gclk
);

  always @(posedge clk or negedge clk)
    gclk <= clk & en;

endmodule
`endif
