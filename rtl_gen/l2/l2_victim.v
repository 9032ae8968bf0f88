//@ # The L2 slice: the way for a line that is not there.

  // --- the way for a line that is not there: an empty one, else one that is not in flight

//@ if L2_WAYS > 1
//@ # each way is compared with all others at once
  wire [L2_LRU_N*L2_LRU_C-1:0] b_lru = w_valid_q ? w_lru_q : lru_rdata;
  wire [L2_WAYS-1:0] oldest_at; // the least recently used way that is not in flight
  generate
    for (w = 0; w < L2_WAYS; w = w + 1) begin : age
      wire [L2_WAYS-1:0] older; // bit o: way w was used before way o
      for (o = 0; o < L2_WAYS; o = o + 1) begin : than
        if (w == o) begin : itself
          assign older[o] = 1'b1;
        end else if (w < o) begin : below
          assign older[o] = !b_lru[w*(2*L2_WAYS-w-1)/2 + o-w-1];
        end else begin : above
          assign older[o] = b_lru[o*(2*L2_WAYS-o-1)/2 + w-o-1];
        end
      end
      assign oldest_at[w] = !busy[w] && &(busy | older);
    end
  endgenerate
  wire [L2_WAYS-1:0] empty_at = lowest_way(~b_valid);
//@ else
  wire [L2_WAYS-1:0] oldest_at = ~busy; // the only way
  wire [L2_WAYS-1:0] empty_at = ~b_valid;
//@ end
  wire [L2_WAYS-1:0] gone_at  = {L2_WAYS{&b_valid}} & oldest_at;
  wire [L2_WAYS-1:0] spare_at = empty_at | gone_at;

  // is there such a way, and does it have bytes that the memory has not? Not if it is empty/*@if L2_SLEEPS*/ or sleeps/*@end*/
  wire [L2_WAYS-1:0] unsaved     = /*@if L2_SECTOR_FILL*/any_sector(b_dirty)/*@else*/b_dirty/*@end*//*@if L2_SLEEPS*/ & on/*@end*/;
  wire [L2_WAYS-1:0] clean_at    = empty_at | gone_at & ~unsaved;
  wire               spare_there = !(&(b_valid & busy));
  wire               spare_dirty = |(gone_at & unsaved);
//@ if L2_SECTOR_FILL

  // the sector of it that is written back first
  wire [SECTORS-1:0] spare_sectors;
  generate
    for (p = 0; p < SECTORS; p = p + 1) begin : spare
      assign spare_sectors[p] = |(gone_at & b_dirty[p*L2_WAYS +: L2_WAYS]);
    end
  endgenerate
  wire [SECTORS-1:0] back_at = lowest_sector(spare_sectors);
//@ end
