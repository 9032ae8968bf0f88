/* The L2 slice, as Verilog: its rings. Part of rtl_gen/l2/l2_slice.c.
 *
 * Invariant: what a ring's macro read last is the oldest that has not been taken, if the ring's `held` says so.
 */
#include "rtl_gen/l2/l2.h"

/* A ring, and what moves it. */
struct ring {
  const char *name, *size, *place_w, *count_w;
  unsigned places;
  const char *enters, *leaves; /* as wires */
};

/* The place `which` of the ring advances `when`. */
static void put_place(FILE *f, const struct ring *r, const char *which, const char *when) {
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      %s_%s_q <= {%s{1'b0}};\n"
          "    else if (%s)\n"
          "      %s_%s_q <= ",
          r->name, which, r->place_w, when, r->name, which);
  if (r->places & (r->places - 1))
    fprintf(f, "%s_%s_q == %s - 1 ? {%s{1'b0}} : ", r->name, which, r->size, r->place_w);
  fprintf(f, "%s_%s_q + 1'b1;\n", r->name, which);
}

static void put_count(FILE *f, const struct ring *r) {
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      %s_count_q <= {%s{1'b0}};\n"
          "    else if (%s && !%s)\n"
          "      %s_count_q <= %s_count_q + 1'b1;\n"
          "    else if (%s && !%s)\n"
          "      %s_count_q <= %s_count_q - 1'b1;\n",
          r->name, r->count_w, r->enters, r->leaves, r->name, r->name, r->leaves, r->enters, r->name,
          r->name);
}

/* A ring whose oldest entry is held at its macro's output, said by `held`, until it leaves. */
static void put_held(FILE *f, const struct ring *r, const char *held) {
  fprintf(f, "  wire %s_read = %s_valid_q ? %s && %s_count_q > 1 : |%s_count_q;\n", r->name, held, r->leaves,
          r->name, r->name);
  char read[16];
  snprintf(read, sizeof read, "%s_read", r->name);
  put_place(f, r, "tail", r->enters);
  put_place(f, r, "head", read);
  put_count(f, r);
  fprintf(f,
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      %s_valid_q <= 1'b0;\n"
          "    else if (!%s_valid_q || %s)\n"
          "      %s_valid_q <= %s;\n",
          held, held, r->leaves, held, read);
}

/* Macro `mem` keeps what of an entry is called `data`: written as it enters the ring, read from place `from` when
 * `read`. */
static void put_macro(FILE *f, const struct ring *r, const char *mem, const char *data, const char *read,
                      const char *from) {
  fprintf(f,
          "  assign %s_we    = %s;\n"
          "  assign %s_waddr = %s_tail_q;\n"
          "  assign %s_wdata = %s;\n"
          "  assign %s_re    = %s;\n"
          "  assign %s_raddr = %s;\n",
          mem, r->enters, mem, r->name, mem, data, mem, read, mem, from);
}

void hd_l2_put_requests(FILE *f, const struct hd_config *c, const struct hd_decl *decl) {
  const struct ring iq = {"iq", "L2_IQ", "L2_IQ_W", "L2_IQN_W", c->d.L2_IQ, "take", "done"};
  fputs("\n"
        "  // --- iq: requests that wait; q is the one that was read last\n"
        "\n",
        f);
  hd_l2_put_fields(f, decl, "b", "q_");
  fprintf(f,
          "  assign %s = iq_rdata;\n"
          "  wire [L2_SET_W-1:0] q_set = q_line[L2_SET_W-1:0];\n"
          "\n"
          "  assign req_ready = iq_count_q < L2_IQ;\n"
          "\n"
          "  // those in q and b have been read already\n"
          "  wire take    = req_valid && req_ready;\n"
          "  wire iq_more = q_valid_q && b_req_q ? iq_count_q > 2 : q_valid_q || b_req_q ? iq_count_q > 1 : "
          "|iq_count_q;\n"
          "  wire iq_read = iq_more && (!q_valid_q || look);\n"
          "\n",
          hd_fields_of(c, "l2req", "q_", "").text);
  put_macro(f, &iq, "iq", hd_fields_of(c, "l2req", "req_", "").text, "iq_read", "iq_next_q");
  fputs("\n"
        "  // its bytes are read as it is looked up\n",
        f);
  put_macro(f, &iq, "iq_wdata", "req_wdata", "look", "q_row_q");
  put_macro(f, &iq, "iq_wmask", "req_wmask", "look", "q_row_q");
  put_place(f, &iq, "tail", "take");
  put_place(f, &iq, "head", "done");
  put_count(f, &iq);
  fprintf(f,
          "\n"
          "  // what is not done is read again\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      iq_next_q <= {L2_IQ_W{1'b0}};\n"
          "    else if (undone)\n"
          "      iq_next_q <= iq_head_q;\n"
          "    else if (iq_read)\n"
          "      iq_next_q <= %siq_next_q + 1'b1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst || undone)\n"
          "      q_valid_q <= 1'b0;\n"
          "    else if (!q_valid_q || look)\n"
          "      q_valid_q <= iq_read;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (iq_read)\n"
          "      q_row_q <= iq_next_q;\n",
          c->d.L2_IQ & (c->d.L2_IQ - 1) ? "iq_next_q == L2_IQ - 1 ? {L2_IQ_W{1'b0}} : " : "");
}

void hd_l2_put_answers(FILE *f, const struct hd_config *c) {
  const struct ring rq = {"rq", "L2_RQ", "L2_RQ_W", "L2_RQN_W", c->d.L2_RQ, "c_rsp_q", "reply"},
                    oq = {"oq", "L2_IQ", "L2_IQ_W", "L2_IQN_W", c->d.L2_IQ, "c_out_q", "send"};
  fprintf(f,
          "\n"
          "  // --- rq: answers; oq: what the memory is to write or to read, in order\n"
          "\n"
          "  wire [WORDS*64-1:0] c_line; // the line that goes with what is in c\n"
          "\n"
          "  assign rsp_valid = ro_valid_q;\n"
          "  assign %s = rq_rdata;\n"
          "  assign rsp_data  = rq_data_rdata;\n"
          "  wire reply   = rsp_valid && rsp_ready;\n",
          hd_fields_of(c, "l2rsp", "rsp_", "").text);
  put_held(f, &rq, "ro");
  fputc('\n', f);
  put_macro(f, &rq, "rq", hd_fields_of(c, "l2rsp", "c_", "_q").text, "rq_read", "rq_head_q");
  put_macro(f, &rq, "rq_data", "c_line", "rq_read", "rq_head_q");
  fprintf(f,
          "\n"
          "  assign out_valid = oo_valid_q;\n"
          "  assign %s = oq_rdata;\n"
          "  assign out_data  = oq_data_rdata;\n"
          "  assign send      = out_valid && out_ready;\n",
          hd_fields_of(c, "l2out", "out_", "").text);
  put_held(f, &oq, "oo");
  fputc('\n', f);
  put_macro(f, &oq, "oq", hd_fields_of(c, "l2out", "co_", "_q").text, "oq_read", "oq_head_q");
  put_macro(f, &oq, "oq_data", "c_line", "oq_read", "oq_head_q");
}

void hd_l2_put_fills(FILE *f, const struct hd_config *c) {
  const struct ring fq = {"fq", "L2_FQ", "L2_FQ_W", "L2_FQN_W", c->d.L2_FQ, "fill_take", "f_load"};
  fputs("\n"
        "  // --- fq: lines that have come; f: one of them, while it answers those who wait for it\n"
        "\n"
        "  assign fill_ready = fq_count_q < L2_FQ;\n"
        "  wire fill_take = fill_valid && fill_ready;\n"
        "  wire f_load    = fo_valid_q && !f_valid_q;\n",
        f);
  put_held(f, &fq, "fo");
  fputc('\n', f);
  put_macro(f, &fq, "fq_id", "fill_id", "fq_read", "fq_head_q");
  put_macro(f, &fq, "fq_data", "fill_data", "fq_read", "fq_head_q");
  fputs("\n"
        "  wire [WORDS*64-1:0] f_line; // the line with what the store that is being answered has written\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst)\n"
        "      f_valid_q <= 1'b0;\n"
        "    else if (f_load)\n"
        "      f_valid_q <= 1'b1;\n"
        "    else if (over)\n"
        "      f_valid_q <= 1'b0;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (f_load)\n"
        "      f_id_q <= fq_id_rdata;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (f_load)\n"
        "      f_pos_q <= {L2_MERGE_W{1'b0}};\n"
        "    else if (b_rep_q)\n"
        "      f_pos_q <= f_after;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (f_load)\n"
        "      f_data_q <= fq_data_rdata;\n"
        "    else if (b_rep_q)\n"
        "      f_data_q <= f_line;\n",
        f);
}
