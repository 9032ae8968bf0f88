/* A slice of the L2 cache, as Verilog: its slots. Spec: docs/mechanisms/l2.md.
 *
 * Sets, ways and MSHRs are numbered in registers and one-hot everywhere else (names in _at). What the tags say
 * of b's line, and which way is the oldest, comes last in a cycle: what hangs on neither is worked out beside
 * them, for each thing that they may say, and they choose.
 */
#include "rtl_gen/l2/l2.h"

#include <string.h>

/* The field that row `r` is in the group of rows `of`, or NULL. */
static const char *field_of(const struct hd_row *r, const char *of) {
  const size_t n = strlen(of);
  return r->bundle && !strncmp(r->name, of, n) && r->name[n] == '.' ? r->name + n + 1 : NULL;
}

void hd_l2_put_fields(FILE *f, const struct hd_decl *decl, const char *of, const char *prefix) {
  for (size_t i = 0; i < decl->n_rows; i++) {
    const char *field = field_of(&decl->rows[i], of);
    if (field)
      fprintf(f, "  wire %-12s %s%s;\n", hd_range_of(&decl->rows[i]).text, prefix, field);
  }
}

struct hd_fields hd_l2_left_by_b(const struct hd_decl *decl) {
  struct hd_fields out = {"{"};
  size_t used = 1;
  for (size_t i = 0; i < decl->n_rows; i++) {
    const char *field = field_of(&decl->rows[i], "rsp");
    if (!field)
      continue;
    used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%sb_%s%s", used > 1 ? ", " : "", field,
                             strcmp(field, "count") ? "_q" : "");
  }
  snprintf(out.text + used, sizeof out.text - used, "}");
  return out;
}

/* What the parts tell each other. */
static void put_signals(FILE *f) {
  fputs("\n"
        "  wire look;   // q's request is looked up, and is b's from the next cycle on\n"
        "  wire step;   // of those who wait for f's line the next one is read, and answered in the next "
        "cycle\n"
        "  wire done;   // b's request is decided\n"
        "  wire undone; // it is to be looked up again\n"
        "  wire fails;  // once something has changed\n"
        "  wire over;   // f has answered all that waited\n"
        "  wire send;   // the memory takes what is at the port\n",
        f);
}

/* Who has the next slot. */
static void put_slots(FILE *f, const struct hd_config *c) {
  fprintf(
      f,
      "\n"
      "  // --- slots: a step of a fill's answers, else a look\n"
      "\n"
      "  wire slot     = b_req_q || b_rep_q;\n"
      "  wire room     = {1'b0, rq_count_q} + {{L2_RQN_W{1'b0}}, slot} + {{L2_RQN_W{1'b0}}, c_rsp_q} < "
      "L2_RQ;\n"
      "  wire out_room = {1'b0, oq_count_q} + {{L2_IQN_W{1'b0}}, c_out_q} < L2_IQ;\n"
      "  // a step may send a line to the memory, and what is in b may too\n"
      "  wire step_room = {1'b0, oq_count_q} + {{L2_IQN_W{1'b0}}, slot} + {{L2_IQN_W{1'b0}}, c_out_q} < "
      "L2_IQ;\n"
      "\n"
      "  wire [L2_MSHRS-1:0]   f_at      = MSHR_0 << f_id_q;\n"
      "  wire [L2_MERGE_W-1:0] f_waiting = pick_count(f_at, mshr_count_q);\n"
      "  wire [L2_MERGE_W-1:0] f_after   = f_pos_q + 1'b1;\n"
      "  wire [L2_MERGE_W-1:0] f_next    = b_rep_q ? f_after : f_pos_q;\n"
      "\n"
      "  assign step = f_valid_q && f_next != f_waiting && room && step_room;\n"
      "  assign look = q_valid_q && !blocked_q && room && !step;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst) begin\n"
      "      b_req_q <= 1'b0;\n"
      "      b_rep_q <= 1'b0;\n"
      "    end else begin\n"
      "      b_req_q <= look && !undone;\n"
      "      b_rep_q <= step;\n"
      "    end\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (look)\n"
      "      %s <=\n"
      "        %s;\n"
      "\n"
      "  // what leaves for the memory or an MSHR that becomes free: one of them ends every reason to fail\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      blocked_q <= 1'b0;\n"
      "    else if (send || over)\n"
      "      blocked_q <= 1'b0;\n"
      "    else if (fails)\n"
      "      blocked_q <= 1'b1;\n",
      hd_fields_of(c, "l2req", "b_", "_q").text, hd_fields_of(c, "l2req", "q_", "").text);
}

static void put_functions(FILE *f, const struct hd_config *c) {
  hd_put_lowest(f, "lowest_mshr", "L2_MSHRS");
  hd_put_number(f, "number_of_mshr", "L2_MSHRS", "L2_MSHR_W");
  hd_put_pick(f, "pick_count", "L2_MSHRS", "L2_MERGE_W");
  hd_put_pick(f, "pick_set", "L2_MSHRS", "L2_SET_W");
  hd_put_pick(f, "pick_ways", "L2_SETS", "L2_WAYS");
  hd_put_pick(f, "pick_tag", "L2_WAYS", "L2_TAG_W");
  if (c->d.LOS) {
    hd_put_pick(f, "pick_accesses", "L2_WAYS", "CNT_W");
    hd_put_pick(f, "pick_line", "L2_MSHRS", "LINE_W");
  }
  if (c->d.L2_WAYS > 1) {
    hd_put_lowest(f, "lowest_way", "L2_WAYS");
    hd_put_number(f, "number_of_way", "L2_WAYS", "L2_WAY_W");
    hd_put_pick(f, "pick_way", "L2_MSHRS", "L2_WAY_W");
  }
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  const struct hd_config *c = design->c;
  fprintf(f,
          "\n"
          "  localparam [L2_SETS-1:0]  SET_0  = 1;\n"
          "  localparam [L2_MSHRS-1:0] MSHR_0 = 1;\n"
          "%s"
          "  localparam LINE_MASK_W = 8*WORDS; // bytes of a line\n"
          "  genvar s, w, %sm, k;\n",
          c->d.L2_WAYS > 1 ? "  localparam [L2_WAYS-1:0]  WAY_0  = 1;\n" : "", c->d.L2_WAYS > 1 ? "o, " : "");
  put_functions(f, c);
  put_signals(f);
  hd_l2_put_requests(f, c, decl);
  put_slots(f, c);
  hd_l2_put_answers(f, c);
  hd_l2_put_fills(f, c);
  hd_l2_put_lookup(f, c);
  hd_l2_put_flight(f, c);
  hd_l2_put_spare(f, c);
  hd_l2_put_decide(f, c);
  hd_l2_put_sets(f, c);
  hd_l2_put_mshrs(f, c, decl);
  hd_l2_put_step(f, c, decl);
  hd_l2_put_data(f, c);
  if (c->d.LOS)
    hd_l2_put_gate(f, c);
  hd_l2_put_leaves(f, c, decl);
}

const struct hd_behaviour l2_slice_rtl = {"l2_slice", put, (const char *const[]){"loscache.gate", NULL}};
