//@ # The L2 slice: the data macro.
//@ #
//@ # The row of way `way` of set `set`; of sectors, of its sector `sector`.
//@ def row(set, way, sector)
//@ if L2_SECTOR_FILL
/*@set*/ * (L2_WAYS * SECTORS) + {{DATA_ADDR_W-L2_WAY_W-SECTOR_W{1'b0}}/*@if L2_WAYS > 1*/, /*@way*//*@end*/, /*@sector*/}
//@ else
/*@set*//*@if L2_WAYS > 1*/ * L2_WAYS + {{DATA_ADDR_W-L2_WAY_W{1'b0}}, /*@way*/}/*@end*/
//@ end
//@ end

  // --- data: b's line, one that is to be written back, or f's

  wire b_writes = /*@if L2_SLEEPS*/hit && b_store && !closes/*@else*/found && b_store/*@end*/; // its bytes

//@ if L2_SECTOR_FILL
  wire [SECTOR_W-1:0] d_sector = back ? number_of_sector(back_at) : b_sector;
//@ if L2_MAINT
  wire [SECTOR_W-1:0] mt_sector = number_of_sector(mt_sector_at);
//@ end
//@ end
//@ if L2_MAINT
//@ if L2_WAYS > 1
  wire [L2_WAY_W-1:0] mt_way = number_of_way(mt_at);
//@ end
  assign data_en    = hit_done || back || f_stays || mt_back;
  assign data_we    = b_rep_q || b_writes && !mt_back;
  assign data_addr  = b_rep_q ? /*@row(f_set, f_way, f_sector)*/ : mt_back ? /*@row(b_set, mt_way, mt_sector)*/ : /*@row(b_set, way, d_sector)*/;
//@ else
  assign data_en    = hit_done || back || f_stays;
  assign data_we    = b_rep_q || b_writes;
  assign data_addr  = b_rep_q ? /*@row(f_set, f_way, f_sector)*/ : /*@row(b_set, way, d_sector)*/;
//@ end
  assign data_wdata = b_rep_q ? f_line : iq_wdata_rdata;
  assign data_wmask = iq_wmask_rdata | {LINE_MASK_W{b_rep_q}};
//@ if L2_SLEEPS
  assign data_sleep = sleep;
//@ end
