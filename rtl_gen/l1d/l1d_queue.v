//@ # The L1D's miss queue and memory port. Part of l1d.v.

  // --- miss queue, and its entry at the memory port

  wire mq_push = miss || store/*@if PAST*/ || bypass/*@end*/;
  wire mq_pop  = |mq_count_q && (!mo_valid_q || mreq_ready);

  wire [MQ-1:0] mq_head_at = MQ_0 << mq_head_q;
  wire [MQ-1:0] mq_tail_at = MQ_0 << mq_tail_q;

  // a fill's request names its MSHR, any other request its instruction; the other fields of a request go with it
  wire [MSHR_W-1:0] mq_id = {MSHR_W{miss}} & m_next_q;
//@ if KINDS
  wire [1:0]        mq_kind = {d_write_q && !aside, takes_slot};
//@ else
  wire [1:0]        mq_kind = {d_write_q, /*@if PAST*/bypass/*@else*/1'b0/*@end*/};
//@ end
//@ if SECTORED
//@ if SECTOR_FILL
  wire [SECTORS-1:0] mq_sectors = d_sectors_q;
//@ elif SPLIT
  wire [SECTORS-1:0] mq_sectors = d_sectors_q | {SECTORS{mq_kind == 2'd0}}; // a fill brings the line
//@ else
  wire [SECTORS-1:0] mq_sectors = d_sectors_q | {SECTORS{!mq_kind[0]}}; // fills and stores move the whole line
//@ end
//@ end
//@ each mreq f but kind line id wid slot num last sectors
  wire [/*@f_width*/-1:0] mq_/*@f*/ = d_/*@f*/_q/*@if PREF*/ & {/*@f_width*/{!d_pf_q}}/*@end*/;
//@ end
//@ each target f but hpc
  wire [/*@f_width*/-1:0] mq_/*@f*/ = d_/*@f*/_q & {/*@f_width*/{!miss}};
//@ end

  assign mq_we    = mq_push;
  assign mq_waddr = mq_tail_q;
  assign mq_wdata = /*@{mreq mq_*, line=d_line_q}*/;
  assign mq_re    = mq_pop;
  assign mq_raddr = mq_head_q;

  always @(posedge clk)
    if (rst)
      mq_head_q <= {MQ_W{1'b0}};
    else if (mq_pop)
      mq_head_q <= /*@next(mq_head_q, MQ, MQ_W)*/;

  always @(posedge clk)
    if (rst)
      mq_tail_q <= {MQ_W{1'b0}};
    else if (mq_push)
      mq_tail_q <= /*@next(mq_tail_q, MQ, MQ_W)*/;

  always @(posedge clk)
    if (rst)
      mq_count_q <= {MQN_W{1'b0}};
    else if (mq_push && !mq_pop)
      mq_count_q <= mq_count_q + 1'b1;
    else if (mq_pop && !mq_push)
      mq_count_q <= mq_count_q - 1'b1;

  always @(posedge clk)
    if (rst)
      mq_store_q <= {MQ{1'b0}};
    else if (mq_push)
      mq_store_q <= mq_store_q & ~mq_tail_at | mq_tail_at & {MQ{d_write_q}};

  // with a store, its bytes
  assign sdata_re    = mq_pop && |(mq_store_q & mq_head_at);
  assign sdata_raddr = sd_head_q;
  assign smask_re    = sdata_re;
  assign smask_raddr = sd_head_q;

  always @(posedge clk)
    if (rst)
      sd_head_q <= {SD_W{1'b0}};
    else if (sdata_re)
      sd_head_q <= /*@next(sd_head_q, SD, SD_W)*/;

  always @(posedge clk)
    if (rst)
      mo_valid_q <= 1'b0;
    else if (!mo_valid_q || mreq_ready)
      mo_valid_q <= mq_pop;

  assign mreq_valid = mo_valid_q;
  assign /*@{mreq mreq_*}*/ = mq_rdata;
  assign mreq_wdata = sdata_rdata;
  assign mreq_wmask = smask_rdata;
