//@ # The L2 slice: a request that waits for f's line is answered.

  // --- step: t, a request that waited for f's line, is answered

//@ each l2rsp f
  wire /*@f_range*/ t_/*@f*/;
//@ end
  assign /*@{l2rsp t_*}*/ = waiting_rdata;

  wire [LINE_MASK_W-1:0] t_writes = sb_mask_rdata & {LINE_MASK_W{t_kind[1]}};
  generate
    for (k = 0; k < LINE_MASK_W; k = k + 1) begin : bytes
      assign f_line[k*8 +: 8] = t_writes[k] ? sb_rdata[k*8 +: 8] : f_data_q[k*8 +: 8];
    end
  endgenerate

  // all that waited are answered: the line stays/*@if L2_SLEEPS*/, or it sleeps, or it never had a way/*@end*/
  assign over = b_rep_q && f_after == f_waiting;
//@ if L2_SLEEPS
  wire f_keep  = |(f_at & mshr_keep_q);
  wire f_close = |(f_at & mshr_close_q);
  wire f_stays = over && f_keep && !f_close;
  wire f_ends  = over && f_keep && f_close;
  wire f_put   = f_ends && |(f_at & mshr_store_q); // to the memory
//@ else
  wire f_stays = over;
//@ end
  wire [L2_SET_W-1:0] f_set = pick_set(f_at, mshr_set);
//@ if L2_WAYS > 1
  wire [L2_WAY_W-1:0] f_way = pick_way(f_at, mshr_way_q);
//@ end
//@ if L2_SECTOR_FILL
  wire [SECTOR_W-1:0] f_sector = pick_sector(f_at, mshr_sector_q);
//@ end
