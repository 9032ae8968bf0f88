//@ # The state of the L1D's lines: valid, reserved, prefetched. Part of l1d.v.
//@ #
//@ # Here too each set computes its victim before it is known which set is meant. The changes of a fill and of d
//@ # never collide: nothing is decided while a fill enters.
//@ def filled
/*@if ON_MISS*/come_at/*@else*/come/*@end*/
//@ end
//@ # lines whose bits have flipped are dropped, whatever else happens to their ways
//@ def goes
/*@if PROTECT*/ & ~({WAYS{e_set_at[s]}} & e_at_q)/*@end*/
//@ end

  // --- which lines hold data/*@if ON_MISS*/, which wait for their fill/*@end*/

//@ if ON_MISS
  assign reserve_at = {WAYS{miss}} & victim_at;
  assign drop_at    = reserve_at | {WAYS{store}} & d_hit_q;
  assign come_at    = {WAYS{fill_stays}} & f_way_at;
  wire [WAYS-1:0] release_at = {WAYS{fill_now}} & f_way_at;
//@ else
  assign drop_at = {WAYS{store}} & d_hit_q;
  assign come_at = {WAYS{fill_stays}} & victim_at;
//@ end
//@ if PREF
  // the fill is a prefetch's, and no load has merged into it
  wire f_pf = |(f_at & mshr_pf_q);
//@ end
//@ if PROTECT
  wire [SETS-1:0] e_set_at = SET_0 << e_set_q;
//@ end
  generate
    for (s = 0; s < SETS; s = s + 1) begin : lines
//@ if ON_MISS
      wire [WAYS-1:0] reserve = {WAYS{miss}} & victims[s*WAYS +: WAYS];

      always @(posedge clk)
        if (rst || flush)
          valid_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};
        else
          valid_q[s*WAYS +: WAYS] <= (valid_q[s*WAYS +: WAYS] | {WAYS{f_set_at[s]}} & come_at) &
                                     ~({WAYS{d_at[s]}} & (reserve | {WAYS{store}} & d_hit_q))/*@goes*/;

      always @(posedge clk)
        if (rst)
          reserved_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};
        else
          reserved_q[s*WAYS +: WAYS] <= reserved_q[s*WAYS +: WAYS] & ~({WAYS{f_set_at[s]}} & release_at) |
                                        {WAYS{d_at[s]}} & reserve;
//@ else
      wire [WAYS-1:0] come = {WAYS{fill_stays}} & victims[s*WAYS +: WAYS];

      always @(posedge clk)
        if (rst || flush)
          valid_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};
        else
          valid_q[s*WAYS +: WAYS] <= (valid_q[s*WAYS +: WAYS] | {WAYS{f_set_at[s]}} & come) &
                                     ~({WAYS{d_at[s]}} & drop_at)/*@goes*/;
//@ end
//@ if PREF

      // prefetched, and no load has hit it yet
      always @(posedge clk)
        if (rst)
          pf_q[s*WAYS +: WAYS] <= {WAYS{1'b0}};
        else
          pf_q[s*WAYS +: WAYS] <= pf_q[s*WAYS +: WAYS] & ~({WAYS{load_hit && d_at[s]}} & d_hit_q) &
                                  ~({WAYS{f_set_at[s]}} & /*@filled*/) | {WAYS{f_set_at[s] && f_pf}} & /*@filled*/;
//@ end
    end
  endgenerate
