//@ # Properties of any instruction in the coalescer (docs/mechanisms/coalescer.md): its requests serve each of its lanes once, with that
//@ # lane's line; no line comes twice; only the last request is `last`. The marked instruction is any instruction: only it has slot 1.
//@ small sm.warps=4 sm.ctas=2 sm.lanes=4 sm.loads=2 l1d.sets=2 LINE_W=2

  reg                    marked;  // the marked instruction was taken
  reg [LANES-1:0]        still;   // its lanes that are not served yet
  reg [LANES*LINE_W-1:0] lines;
  reg [LANE_W-1:0]       next;    // the number of its next request
  wire taken = issue_valid && issue_ready;
  wire left  = req_valid && req_ready;
  wire mine  = left && req_slot == 1;
  always @(posedge clk)
    if (rst) begin
      marked <= 1'b0;
      still  <= {LANES{1'b0}};
    end else begin
      if (taken && issue_slot == 1) begin
        marked <= 1'b1;
        still  <= issue_mask;
        lines  <= issue_line;
        next   <= {LANE_W{1'b0}};
      end else if (mine) begin
        still <= still & ~req_lanes;
        next  <= next + 1'b1;
      end
    end

  some_lane: assume property (issue_valid |-> issue_mask != 0);
  marked_1:  assume property (issue_valid && issue_slot == 1 |-> !marked);

  integer i;
  reg its_line, all_of_it; // each lane of the request has the request's line; no remaining lane has it
  always @* begin
    its_line  = 1'b1;
    all_of_it = 1'b1;
    for (i = 0; i < LANES; i = i + 1) begin
      its_line  = its_line && !(req_lanes[i] && lines[i*LINE_W +: LINE_W] != req_line);
      all_of_it = all_of_it && !(still[i] && !req_lanes[i] && lines[i*LINE_W +: LINE_W] == req_line);
    end
  end

  serves:     assert property (mine |-> marked && req_lanes != 0 && (req_lanes & ~still) == 0);
  right_line: assert property (mine |-> its_line);
  whole_line: assert property (mine |-> all_of_it);
  number:     assert property (mine |-> req_num == next);
  last_only:  assert property (mine |-> req_last == (still == req_lanes));
