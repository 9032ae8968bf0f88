//@ # The head of a process that is a latch. Verilog-2005 has no word for one, and Verilator asks for it.
//@ def latch
`ifdef VERILATOR
always_latch
`else
always @*
`endif
//@ end
