//@ # A slice of the L2 with the power of its lines. Spec: docs/mechanisms/l2.md.
//@ keys loscache.gate
//@ wiring 24
