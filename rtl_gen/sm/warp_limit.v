//@ # The static warp limit: which warps may issue. Spec: docs/mechanisms/warp_limit.md.
//@ #
//@ # At most LIMIT warps of a scheduler may issue, so there is a place unless LIMIT are active and all of them
//@ # stay: their number comes from registers, before it is known which stay. A limit that falls leaves more than that: then
//@ # there is no place.
//@ part verilog/ones

  genvar s;
//@ lowest lowest MEMBERS

  localparam ONES_W = $clog2(MEMBERS + 1);

  /*@ones(ones, MEMBERS, ONES_W)*/

  // a bit for each warp, by schedulers and their places; and back
  function [SCHEDS*MEMBERS-1:0] by_place(input [WARPS-1:0] v);
    integer i;
    begin
      by_place = {SCHEDS*MEMBERS{1'b0}};
      for (i = 0; i < WARPS; i = i + 1)
        by_place[i%SCHEDS*MEMBERS + i/SCHEDS] = v[i];
    end
  endfunction
  function [WARPS-1:0] by_warp(input [SCHEDS*MEMBERS-1:0] v);
    integer i;
    for (i = 0; i < WARPS; i = i + 1)
      by_warp[i] = v[i%SCHEDS*MEMBERS + i/SCHEDS];
  endfunction

  // --- the static limit: a warp stays active while awake, then the first that is awake follows

  wire [SCHEDS*MEMBERS-1:0] active = by_place(active_q);
  wire [SCHEDS*MEMBERS-1:0] leaves = by_place(active_q & ~awake);
  wire [SCHEDS*MEMBERS-1:0] wants  = by_place(awake & ~active_q);
  wire [SCHEDS*MEMBERS-1:0] enters;
  generate
    for (s = 0; s < SCHEDS; s = s + 1) begin : limit
//@ if APB
      wire [ONES_W-1:0] there = ones(active[s*MEMBERS +: MEMBERS]);
      wire full = there > swl_limit || there == swl_limit && !(|leaves[s*MEMBERS +: MEMBERS]);
//@ else
      wire full = ones(active[s*MEMBERS +: MEMBERS]) >= LIMIT[ONES_W-1:0] && !(|leaves[s*MEMBERS +: MEMBERS]);
//@ end
      assign enters[s*MEMBERS +: MEMBERS] = lowest(wants[s*MEMBERS +: MEMBERS]) & {MEMBERS{!full}};
    end
  endgenerate

  always @(posedge clk)
    if (rst)
      active_q <= {WARPS{1'b0}};
    else
      active_q <= active_q & awake | by_warp(enters);

  assign withhold = ~active_q;
