//@ # The L1D's answers to the SM, and its data array. Part of l1d.v.
//@ def read
/*@if SECDED*/data_mended/*@elif SECTOR_FILL*/{SECTORS{sector_data_rdata}}/*@else*/data_rdata/*@end*/
//@ end
//@ if SECDED
  wire [WORDS*64-1:0] data_mended; // the line that the data macro read last
//@ end

  // --- response register; a hit's line is at the data macro's output, any other's in f/*@if BEHIND*/. A bypassed load's answer goes past it/*@end*/

  wire respond = load_hit || f_gives;

  always @(posedge clk)
    if (rst)
      resp_v_q <= 1'b0;
    else if (resp_free)
      resp_v_q <= respond;

  always @(posedge clk)
    if (respond) begin
      /*@{resp r_*_q}*/ <=
        /*@if BEHIND*/load_hit/*@else*/!f_valid_q/*@end*/ ? /*@{resp d_*_q, write=1'b0, error=1'b0}*/ :
        f_kind_q == 2'd0 ? /*@{resp merged_*, write=1'b0, error=f_error_q}*/ :
        /*@{resp f_*_q, write=f_kind_q[1]}*/;
      r_fill_q <= /*@if BEHIND*/!load_hit/*@else*/f_valid_q/*@end*/ && !f_kind_q[1];
    end

//@ if BEHIND
  assign resp_valid = resp_v_q || direct;
  assign /*@{resp resp_*}*/ = resp_v_q ? /*@{resp r_*_q}*/ :
    /*@{resp f_*_q, write=1'b0}*/;
  assign resp_data = resp_v_q && !r_fill_q ? /*@read*/ : f_data_q;
//@ else
  assign resp_valid = resp_v_q;
  assign /*@{resp resp_*}*/ = /*@{resp r_*_q}*/;
  assign resp_data = r_fill_q ? f_data_q : /*@read*/;
//@ end

  wire [WAY_W-1:0] hit_way = number_of_way(d_hit_q);

//@ if SECTOR_FILL
  wire [LINE_ROW_W-1:0] data_line = fill_now ? f_set_q * WAYS + /*@widen(f_way_q, WAY_W, LINE_ROW_W)*/
                                             : d_set_q * WAYS + /*@widen(hit_way, WAY_W, LINE_ROW_W)*/;

  assign sector_data_en    = load_hit || fill_stays;
  assign sector_data_we    = fill_now;
  assign sector_data_addr  = {data_line, fill_now ? f_sector_q : d_sector};
  assign sector_data_wdata = f_data_q[f_sector_q*(SECTOR_WORDS*64) +: SECTOR_WORDS*64];
//@ else
  assign data_en    = load_hit || fill_stays;
  assign data_we    = fill_now;
//@ if ON_MISS
  assign data_addr  = fill_now ? f_set_q * WAYS + /*@widen(f_way_q, WAY_W, DATA_ADDR_W)*/
//@ else
  assign data_addr  = fill_now ? f_set_q * WAYS + /*@widen(victim_way, WAY_W, DATA_ADDR_W)*/
//@ end
                               : d_set_q * WAYS + /*@widen(hit_way, WAY_W, DATA_ADDR_W)*/;
  assign data_wdata = f_data_q;
//@ end
