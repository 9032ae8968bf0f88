//@ # The set and the tag of a line address of the L1D, as macros.
//@ def set_of(line)
//@ if l1d.set_index == linear
/*@line*/[SET_W-1:0]
//@ elif l1d.set_index == xor
/*@line*/[SET_W-1:0] ^ /*@line*/[2*SET_W-1:SET_W]
//@ else
/*@line*/[SET_W-1:0] ^ {{SET_W-5{1'b0}}, /*@line*/[12], /*@line*/[10], /*@line*/[8:6]}
//@ end
//@ end
//@ #
//@ # A hashed index keeps the whole line address.
//@ def tag_of(line)
//@ if l1d.set_index == linear
/*@line*/[LINE_W-1:SET_W]
//@ else
/*@line*/
//@ end
//@ end
