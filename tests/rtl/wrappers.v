// The memory wrappers with write masks, and the one whose rows sleep, do what rtl_gen/ram/*.v say of them.
// The last line says how many checks there were and how many failed; tests/unit/rtl/test_rtl.c runs it by Icarus.
module wrappers;

  localparam DEPTH = 5; // not a power of 2
  localparam WIDTH = 24;
  localparam MASK_W = 6;

  reg clk = 0, en = 0, we = 0, re = 0;
  reg [2:0] addr = 0, raddr = 0;
  reg [WIDTH-1:0] wdata = 0;
  reg [MASK_W-1:0] wmask = 0;
  reg [DEPTH-1:0] sleep = 0;
  wire [WIDTH-1:0] one_rdata, two_rdata, sleepy_rdata;
  integer checks = 0, failed = 0, row;

  hd_ram_1rw_m #(.DEPTH(DEPTH), .WIDTH(WIDTH), .MASK_W(MASK_W)) one (
    .clk(clk), .en(en), .we(we), .addr(addr), .wdata(wdata), .wmask(wmask), .rdata(one_rdata));
  hd_ram_1r1w_m #(.DEPTH(DEPTH), .WIDTH(WIDTH), .MASK_W(MASK_W)) two (
    .clk(clk), .we(we && en), .waddr(addr), .wdata(wdata), .wmask(wmask), .re(re), .raddr(raddr),
    .rdata(two_rdata));
  hd_ram_1rw_m_sleep #(.DEPTH(DEPTH), .WIDTH(WIDTH), .MASK_W(MASK_W)) sleepy (
    .clk(clk), .en(en), .we(we), .addr(addr), .wdata(wdata), .wmask(wmask), .sleep(sleep),
    .rdata(sleepy_rdata));

  task tick;
    begin
      #1 clk = 1;
      #1 clk = 0;
      {en, we, re} = 0;
    end
  endtask

  task write(input [2:0] at, input [WIDTH-1:0] data, input [MASK_W-1:0] mask);
    begin
      {en, we, addr, wdata, wmask} = {2'b11, at, data, mask};
      tick;
    end
  endtask

  task read(input [2:0] at);
    begin
      {en, we, re, addr, raddr} = {3'b101, at, at};
      tick;
    end
  endtask

  task same(input [WIDTH-1:0] is, input [WIDTH-1:0] should);
    begin
      checks = checks + 1;
      if (is !== should) begin
        failed = failed + 1;
        $display("check %0d: %h, not %h", checks, is, should);
      end
    end
  endtask

  // a row holds this in all three, and the sleeping one has it
  task all(input [2:0] at, input [WIDTH-1:0] should);
    begin
      read(at);
      same(one_rdata, should);
      same(two_rdata, should);
      same(sleepy_rdata, should);
    end
  endtask

  // a row of the sleeping one is lost, and this is stored in it
  task lost(input [2:0] at, input [WIDTH-1:0] stored);
    begin
      read(at);
      same(sleepy_rdata, ~stored);
      same(sleepy.mem[at], stored);
    end
  endtask

  initial begin
    // whatever is in a row when the power comes, it holds nothing, and parts of it do not make it whole
    sleepy.mem[4] = 24'h123456;
    lost(4, 24'h123456);
    write(4, 24'hffffff, 6'b011111);
    lost(4, 24'h1fffff);

    for (row = 0; row < DEPTH; row = row + 1)
      write(row[2:0], {6{row[3:0]}}, 6'b111111);
    for (row = 0; row < DEPTH; row = row + 1)
      all(row[2:0], {6{row[3:0]}});

    // a mask writes its bits, in its row
    write(3, 24'habcdef, 6'b010010);
    all(3, 24'h3b33e3);
    all(2, 24'h222222);
    write(2, 24'habcdef, 6'b000000);
    all(2, 24'h222222);
    write(2, 24'habcdef, 6'b111111);
    all(2, 24'habcdef);

    // rdata holds what was read last; without en nothing happens
    all(1, 24'h111111);
    write(0, 24'h987654, 6'b111111);
    {we, addr, wdata, wmask} = {1'b1, 3'd1, 24'hffffff, 6'b111111};
    tick;
    addr = 2;
    tick;
    same(one_rdata, 24'h111111);
    same(two_rdata, 24'h111111);
    same(sleepy_rdata, 24'h111111);
    all(1, 24'h111111);
    all(0, 24'h987654);

    // two ports: the bits written at the same time are garbage, others are not, nor those of other rows
    {re, raddr} = {1'b1, 3'd3};
    write(3, 24'h555555, 6'b100001);
    same(two_rdata, 24'hab33ea);
    all(3, 24'h5b33e5);
    {re, raddr} = {1'b1, 3'd1};
    write(3, 24'h3b33e3, 6'b111111);
    same(two_rdata, 24'h111111);

    // a row that slept for a cycle is lost, its neighbours are not
    sleep = 5'b00100;
    tick;
    sleep = 0;
    lost(2, 24'habcdef);
    all(1, 24'h111111);
    all(3, 24'h3b33e3);
    // what is written into it stays lost: parts of it, and all of it while it sleeps
    write(2, 24'h000000, 6'b011111);
    lost(2, 24'ha00000);
    sleep = 5'b00100;
    lost(2, 24'ha00000);
    write(2, 24'h654321, 6'b111111);
    lost(2, 24'h654321);
    sleep = 0;
    lost(2, 24'h654321);
    // all of it while it is awake heals it, and then parts
    write(2, 24'h777777, 6'b111111);
    all(2, 24'h777777);
    write(2, 24'h888888, 6'b000001);
    all(2, 24'h777778);

    // a row sleeps in the very cycle in which it is read or written
    sleep = 5'b00010;
    lost(1, 24'h111111);
    sleep = 5'b01000;
    write(3, 24'h444444, 6'b111111);
    sleep = 0;
    lost(3, 24'h444444);

    $display("%0d checks, %0d failed", checks, failed);
  end

endmodule
