// A rotating priority encoder of 64: the first that asks, from the one after the last that was chosen. All ports are registers.
module prio (
  input  wire        clk,
  input  wire        rst,
  input  wire [63:0] ask,
  output reg         any_q,
  output reg  [5:0]  at_q
);
  reg  [63:0] ask_q;
  wire [63:0] ahead = ask_q & ({64{1'b1}} << at_q << 1);
  wire [63:0] from  = |ahead ? ahead : ask_q;
  reg  [5:0]  number;
  integer     n;
  always @* begin
    number = 6'd0;
    for (n = 63; n >= 0; n = n - 1)
      if (from[n])
        number = n[5:0];
  end
  always @(posedge clk)
    if (rst)
      at_q <= 6'd0;
    else if (|ask_q)
      at_q <= number;
  always @(posedge clk) begin
    ask_q <= ask;
    any_q <= |ask_q;
  end
endmodule
