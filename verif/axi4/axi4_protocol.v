// A checker of AXI4, written from Arm IHI 0022 (AMBA AXI and ACE Protocol Specification, AXI4), not from any manager.
//
// axi4_check watches all five channels of a manager that gives each transaction in flight an id of its own, as
// docs/mechanisms/axi4.md has it. A rule that was broken stays 1 in `manager` or `subordinate`, by who broke it, until a
// reset. With FORMAL defined the manager's rules are assertions; what the subordinate may do is not assumed.
//
//   manager      0 AW, 1 W, 2 AR: VALID fell, or its payload changed, before READY (A3.2.1); or VALID after a reset (A3.1.2)
//                3 AW, 4 AR: a burst crosses 4 KB, is wider than the bus, of a reserved kind or too long (A3.4.1)
//                5 WLAST is not in the beat that AWLEN says (A3.4.1)
//                6 an id of which a transaction is in flight
//   subordinate  0 B, 1 R: as manager 0
//                2 B before its write has come as a whole, or of no write (A3.3.1)
//                3 R of an id of which no read is in flight (A5.3)
//                4 RLAST is not in the beat that ARLEN says (A3.4.1)

// One channel: what is offered stays.
module axi4_hold #(
  parameter W = 1
) (
  input  wire         clk,
  input  wire         rst,
  input  wire         valid,
  input  wire         ready,
  input  wire [W-1:0] payload,
  output wire         broken
);

  reg         waits, reset;
  reg [W-1:0] kept;

  initial waits = 1'b0;
  initial reset = 1'b0;

  always @(posedge clk) begin
    waits <= valid && !ready && !rst;
    kept  <= payload;
    reset <= rst;
  end

  assign broken = waits && (!valid || payload != kept) || reset && valid;

endmodule

// The address of a burst: is it one?
module axi4_burst #(
  parameter ADDR_W = 32,
  parameter DATA_W = 64
) (
  input  wire [ADDR_W-1:0] addr,
  input  wire [7:0]        len,
  input  wire [2:0]        size,
  input  wire [1:0]        kind,
  output wire              broken
);

  wire [15:0] bytes = ({8'd0, len} + 16'd1) << size;
  wire [15:0] start = {4'd0, addr[11:0]} & ~((16'd1 << size) - 16'd1);
  wire        incr  = kind == 2'b01;

  assign broken = kind == 2'b11 || (8 << size) > DATA_W || incr && start + bytes > 16'd4096 ||
                  !incr && len > 8'd15;

endmodule

module axi4_check #(
  parameter ID_W   = 4,
  parameter ADDR_W = 32,
  parameter DATA_W = 64,
  parameter AHEAD  = 3 // as many as 2 to this addresses may be ahead of their data, or data of their addresses
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                awvalid,
  input  wire                awready,
  input  wire [ID_W-1:0]     awid,
  input  wire [ADDR_W-1:0]   awaddr,
  input  wire [7:0]          awlen,
  input  wire [2:0]          awsize,
  input  wire [1:0]          awburst,
  input  wire                wvalid,
  input  wire                wready,
  input  wire [DATA_W-1:0]   wdata,
  input  wire [DATA_W/8-1:0] wstrb,
  input  wire                wlast,
  input  wire                bvalid,
  input  wire                bready,
  input  wire [ID_W-1:0]     bid,
  input  wire [1:0]          bresp,
  input  wire                arvalid,
  input  wire                arready,
  input  wire [ID_W-1:0]     arid,
  input  wire [ADDR_W-1:0]   araddr,
  input  wire [7:0]          arlen,
  input  wire [2:0]          arsize,
  input  wire [1:0]          arburst,
  input  wire                rvalid,
  input  wire                rready,
  input  wire [ID_W-1:0]     rid,
  input  wire [DATA_W-1:0]   rdata,
  input  wire [1:0]          rresp,
  input  wire                rlast,
  output reg  [6:0]          manager,
  output reg  [4:0]          subordinate
);

  localparam IDS = 1 << ID_W;

  wire [6:0] m;
  wire [4:0] s;

  axi4_hold #(.W(ID_W+ADDR_W+13)) u_aw (
    .clk(clk), .rst(rst), .valid(awvalid), .ready(awready),
    .payload({awid, awaddr, awlen, awsize, awburst}), .broken(m[0]));
  axi4_hold #(.W(DATA_W+DATA_W/8+1)) u_w (
    .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .payload({wdata, wstrb, wlast}), .broken(m[1]));
  axi4_hold #(.W(ID_W+ADDR_W+13)) u_ar (
    .clk(clk), .rst(rst), .valid(arvalid), .ready(arready),
    .payload({arid, araddr, arlen, arsize, arburst}), .broken(m[2]));
  axi4_hold #(.W(ID_W+2)) u_b (
    .clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .payload({bid, bresp}), .broken(s[0]));
  axi4_hold #(.W(ID_W+DATA_W+3)) u_r (
    .clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .payload({rid, rdata, rresp, rlast}), .broken(s[1]));

  wire aw_broken, ar_broken;
  axi4_burst #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) u_aw_burst (
    .addr(awaddr), .len(awlen), .size(awsize), .kind(awburst), .broken(aw_broken));
  axi4_burst #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) u_ar_burst (
    .addr(araddr), .len(arlen), .size(arsize), .kind(arburst), .broken(ar_broken));
  assign m[3] = awvalid && aw_broken;
  assign m[4] = arvalid && ar_broken;

  // --- writes: the n-th address and the n-th burst of data are one write, whichever comes first

  wire aw = awvalid && awready;
  wire w  = wvalid && wready;
  wire b  = bvalid && bready;

  reg [AHEAD:0]  n_aw, n_w, n_both;   // taken; of which both have
  reg [7:0]      beat;                // of the burst of data that comes
  reg [ID_W-1:0] aw_id  [0:(1<<AHEAD)-1];
  reg [7:0]      aw_len [0:(1<<AHEAD)-1];
  reg [7:0]      w_len  [0:(1<<AHEAD)-1];
  reg [IDS-1:0]  w_open, w_whole;     // its address has been taken; all of it has

  wire            aw_first = n_aw == n_both;
  wire            w_first  = n_w == n_both;
  wire            both     = (!aw_first || aw) && (!w_first || w && wlast);
  wire [ID_W-1:0] both_id  = aw_first ? awid : aw_id[n_both[AHEAD-1:0]];
  wire [7:0]      due      = aw_first ? awlen : aw_len[n_both[AHEAD-1:0]];
  wire [7:0]      is       = w_first ? beat : w_len[n_both[AHEAD-1:0]];

  assign m[5] = both && due != is || w && !wlast && w_first && (!aw_first || aw) && beat == due;
  assign s[2] = bvalid && !w_whole[bid];

  always @(posedge clk)
    if (rst) begin
      n_aw    <= 0;
      n_w     <= 0;
      n_both  <= 0;
      beat    <= 8'd0;
      w_open  <= 0;
      w_whole <= 0;
    end else begin
      if (aw) begin
        n_aw <= n_aw + 1'b1;
        aw_id[n_aw[AHEAD-1:0]]  <= awid;
        aw_len[n_aw[AHEAD-1:0]] <= awlen;
        w_open[awid] <= 1'b1;
      end
      if (w)
        beat <= wlast ? 8'd0 : beat + 8'd1;
      if (w && wlast) begin
        n_w <= n_w + 1'b1;
        w_len[n_w[AHEAD-1:0]] <= beat;
      end
      if (both) begin
        n_both <= n_both + 1'b1;
        w_whole[both_id] <= 1'b1;
      end
      if (b) begin
        w_open[bid]  <= 1'b0;
        w_whole[bid] <= 1'b0;
      end
    end

  // --- reads

  wire ar = arvalid && arready;
  wire r  = rvalid && rready;

  reg [IDS-1:0] r_open;
  reg [7:0]     r_len  [0:IDS-1];
  reg [7:0]     r_beat [0:IDS-1];

  wire full = r_beat[rid] == r_len[rid];

  assign s[3] = rvalid && !r_open[rid];
  assign s[4] = rvalid && r_open[rid] && rlast != full;
  assign m[6] = aw && w_open[awid] || ar && r_open[arid];

  always @(posedge clk)
    if (rst)
      r_open <= 0;
    else begin
      if (r) begin
        r_beat[rid] <= r_beat[rid] + 8'd1;
        if (rlast || full)
          r_open[rid] <= 1'b0;
      end
      if (ar) begin
        r_open[arid] <= 1'b1;
        r_len[arid]  <= arlen;
        r_beat[arid] <= 8'd0;
      end
    end

  initial manager = 0;
  initial subordinate = 0;

  always @(posedge clk)
    if (rst) begin
      manager     <= 0;
      subordinate <= 0;
    end else begin
      manager     <= manager | m;
      subordinate <= subordinate | s;
    end

`ifdef FORMAL
  // an id is free again when its answer has come: if that was none, it may seem to be used twice
  always @(posedge clk) begin
    assert (manager[5:0] == 0);
    assert (!manager[6] || subordinate != 0);
  end
`endif

endmodule
