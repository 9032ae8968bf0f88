// l2_top of configs/loscache.yaml with lines of 32 bytes in four ways, under random traffic: each load brings the bytes stored last, and the last
// line is a hash of all that its ports said in each cycle. tests/packaging/run runs it with the memory
// wrappers as they are generated and with macros.v: the line must be the same.
module l2_bench;

  parameter CYCLES = 10000;
  localparam LINES = 512, TAGS = 64;

  reg clk = 0, rst = 1, taken, filled;
  integer seed = 1, cycle, i, n, loads = 0, stores = 0, failed = 0;
  reg [63:0] hash = 0;

  reg req_valid = 0;
  wire req_ready;
  reg [1:0] req_kind;
  reg [26:0] req_line;
  reg [5:0] req_wid, req_pred;
  reg [255:0] req_wdata;
  reg [31:0] req_wmask;
  wire rsp_valid, out_valid, out_write, fill_ready;
  reg rsp_ready = 0, out_ready = 0, fill_valid = 0;
  wire [1:0] rsp_kind;
  wire [5:0] rsp_wid, rsp_count;
  wire [255:0] rsp_data, out_data;
  wire [26:0] out_line;
  wire [4:0] out_id;
  reg [4:0] fill_id;
  reg [255:0] fill_data;
  wire [8:0] awake;

  l2_top dut (
    .clk(clk), .rst(rst), .los_en(1'b1),
    .req_valid(req_valid), .req_ready(req_ready), .req_kind(req_kind), .req_line(req_line), .req_id(5'd0),
    .req_wid(req_wid), .req_slot(2'd0), .req_num(5'd0), .req_last(1'b1), .req_pe({4'd0, req_pred != 0}),
    .req_pred(req_pred), .req_full(&req_wmask), .req_wdata(req_wdata), .req_wmask(req_wmask),
    .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_kind(rsp_kind), .rsp_id(), .rsp_wid(rsp_wid),
    .rsp_slot(), .rsp_num(), .rsp_last(), .rsp_pe(), .rsp_count(rsp_count), .rsp_data(rsp_data),
    .out_valid(out_valid), .out_ready(out_ready), .out_write(out_write), .out_line(out_line),
    .out_id(out_id), .out_data(out_data),
    .fill_valid(fill_valid), .fill_ready(fill_ready), .fill_id(fill_id), .fill_data(fill_data),
    .sleep(), .awake(awake));

  reg [255:0] memory [0:LINES-1]; // behind the slice
  reg [255:0] newest [0:LINES-1]; // as of all requests that were taken
  reg [255:0] wanted [0:TAGS-1];  // what a load is to bring; its number travels as warp
  reg [TAGS-1:0] flying = 0;
  reg [31:0] asked = 0;            // reads at the memory
  reg [255:0] read [0:31];

  function [255:0] noise(input integer unused);
    for (i = 0; i < 8; i = i + 1)
      noise[32*i +: 32] = $random(seed);
  endfunction
  function one_in(input integer times);
    one_in = $unsigned($random(seed)) % times == 0;
  endfunction

  // a new request, if there is a number for it
  task offer;
    begin
      n = $unsigned($random(seed)) % TAGS;
      req_valid = !flying[n] && one_in(2);
      req_wid = n;
      req_kind = $random(seed);
      // few sets, many tags; sometimes others
      req_line = one_in(8) ? $unsigned($random(seed)) % LINES : 64 * ($unsigned($random(seed)) % 8) + $unsigned($random(seed)) % 2;
      req_pred = one_in(2) ? $unsigned($random(seed)) % 4 : 0;
      req_wdata = noise(0);
      req_wmask = one_in(4) ? {32{1'b1}} : noise(0);
    end
  endtask

  initial begin
    for (n = 0; n < LINES; n = n + 1) begin
      memory[n] = noise(0);
      newest[n] = memory[n];
    end
    for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
      #1;
      if (!rst) begin
        hash = {hash[62:0], hash[63] ^ hash[61] ^ hash[60]} ^ {req_ready, rsp_valid, out_valid, fill_ready, awake};
        if (rsp_valid)
          hash = hash ^ {rsp_kind, rsp_wid, rsp_count, 20'd0};
        if (out_valid)
          hash = hash ^ {out_write, out_line, 22'd0};
      end
      if (^hash === 1'bx) begin
        $display("cycle %0d: x at a port", cycle);
        $finish;
      end
      if (req_valid && req_ready) begin
        flying[req_wid] = 1;
        wanted[req_wid] = newest[req_line];
        if (req_kind == 2) begin
          stores = stores + 1;
          for (i = 0; i < 32; i = i + 1)
            if (req_wmask[i])
              newest[req_line][8*i +: 8] = req_wdata[8*i +: 8];
        end
      end
      if (rsp_valid && rsp_ready) begin
        flying[rsp_wid] = 0;
        if (rsp_kind < 2) begin
          loads = loads + 1;
          if (rsp_data !== wanted[rsp_wid])
            failed = failed + 1;
        end
      end
      if (out_valid && out_ready && out_write)
        memory[out_line] = out_data;
      else if (out_valid && out_ready) begin
        asked[out_id] = 1;
        read[out_id] = memory[out_line];
      end
      taken = req_valid && req_ready;
      filled = fill_valid && fill_ready;
      clk = 1;
      #1;
      clk = 0;
      rst = cycle < 3;
      if (taken)
        req_valid = 0;
      if (filled)
        fill_valid = 0;
      if (!req_valid && !rst)
        offer;
      rsp_ready = !one_in(3);
      out_ready = !one_in(3);
      n = $unsigned($random(seed)) % 32;
      if (!fill_valid && asked[n]) begin
        asked[n] = 0;
        fill_valid = 1;
        fill_id = n;
        fill_data = read[n];
      end
    end
    $display("%0d loads, %0d stores, %0d wrong, hash %h", loads, stores, failed, hash);
  end

endmodule
