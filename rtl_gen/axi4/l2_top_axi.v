//@ # A slice of the L2 with AXI4 pins at the memory. Spec: docs/mechanisms/axi4.md.
//@ keys bus.kind
//@ wiring 24
