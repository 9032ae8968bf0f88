// A CAM of 16 words of 32 bits: the number of the word that is searched for. All ports are registers.
module cam (
  input  wire        clk,
  input  wire        rst,
  input  wire        write,
  input  wire [3:0]  write_at,
  input  wire [31:0] data,
  output reg         found_q,
  output reg  [3:0]  at_q
);
  reg             write_q;
  reg  [3:0]      write_at_q;
  reg  [31:0]     data_q;
  reg  [15:0]     used_q;
  reg  [16*32-1:0] words_q;
  wire [15:0]     hit;
  reg  [3:0]      number;
  integer         n;
  genvar          i;
  always @* begin
    number = 4'd0;
    for (n = 15; n >= 0; n = n - 1)
      if (hit[n])
        number = n[3:0];
  end
  generate
    for (i = 0; i < 16; i = i + 1) begin : word
      localparam PLACE = i;
      assign hit[i] = used_q[i] && words_q[i*32 +: 32] == data_q;
      always @(posedge clk)
        if (write_q && write_at_q == PLACE[3:0])
          words_q[i*32 +: 32] <= data_q;
      always @(posedge clk)
        if (rst)
          used_q[i] <= 1'b0;
        else if (write_q && write_at_q == PLACE[3:0])
          used_q[i] <= 1'b1;
    end
  endgenerate
  always @(posedge clk) begin
    write_q    <= write;
    write_at_q <= write_at;
    data_q     <= data;
    found_q    <= |hit;
    at_q       <= number;
  end
endmodule
