//@ # A function, as a macro: how many 1s v of `bits` bits has, in `width` bits.
//@ def ones(name, bits, width)
  // how many 1s v has: sums of pairs, in log steps
  function [/*@width*/-1:0] /*@name*/(input [/*@bits*/-1:0] v);
    reg [/*@bits*/*/*@width*/-1:0] sum;
    integer i, step;
    begin
      sum = {/*@bits*/*/*@width*/{1'b0}};
      for (i = 0; i < /*@bits*/; i = i + 1)
        sum[i*/*@width*/] = v[i];
      for (step = 1; step < /*@bits*/; step = step * 2)
        for (i = 0; i + step < /*@bits*/; i = i + 2 * step)
          sum[i*/*@width*/ +: /*@width*/] = sum[i*/*@width*/ +: /*@width*/] + sum[(i+step)*/*@width*/ +: /*@width*/];
      /*@name*/ = sum[0 +: /*@width*/];
    end
  endfunction
//@ end
