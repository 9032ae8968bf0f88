//@ # The control registers behind APB4. Spec: docs/mechanisms/apb.md.
//@ #
//@ # The place of an enable in `enable`, and of a counter in `count`, is its number among those that this machine has
//@ # (place); its place in the register map is that among all (number).
//@ keys bus.control bus.counter_bits
//@ part verilog/ones
//@ pick pick_count COUNTERS COUNTER_W

  genvar p;

  // --- APB: a transfer is held after its setup cycle, executed in the next cycle, and ends in the cycle after that

  always @(posedge clk)
    if (rst)
      held_q <= 1'b0;
    else
      held_q <= s_apb_psel && !s_apb_penable;

  always @(posedge clk)
    if (s_apb_psel && !s_apb_penable) begin
      addr_q  <= s_apb_paddr;
      write_q <= s_apb_pwrite;
      wdata_q <= s_apb_pwdata;
      strb_q  <= s_apb_pstrb;
    end

  always @(posedge clk)
    if (rst)
      ready_q <= 1'b0;
    else
      ready_q <= held_q;

  // --- the registers as they are read

  wire [31:0] id             = APB_ID; // HEDL
  wire [31:0] version        = APB_VERSION;
  wire [31:0] has_enables    = ENABLES_THERE;
  wire [31:0] has_counters   = COUNTERS_THERE;
  wire [31:0] has_thresholds = THRESHOLDS_THERE;
  wire [31:0] control        = {31'd0, freeze_q};
  wire [31:0] scratch        = scratch_q;
//@ if ENABLES
  wire [31:0] enable         = 32'd0
//@ each apb_enables f
    | {31'd0, enable_q[/*@f_place*/]} << /*@f_number*/ // /*@f*/
//@ end
    ;
  wire [31:0] active         = 32'd0
//@ each apb_enables f
    | {31'd0, /*@f*/_q} << /*@f_number*/
//@ end
    ;
//@ else
  wire [31:0] enable         = 32'd0;
  wire [31:0] active         = 32'd0;
//@ end

//@ each apb_registers f
  wire at_/*@f*/ = addr_q == 12'd/*@= 4 * f_number*/;
//@ end

//@ if THRESHOLDS
  // thresholds as they are read, and as a write would leave them; a write takes effect only if that value is legal
  wire [31:0] written = {{8{strb_q[3]}}, {8{strb_q[2]}}, {8{strb_q[1]}}, {8{strb_q[0]}}};
//@ each apb_thresholds f
  wire        at_/*@f*/    = addr_q == 12'd/*@= APB_THRESHOLDS_AT + 4 * f_number*/;
  wire [31:0] is_/*@f*/    = {{32-/*@f_width*/{1'b0}}, /*@f*/_q};
  wire [31:0] next_/*@f*/  = is_/*@f*/ & ~written | wdata_q & written;
  wire        takes_/*@f*/ = at_/*@f*/ && next_/*@f*/ <= /*@f_most*//*@if f_least*/ && next_/*@f*/ >= /*@f_least*//*@end*/;
//@ end

//@ end
  // a counter's lower half, or its upper half, is at the address
  wire [COUNTERS-1:0] at_low, at_high;
//@ each apb_counters f
  assign at_low[/*@f_place*/]  = addr_q == 12'd/*@= APB_COUNTERS_AT + 8 * f_number*/; // /*@f*/
//@ if COUNTER_HIGH_W
  assign at_high[/*@f_place*/] = addr_q == 12'd/*@= APB_COUNTERS_AT + 4 + 8 * f_number*/;
//@ else
  assign at_high[/*@f_place*/] = 1'b0;
//@ end
//@ end

  wire [COUNTER_W-1:0] count = pick_count(at_low, count_q);

  wire        mapped = |at_low || |at_high
//@ each apb_registers f
    || at_/*@f*/
//@ end
//@ each apb_thresholds f
    || at_/*@f*/
//@ end
    ;
  wire [31:0] value  = count[31:0]
//@ if COUNTER_HIGH_W
    | {{32-COUNTER_HIGH_W{1'b0}}, high_q} & {32{|at_high}}
//@ end
//@ each apb_registers f
    | /*@f*/ & {32{at_/*@f*/}}
//@ end
//@ each apb_thresholds f
    | is_/*@f*/ & {32{at_/*@f*/}}
//@ end
    ;
  wire error = !mapped || write_q && !at_control && !at_enable && !at_scratch
//@ each apb_thresholds f
    && !takes_/*@f*/
//@ end
    ;
  wire put   = held_q && write_q;

  always @(posedge clk)
    if (held_q) begin
      rdata_q  <= value & {32{!write_q}};
      slverr_q <= error;
    end
//@ if COUNTER_HIGH_W

  // as gates: the value comes late, and a reset must not add a level after it
  wire reads_low = held_q && |at_low && !write_q;
  always @(posedge clk)
    high_q <= count[COUNTER_W-1:32] & {COUNTER_HIGH_W{reads_low && !rst}} | high_q & {COUNTER_HIGH_W{!reads_low && !rst}};
//@ end

  assign s_apb_pready  = ready_q;
  assign s_apb_prdata  = rdata_q;
  assign s_apb_pslverr = slverr_q;

  // --- control, scratch

  always @(posedge clk)
    if (rst)
      freeze_q <= 1'b0;
    else if (put && at_control && strb_q[0])
      freeze_q <= wdata_q[0];

  always @(posedge clk)
    if (rst)
      clear_q <= 1'b0;
    else
      clear_q <= put && at_control && strb_q[0] && wdata_q[1];

  generate
    for (p = 0; p < 4; p = p + 1) begin : bytes
      always @(posedge clk)
        if (rst)
          scratch_q[8*p +: 8] <= 8'd0;
        else if (put && at_scratch && strb_q[p])
          scratch_q[8*p +: 8] <= wdata_q[8*p +: 8];
    end
  endgenerate
//@ if ENABLES

  // --- enables

  always @(posedge clk)
    if (rst)
      enable_q <= ENABLED[ENABLES-1:0];
    else if (put && at_enable) begin
//@ each apb_enables f
      if (strb_q[/*@= f_number / 8*/]) enable_q[/*@f_place*/] <= wdata_q[/*@f_number*/];
//@ end
    end
//@ each apb_enables f

//@ if (AT_REST >> f_place) & 1
  // enables that change only as a kernel begins
//@ end
  always @(posedge clk)
    if (rst)
      /*@f*/_q <= ENABLED[/*@f_place*/];
    else/*@if (AT_REST >> f_place) & 1*/ if (flush)/*@end*/
      /*@f*/_q <= enable_q[/*@f_place*/];

  assign /*@f*/ = /*@f*/_q;
//@ end
//@ end
//@ if THRESHOLDS

  // --- thresholds
//@ each apb_thresholds f

  always @(posedge clk)
    if (rst)
      /*@f*/_q <= /*@f_reset*/[/*@f_width*/-1:0];
    else if (put && takes_/*@f*/)
      /*@f*/_q <= next_/*@f*/[/*@f_width*/-1:0];

  assign /*@f*/ = /*@f*/_q;
//@ end
//@ end

  // --- counters: the first two count cycles and instructions, each other one counts an event

  /*@ones(ones, SCHEDS, ISSUED_W)*/

  always @(posedge clk)
    if (rst) begin
      issued_q <= {ISSUED_W{1'b0}};
      seen_q   <= {EVENTS{1'b0}};
    end else begin
      issued_q <= ones(pick_valid);
//@ each apb_events f
      seen_q[/*@f_place*/] <= ev_/*@f*/;
//@ end
    end

  always @(posedge clk)
    if (rst || clear_q)
      count_q[2*COUNTER_W-1:0] <= {2*COUNTER_W{1'b0}};
    else if (!freeze_q) begin
      count_q[0*COUNTER_W +: COUNTER_W] <= count_q[0*COUNTER_W +: COUNTER_W] + 1'b1;
      count_q[1*COUNTER_W +: COUNTER_W] <= count_q[1*COUNTER_W +: COUNTER_W] + {{COUNTER_W-ISSUED_W{1'b0}}, issued_q};
    end

  generate
    for (p = 0; p < EVENTS; p = p + 1) begin : events
      always @(posedge clk)
        if (rst || clear_q)
          count_q[(p+2)*COUNTER_W +: COUNTER_W] <= {COUNTER_W{1'b0}};
        else if (!freeze_q && seen_q[p])
          count_q[(p+2)*COUNTER_W +: COUNTER_W] <= count_q[(p+2)*COUNTER_W +: COUNTER_W] + 1'b1;
    end
  endgenerate
