//@ # One SM's memory path with AXI4 pins at the memory. Spec: docs/mechanisms/axi4.md.
//@ keys bus.kind
//@ wiring 16
