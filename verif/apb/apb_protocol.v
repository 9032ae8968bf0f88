// A checker of APB4, written from Arm IHI 0024 (AMBA APB Protocol Specification, version APB4), not from any completer.
//
// apb_check watches one completer. A rule that was broken stays 1 in `requester` or `completer`, by who broke it, until a reset.
// With FORMAL defined the completer's rules are assertions, and the requester's are assumed.
//
//   requester  0 PENABLE in the first cycle of a transfer (the setup phase), or in a cycle behind its end (4.1)
//              1 no PSEL, or no PENABLE, in the cycles behind the setup phase, until PREADY (4.1, 3.1.2)
//              2 PADDR, PWRITE, PWDATA or PSTRB changed before the transfer ended (3.1.2)
//              3 PSTRB in a read (3.2)
//   completer  0 more than WAITS wait states (APB has no bound; this completer says one)
//              1 PREADY, or at the end of a transfer PSLVERR or the PRDATA of a read, is not known (simulation)
module apb_check #(
  parameter ADDR_W = 12,
  parameter DATA_W = 32,
  parameter WAITS  = 1 // at most 14
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                psel,
  input  wire                penable,
  input  wire [ADDR_W-1:0]   paddr,
  input  wire                pwrite,
  input  wire [DATA_W-1:0]   pwdata,
  input  wire [DATA_W/8-1:0] pstrb,
  input  wire                pready,
  input  wire [DATA_W-1:0]   prdata,
  input  wire                pslverr,
  output reg  [3:0]          requester,
  output reg  [1:0]          completer
);

  localparam PAYLOAD_W = ADDR_W + 1 + DATA_W + DATA_W / 8;

  reg                 going;  // a transfer is behind its setup phase, and has not ended
  reg [3:0]           waited; // cycles of that
  reg [PAYLOAD_W-1:0] kept;

  wire [PAYLOAD_W-1:0] payload = {paddr, pwrite, pwdata, pstrb};
  wire                 ends    = psel && penable && pready;

  initial going    = 1'b0;
  initial requester = 4'd0;
  initial completer = 2'd0;

  always @(posedge clk) begin
    going <= !rst && psel && !ends;
    waited <= going ? waited + {3'd0, waited != 4'd15} : 4'd0;
    if (!going)
      kept <= payload;
  end

  // PWDATA matters in writes alone
  wire [PAYLOAD_W-1:0] matters = {{ADDR_W+1{1'b1}}, {DATA_W{pwrite}}, {DATA_W/8{1'b1}}};

  wire [3:0] requester_now = {
    psel && !pwrite && |pstrb,
    going && |((payload ^ kept) & matters),
    going && !(psel && penable),
    !going && psel && penable};
  wire [1:0] completer_now = {
`ifdef FORMAL
    1'b0,
`else
    psel && penable && ((^pready) === 1'bx || pready && ((^pslverr) === 1'bx || !pwrite && (^prdata) === 1'bx)),
`endif
    going && !pready && waited >= WAITS};

  always @(posedge clk)
    if (rst) begin
      requester <= 4'd0;
      completer <= 2'd0;
    end else begin
      requester <= requester | requester_now;
      completer <= completer | completer_now;
    end

`ifdef FORMAL
  always @* if (!rst) begin
    assume (requester_now == 4'd0);
    assert (completer_now == 2'd0);
  end
`endif

endmodule
