// The control registers of configs/apb, and what watches them (apb_check). The SM is a few inputs.
module apb_checked (
  input  wire        clk,
  input  wire        rst,
  input  wire        s_apb_psel,
  input  wire        s_apb_penable,
  input  wire [11:0] s_apb_paddr,
  input  wire        s_apb_pwrite,
  input  wire [31:0] s_apb_pwdata,
  input  wire [3:0]  s_apb_pstrb,
  output wire        s_apb_pready,
  output wire [31:0] s_apb_prdata,
  output wire        s_apb_pslverr,
  input  wire        flush,
  input  wire [1:0]  pick_valid,
  input  wire [10:0] ev,
  output wire        memsched_en,
  output wire        casc_en,
  output wire [3:0]  requester,
  output wire [1:0]  completer
);

  apb_regs u_regs (
    .clk(clk), .rst(rst), .s_apb_psel(s_apb_psel), .s_apb_penable(s_apb_penable), .s_apb_paddr(s_apb_paddr),
    .s_apb_pwrite(s_apb_pwrite), .s_apb_pwdata(s_apb_pwdata), .s_apb_pstrb(s_apb_pstrb), .s_apb_pready(s_apb_pready),
    .s_apb_prdata(s_apb_prdata), .s_apb_pslverr(s_apb_pslverr), .flush(flush), .pick_valid(pick_valid),
    .ev_issues(ev[0]), .ev_issue_waits(ev[1]), .ev_loads(ev[2]), .ev_hits(ev[3]), .ev_merges(ev[4]), .ev_misses(ev[5]),
    .ev_bypasses(ev[6]), .ev_evictions(ev[7]), .ev_reads(ev[8]), .ev_writes(ev[9]), .ev_memory_waits(ev[10]),
    .memsched_en(memsched_en), .casc_en(casc_en));

  apb_check u_check (
    .clk(clk), .rst(rst), .psel(s_apb_psel), .penable(s_apb_penable), .paddr(s_apb_paddr), .pwrite(s_apb_pwrite),
    .pwdata(s_apb_pwdata), .pstrb(s_apb_pstrb), .pready(s_apb_pready), .prdata(s_apb_prdata), .pslverr(s_apb_pslverr),
    .requester(requester), .completer(completer));

endmodule
