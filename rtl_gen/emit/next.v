//@ # What follows `place` in a ring of `size` places, numbered in `width` bits, as a macro.
//@ def next(place, size, width)
//@ if size & size - 1
/*@place*/ == /*@size*/ - 1 ? {/*@width*/{1'b0}} : /*@place*/ + 1'b1
//@ else
/*@place*/ + 1'b1
//@ end
//@ end
