// memsched of configs/memsched with slots of 77 bits: random loads of one to four requests and stores; what leaves has the bits that
// its instruction came with, also when it leaves again. Says "PASS: N tries carried their bits" or FAIL.
module user_bits;

  parameter CYCLES = 4000;
  localparam WARPS = 48, BITS = 77;

  reg             clk = 1'b0, rst = 1'b1, enq_valid = 1'b0, enq_write = 1'b0, enq_last = 1'b0, deq_ready = 1'b0;
  reg  [127:0]    r = 128'h9e3779b97f4a7c15f39cc0605cedc835; // xorshift
  reg  [5:0]      enq_wid = 6'd0;
  reg  [BITS-1:0] enq_slot;
  reg  [4:0]      enq_num = 5'd0;
  reg  [3:0]      pr_hit, pr_can;
  wire            enq_ready, deq_valid, deq_write, deq_last;
  wire [5:0]      deq_wid;
  wire [BITS-1:0] deq_slot;
  wire [4:0]      deq_num;
  integer         cycle = 0, tries = 0, again = 0, stores = 0, bad = 0, i;

  reg  [4:0]      n; // requests of the instruction that is offered
  // of each warp: requests of its instruction that are not served; their bits
  reg  [4:0]      left [0:WARPS-1];
  reg  [BITS-1:0] bits [0:WARPS-1];
  // what was tried in the last cycles: [4] comes back
  reg  [4:0]      valid = 5'd0, served = 5'd0;
  reg  [29:0]     warp = 30'd0;

  memsched #(.SLOT_W(BITS), .WORDS(1)) u_memsched (
    .clk(clk), .rst(rst), .en(1'b1), .enq_valid(enq_valid), .enq_ready(enq_ready), .enq_line(25'd0),
    .enq_write(enq_write), .enq_wid(enq_wid), .enq_slot(enq_slot), .enq_num(enq_num), .enq_last(enq_last),
    .enq_wdata(64'd0), .enq_wmask(8'd0), .deq_valid(deq_valid), .deq_ready(deq_ready), .deq_line(),
    .deq_write(deq_write), .deq_wid(deq_wid), .deq_slot(deq_slot), .deq_num(deq_num), .deq_last(deq_last),
    .deq_wdata(), .deq_wmask(), .back_valid(valid[4]), .back_wid(warp[29:24]), .back_ok(served[4]), .pr_line(),
    .pr_hit(pr_hit), .pr_can(pr_can), .drained());

  initial
    for (i = 0; i < WARPS; i = i + 1)
      left[i] = 5'd0;

  always @(posedge clk) begin
    cycle <= cycle + 1;
    rst   <= cycle < 3;
    r      = r ^ r << 23;
    r      = r ^ r >> 17;
    r      = r ^ r << 26;
    pr_hit    <= r[3:0] & r[7:4];
    pr_can    <= r[11:8];
    deq_ready <= r[13:12] != 2'd0;
    valid  <= {valid[3:0], deq_valid && deq_ready && !deq_write && !rst};
    served <= {served[3:0], r[15:14] != 2'd0};
    warp   <= {warp[23:0], deq_wid};

    // the request after the one that is taken; else of an instruction of a warp that has none inside
    if (!rst && (!enq_valid || enq_ready)) begin
      enq_valid <= 1'b0;
      if (enq_valid && !enq_last) begin
        enq_valid <= 1'b1;
        enq_num   <= enq_num + 5'd1;
        enq_last  <= enq_num + 5'd2 == n;
      end else if (r[21:16] < WARPS && left[r[21:16]] == 5'd0) begin
        enq_valid <= 1'b1;
        enq_write <= r[24:22] == 3'd0;
        enq_wid   <= r[21:16];
        enq_slot  <= r[127:51];
        enq_num   <= 5'd0;
        enq_last  <= r[24:22] == 3'd0 || r[26:25] == 2'd0;
        n = r[24:22] == 3'd0 ? 5'd1 : 5'd1 + r[26:25];
        left[r[21:16]] = n;
        bits[r[21:16]] = r[127:51];
      end
    end
    if (!rst && deq_valid && deq_ready) begin
      tries  <= tries + 1;
      stores <= stores + deq_write;
      if (left[deq_wid] == 5'd0 || deq_slot !== bits[deq_wid]) bad <= bad + 1;
      if (deq_write) left[deq_wid] = 5'd0;
    end
    if (valid[4] && served[4]) left[warp[29:24]] = left[warp[29:24]] - 5'd1;
    if (valid[4] && !served[4]) again <= again + 1;

    if (cycle == CYCLES) begin
      if (bad == 0 && stores > CYCLES / 100 && again > CYCLES / 100 && tries > CYCLES / 10)
        $display("PASS: %0d tries carried their bits", tries);
      else
        $display("FAIL: %0d of %0d tries with wrong bits, %0d stores, %0d again", bad, tries, stores, again);
      $finish;
    end
  end

  always #1 clk = !clk;

endmodule
