//@ # Memory-access priority. Spec: docs/mechanisms/mascar.md.
//@ #
//@ # The owner is the one warp that is not barred: no register has its number. Barred warps are known at the start
//@ # of the cycle, since the schedulers wait for that.
//@ keys mascar.mshrs mascar.places
//@ part verilog/ones
//@ # the count of quarter k, as wide as the sum
//@ def part_of(k)
{{MSHR_N_W-WAITING_/*@k*/_W{1'b0}}, waiting_/*@k*/_q}
//@ end

//@ if APB
  // so many waiting MSHRs, or taken places, saturate the memory
  wire [MSHR_N_W+MSHRS_LOW_W-1:0] mshrs_full =
    MSHRS[MSHR_N_W+MSHRS_LOW_W-1:0] - {{MSHR_N_W{1'b0}}, mascar_mshrs};
  wire [MQN_W+PLACES_LOW_W-1:0]   mq_full    =
    MQ[MQN_W+PLACES_LOW_W-1:0] - {{MQN_W{1'b0}}, mascar_places};
//@ else
  localparam MSHRS_FULL = MSHRS - MSHRS_LOW;           // so many waiting MSHRs, or taken places, saturate the memory
  localparam MQ_FULL    = MQ - PLACES_LOW;
//@ end
//@ lowest lowest WARPS

  // --- saturation: the quarters are counted, then added

  /*@ones(ones_of_0, QUARTER_0, WAITING_0_W)*/
  /*@ones(ones_of_1, QUARTER_1, WAITING_1_W)*/
  /*@ones(ones_of_2, QUARTER_2, WAITING_2_W)*/
  /*@ones(ones_of_3, QUARTER_3, WAITING_3_W)*/

  wire [MSHR_N_W-1:0] waiting =
    (/*@part_of(0)*/ + /*@part_of(1)*/) +
    (/*@part_of(2)*/ + /*@part_of(3)*/);
//@ if APB
  wire tight = {{MSHRS_LOW_W{1'b0}}, waiting} >= mshrs_full || crowded_q;
//@ else
  wire tight = waiting >= MSHRS_FULL[MSHR_N_W-1:0] || crowded_q;
//@ end

  always @(posedge clk)
    if (rst) begin
      waiting_0_q <= {WAITING_0_W{1'b0}};
      waiting_1_q <= {WAITING_1_W{1'b0}};
      waiting_2_q <= {WAITING_2_W{1'b0}};
      waiting_3_q <= {WAITING_3_W{1'b0}};
      crowded_q   <= 1'b0;
      tight_q     <= 1'b0;
    end else begin
      waiting_0_q <= ones_of_0(lines_waiting[0 +: QUARTER_0]);
      waiting_1_q <= ones_of_1(lines_waiting[QUARTER_0 +: QUARTER_1]);
      waiting_2_q <= ones_of_2(lines_waiting[QUARTER_0+QUARTER_1 +: QUARTER_2]);
      waiting_3_q <= ones_of_3(lines_waiting[QUARTER_0+QUARTER_1+QUARTER_2 +: QUARTER_3]);
//@ if APB
      crowded_q   <= {{PLACES_LOW_W{1'b0}}, lines_queue} >= mq_full;
//@ else
      crowded_q   <= lines_queue >= MQ_FULL[MQN_W-1:0];
//@ end
      tight_q     <= tight;
    end

  // --- the owner, and the warp that follows it: the lowest that could issue a memory access

  wire             keep = |(~barred_q & awake & ~wait_mem);
  wire [WARPS-1:0] can  = ready & next_mem;

  wire [WARPS-1:0] stays = {WARPS{tight_q && keep}} & ~barred_q;
  wire [WARPS-1:0] comes = {WARPS{tight_q && !keep}} & lowest(can);

  always @(posedge clk)
    if (rst)
      barred_q <= {WARPS{1'b0}};
    else
      barred_q <= {WARPS{tight}} & ~stays & ~comes;

  assign withhold = {WARPS{mascar_en}} & next_mem & barred_q;
