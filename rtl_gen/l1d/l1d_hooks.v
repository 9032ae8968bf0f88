//@ # Signals that the L1D shows to attachments: LOOK, DECIDE, LINES and LATE. Spec: docs/mechanisms/hooks.md. Part of l1d.v.

  // --- hooks

//@ if LOOK_VALID
  assign look_valid = c_valid_q;
//@ end
//@ if LOOK_SET
  assign look_set = c_set_q;
//@ end
//@ each look f
  assign look_/*@f*/ = c_/*@f*/_q;
//@ end
//@ if DECIDE_SET
  assign decide_set = d_found;
//@ end
//@ each decide f
  assign decide_/*@f*/ = d_/*@f*/_q;
//@ end
//@ if DECIDE_LINES
  assign decide_lines = d_lines;
//@ if ON_MISS
  assign decide_reserved = d_reserved;
//@ end
//@ if PINS
  assign decide_pins = d_pin_q;
//@ end
//@ end
//@ if LINES
  assign lines_valid = valid_q;
//@ if ON_MISS
  assign lines_reserved = reserved_q;
//@ end
  assign lines_free = m_free_q;
  assign lines_room = !mq_full;
//@ end
//@ if LINES_WAITING
  // a separate register: an attachment may count it in the same cycle
  assign lines_waiting = lines_waiting_q;

  always @(posedge clk)
    if (rst)
      lines_waiting_q <= {MSHRS{1'b0}};
    else
      lines_waiting_q <= (lines_waiting_q | taken) & ~({MSHRS{fill_now}} & f_at);
//@ end
//@ if LINES_QUEUE
  assign lines_queue = mq_count_q;
//@ end
//@ if LATE_ADVANCE
  assign late_advance = advance;
//@ end
//@ if HOLD
  assign late_held = held;
//@ end
//@ if LATE_READ
  assign late_read = /*@if PREF*/!flush && /*@end*/(moves ? coming : c_valid_q);
  assign late_set = /*@if PREF*/flush ? come_set : /*@end*/tags_raddr;
//@ end
//@ if LINES
  assign late_tag_we = tags_we;
  assign late_tag_set = tag_set;
  assign late_tag = tag;
//@ end
//@ if LATE_TAKE
  assign late_take = take_at;
//@ end
//@ if FILL_SET
  assign fill_set = f_set_q;
//@ end
//@ if LATE_FILL
  assign late_fill = /*@fill_comes*/;
  assign late_fill_set = f_take && mrsp_kind == 2'd0 ? pick_set(mrsp_at, mshr_set) : f_set_q;
//@ end
//@ if LATE_EVICT
  wire [WAY_W-1:0] write_way = {WAY_W{tag_written}} & victim_way;
  assign late_evict = evicts;
  assign late_row = tag_set * WAYS + /*@widen(write_way, WAY_W, LINE_ROW_W)*/;
//@ end
