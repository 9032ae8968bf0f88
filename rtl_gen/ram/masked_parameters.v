  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1, // a divisor of WIDTH: each mask bit covers as many bits
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
