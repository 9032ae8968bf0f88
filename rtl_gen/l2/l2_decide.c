/* The L2 slice, as Verilog: what becomes of the request in b. Part of rtl_gen/l2/l2_slice.c.
 *
 * The wires `found`, `hit`, `asleep`, `closes` and `leaves` come from the tags, and late.
 */
#include "rtl_gen/l2/l2.h"

void hd_l2_put_lookup(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // --- b: its line in the tags. A set that was written as it was read is in w\n"
      "\n"
      "  wire [L2_SET_W-1:0] b_set   = b_line_q[L2_SET_W-1:0];\n"
      "  wire [L2_TAG_W-1:0] b_tag   = b_line_q[LINE_W-1:L2_SET_W];\n"
      "  wire [L2_SETS-1:0]  b_at    = SET_0 << b_set;\n"
      "  wire [L2_WAYS-1:0]  b_valid = pick_ways(b_at, valid_q);\n"
      "  wire [L2_WAYS-1:0]  b_dirty = w_valid_q ? w_dirty_q : dirty_rdata;\n"
      "\n"
      "  wire [L2_WAYS-1:0] recent = %s;\n"
      "  wire               w_is_b = w_tag_q == b_tag;\n"
      "  wire [L2_WAYS-1:0] match;\n"
      "  generate\n"
      "    for (w = 0; w < L2_WAYS; w = w + 1) begin : compare\n"
      "      assign match[w] = b_valid[w] && (recent[w] ? w_is_b : tags_rdata[w*TAGS_WORD_W +: TAGS_WORD_W] "
      "== b_tag);\n"
      "    end\n"
      "  endgenerate\n"
      "  wire found = |match;\n",
      c->d.L2_WAYS > 1 ? "{L2_WAYS{w_tagged_q}} & (WAY_0 << w_way_q)" : "w_tagged_q");
  if (c->d.LOS)
    fputs("\n"
          "  // and with LoSCache: is it powered, and is this its last access?\n"
          "  wire               b_predicted = |b_pred_q;\n"
          "  wire [L2_WAYS-1:0] closing = on & last & {L2_WAYS{b_predicted}};\n"
          "  wire               hit     = |(match & on);\n"
          "  wire               asleep  = |(match & ~on);\n"
          "  wire               closes  = |(match & closing);\n"
          "  wire               leaves  = |(match & closing & (b_dirty | {L2_WAYS{b_kind_q == 2'd2}})); // "
          "and the "
          "line goes\n",
          f);
}

static void put_outcome_los(FILE *f) {
  fputs(
      "  wire may_miss = out_room && (write_through || !(&mshr_used_q));\n"
      "  wire hit_done = fresh && hit && !(leaves && !out_room);\n"
      "  wire missed   = fresh && !hit && may_miss && (found || !spare_dirty && (spare_there || !stored));\n"
      "  wire back     = fresh && !found && may_miss && spare_dirty; // another line is written back before\n"
      "\n"
      "  wire taken    = missed && !write_through; // an MSHR: its line is asked for\n"
      "  wire put_only = missed && write_through;\n"
      "  wire new_tag  = missed && (found || spare_there);\n"
      "  wire touch    = hit_done || merge && found || new_tag;\n"
      "  wire answered = b_query || hit_done || put_only;\n"
      "  wire goes_out = missed || back || hit_done && leaves;\n"
      "  assign done   = b_query || hit_done || merge || missed;\n",
      f);
}

static void put_outcome_plain(FILE *f) {
  fputs(
      "  wire may_miss = out_room && !(&mshr_used_q);\n"
      "  wire hit_done = fresh && found;\n"
      "  wire missed   = fresh && !found && may_miss && spare_there && !spare_dirty;\n"
      "  wire back     = fresh && !found && may_miss && spare_dirty; // another line is written back before\n"
      "\n"
      "  wire taken    = missed; // an MSHR: its line is asked for\n"
      "  wire new_tag  = missed;\n"
      "  wire touch    = hit_done || merge && found || new_tag;\n"
      "  wire answered = hit_done;\n"
      "  wire goes_out = missed || back;\n"
      "  assign done   = hit_done || merge || missed;\n",
      f);
}

void hd_l2_put_decide(FILE *f, const struct hd_config *c) {
  fputs("\n"
        "  // --- decide\n"
        "\n"
        "  wire merge    = b_asks && can_merge;\n"
        "  wire fresh    = b_asks && !flight;\n",
        f);
  if (c->d.LOS)
    put_outcome_los(f);
  else
    put_outcome_plain(f);
  fprintf(f,
          "  assign undone = b_req_q && !done;\n"
          "  assign fails  = undone && !back;\n"
          "\n"
          "  // the way of b's line, or the one that it is to have; and the same where nothing is to be "
          "written back before\n"
          "  wire [L2_WAYS-1:0] way_at  = match | {L2_WAYS{!found}} & spare_at;\n"
          "  wire [L2_WAYS-1:0] used_at = match | {L2_WAYS{!found && !flight}} & clean_at;\n"
          "%s",
          c->d.L2_WAYS > 1 ? "  wire [L2_WAY_W-1:0] way = number_of_way(way_at);\n" : "");
  if (c->d.LOS)
    fputs("\n"
          "  // the line's accesses: for a query, and for one that found it powered off, with this one\n"
          "  wire [CNT_W-1:0] b_some  = pick_accesses(match, count);\n"
          "  wire [CNT_W-1:0] b_more  = &b_some ? b_some : b_some + 1'b1;\n"
          "  wire [CNT_W-1:0] b_count = b_query ? b_some : b_more & {CNT_W{asleep}};\n",
          f);
}
