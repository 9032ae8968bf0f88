//@ # The functions of laws' list.

  localparam PLANES = WID_W * WARPS;
//@ lowest first WARPS

  // the places of those warps that are in v
  function [WARPS-1:0] places(input [WARPS-1:0] v, input [PLANES-1:0] list);
    reg [WARPS-1:0] here;
    integer i, p;
    begin
      places = {WARPS{1'b0}};
      for (i = 0; i < WARPS; i = i + 1) begin
        here = {WARPS{1'b1}};
        for (p = 0; p < WID_W; p = p + 1)
          here = here & (list[p*WARPS +: WARPS] ^ {WARPS{!i[p]}});
        places = places | here & {WARPS{v[i]}};
      end
    end
  endfunction
//@ if GROUPED

  // the place of warp wid
  function [WARPS-1:0] place_of(input [WID_W-1:0] wid, input [PLANES-1:0] list);
    integer p;
    begin
      place_of = {WARPS{1'b1}};
      for (p = 0; p < WID_W; p = p + 1)
        place_of = place_of & (list[p*WARPS +: WARPS] ^ {WARPS{!wid[p]}});
    end
  endfunction

  // v and all places before it
  function [WARPS-1:0] up_to(input [WARPS-1:0] v);
    integer step;
    begin
      up_to = v;
      for (step = 1; step < WARPS; step = step * 2)
        up_to = up_to | up_to >> step;
    end
  endfunction
//@ end
  /*@side(count_before, to_head, before it, <<, >>)*/
  /*@side(count_behind, to_tail, behind it, >>, <<)*/
