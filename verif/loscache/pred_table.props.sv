//@ # Properties of the prediction table (docs/mechanisms/loscache.md), for any load and any entry.
//@ small sm.warps=4 sm.ctas=2 sm.pc_bits=8 l1d.sets=2 l2.sets=2 loscache.table=3 loscache.count_bits=3 loscache.phase=3 loscache.extra=1 LINE_W=2

  (* anyconst *) reg [PC_W-1:0] pc;
  (* anyconst *) reg [LPT_W-1:0] entry, other;
  entries: assume property (entry < LPT && other < LPT && entry != other);

  wire asks_in_phase = en && state_q == 1 && prefer[ld_wid];
  reg             given;    // the load has got an entry since the kernel began
  reg [PE_W-1:0]  got;
  reg [CNT_W-1:0] answered; // the last answer for the entry; 0: none
  reg past, waited, queried;
  always @(posedge clk) begin
    if (rst || kernel)
      given <= 1'b0;
    else if (ld_valid && asks_in_phase && ld_pc == pc && ld_pe != 0) begin
      given <= 1'b1;
      got   <= ld_pe;
    end
    if (ld_valid && asks_in_phase && !kernel && ld_pe == entry + 1 && !used_q[entry])
      answered <= 0;
    else if (ans_valid && !kernel && ans_pe == entry + 1 && used_q[entry])
      answered <= ans_count == 0 ? /*@= GONE*/ : ans_count;
    past    <= !rst;
    waited  <= mq_waits;
    queried <= q_valid;
  end

  slots:    assume property (launch_valid |-> launch_cta < CTAS);
  begins:   assume property (kernel |-> kernel_ctas != 0 && kernel_ctas <= CTAS);
  is_entry: assume property (mq_pe <= LPT && (!ans_valid || ans_pe <= LPT));
  a_warp:   assume property (ld_wid < WARPS);

  in_order:    assert property ((used_q & (used_q + 1)) == 0);
  has_its_own: assert property ((has_q & ~used_q) == 0);
  one_each:    assert property (used_q[entry] && used_q[other] |-> pc_q[entry*PC_W +: PC_W] != pc_q[other*PC_W +: PC_W]);
  keeps_entry: assert property (given && ld_pc == pc && en && (state_q != 1 || prefer[ld_wid]) |-> ld_pe == got);
  not_others:  assert property (state_q == 1 && !prefer[ld_wid] |-> ld_pe == 0);
  new_later:   assert property (state_q != 1 && !given && ld_pc == pc |-> ld_pe == 0);
  off:         assert property (!en |-> ld_pe == 0 && !boosting);
  boosts:      assert property (boosting == (en && state_q == 1));
  no_entry:    assert property (mq_pe == 0 |-> mq_pred == 0);
  predicts:    assert property (used_q[entry] && mq_pe == entry + 1 && answered != 0 |-> mq_pred >= answered && (mq_pred - answered <= /*@= EXTRA*/ || &mq_pred));
  no_answer:   assert property (used_q[entry] && mq_pe == entry + 1 && answered == 0 |-> mq_pred == 0);
  unused:      assert property (!used_q[entry] && mq_pe == entry + 1 |-> mq_pred == 0);
  in_turn:     assert property (past && waited && !queried |-> !q_valid);
  asks_has:    assert property (q_valid |-> q_pe != 0 && q_pe <= LPT);
  three_states: assert property (state_q < 3);

  // For the induction: the entries of the load; the counts.
  reg [/*@= LPT*/-1:0] with_pc;
  integer i;
  always @*
    for (i = 0; i < LPT; i = i + 1)
      with_pc[i] = used_q[i] && pc_q[i*PC_W +: PC_W] == pc;
  state_known: assert property (given ? got != 0 && got <= LPT && with_pc == 1 << (got - 1) : with_pc == 0);
  state_count: assert property (used_q[entry] |-> count_q[entry*CNT_W +: CNT_W] == answered);
//@ if ADAPT
  state_extra: assert property (used_q[entry] |-> extra_q[entry*EXTRA_W +: EXTRA_W] <= /*@= EXTRA*/);
//@ end
