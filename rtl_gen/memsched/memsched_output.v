//@ # The output of memory request scheduling.

  // --- output

  always @(posedge clk)
    if (rst)
      o_valid_q <= 1'b0;
    else
      o_valid_q <= send || o_valid_q && !deq_ready;

  always @(posedge clk)
    if (send) begin
      /*@{queued o_*_q}*/ <= sent;
      o_wid_q <= sent_wid;
    end

  // fields that are the same for all requests of its load
//@ each queued_load f
  wire [/*@f_width*/-1:0] o_/*@f*/;
//@ end
  assign /*@{queued_load o_*}*/ = pick_load(WARP_0 << o_wid_q, loads);

  assign deq_valid = o_valid_q || write_waits;
  assign /*@{req deq_*}*/ =
    o_valid_q ? /*@{req o_*_q, write=1'b0, op={OP_W{1'b0}}, slot=o_slot, gid=o_gid, pc=o_pc, low=o_low, hpc=o_hpc, trk=o_trk, lid=o_lid}*/ :
    /*@{req in_*_q}*/;
  assign deq_wdata = in_wdata_q;
  assign deq_wmask = in_wmask_q;
