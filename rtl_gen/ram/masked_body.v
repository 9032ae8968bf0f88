//@ # What wrappers with write masks have in common.
  localparam LANE_W = WIDTH / MASK_W;

  reg [WIDTH-1:0] mem [0:DEPTH-1];

  // the mask, a bit for each bit of the row
  wire [WIDTH-1:0] written;
  genvar lane;
  generate
    for (lane = 0; lane < MASK_W; lane = lane + 1) begin : lanes
      assign written[lane*LANE_W +: LANE_W] = {LANE_W{wmask[lane]}};
    end
  endgenerate

