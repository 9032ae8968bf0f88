//@ # Properties of the re-execution queue (docs/mechanisms/mascar.md). The marked load is any load: only it has slot 1.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 LINE_W=2 WORDS=1 request_buffer.depth=2

  (* anyconst *) reg [WID_W-1:0]  wid;  // any warp
  (* anyconst *) reg [LINE_W-1:0] line; // the marked load's line
  a_warp: assume property (wid < WARPS);

  wire taken  = enq_valid && enq_ready;
  wire left   = deq_valid && deq_ready;
  wire back   = outcome_tried && !outcome_load;
  wire served = outcome_tried && outcome_load;
  wire marked = !deq_write && deq_slot == 1;

  reg [3:0] inside;         // number of loads of the warp that were taken and are not served
  reg [3:0] stores;         // number of its stores inside
  reg [4*WARPS-1:0] away;   // loads of each warp at the L1D
  reg       in, at, over;   // the marked load was taken; is at the L1D; is served
  integer w;
  always @(posedge clk)
    if (rst) begin
      inside <= 4'd0;
      stores <= 4'd0;
      away   <= {WARPS{4'd0}};
      {in, at, over} <= 3'd0;
    end else begin
      inside   <= inside + (taken && !enq_write && enq_wid == wid) - (served && outcome_wid == wid);
      stores   <= stores + (taken && enq_write && enq_wid == wid) - (left && deq_write && deq_wid == wid);
      for (w = 0; w < WARPS; w = w + 1)
        away[w*4 +: 4] <= away[w*4 +: 4] + (left && !deq_write && deq_wid == w) - (outcome_tried && outcome_wid == w);
      in   <= in || (taken && !enq_write && enq_slot == 1);
      at   <= left && marked || at && !(outcome_tried && outcome_slot == 1);
      over <= over || (served && outcome_slot == 1);
    end

  enable:    assume property (reexec_en);
  warps:     assume property (!enq_valid || enq_wid < WARPS);
  marked_in: assume property (enq_valid && enq_slot == 1 |-> !enq_write && !in && enq_line == line && enq_wid == wid);
  // The L1D reports each load that it got exactly once.
  reports:   assume property (outcome_tried |-> outcome_wid < WARPS && away[outcome_wid*4 +: 4] != 0);
  reports_m: assume property (outcome_tried && outcome_slot == 1 |-> at && outcome_line == line && outcome_wid == wid);
  reports_a: assume property (outcome_tried && outcome_wid == wid && at && away[wid*4 +: 4] == 1 |-> outcome_slot == 1);

  once:          assert property (left && marked |-> in && !at && !over);
  same:          assert property (left && marked |-> deq_line == line && deq_wid == wid);
  never_full:    assert property (back |-> count_q < DEPTH);
  drained_exact: assert property (drained[wid] == (inside == 4'd0 && stores == 4'd0));
  in_order:      assert property (left && deq_write && deq_wid == wid |-> inside == 4'd0);

  // For the induction: the used places, by warp, and the marked load in one of them. `of` returns fields of a word, from the top bit.
  function [LINE_W+WID_W+SLOT_W:0] of(input [255:0] row); // write, line, warp, slot
//@ each req f
    reg [/*@f_width*/-1:0] v_/*@f*/;
//@ end
    begin
      /*@{req v_*}*/ = row;
      of = {v_write, v_line, v_wid, v_slot};
    end
  endfunction
  localparam WORD = /*@= LINE_W + 1 + WID_W + SLOT_W + LANE_W + 1 + OP_W + REQ_BYP + LOC + GID_W + REQ_PC_W + LOW_W + HPC_W + PE_W + LID_W + APCM*/;
  localparam [LINE_W+WID_W+SLOT_W:0] SLOT_MASK = {SLOT_W{1'b1}};

  integer k, q, n, marks, mines, sum, held;
  reg counts, same_in, loads, warps_in;
  reg [LINE_W+WID_W+SLOT_W:0] e;
  always @* begin
    marks    = in_valid_q && in_slot_q == 1;
    same_in  = !(in_valid_q && in_slot_q == 1) || (!in_write_q && in_line_q == line && in_wid_q == wid);
    e        = of(fifo_rdata);
    if (o_valid_q && (e & SLOT_MASK) == 1)
      marks = marks + 1;
    loads    = (!o_valid_q || !e[LINE_W+WID_W+SLOT_W]);
    same_in  = same_in && !(o_valid_q && (e & SLOT_MASK) == 1 && (e[SLOT_W +: WID_W] != wid || e[SLOT_W+WID_W +: LINE_W] != line));
    warps_in = !in_valid_q || in_wid_q < WARPS;
    for (k = 0; k < DEPTH; k = k + 1)
      if (k < count_q) begin
        e = of(fifo_rows[((head_q + k) % DEPTH)*WORD +: WORD]);
        if ((e & SLOT_MASK) == 1)
          marks = marks + 1;
        loads   = loads && !e[LINE_W+WID_W+SLOT_W];
        same_in = same_in && !((e & SLOT_MASK) == 1 && (e[SLOT_W +: WID_W] != wid || e[SLOT_W+WID_W +: LINE_W] != line));
      end
    counts = (head_q + count_q) % DEPTH == tail_q && count_q <= DEPTH && inside_q <= DEPTH;
    sum    = 0;
    for (q = 0; q < WARPS; q = q + 1) begin
      held = (o_valid_q && (of(fifo_rdata) >> SLOT_W) % (1 << WID_W) == q);
      for (k = 0; k < DEPTH; k = k + 1)
        if (k < count_q && (of(fifo_rows[((head_q + k) % DEPTH)*WORD +: WORD]) >> SLOT_W) % (1 << WID_W) == q)
          held = held + 1;
      counts = counts && mine_q[q*COUNT_W +: COUNT_W] == held + away[4*q +: 4];
      sum    = sum + mine_q[q*COUNT_W +: COUNT_W];
    end
    counts = counts && sum == inside_q;
  end
  state_counts: assert property (counts);
  state_loads:  assert property (loads && warps_in && (!in_valid_q || in_may_q == (in_write_q ? mine_q[in_wid_q*COUNT_W +: COUNT_W] == 0 : inside_q != DEPTH)));
  state_inside: assert property (inside == mine_q[wid*COUNT_W +: COUNT_W] + (in_valid_q && !in_write_q && in_wid_q == wid));
  state_stores: assert property (stores == (in_valid_q && in_write_q && in_wid_q == wid));
  state_marked: assert property (same_in && marks == (in && !at && !over) && (!at || in) && (!over || in) && !(at && over));
  state_at:     assert property (at |-> away[wid*4 +: 4] != 0);
