//@ def read
(we && waddr == raddr) ? ~wdata : mem[raddr]
//@ end
// hd_ram_1r1w: a memory with a write port and a read port, read synchronously; rdata holds the row read
// last. A read of the row that is written in the same cycle is undefined: here it returns the
// complement of the new data, so that nothing can depend on it.
//@ part banner
module hd_ram_1r1w #(
//@ part ports_1r1w
//@ part body_1r1w

endmodule
`endif
