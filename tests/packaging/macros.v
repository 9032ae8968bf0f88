// The memory wrappers as an engineer would write them around macros of a foundry (docs/integrate.md): instead
// of rtl_gen/ram, with HEDDLE_SRAM_MACRO defined. The macros have signals that are active low, words of 64
// bits, and give x where the wrappers promise nothing.

// a macro with one port and bit write masks
module sram_sp #(
  parameter ROWS = 2,
  parameter BITS = 64
) (
  input  wire                    ck,
  input  wire                    cen, // 0: access
  input  wire                    wen, // 0: write
  input  wire [BITS-1:0]         bwen, // 0: write this bit
  input  wire [$clog2(ROWS)-1:0] a,
  input  wire [BITS-1:0]         d,
  output reg  [BITS-1:0]         q
);
  reg [BITS-1:0] cell_array [0:ROWS-1];
  always @(posedge ck)
    if (!cen && !wen)
      cell_array[a] <= (d & ~bwen) | (cell_array[a] & bwen);
    else if (!cen)
      q <= cell_array[a];
endmodule

// a macro with a write and a read port; a read of the row that is written gives x
module sram_tp #(
  parameter ROWS = 2,
  parameter BITS = 64
) (
  input  wire                    ck,
  input  wire                    wen, // 0: write
  input  wire [BITS-1:0]         bwen,
  input  wire [$clog2(ROWS)-1:0] wa,
  input  wire [BITS-1:0]         d,
  input  wire                    ren, // 0: read
  input  wire [$clog2(ROWS)-1:0] ra,
  output reg  [BITS-1:0]         q
);
  reg [BITS-1:0] cell_array [0:ROWS-1];
  always @(posedge ck) begin
    if (!wen)
      cell_array[wa] <= (d & ~bwen) | (cell_array[wa] & bwen);
    if (!ren)
      q <= (!wen && wa == ra) ? ((cell_array[ra] & bwen) | ({BITS{1'bx}} & ~bwen)) : cell_array[ra];
  end
endmodule

// A mask of bits from one of MASK_W parts.
module mask_bits #(
  parameter WIDTH = 1,
  parameter MASK_W = 1
) (
  input  wire [MASK_W-1:0] wmask,
  output wire [WIDTH-1:0]  bits
);
  genvar i;
  generate
    for (i = 0; i < WIDTH; i = i + 1) begin : bit_of
      assign bits[i] = wmask[i / (WIDTH / MASK_W)];
    end
  endgenerate
endmodule

module hd_ram_1rw_m #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  output wire [WIDTH-1:0]  rdata
);
  localparam WORDS = (WIDTH + 63) / 64;
  wire [WIDTH-1:0] bits;
  wire [64*WORDS-1:0] d = wdata;
  wire [64*WORDS-1:0] m = bits;
  wire [64*WORDS-1:0] q;
  mask_bits #(.WIDTH(WIDTH), .MASK_W(MASK_W)) mask (.wmask(wmask), .bits(bits));
  genvar w;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : word
      sram_sp #(.ROWS(1 << ADDR_W)) u (.ck(clk), .cen(!en), .wen(!we), .bwen(~m[64*w +: 64]), .a(addr),
        .d(d[64*w +: 64]), .q(q[64*w +: 64]));
    end
  endgenerate
  assign rdata = q[WIDTH-1:0];
endmodule

module hd_ram_1r1w_m #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              we,
  input  wire [ADDR_W-1:0] waddr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  input  wire              re,
  input  wire [ADDR_W-1:0] raddr,
  output wire [WIDTH-1:0]  rdata
);
  localparam WORDS = (WIDTH + 63) / 64;
  wire [WIDTH-1:0] bits;
  wire [64*WORDS-1:0] d = wdata;
  wire [64*WORDS-1:0] m = bits;
  wire [64*WORDS-1:0] q;
  mask_bits #(.WIDTH(WIDTH), .MASK_W(MASK_W)) mask (.wmask(wmask), .bits(bits));
  genvar w;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : word
      sram_tp #(.ROWS(1 << ADDR_W)) u (.ck(clk), .wen(!we), .bwen(~m[64*w +: 64]), .wa(waddr),
        .d(d[64*w +: 64]), .ren(!re), .ra(raddr), .q(q[64*w +: 64]));
    end
  endgenerate
  assign rdata = q[WIDTH-1:0];
endmodule

module hd_ram_1rw #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  output wire [WIDTH-1:0]  rdata
);
  hd_ram_1rw_m #(.DEPTH(DEPTH), .WIDTH(WIDTH)) u (.clk(clk), .en(en), .we(we), .addr(addr), .wdata(wdata),
    .wmask(1'b1), .rdata(rdata));
endmodule

module hd_ram_1r1w #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              we,
  input  wire [ADDR_W-1:0] waddr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire              re,
  input  wire [ADDR_W-1:0] raddr,
  output wire [WIDTH-1:0]  rdata
);
  hd_ram_1r1w_m #(.DEPTH(DEPTH), .WIDTH(WIDTH)) u (.clk(clk), .we(we), .waddr(waddr), .wdata(wdata),
    .wmask(1'b1), .re(re), .raddr(raddr), .rdata(rdata));
endmodule

// A row without power is lost until it is written as a whole: till then it gives x.
module hd_ram_1rw_m_sleep #(
  parameter DEPTH  = 2,
  parameter WIDTH  = 1,
  parameter MASK_W = 1,
  parameter ADDR_W = (DEPTH > 2) ? $clog2(DEPTH) : 1
) (
  input  wire              clk,
  input  wire              en,
  input  wire              we,
  input  wire [ADDR_W-1:0] addr,
  input  wire [WIDTH-1:0]  wdata,
  input  wire [MASK_W-1:0] wmask,
  input  wire [DEPTH-1:0]  sleep,
  output reg  [WIDTH-1:0]  rdata
);
  wire [WIDTH-1:0] bits;
  mask_bits #(.WIDTH(WIDTH), .MASK_W(MASK_W)) mask (.wmask(wmask), .bits(bits));
  reg [WIDTH-1:0] cell_array [0:DEPTH-1];
  reg [DEPTH-1:0] lost = {DEPTH{1'b1}};
  always @(posedge clk) begin
    lost <= lost | sleep;
    if (en && we) begin
      cell_array[addr] <= (wdata & bits) | (cell_array[addr] & ~bits);
      if (&wmask && !sleep[addr])
        lost[addr] <= 1'b0;
    end else if (en)
      rdata <= (lost[addr] || sleep[addr]) ? {WIDTH{1'bx}} : cell_array[addr];
  end
endmodule
