//@ # A memory with a write port and a read port, whatever its cells are: @read is the value that a read returns.

  reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk)
    if (we)
      mem[waddr] <= wdata;

  always @(posedge clk)
    if (re)
      rdata <= /*@read*/;
