//@ # The ways that may not give way, as PINS says. Part of l1d.v.
//@ #
//@ # PINS accounts for all requests before d's. d_stuck is known before d decides: do they leave it a way? It includes every change of
//@ # its set up to then.

  // --- pinned ways of d's set, asked for c as they will be after this cycle

//@ if ON_MISS
  wire [WAYS-1:0] c_taken    = {WAYS{c_is_d_set}} & take_at;
  wire [WAYS-1:0] c_new      = {WAYS{c_is_d_set}} & (take_at | reserve_at);
  wire [WAYS-1:0] c_pin      = c_taken & {WAYS{pin_new}} | pins & ~c_new;
//@ elif PREF
  wire [WAYS-1:0] c_taken    = {WAYS{c_is_d_set}} & take_at;
  wire [WAYS-1:0] c_pin      = c_taken & {WAYS{pin_new}} | pins & ~c_taken;
//@ else
  wire [WAYS-1:0] c_pin      = pins; // the request in d takes no way that has a line
//@ end

  always @(posedge clk)
    if (/*@emptied*/)
      d_pin_q <= {WAYS{1'b0}};
    else if (advance)
      d_pin_q <= {WAYS{c_valid_q}} & c_pin;

  // --- stuck: no way can be taken, and a pin is the reason

//@ if ON_MISS
  // after its fill, a reserved way still can't be taken only if it is pinned and the line stays
  wire [WAYS-1:0] c_blocked = c_reserved | c_lines & ~c_dropped/*@if PROTECT*/ & ~c_gone/*@end*/ & /*@if PREF*/c_pin/*@else*/pins/*@end*/;
  wire c_opens = fill_now && f_set_q == c_set_q && !(fill_stays && |(f_way_at & pins));
  wire d_opens = fill_now && f_set_q == d_set_q && !(fill_stays && |(f_way_at & d_pin_q));
//@ if PROTECT
  wire d_freed = |(d_gone & pick_ways(d_at, valid_q)); // all of its lines are pinned
//@ end

  always @(posedge clk)
    if (/*@emptied*/)
      d_stuck_q <= 1'b0;
    else if (advance)
      d_stuck_q <= c_valid_q && |c_pin && &c_blocked && !c_opens;
    else if (d_opens/*@if PROTECT*/ || d_freed/*@end*/)
      d_stuck_q <= 1'b0;
//@ else
  // a store frees a way, a fill may take one that is empty; nothing else changes what is valid
  wire [WAYS-1:0] c_there = c_lines & ~({WAYS{c_is_d_set}} & drop_at) | {WAYS{f_set_q == c_set_q}} & come_at;
  wire [WAYS-1:0] d_there = pick_ways(d_at, valid_q) | {WAYS{f_set_q == d_set_q}} & come_at;

  always @(posedge clk)
    if (/*@emptied*/)
      d_stuck_q <= 1'b0;
    else if (advance)
      d_stuck_q <= c_valid_q && &(c_there & c_pin/*@if PROTECT*/ & ~c_gone/*@end*/);
    else
      d_stuck_q <= &(d_there & d_pin_q/*@if PROTECT*/ & ~d_gone/*@end*/);
//@ end
