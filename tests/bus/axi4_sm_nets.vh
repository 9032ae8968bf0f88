// What the manager of an SM answers: fields of MSHR_W, WID_W, SLOT_W and NUM_W bits, lines of LINE_BITS.
  wire                 req_ready, rsp_valid, rsp_last;
  wire [1:0]           rsp_kind, rsp_error;
  wire [MSHR_W-1:0]    rsp_id;
  wire [WID_W-1:0]     rsp_wid;
  wire [SLOT_W-1:0]    rsp_slot;
  wire [NUM_W-1:0]     rsp_num;
  wire [LINE_BITS-1:0] rsp_data;
