/* The scheduling queue of laws, as Verilog, in its two forms. Part of rtl_gen/apres/laws.c.
 *
 * The matrix is kept by each scheduler, for its own warps, and moves all pairs at once: a pair needs to know of
 * nothing but its own two warps. The list is kept by places of the queue, for all warps; what is said of all
 * places is a vector of WARPS bits (a set of places), a number of each is WID_W such vectors, the planes of its
 * bits: vectors of planes are what the functions work on.
 */
#include "rtl_gen/apres/laws.h"

#include "rtl_gen/sm/sched.h"

/* --- matrix --------------------------------------------------------------------------------------------- */

/* How N pairs (i<j) move, from bit FROM of `queue` on: inside a block that says whether their i and j go up. */
static void put_moves(FILE *f, bool grouped, const char *queue) {
  fprintf(f,
          "        wire [N-1:0] j_first = %s[FROM +: N];\n"
          "        wire [N-1:0] moved   = j_up & ~i_up | j_first & (j_up | ~i_up);\n"
          "\n"
          "        always @(posedge clk)\n"
          "          if (rst)\n"
          "            %s[FROM +: N] <= {N{1'b0}};\n"
          "          else\n"
          "            %s[FROM +: N] <= %s;\n"
          "\n",
          queue, queue, queue, grouped ? "j_aimed | moved & ~i_aimed" : "moved");
}

static void put_matrix(FILE *f, bool grouped) {
  fputs("\n"
        "      // the scheduling queue of its warps: bit of pair (i<j) = that of place j is nearer to the\n"
        "      // head. One that goes up overtakes one that does not, any other pair keeps its order.\n"
        "      // Bit m*MEMBERS + b of ahead: the warp of place b is nearer than that of place m\n"
        "      wire [MEMBERS*MEMBERS-1:0] ahead;\n"
        "      wire [ORDER_Q-1:0] rises;\n",
        f);
  if (grouped)
    fputs("      wire [ORDER_Q-1:0] aimed;\n", f);
  fputs("      for (m = 0; m < ORDER_Q; m = m + 1) begin : member\n"
        "        assign rises[m] = up[m*SCHEDS + s];\n",
        f);
  if (grouped)
    fputs("        assign aimed[m] = target[m*SCHEDS + s];\n", f);
  fputs("        assign ahead[m*MEMBERS + m] = 1'b0;\n"
        "      end\n"
        "      for (m = 0; m < ORDER_Q - 1; m = m + 1) begin : row\n"
        "        localparam N    = ORDER_Q - 1 - m;\n"
        "        localparam LOW  = m * ORDER_C; // or above another row\n"
        "        localparam HIGH = (2*ORDER_N - 1 - m) * ORDER_C + ORDER_Q - 2*ORDER_N + m;\n"
        "        localparam FROM = s * ORDER_N * ORDER_C + (m < ORDER_N ? LOW : HIGH);\n"
        "        wire [N-1:0] j_up    = rises[ORDER_Q-1:m+1];\n"
        "        wire [N-1:0] i_up    = {N{rises[m]}};\n",
        f);
  if (grouped)
    fputs("        wire [N-1:0] j_aimed = aimed[ORDER_Q-1:m+1];\n"
          "        wire [N-1:0] i_aimed = {N{aimed[m]}};\n",
          f);
  put_moves(f, grouped, "before_q");
  fputs("        for (b = m + 1; b < ORDER_Q; b = b + 1) begin : pair\n"
        "          assign ahead[m*MEMBERS + b] = j_first[b-m-1];\n"
        "          assign ahead[b*MEMBERS + m] = !j_first[b-m-1];\n"
        "        end\n"
        "      end\n",
        f);
}

/* The pairs with the last place, which only some schedulers have. */
static void put_matrix_last(FILE *f, bool grouped) {
  fputs("      assign ahead[ORDER_Q*MEMBERS + ORDER_Q] = 1'b0;\n"
        "      if (s < ORDER_X) begin : last_row\n"
        "        localparam N    = ORDER_Q;\n"
        "        localparam FROM = s * ORDER_Q;\n"
        "        wire [N-1:0] j_up    = {N{up[ORDER_Q*SCHEDS + s]}};\n"
        "        wire [N-1:0] i_up    = rises;\n",
        f);
  if (grouped)
    fputs("        wire [N-1:0] j_aimed = {N{target[ORDER_Q*SCHEDS + s]}};\n"
          "        wire [N-1:0] i_aimed = aimed;\n",
          f);
  put_moves(f, grouped, "before_last_q");
  fputs("        for (m = 0; m < ORDER_Q; m = m + 1) begin : pair\n"
        "          assign ahead[m*MEMBERS + ORDER_Q] = j_first[m];\n"
        "          assign ahead[ORDER_Q*MEMBERS + m] = !j_first[m];\n"
        "        end\n"
        "      end else begin : no_last_row\n"
        "        for (m = 0; m < ORDER_Q; m = m + 1) begin : pair\n"
        "          assign ahead[m*MEMBERS + ORDER_Q] = 1'b0;\n"
        "          assign ahead[ORDER_Q*MEMBERS + m] = 1'b0;\n"
        "        end\n"
        "      end\n",
        f);
}

static void put_matrix_pick(FILE *f, const char *among) {
  fprintf(f,
          "\n"
          "      // the ready warp before which no other ready one comes\n"
          "      wire [MEMBERS-1:0] queue_at%s;\n"
          "      for (m = 0; m < MEMBERS; m = m + 1) begin : rank%s\n"
          "        assign queue_at%s[m] = mine%s[m] && !(|(mine%s & ahead[m*MEMBERS +: MEMBERS]));\n"
          "      end\n",
          among, among, among, among, among);
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
  if (c->d.LOS)
    fputs("  wire [WARPS-1:0] ready_at_preferred = places(ready & prefer, list);\n", f);
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

static void put_list_pick(FILE *f, const struct hd_config *c, const char *among) {
  fprintf(f,
          "\n"
          "      // the first place whose warp is ready and belongs to s: its id says so in the low bits\n"
          "      wire [WARPS-1:0] candidates%s;\n",
          among);
  if (c->d.SCHEDS > 1)
    fprintf(f,
            "      for (k = 0; k < WARPS; k = k + 1) begin : candidate%s\n"
            "        localparam OWN = s;\n"
            "        assign candidates%s[k] = ready_at%s[k] && order_q[k*WID_W +: OWN_W] == OWN[OWN_W-1:0];\n"
            "      end\n",
            among, among, among);
  else
    fprintf(f, "      assign candidates%s = ready_at%s;\n", among, among);
  fprintf(f,
          "      wire [WARPS-1:0] first_at%s = first(candidates%s);\n"
          "      wire [MEMBER_W-1:0] queue_place%s;\n"
          "      for (b = 0; b < MEMBER_W; b = b + 1) begin : place_bit%s\n"
          "        assign queue_place%s[b] = |(first_at%s & list[(OWN_W + b)*WARPS +: WARPS]);\n"
          "      end\n",
          among, among, among, among, among, among);
}

/* -------------------------------------------------------------------------------------------------------- */

void hd_laws_put_queue_functions(FILE *f, const struct hd_config *c) {
  if (!c->d.MATRIX)
    put_list_functions(f, c);
}

void hd_laws_put_queue(FILE *f, const struct hd_config *c) {
  if (!c->d.MATRIX)
    put_list(f, c);
  else if (c->d.GROUPED)
    fputs("\n"
          "  wire [WARPS-1:0] target = {WARPS{tgt_valid}} & (WARP_0 << tgt_wid);\n",
          f);
}

void hd_laws_put_order(FILE *f, const struct hd_config *c) {
  if (!c->d.MATRIX)
    return;
  put_matrix(f, c->d.GROUPED);
  if (c->d.ORDER_X)
    put_matrix_last(f, c->d.GROUPED);
}

const char *hd_laws_put_pick(FILE *f, const struct hd_config *c, unsigned set) {
  if (!c->d.MATRIX) {
    put_list_pick(f, c, hd_sched_sets[set]);
    return set ? "(en ? queue_place_preferred : number(lrr_at_preferred))"
               : "en ? queue_place : number(lrr_at)";
  }
  put_matrix_pick(f, hd_sched_sets[set]);
  return set ? "number(en ? queue_at_preferred : lrr_at_preferred)" : "number(en ? queue_at : lrr_at)";
}
