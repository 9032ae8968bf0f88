//@ # The rings of the L2 slice, as macros.
//@ #
//@ # Invariant: if a ring's `held` is 1, its macro's output is the oldest entry that has not been taken.
//@ part verilog/next
//@ #
//@ # The place `which` of the ring advances `when`.
//@ def place(ring, which, size, width, when)

  always @(posedge clk)
    if (rst)
      /*@ring*/_/*@which*/_q <= {/*@width*/{1'b0}};
    else if (/*@when*/)
      /*@ring*/_/*@which*/_q <= /*@next(@(ring)_@(which)_q, @size, @width)*/;
//@ end
//@ def count(ring, width, enters, leaves)

  always @(posedge clk)
    if (rst)
      /*@ring*/_count_q <= {/*@width*/{1'b0}};
    else if (/*@enters*/ && !/*@leaves*/)
      /*@ring*/_count_q <= /*@ring*/_count_q + 1'b1;
    else if (/*@leaves*/ && !/*@enters*/)
      /*@ring*/_count_q <= /*@ring*/_count_q - 1'b1;
//@ end
//@ #
//@ # A ring whose oldest entry stays at its macro's output (`held` is 1) until it leaves.
//@ def held(ring, size, place_w, count_w, enters, leaves, held)
  wire /*@ring*/_read = /*@held*/_valid_q ? /*@leaves*/ && /*@ring*/_count_q > 1 : |/*@ring*/_count_q;
  /*@place(@ring, tail, @size, @place_w, @enters)*/
  /*@place(@ring, head, @size, @place_w, @(ring)_read)*/
  /*@count(@ring, @count_w, @enters, @leaves)*/

  always @(posedge clk)
    if (rst)
      /*@held*/_valid_q <= 1'b0;
    else if (!/*@held*/_valid_q || /*@leaves*/)
      /*@held*/_valid_q <= /*@ring*/_read;
//@ end
//@ #
//@ # Macro `mem` keeps the part of an entry called `data`: written as the entry enters the ring, read from place `from` when `read`.
//@ def kept(ring, mem, data, enters, read, from)
  assign /*@mem*/_we    = /*@enters*/;
  assign /*@mem*/_waddr = /*@ring*/_tail_q;
  assign /*@mem*/_wdata = /*@data*/;
  assign /*@mem*/_re    = /*@read*/;
  assign /*@mem*/_raddr = /*@from*/;
//@ end
