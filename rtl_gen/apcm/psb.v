//@ # The protection status board. Spec: docs/mechanisms/apcm.md.
//@ #
//@ # Every warp's entry decides for itself whether an event ends its protection, while the event's warp is found beside
//@ # that.

  localparam [WARPS-1:0] WARP_0 = 1;
  genvar w;
//@ pick pick_id WARPS LID_W

  // --- the events, and their warps

  wire [WARPS-1:0] done_at = {WARPS{acc_valid && acc_trk && acc_last}} & (WARP_0 << acc_wid);
  wire [WARPS-1:0] set_at  = {WARPS{ps_valid}} & (WARP_0 << ps_wid);
  wire [WARPS-1:0] left_at = {WARPS{l_valid_q}} & (WARP_0 << l_wid_q);
  wire             in_loop = ask_pc >= l_to_q && ask_pc <= l_from_q;

  // a loop that is left: the program counter of its warp's load is known in the next cycle
  always @(posedge clk)
    if (rst)
      l_valid_q <= 1'b0;
    else
      l_valid_q <= leave_valid && !clear;

  always @(posedge clk) begin
    l_wid_q  <= leave_wid;
    l_from_q <= leave_from;
    l_to_q   <= leave_to;
    l_id_q   <= pick_id(WARP_0 << leave_wid, last_q);
  end

  assign ask_id = l_id_q;

  // --- the board

  generate
    for (w = 0; w < WARPS; w = w + 1) begin : warp
      wire [LID_W-1:0] last   = last_q[w*LID_W +: LID_W];
      wire             served = done_at[w] && !loop_q[w] && last == acc_lid;
      wire             left   = left_at[w] && loop_q[w] && last == l_id_q && in_loop;
      wire             set    = set_at[w] && !on_q[w] && !clear;

      always @(posedge clk)
        if (rst || clear || exit[w])
          on_q[w] <= 1'b0;
        else
          on_q[w] <= set || on_q[w] && !served && !left;

      always @(posedge clk)
        if (set) begin
//@ if storage.psb_last == ff
          last_q[w*LID_W +: LID_W] <= ps_last;
//@ end
          loop_q[w] <= ps_loop;
        end
//@ if storage.psb_last == latch

      assign last_we[w] = set;
//@ end
    end
  endgenerate
//@ if storage.psb_last == latch
  assign last_wdata = ps_last;
//@ end

  assign psb_on   = on_q;
  assign psb_last = last_q;
  assign psb_loop = loop_q;
