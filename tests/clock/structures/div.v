// A divider of 64 bits by 6, one bit of the quotient a cycle.
module div (
  input  wire        clk,
  input  wire        rst,
  input  wire        start,
  input  wire [63:0] dividend,
  input  wire [5:0]  divisor,
  output wire        busy,
  output wire [63:0] quotient,
  output wire [5:0]  remainder
);
  reg  [63:0] x_q;
  reg  [5:0]  by_q, rest_q;
  reg  [6:0]  left_q;
  wire [6:0]  next = {rest_q, x_q[63]};
  wire        fits = next >= {1'b0, by_q};
  always @(posedge clk)
    if (rst)
      left_q <= 7'd0;
    else if (start)
      left_q <= 7'd64;
    else if (busy)
      left_q <= left_q - 7'd1;
  always @(posedge clk)
    if (start) begin
      x_q    <= dividend;
      by_q   <= divisor;
      rest_q <= 6'd0;
    end else if (busy) begin
      x_q    <= {x_q[62:0], fits};
      rest_q <= fits ? next[5:0] - by_q : next[5:0];
    end
  assign busy      = |left_q;
  assign quotient  = x_q;
  assign remainder = rest_q;
endmodule
