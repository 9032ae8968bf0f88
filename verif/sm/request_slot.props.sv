//@ # Properties of the baseline's request slot (docs/mechanisms/mrpb.md): one place, first come first served.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 LINE_W=3 WORDS=1

  wire taken = enq_valid && enq_ready;
  wire left  = deq_valid && deq_ready;
  reg  inside;                                       // a request was taken and has not left
  reg  [/*@= LINE_W + SLOT_W*/:0] header;            // its fields
  reg  [WORDS*64-1:0] bytes;
  always @(posedge clk) begin
    inside <= !rst && (taken || (inside && !left));
    if (taken)
      header <= {enq_line, enq_slot, enq_write};
    if (taken)
      bytes <= enq_wdata;
  end

  none_lost:   assert property (deq_valid == inside);
  same_header: assert property (left |-> {deq_line, deq_slot, deq_write} == header);
  same_bytes:  assert property (left && deq_write |-> deq_wdata == bytes);
  full_rate:   assert property (enq_ready == (!inside || deq_ready));
