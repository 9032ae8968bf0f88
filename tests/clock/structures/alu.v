// A unit of 32 bits: sum, difference, comparisons, logic, shifts. All ports are registers.
module alu (
  input  wire        clk,
  input  wire [2:0]  what,
  input  wire [31:0] a,
  input  wire [31:0] b,
  output reg  [31:0] y_q
);
  reg  [2:0]  what_q;
  reg  [31:0] a_q, b_q, y;
  always @*
    case (what_q)
      3'd0:    y = a_q + b_q;
      3'd1:    y = a_q - b_q;
      3'd2:    y = {31'b0, $signed(a_q) < $signed(b_q)};
      3'd3:    y = {31'b0, a_q < b_q};
      3'd4:    y = a_q ^ b_q;
      3'd5:    y = a_q << b_q[4:0];
      3'd6:    y = a_q >> b_q[4:0];
      default: y = $signed(a_q) >>> b_q[4:0];
    endcase
  always @(posedge clk) begin
    what_q <= what;
    a_q    <= a;
    b_q    <= b;
    y_q    <= y;
  end
endmodule
