// The control registers of configs/apb, and what watches them: apb_check, and here what a completer owes to its requester. The SM is
// a few inputs. `answers`, of what was broken: 0 a read of scratch brings other than was written; 1 an address outside of the map, or
// no multiple of 4, is no error; 2 a read or write of scratch is one; 3 a read of mascar_places, or what leaves it, is other than was
// written, or a write is an error and legal, or neither. With FORMAL defined these are assertions.
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
  output wire        mascar_en,
  output wire [4:0]  mascar_mshrs,
  output wire [2:0]  mascar_places,
  output wire [3:0]  requester,
  output wire [1:0]  completer,
  output reg  [3:0]  answers
);

  apb_regs u_regs (
    .clk(clk), .rst(rst), .s_apb_psel(s_apb_psel), .s_apb_penable(s_apb_penable), .s_apb_paddr(s_apb_paddr),
    .s_apb_pwrite(s_apb_pwrite), .s_apb_pwdata(s_apb_pwdata), .s_apb_pstrb(s_apb_pstrb), .s_apb_pready(s_apb_pready),
    .s_apb_prdata(s_apb_prdata), .s_apb_pslverr(s_apb_pslverr), .flush(flush), .pick_valid(pick_valid),
    .ev_issues(ev[0]), .ev_issue_waits(ev[1]), .ev_loads(ev[2]), .ev_hits(ev[3]), .ev_merges(ev[4]), .ev_misses(ev[5]),
    .ev_bypasses(ev[6]), .ev_evictions(ev[7]), .ev_reads(ev[8]), .ev_writes(ev[9]), .ev_memory_waits(ev[10]),
    .memsched_en(memsched_en), .casc_en(casc_en), .mascar_en(mascar_en), .mascar_mshrs(mascar_mshrs),
    .mascar_places(mascar_places));

  apb_check u_check (
    .clk(clk), .rst(rst), .psel(s_apb_psel), .penable(s_apb_penable), .paddr(s_apb_paddr), .pwrite(s_apb_pwrite),
    .pwdata(s_apb_pwdata), .pstrb(s_apb_pstrb), .pready(s_apb_pready), .prdata(s_apb_prdata), .pslverr(s_apb_pslverr),
    .requester(requester), .completer(completer));

  localparam SCRATCH = 12'h01c;
  reg  [31:0] scratch;
  wire        ends  = s_apb_psel && s_apb_penable && s_apb_pready;
  wire        there = s_apb_paddr == SCRATCH;
  wire [31:0] bytes = {{8{s_apb_pstrb[3]}}, {8{s_apb_pstrb[2]}}, {8{s_apb_pstrb[1]}}, {8{s_apb_pstrb[0]}}};
  wire        tuned = s_apb_paddr == 12'h090;
  reg  [2:0]  places;
  wire [31:0] next  = {29'd0, places} & ~bytes | s_apb_pwdata & bytes;
  wire [3:0]  answers_now = {
    ends && tuned && (s_apb_pwrite ? s_apb_pslverr != (next > 32'd7) : s_apb_pslverr || s_apb_prdata != {29'd0, places}) ||
      mascar_places != (ends && tuned && s_apb_pwrite && next <= 32'd7 ? next[2:0] : places),
    ends && there && s_apb_pslverr,
    ends && (s_apb_paddr >= 12'h200 || s_apb_paddr[1:0] != 2'd0) && !s_apb_pslverr,
    ends && there && !s_apb_pwrite && s_apb_prdata != scratch};

  always @(posedge clk)
    if (rst)
      scratch <= 32'd0;
    else if (ends && there && s_apb_pwrite)
      scratch <= scratch & ~bytes | s_apb_pwdata & bytes;

  always @(posedge clk)
    if (rst)
      places <= 3'd1;
    else if (ends && tuned && s_apb_pwrite && next <= 32'd7)
      places <= next[2:0];

  initial answers = 4'd0;
  always @(posedge clk)
    answers <= rst ? 4'd0 : answers | answers_now;

`ifdef FORMAL
  reg first = 1'b1;
  always @(posedge clk)
    first <= 1'b0;
  always @* begin
    if (first)
      assume (rst);
    if (!rst && !first)
      assert (answers_now == 4'd0);
  end
`endif

endmodule
