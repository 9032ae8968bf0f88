//@ # A memory with a write port and a read port, whatever it is made of: @read is what a read gives.

  reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk)
    if (we)
      mem[waddr] <= wdata;

  always @(posedge clk)
    if (re)
      rdata <= /*@read*/;
