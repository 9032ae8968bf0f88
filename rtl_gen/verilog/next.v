//@ # What follows `place` in a ring of `size` places, numbered in `width` bits, as a macro.
//@ def next(place, size, width)
/*@place*/ == /*@size*/[/*@width*/-1:0] - 1'b1 ? {/*@width*/{1'b0}} : /*@place*/ + 1'b1
//@ end
