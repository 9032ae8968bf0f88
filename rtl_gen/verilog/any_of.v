//@ # A function, as a macro: of `number` words of `width` bits, bit by bit, whether any of them has it.
//@ def any_of(name, number, width)
  // bit by bit, whether any of the words has it
  function [/*@width*/-1:0] /*@name*/(input [/*@number*/*/*@width*/-1:0] v);
    integer i;
    begin
      /*@name*/ = {/*@width*/{1'b0}};
      for (i = 0; i < /*@number*/; i = i + 1)
        /*@name*/ = /*@name*/ | v[i*/*@width*/ +: /*@width*/];
    end
  endfunction
//@ end
