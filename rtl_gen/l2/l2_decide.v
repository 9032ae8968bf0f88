//@ # The L2 slice: what becomes of the request in b.

  // --- decide

  wire merge    = b_asks && can_merge;
  wire fresh    = b_asks && !flight;
//@ if L2_SLEEPS
  wire may_miss = out_room && (write_through || !(&mshr_used_q))/*@if L2_WAKE_LIMITED*/ && (wake_room || !stored)/*@end*/;
  wire hit_done = fresh && hit && !(leaves && !out_room);
  wire missed   = fresh && !hit && may_miss && (found || !spare_dirty && (spare_there || !stored));
  wire back     = fresh && !found && may_miss && spare_dirty; // another line must be written back first

  wire taken    = missed && !write_through; // takes an MSHR: its line is asked for
  wire put_only = missed && write_through;
  wire new_tag  = missed && (found || spare_there);
  wire touch    = hit_done || merge && found || new_tag;
  wire answered = b_query || hit_done || put_only;
  wire goes_out = missed || back || hit_done && leaves;
  assign done   = b_query || hit_done || merge || missed;
//@ else
  wire may_miss = out_room && !(&mshr_used_q);
//@ if L2_SECTOR_FILL
  wire hit_done = fresh && there;
  wire missed   = fresh && !there && may_miss && (found || spare_there && !spare_dirty); // found: of the sector alone
//@ else
  wire hit_done = fresh && found;
  wire missed   = fresh && !found && may_miss && spare_there && !spare_dirty;
//@ end
  wire back     = fresh && !found && may_miss && spare_dirty; // another line must be written back first

  wire taken    = missed; // takes an MSHR: its line is asked for
//@ if L2_SECTOR_FILL
  wire new_tag  = missed && !found;
  wire touch    = hit_done || merge && found || missed;
//@ else
  wire new_tag  = missed;
  wire touch    = hit_done || merge && found || new_tag;
//@ end
  wire answered = hit_done;
  wire goes_out = missed || back;
  assign done   = hit_done || merge || missed;
//@ end
  assign undone = b_req_q && !done;
  assign fails  = undone && !back;

  // the way of b's line, or the one that it is to have; and the same where nothing is to be written back before
//@ if L2_WAYS > 1 || !L2_SECTOR_FILL
  wire [L2_WAYS-1:0] way_at  = match | {L2_WAYS{!found}} & spare_at;
//@ end
  wire [L2_WAYS-1:0] used_at = match | {L2_WAYS{!found && !flight}} & clean_at;
//@ if L2_WAYS > 1
  wire [L2_WAY_W-1:0] way = number_of_way(way_at);
//@ end
//@ if L2_SLEEPS

  // the line's accesses: for a query, or for an access that found the line powered off (this access included)
  wire [CNT_W-1:0] b_some  = pick_accesses(match, count);
  wire [CNT_W-1:0] b_more  = &b_some ? b_some : b_some + 1'b1;
  wire [CNT_W-1:0] b_count = b_query ? b_some : b_more & {CNT_W{asleep}};
//@ end
