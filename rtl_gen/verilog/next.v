//@ # The place after `place` in a ring of `size` places, numbered in `width` bits, as a macro. A ring that fills its numbers comes round
//@ # by itself; to compare it all the same costs MemSched 50 MHz of 1600, since synthesis does not see that the compare is redundant.
//@ def next(place, size, width)
/*@size*/ != 1 << /*@width*/ && /*@place*/ == /*@size*/[/*@width*/-1:0] - 1'b1 ? {/*@width*/{1'b0}} : /*@place*/ + 1'b1
//@ end
