//@ # A function, as a macro: the OR, bit by bit, of `number` words of `width` bits.
//@ def any_of(name, number, width)
  // the OR of the words, bit by bit
  function [/*@width*/-1:0] /*@name*/(input [/*@number*/*/*@width*/-1:0] v);
    integer i;
    begin
      /*@name*/ = {/*@width*/{1'b0}};
      for (i = 0; i < /*@number*/; i = i + 1)
        /*@name*/ = /*@name*/ | v[i*/*@width*/ +: /*@width*/];
    end
  endfunction
//@ end
