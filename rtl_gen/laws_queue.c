/* The scheduling queue of laws, as Verilog, in its two forms. Part of rtl_gen/laws.c.
 *
 * The matrix moves all pairs at once: a pair needs to know of nothing but its own two warps. The list is kept by
 * places; what is said of all places is a vector of WARPS bits (a set of places), a number of each is WID_W such
 * vectors, the planes of its bits: vectors of planes are what the functions work on.
 */
#include "rtl_gen/laws.h"

/* --- matrix --------------------------------------------------------------------------------------------- */

static void put_matrix_function(FILE *f) {
  fputs("\n"
        "  // the bit of pair (a, c), a < c, in before_q: row a below the middle, above it folded onto a row "
        "there\n"
        "  function integer pair(input integer a, input integer c);\n"
        "    pair = a < ORDER_N ? a * ORDER_C + c - a - 1\n"
        "                       : (2*ORDER_N - 1 - a) * ORDER_C + WARPS - 2*ORDER_N + c - 1;\n"
        "  endfunction\n",
        f);
}

static void put_matrix(FILE *f, const struct hd_config *c) {
  const bool grouped = c->d.GROUPED;
  fputs(
      "\n"
      "  // --- the scheduling queue: bit of pair (w<j) = warp j is nearer to the head. A warp that goes up\n"
      "  // overtakes one that does not, any other pair keeps its order\n"
      "\n",
      f);
  if (grouped)
    fputs("  wire [WARPS-1:0] target = {WARPS{tgt_valid}} & (WARP_0 << tgt_wid);\n", f);
  fprintf(f,
          "  generate\n"
          "    for (w = 0; w < WARPS - 1; w = w + 1) begin : row\n"
          "      localparam N    = WARPS - 1 - w;\n"
          "      localparam FROM = pair(w, w + 1);\n"
          "      wire [N-1:0] j_first = before_q[FROM +: N];\n"
          "      wire [N-1:0] j_up    = up[WARPS-1:w+1];\n"
          "      wire [N-1:0] w_down  = {N{!up[w]}};\n"
          "      wire [N-1:0] moved   = j_up & w_down | j_first & (j_up | w_down);\n"
          "\n"
          "      always @(posedge clk)\n"
          "        if (rst)\n"
          "          before_q[FROM +: N] <= {N{1'b0}};\n"
          "        else\n"
          "          before_q[FROM +: N] <= %s;\n"
          "    end\n"
          "  endgenerate\n",
          grouped ? "target[WARPS-1:w+1] | moved & {N{!target[w]}}" : "moved");
}

static void put_matrix_pick(FILE *f) {
  fputs(
      "\n"
      "      // the ready warp before which no other ready one comes\n"
      "      wire [MEMBERS*MEMBERS-1:0] rivals; // bit m*MEMBERS + b: the warp at place b is ready and comes "
      "before that at m\n"
      "      wire [MEMBERS-1:0] queue_at;\n"
      "      for (m = 0; m < MEMBERS; m = m + 1) begin : rank\n"
      "        assign rivals[m*MEMBERS + m] = 1'b0;\n"
      "        for (b = 0; b < m; b = b + 1) begin : than\n"
      "          if (m * SCHEDS + s < WARPS) begin : there\n"
      "            assign rivals[m*MEMBERS + b] = mine[b] && !before_q[pair(b*SCHEDS + s, m*SCHEDS + s)];\n"
      "            assign rivals[b*MEMBERS + m] = mine[m] && before_q[pair(b*SCHEDS + s, m*SCHEDS + s)];\n"
      "          end else begin : none\n"
      "            assign rivals[m*MEMBERS + b] = 1'b0;\n"
      "            assign rivals[b*MEMBERS + m] = 1'b0;\n"
      "          end\n"
      "        end\n"
      "        assign queue_at[m] = mine[m] && !(|rivals[m*MEMBERS +: MEMBERS]);\n"
      "      end\n",
      f);
}

/* --- list ----------------------------------------------------------------------------------------------- */

/* Sums over all places on one side, in log steps, and what uses them: all elements of a set of places, moved
 * that far to the other side, in as many steps as a number has bits. `from` and `to` shift a vector of places
 * away from that side and back. */
static void put_side(FILE *f, const char *count, const char *move, const char *side, const char *from,
                     const char *to) {
  fprintf(f,
          "\n"
          "  // for each place: how many of v are %s\n"
          "  function [PLANES-1:0] %s(input [WARPS-1:0] v);\n"
          "    reg [WARPS-1:0] one, two, carry;\n"
          "    integer step, p;\n"
          "    begin\n"
          "      %s = {PLANES{1'b0}};\n"
          "      %s[0 +: WARPS] = v %s 1;\n"
          "      for (step = 1; step < WARPS; step = step * 2) begin\n"
          "        carry = {WARPS{1'b0}};\n"
          "        for (p = 0; p < WID_W; p = p + 1) begin\n"
          "          one = %s[p*WARPS +: WARPS];\n"
          "          two = one %s step;\n"
          "          %s[p*WARPS +: WARPS] = one ^ two ^ carry;\n"
          "          carry = one & two | carry & (one | two);\n"
          "        end\n"
          "      end\n"
          "    end\n"
          "  endfunction\n",
          side, count, count, count, from, count, from, count);
  fprintf(
      f,
      "\n"
      "  // the elements of v, 0 where there is none, each moved as many places as far says, so that none "
      "meet\n"
      "  function [PLANES-1:0] %s(input [PLANES-1:0] v, input [PLANES-1:0] far);\n"
      "    reg [PLANES-1:0] left;\n"
      "    reg [WARPS-1:0] go;\n"
      "    integer step, p;\n"
      "    begin\n"
      "      %s = v;\n"
      "      left = far;\n"
      "      for (step = 0; step < WID_W; step = step + 1) begin\n"
      "        go = left[step*WARPS +: WARPS];\n"
      "        for (p = 0; p < WID_W; p = p + 1) begin\n"
      "          %s[p*WARPS +: WARPS] =\n"
      "            %s[p*WARPS +: WARPS] & ~go | (%s[p*WARPS +: WARPS] & go) %s (1 << step);\n"
      "          left[p*WARPS +: WARPS] =\n"
      "            left[p*WARPS +: WARPS] & ~go | (left[p*WARPS +: WARPS] & go) %s (1 << step);\n"
      "        end\n"
      "      end\n"
      "    end\n"
      "  endfunction\n",
      move, move, move, move, move, to, to);
}

static void put_list_functions(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  localparam PLANES = WID_W * WARPS;\n",
        f);
  hd_put_lowest(f, "first", "WARPS");
  fputs("\n"
        "  // the places of those warps that are in v\n"
        "  function [WARPS-1:0] places(input [WARPS-1:0] v, input [PLANES-1:0] list);\n"
        "    reg [WARPS-1:0] here;\n"
        "    integer i, p;\n"
        "    begin\n"
        "      places = {WARPS{1'b0}};\n"
        "      for (i = 0; i < WARPS; i = i + 1) begin\n"
        "        here = {WARPS{1'b1}};\n"
        "        for (p = 0; p < WID_W; p = p + 1)\n"
        "          here = here & (list[p*WARPS +: WARPS] ^ {WARPS{!i[p]}});\n"
        "        places = places | here & {WARPS{v[i]}};\n"
        "      end\n"
        "    end\n"
        "  endfunction\n",
        f);
  if (c->d.GROUPED)
    fputs("\n"
          "  // the place of warp wid\n"
          "  function [WARPS-1:0] place_of(input [WID_W-1:0] wid, input [PLANES-1:0] list);\n"
          "    integer p;\n"
          "    begin\n"
          "      place_of = {WARPS{1'b1}};\n"
          "      for (p = 0; p < WID_W; p = p + 1)\n"
          "        place_of = place_of & (list[p*WARPS +: WARPS] ^ {WARPS{!wid[p]}});\n"
          "    end\n"
          "  endfunction\n"
          "\n"
          "  // v and all places before it\n"
          "  function [WARPS-1:0] up_to(input [WARPS-1:0] v);\n"
          "    integer step;\n"
          "    begin\n"
          "      up_to = v;\n"
          "      for (step = 1; step < WARPS; step = step * 2)\n"
          "        up_to = up_to | up_to >> step;\n"
          "    end\n"
          "  endfunction\n",
          f);
  put_side(f, "count_before", "to_head", "before it", "<<", ">>");
  put_side(f, "count_behind", "to_tail", "behind it", ">>", "<<");
}

static void put_list(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- the scheduling queue\n"
        "\n"
        "  wire [PLANES-1:0] list; // the warp at each place\n"
        "  wire [PLANES-1:0] next;\n"
        "  generate\n"
        "    for (k = 0; k < WARPS; k = k + 1) begin : at\n"
        "      localparam AT = k;\n"
        "      for (b = 0; b < WID_W; b = b + 1) begin : plane\n"
        "        assign list[b*WARPS + k] = order_q[k*WID_W + b];\n"
        "\n"
        "        always @(posedge clk)\n"
        "          if (rst)\n"
        "            order_q[k*WID_W + b] <= AT[b];\n"
        "          else\n"
        "            order_q[k*WID_W + b] <= next[b*WARPS + k];\n"
        "      end\n"
        "    end\n"
        "  endgenerate\n"
        "\n"
        "  wire [WARPS-1:0] ready_at = places(ready, list);\n",
        f);
  if (c->d.GROUPED) {
    fputs("\n"
          "  // the target first: if it is the head already and counts as going up, it is still the head in "
          "the end\n"
          "  wire [WARPS-1:0]  up_there = places(up, list);\n"
          "  wire [WARPS-1:0]  pushed   = up_to({WARPS{tgt_valid}} & place_of(tgt_wid, list));\n"
          "  wire [WARPS-1:0]  up_at    = pushed & {up_there[WARPS-2:0], 1'b1} | ~pushed & up_there;\n"
          "  wire [PLANES-1:0] now;\n"
          "  generate\n"
          "    for (b = 0; b < WID_W; b = b + 1) begin : head\n"
          "      assign now[b*WARPS +: WARPS] = pushed & {list[b*WARPS +: WARPS-1], tgt_wid[b]} |\n"
          "                                     ~pushed & list[b*WARPS +: WARPS];\n"
          "    end\n"
          "  endgenerate\n",
          f);
  } else {
    fputs("  wire [WARPS-1:0] up_at    = places(up, list);\n"
          "  wire [PLANES-1:0] now     = list;\n",
          f);
  }
  fputs("\n"
        "  // those that go up close ranks at the head, the others at the tail\n"
        "  wire [PLANES-1:0] ups   = {WID_W{up_at}};\n"
        "  wire [PLANES-1:0] heads = to_head(now & ups, count_before(~up_at) & ups);\n"
        "  wire [PLANES-1:0] tails = to_tail(now & ~ups, count_behind(up_at) & ~ups);\n"
        "  assign next = heads | tails;\n",
        f);
}

static void put_list_pick(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "      // the first place whose warp is ready and belongs to s: its id says so in the low bits\n"
        "      wire [WARPS-1:0] candidates;\n",
        f);
  if (c->d.SCHEDS > 1)
    fputs("      for (k = 0; k < WARPS; k = k + 1) begin : candidate\n"
          "        localparam OWN = s;\n"
          "        assign candidates[k] = ready_at[k] && order_q[k*WID_W +: OWN_W] == OWN[OWN_W-1:0];\n"
          "      end\n",
          f);
  else
    fputs("      assign candidates = ready_at;\n", f);
  fputs("      wire [WARPS-1:0] first_at = first(candidates);\n"
        "      wire [MEMBER_W-1:0] queue_place;\n"
        "      for (b = 0; b < MEMBER_W; b = b + 1) begin : place_bit\n"
        "        assign queue_place[b] = |(first_at & list[(OWN_W + b)*WARPS +: WARPS]);\n"
        "      end\n",
        f);
}

/* -------------------------------------------------------------------------------------------------------- */

void hd_laws_put_queue_functions(FILE *f, const struct hd_config *c) {
  if (c->d.MATRIX)
    put_matrix_function(f);
  else
    put_list_functions(f, c);
}

void hd_laws_put_queue(FILE *f, const struct hd_config *c) {
  if (c->d.MATRIX)
    put_matrix(f, c);
  else
    put_list(f, c);
}

const char *hd_laws_put_pick(FILE *f, const struct hd_config *c) {
  if (c->d.MATRIX) {
    put_matrix_pick(f);
    return "number(en ? queue_at : lrr_at)";
  }
  put_list_pick(f, c);
  return "en ? queue_place : number(lrr_at)";
}
