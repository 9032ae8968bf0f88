//@ def read
mem[raddr]
//@ end
// hd_ram_1r1w_ff: a memory of flip-flops with a write port and a read port, read synchronously; rdata holds
// what was read last. A read of the row that is written in the same cycle returns its old contents.
module hd_ram_1r1w_ff #(
//@ part ports_1r1w
//@ part body_1r1w

endmodule
