//@ # The L2 slice: what the tags say of b's line.
//@ #
//@ # The wires `found`, `there`, `hit`, `asleep`, `closes` and `leaves` come from the tags, and late.

  // --- b: its line in the tags. If a set was written as it was read, w has its new contents

  wire [L2_SET_W-1:0] b_set   = b_line_q[L2_SET_W-1:0];
  wire [L2_TAG_W-1:0] b_tag   = b_line_q[LINE_W-1:L2_SET_W];
  wire [L2_SETS-1:0]  b_at    = SET_0 << b_set;
  wire [L2_WAYS-1:0]  b_valid = pick_ways(b_at, valid_q);
//@ if L2_SECTOR_FILL
  wire [SECTOR_W-1:0] b_sector = number_of_sector(b_sectors_q);
  wire [SECTORS*L2_WAYS-1:0] b_dirty   = w_valid_q ? w_dirty_q : dirty_rdata;
  wire [SECTORS*L2_WAYS-1:0] b_present = w_valid_q ? w_present_q : present_rdata;
//@ else
  wire [L2_WAYS-1:0]  b_dirty = w_valid_q ? w_dirty_q : dirty_rdata;
//@ end

  wire [L2_WAYS-1:0] recent = /*@if L2_WAYS > 1*/{L2_WAYS{w_tagged_q}} & (WAY_0 << w_way_q)/*@else*/w_tagged_q/*@end*/;
  wire               w_is_b = w_tag_q == b_tag;
  wire [L2_WAYS-1:0] match;
  generate
    for (w = 0; w < L2_WAYS; w = w + 1) begin : compare
      assign match[w] = b_valid[w] && (recent[w] ? w_is_b : tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] == b_tag);
    end
  endgenerate
  wire found = |match;
//@ if L2_SECTOR_FILL
  wire there = |(match & ways_of_sector(b_sectors_q, b_present)); // the line has the sector
//@ end
//@ if L2_SLEEPS

  // and where lines sleep: does it, and is this its last access?
  wire [L2_WAYS-1:0] closing = on & last;
  wire               hit     = |(match & on);
  wire               asleep  = |(match & ~on);
  wire               closes  = |(match & closing);
  wire               leaves  = |(match & closing & (b_dirty | {L2_WAYS{b_kind_q == 2'd2}})); // and the line goes
//@ end
