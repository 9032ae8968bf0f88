//@ # Properties of the control registers (docs/mechanisms/apb.md), for any transfers and any counter. The requester may break APB's rules.
//@ small bus.counter_bits=34 l1d.mshrs=4 l1d.miss_queue=4

  (* anyconst *) reg [4:0] counter;

  // A transfer is set up in one cycle, done in the next, and answered in the cycle after that.
  wire setup = s_apb_psel && !s_apb_penable;
  reg  doing, answers;
  reg  [11:0] addr, of;         // the address of the transfer that is done, and of the one that is answered
  reg  write, wrote;
  reg  [31:0] data;
  reg  [3:0]  strb;
  wire [31:0] mask = {{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}};
  wire put = doing && write;
  reg  past;
  always @(posedge clk) begin
    past    <= !rst;
    doing   <= !rst && setup;
    answers <= !rst && doing;
    of      <= addr;
    wrote   <= write;
    if (setup) begin
      addr  <= s_apb_paddr;
      write <= s_apb_pwrite;
      data  <= s_apb_pwdata;
      strb  <= s_apb_pstrb;
    end
  end

  // The register map.
  wire [31:0] has_counters = /*@= COUNTERS_THERE*/, has_thresholds = /*@= THRESHOLDS_THERE*/;
  function is_counter(input [11:0] a);
    is_counter = a[11:8] == 4'h1 && a[1:0] == 2'd0 && (has_counters >> a[7:3]) & 1'b1/*@if !COUNTER_HIGH_W*/ && !a[2]/*@end*/;
  endfunction
  function is_threshold(input [11:0] a);
    is_threshold = a[11:7] == 5'd1 && a[1:0] == 2'd0 && (has_thresholds >> a[6:2]) & 1'b1;
  endfunction
  function is_register(input [11:0] a);
    is_register = a <= 12'h020 && a[1:0] == 2'd0;
  endfunction
  reg [31:0] value; // the value of the register at the address, if it is no counter
  reg        legal; // a write to it is legal
  // The registers as they were written.
  reg [31:0] scratch, enable;
  reg        freeze, clear;
//@ each apb_thresholds f
  reg [31:0] /*@f*/_is;
  wire [31:0] /*@f*/_next = (/*@f*/_is & ~mask) | (data & mask);
//@ end
  wire [31:0] active = 32'd0
//@ each apb_enables f
    | {31'd0, /*@f*/} << /*@f_number*/
//@ end
    ;
  always @* begin
    value = 32'd0;
    legal = is_register(addr) && (addr == 12'h010 || addr == 12'h014 || addr == 12'h01c);
    case (addr)
      12'h000: value = 32'h4845444c;
      12'h004: value = /*@= APB_VERSION*/;
      12'h008: value = /*@= ENABLES_THERE*/;
      12'h00c: value = has_counters;
      12'h010: value = {31'd0, freeze};
      12'h014: value = enable;
      12'h018: value = active;
      12'h01c: value = scratch;
      12'h020: value = has_thresholds;
      default: value = 32'd0;
    endcase
//@ each apb_thresholds f
    if (addr == 12'h080 + 4 * /*@f_number*/) begin
      value = /*@f*/_is;
      legal = /*@f*/_next <= /*@f_most*//*@if f_least*/ && /*@f*/_next >= /*@f_least*//*@end*/;
    end
//@ end
  end
  wire there = is_register(addr) || is_threshold(addr) || is_counter(addr);
  wire good  = there && (!write || legal);
  reg was_there, was_good;
  reg [31:0] was;
  always @(posedge clk) begin
    was_there <= there;
    was_good  <= good;
    was       <= value;
    clear     <= !rst && put && addr == 12'h010 && strb[0] && data[1];
    if (rst) begin
      scratch <= 32'd0;
      freeze  <= 1'b0;
      enable  <= 32'd0
//@ each apb_enables f
        | {31'd0, /*@= (ENABLED >> f_place) & 1*/} << /*@f_number*/
//@ end
        ;
    end else if (put) begin
      if (addr == 12'h01c)
        scratch <= (scratch & ~mask) | (data & mask);
      if (addr == 12'h010 && strb[0])
        freeze <= data[0];
      if (addr == 12'h014)
        enable <= ((enable & ~mask) | (data & mask)) & /*@= ENABLES_THERE*/;
    end
//@ each apb_thresholds f
    if (rst)
      /*@f*/_is <= /*@f_reset*/;
    else if (put && good && addr == 12'h080 + 4 * /*@f_number*/)
      /*@f*/_is <= /*@f*/_next;
//@ end
  end

  // A counter, and its upper half at the time when its lower half was read.
  reg [COUNTER_W-1:0] count, was_count;
  reg  [ISSUED_W-1:0] issued;
  reg  event_now, happened;
  reg  its_high;                // this counter's lower half was read last
  reg  was_high;
  integer s;
  reg [ISSUED_W-1:0] issues;
  always @* begin
    issues = 0;
    for (s = 0; s < SCHEDS; s = s + 1)
      issues = issues + pick_valid[s];
    event_now = 1'b0;
//@ each apb_events f
    if (counter == 5'd2 + /*@f_number*/)
      event_now = ev_/*@f*/;
//@ end
  end
  wire read_low = doing && !write && is_counter(addr) && !addr[2];
  always @(posedge clk) begin
    issued   <= rst ? 0 : issues;
    happened <= !rst && event_now;
    was_count <= count;
    was_high <= its_high;
    if (rst || clear)
      count <= 0;
    else if (!freeze)
      count <= count + (counter == 5'd0 ? 1'b1 : counter == 5'd1 ? issued : happened);
    its_high <= !rst && (read_low ? addr[7:3] == counter : its_high);
  end
  a_counter: assume property ((has_counters >> counter) & 1'b1);
//@ if COUNTER_HIGH_W
  reg [COUNTER_HIGH_W-1:0] high, was_upper;
  always @(posedge clk) begin
    was_upper <= high;
    if (read_low && addr[7:3] == counter)
      high <= count[COUNTER_W-1:32];
  end
//@ end

  three_cycles: assert property (s_apb_pready == answers);
  refuses:      assert property (answers |-> s_apb_pslverr == !was_good);
  reads:        assert property (answers && !wrote && was_there && !is_counter(of) |-> s_apb_prdata == was);
  zero_else:    assert property (answers && (wrote || !was_there) |-> s_apb_prdata == 32'd0);
  counts:       assert property (answers && !wrote && of == 12'h100 + 8 * counter |-> s_apb_prdata == was_count[31:0]);
//@ if COUNTER_HIGH_W
  one_moment:   assert property (answers && !wrote && of == 12'h104 + 8 * counter && was_high |-> s_apb_prdata == was_upper);
//@ end
//@ each apb_thresholds f
  /*@f*/_shows: assert property (/*@f*/ == /*@f*/_is);
  /*@f*/_legal: assert property (/*@f*/_is <= /*@f_most*//*@if f_least*/ && /*@f*/_is >= /*@f_least*//*@end*/);
//@ end
//@ each apb_enables f
  reg /*@f*/_was, /*@f*/_wanted;
  always @(posedge clk) begin
    /*@f*/_was    <= /*@f*/;
    /*@f*/_wanted <= (enable >> /*@f_number*/) & 1'b1;
  end
//@ if (AT_REST >> f_place) & 1
  reg /*@f*/_rest;
  always @(posedge clk)
    /*@f*/_rest <= flush;
  /*@f*/_waits: assert property (past |-> /*@f*/ == (/*@f*/_rest ? /*@f*/_wanted : /*@f*/_was));
//@ else
  /*@f*/_follows: assert property (past |-> /*@f*/ == /*@f*/_wanted);
//@ end
//@ end

  // For the induction: the registers as they were written, and the counter in its place.
  reg [COUNTER_W-1:0] in_place;
  always @* begin
    in_place = 0;
//@ each apb_counters f
    if (counter == /*@f_number*/)
      in_place = count_q[/*@f_place*/*COUNTER_W +: COUNTER_W];
//@ end
  end
  state_transfer: assert property (held_q == doing && (!doing || (addr_q == addr && write_q == write && (!write || (wdata_q == data && strb_q == strb)))));
  state_written:  assert property (scratch_q == scratch && freeze_q == freeze && clear_q == clear);
//@ each apb_enables f
  state_/*@f*/:   assert property (enable_q[/*@f_place*/] == ((enable >> /*@f_number*/) & 1'b1));
//@ end
  state_count:    assert property (in_place == count);
  state_issued:   assert property (issued_q == issued);
//@ if COUNTER_HIGH_W
  state_high:     assert property (its_high |-> high_q == high);
//@ end
