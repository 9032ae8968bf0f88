//@ # Properties of memory-access priority (docs/mechanisms/mascar.md): while the memory is saturated, only one warp accesses it.
//@ small sm.warps=4 sm.ctas=2 l1d.mshrs=6 l1d.miss_queue=3

  (* anyconst *) reg [WID_W-1:0] one, other; // any two warps
  two_warps: assume property (one < WARPS && other < WARPS && one != other);

  integer i;
  reg [7:0] waiting; // number of MSHRs that wait
  reg       lower;   // a warp below `one` could issue a memory access
  always @* begin
    waiting = 0;
    for (i = 0; i < MSHRS; i = i + 1)
      waiting = waiting + lines_waiting[i];
    lower = 1'b0;
    for (i = 0; i < WARPS; i = i + 1)
      lower = lower || (i < one && ready[i] && next_mem[i]);
  end

  // Saturation is known two cycles late (D-MASCAR-4).
  reg seen, tight, was_tight;
  reg [WARPS-1:0] may;     // warps that might access memory in the last cycle
  reg kept, first, nobody; // in the last cycle: the owner stayed; `one` was the lowest possible next owner; there was none
  always @(posedge clk) begin
    seen      <= !rst && (waiting >= MSHRS - /*@= MSHRS_LOW*/ || lines_queue >= MQ - /*@= PLACES_LOW*/);
    tight     <= !rst && seen;
    was_tight <= !rst && tight;
    may       <= ~barred_q;
    kept      <= |(~barred_q & awake & ~wait_mem);
    first     <= ready[one] && next_mem[one] && !lower;
    nobody    <= !(|(ready & next_mem));
  end

  memory_alone: assert property ((withhold & ~next_mem) == 0);
  enabled:      assert property (!mascar_en |-> withhold == 0);
  free_for_all: assert property (!tight |-> withhold == 0);
  one_owner:    assert property (tight && mascar_en && next_mem[one] && next_mem[other] |-> withhold[one] || withhold[other]);
  none_at_once: assert property (tight && !was_tight && mascar_en |-> withhold == next_mem);
  stays_owner:  assert property (tight && was_tight && kept && may[one] |-> !withhold[one]);
  none_beside:  assert property (tight && was_tight && kept && !may[one] && mascar_en && next_mem[one] |-> withhold[one]);
  lowest_next:  assert property (tight && was_tight && !kept && first |-> !withhold[one]);
  none_next:    assert property (tight && was_tight && !kept && nobody && mascar_en |-> withhold == next_mem);

  // For the induction: the barred warps.
  state_barred: assert property (tight == tight_q && (tight || barred_q == 0) && (~barred_q & (~barred_q - 1'b1) & {WARPS{tight}}) == 0);
