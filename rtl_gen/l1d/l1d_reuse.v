//@ # What the L1D's lines know of the loads that brought them. Part of l1d.v.
//@ #
//@ # Whether a line goes is known without asking which: where there is an empty way, none does.

  // a line that goes tells what became of it
  wire [WAYS-1:0] d_lines    = pick_ways(d_found_at, valid_q);
  wire [WAYS-1:0] d_reserved = pick_ways(d_found_at, reserved_q);
  wire            d_room     = !(&(d_lines | d_reserved));
  wire            evicts     = miss && /*@if LOC*/(by_degree || !d_room)/*@else*/!d_room/*@end*/;
  wire [LINE_ROW_W-1:0] victim_row = d_set_q * WAYS + /*@widen(victim_way, WAY_W, LINE_ROW_W)*/;

  assign line_hpc_re    = evicts;
  assign line_hpc_raddr = victim_row;

  assign evict_valid = e_valid_q;
  assign evict_count = e_count_q;
  assign evict_hpc   = line_hpc_rdata;

  always @(posedge clk)
    if (rst)
      e_valid_q <= 1'b0;
    else
      e_valid_q <= evicts;

  always @(posedge clk)
    if (evicts)
      e_count_q <= pick_counter(victim_at, d_counters);

  // one that comes remembers its load
  always @(posedge clk)
    if (miss)
      lp_hpc_q <= d_hpc_q;

  assign line_hpc_wdata = lp_hpc_q;
//@ # where the line comes is also where its tag was written; the registers are there only where nobody else remembers
//@ # that
//@ if LP
  assign line_hpc_we    = lp_valid_q;
  assign line_hpc_waddr = lp_row_q;

  always @(posedge clk)
    if (rst)
      lp_valid_q <= 1'b0;
    else
      lp_valid_q <= miss;

  always @(posedge clk)
    if (miss)
      lp_row_q <= victim_row;
//@ else
  assign line_hpc_we    = t1_valid_q;
  assign line_hpc_waddr = t1_set_q * WAYS + /*@widen(t1_way_q, WAY_W, LINE_ROW_W)*/;
//@ end
