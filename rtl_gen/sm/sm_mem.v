//@ # One SM's memory path. Spec: docs/mechanisms/sm_mem.md.
//@ keys request_buffer.kind
//@ wiring 16
