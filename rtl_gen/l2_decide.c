/* The L2 slice, as Verilog: what becomes of the request in b. Part of rtl_gen/l2_slice.c.
 *
 * The wires `found`, `hit`, `closes` and `leaves` come from the tags, and late; all others are known before.
 */
#include "rtl_gen/l2.h"

void hd_l2_put_lookup(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS;
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
      "  wire [L2_WAYS-1:0]  up      = %s; // ways that hold their lines\n"
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
      los ? "on" : "b_valid", c->d.L2_WAYS > 1 ? "{L2_WAYS{w_tagged_q}} & (WAY_0 << w_way_q)" : "w_tagged_q");
  if (los)
    fputs("\n"
          "  // and with LoSCache: is it powered, and is this its last access?\n"
          "  wire               b_predicted = |b_pred_q;\n"
          "  wire [L2_WAYS-1:0] closing = up & last & {L2_WAYS{b_predicted}};\n"
          "  wire               hit    = |(match & up);\n"
          "  wire               asleep = |(match & ~up);\n"
          "  wire               closes = |(match & closing);\n"
          "  wire               leaves = |(match & closing & (b_dirty | {L2_WAYS{b_kind_q == 2'd2}})); // "
          "and the "
          "line goes\n",
          f);
}

void hd_l2_put_decide(FILE *f, const struct hd_config *c) {
  const bool los = c->d.LOS;
  fprintf(f,
          "\n"
          "  // --- decide\n"
          "\n"
          "  wire merge    = b_asks && can_merge;\n"
          "  wire fresh    = b_asks && !flight;\n"
          "  wire may_ask  = !(&mshr_used_q) && out_room; // a line from the memory\n"
          "  wire hit_done = fresh && %s;\n",
          los ? "hit && !(leaves && !out_room)" : "found");
  if (los)
    fputs(
        "  wire fetch    = fresh && !hit && stored && may_ask && (found || spare_clean); // its line, to be "
        "stored\n"
        "  wire ask_only = fresh && !hit && read_through && may_ask;\n"
        "  wire put_only = fresh && !hit && write_through && out_room;\n"
        "  wire keep_tag = (ask_only || put_only) && (found || room_there);\n"
        "  wire back     = fresh && !found && stored && may_ask && spare_dirty; // another line is written "
        "back "
        "before\n"
        "\n"
        "  wire taken     = fetch || ask_only; // an MSHR\n"
        "  wire new_tag    = fetch || keep_tag; // a tag is written\n"
        "  wire touch     = hit_done || merge && found || new_tag;\n"
        "  wire answered  = b_query || hit_done || put_only;\n"
        "  wire goes_out  = taken || put_only || back || hit_done && leaves;\n"
        "  assign done    = b_query || hit_done || merge || taken || put_only;\n",
        f);
  else
    fputs("  wire fetch    = fresh && !found && may_ask && spare_clean;\n"
          "  wire back     = fresh && !found && may_ask && spare_dirty; // another line is written back "
          "before\n"
          "\n"
          "  wire taken     = fetch; // an MSHR\n"
          "  wire new_tag    = fetch; // a tag is written\n"
          "  wire touch     = hit_done || merge && found || new_tag;\n"
          "  wire answered  = hit_done;\n"
          "  wire goes_out  = fetch || back;\n"
          "  assign done    = hit_done || merge || fetch;\n",
          f);
  fprintf(f,
          "  assign undone  = b_req_q && !done;\n"
          "  assign fails   = undone && !back;\n"
          "\n"
          "  // the way of b's line, or the one that it is to have\n"
          "  wire [L2_WAYS-1:0] way_at = match | {L2_WAYS{!found}} & spare_at;\n"
          "%s",
          c->d.L2_WAYS > 1 ? "  wire [L2_WAY_W-1:0] way   = number_of_way(way_at);\n" : "");
  if (los)
    fputs("\n"
          "  // what the answer says besides\n"
          "  wire             b_early = asleep && !b_query;\n"
          "  wire [CNT_W-1:0] b_count = pick_accesses(match, count) & {CNT_W{b_query}};\n",
          f);
}
