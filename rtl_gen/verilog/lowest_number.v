//@ # A function that gives the number of the lowest 1 of a vector of `bits`, in `width` bits: fewer levels than the lowest
//@ # 1 alone, and then its number. For a vector without a 1 the value means nothing.
//@ def lowest_number(name, bits, width)
  // the number of the lowest 1 of v: of each two halves the lower one that has a 1
  function [/*@width*/-1:0] /*@name*/(input [/*@bits*/-1:0] v);
    reg [/*@bits*/-1:0]        any;
    reg [/*@bits*/*/*@width*/-1:0] number;
    integer i, step;
    begin
      any = v;
      for (i = 0; i < /*@bits*/; i = i + 1)
        number[i*/*@width*/ +: /*@width*/] = i[/*@width*/-1:0];
      for (step = 1; step < /*@bits*/; step = step * 2)
        for (i = 0; i + step < /*@bits*/; i = i + 2 * step) begin
          if (!any[i])
            number[i*/*@width*/ +: /*@width*/] = number[(i+step)*/*@width*/ +: /*@width*/];
          any[i] = any[i] | any[i+step];
        end
      /*@name*/ = number[0 +: /*@width*/];
    end
  endfunction
//@ end
