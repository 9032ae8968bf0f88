//@ # Memory-access priority. Spec: docs/mechanisms/mascar.md.
//@ #
//@ # The owner is the top one of the warps that have had their turn, so that to find the next one and to remember it is one
//@ # search.
//@ keys mascar.mshrs mascar.places

  localparam MSHRS_FULL = MSHRS - MSHRS_LOW; // so many that wait, or places that are taken, saturate the memory
  localparam MQ_FULL    = MQ - PLACES_LOW;

  // --- saturation

  // how many 1s v has: sums of pairs, in log steps
  function [MSHR_N_W-1:0] ones(input [MSHRS-1:0] v);
    reg [MSHRS*MSHR_N_W-1:0] sum;
    integer i, step;
    begin
      for (i = 0; i < MSHRS; i = i + 1)
        sum[i*MSHR_N_W +: MSHR_N_W] = {{MSHR_N_W-1{1'b0}}, v[i]};
      for (step = 1; step < MSHRS; step = step * 2)
        for (i = 0; i + step < MSHRS; i = i + 2 * step)
          sum[i*MSHR_N_W +: MSHR_N_W] = sum[i*MSHR_N_W +: MSHR_N_W] + sum[(i+step)*MSHR_N_W +: MSHR_N_W];
      ones = sum[0 +: MSHR_N_W];
    end
  endfunction

  always @(posedge clk)
    if (rst) begin
      waiting_q <= {MSHR_N_W{1'b0}};
      queued_q  <= {MQN_W{1'b0}};
      tight_q   <= 1'b0;
    end else begin
      waiting_q <= ones(lines_waiting);
      queued_q  <= lines_queue;
      tight_q   <= waiting_q >= MSHRS_FULL[MSHR_N_W-1:0] || queued_q >= MQ_FULL[MQN_W-1:0];
    end

  // --- the owner, and who follows it: the first behind it that could issue a memory access, else the first at all

  // bit w = some bit of v below w is 1
  function [WARPS-1:0] above(input [WARPS-1:0] v);
    integer step;
    begin
      above = v << 1;
      for (step = 1; step < WARPS; step = step * 2)
        above = above | above << step;
    end
  endfunction

  wire [WARPS-1:0] owner  = {WARPS{owned_q}} & passed_q & ~(passed_q >> 1);
  wire             keep   = |(owner & awake & ~wait_mem);
  wire [WARPS-1:0] can    = ready & next_mem;
  wire [WARPS-1:0] behind = can & ~passed_q;
  wire             choose = tight_q && !keep;

  always @(posedge clk)
    if (rst)
      passed_q <= {WARPS{1'b0}};
    else if (choose && |can)
      passed_q <= |behind ? ~above(behind) : ~above(can);

  always @(posedge clk)
    if (rst || !tight_q)
      owned_q <= 1'b0;
    else if (choose)
      owned_q <= |can;

  assign withhold = {WARPS{mascar_en && tight_q}} & next_mem & ~owner;
