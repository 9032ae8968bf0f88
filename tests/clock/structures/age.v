// The order of use of 48 entries as a matrix: one moves to the front or to the back, and the oldest of those asked for is picked.
// older[i*48 + j] = entry i is older than entry j. All ports are registers.
module age (
  input  wire        clk,
  input  wire        touch,
  input  wire        to_back,
  input  wire [5:0]  which,
  input  wire [47:0] ask,
  output reg  [47:0] oldest_q
);
  reg               touch_q, to_back_q;
  reg  [5:0]        which_q;
  reg  [47:0]       ask_q;
  wire [48*48-1:0]  older;
  wire [47:0]       at = {47'b0, touch_q} << which_q;
  wire [47:0]       oldest;
  genvar i, j;
  generate
    for (i = 0; i < 48; i = i + 1) begin : row
      wire [47:0] beaten; // by another one that asks
      for (j = 0; j < 48; j = j + 1) begin : column
        if (i == j) begin : itself
          assign older[i*48 + j] = 1'b0;
        end else begin : other
          reg older_q;
          assign older[i*48 + j] = older_q;
          always @(posedge clk)
            if (at[i])
              older_q <= !to_back_q;
            else if (at[j])
              older_q <= to_back_q;
        end
        assign beaten[j] = ask_q[j] && older[j*48 + i];
      end
      assign oldest[i] = ask_q[i] && !(|beaten);
    end
  endgenerate
  always @(posedge clk) begin
    touch_q   <= touch;
    to_back_q <= to_back;
    which_q   <= which;
    ask_q     <= ask;
    oldest_q  <= oldest;
  end
endmodule
