/* The L1 data cache, as Verilog: its request, memory and response ports and the queues behind them. Part of
 * rtl_gen/l1d/l1d.c. */
#include "rtl_gen/l1d/l1d.h"

void hd_l1d_put_input(FILE *f, const struct hd_config *c) {
  const struct hd_fields a0 = hd_fields_of(c, "req", "a0_", "_q"), a1 = hd_fields_of(c, "req", "a1_", "_q"),
                         req = hd_fields_of(c, "req", "req_", "");
  fprintf(f,
          "\n"
          "  // --- a: two places for requests, so that ready comes from a register\n"
          "\n"
          "  wire push = req_valid && req_ready;\n"
          "  wire pop  = advance && |a_count_q;\n"
          "\n"
          "  assign req_ready = !a_count_q[1];\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      a_count_q <= 2'd0;\n"
          "    else if (push && !pop)\n"
          "      a_count_q <= a_count_q + 2'd1;\n"
          "    else if (pop && !push)\n"
          "      a_count_q <= a_count_q - 2'd1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (pop && a_count_q[1])\n"
          "      %s <=\n"
          "        %s;\n"
          "    else if (push && (pop || !a_count_q[0]))\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (push && !pop && a_count_q[0])\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  // a store's bytes wait beside the pipeline: stores leave the cache in the order in which they "
          "came\n"
          "  assign sdata_we    = push && req_write;\n"
          "  assign sdata_waddr = sd_tail_q;\n"
          "  assign sdata_wdata = req_wdata;\n"
          "  assign smask_we    = sdata_we;\n"
          "  assign smask_waddr = sd_tail_q;\n"
          "  assign smask_wdata = req_wmask;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      sd_tail_q <= {SD_W{1'b0}};\n"
          "    else if (sdata_we)\n"
          "      sd_tail_q <= %s;\n",
          a0.text, a1.text, a0.text, req.text, a1.text, req.text,
          hd_l1d_next("sd_tail_q", "SD", "SD_W", c->d.SD).text);
}

void hd_l1d_put_prefetch(FILE *f) {
  fputs("\n"
        "  // --- p: a prefetch waits until no request does\n"
        "\n"
        "  wire p_goes = p_valid_q && !(|a_count_q); // into c when the pipeline moves\n"
        "\n"
        "  assign pf_ready = !p_valid_q;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (rst || flush)\n"
        "      p_valid_q <= 1'b0;\n"
        "    else if (pf_ready || p_goes && advance)\n"
        "      p_valid_q <= pf_ready && pf_valid;\n"
        "\n"
        "  always @(posedge clk)\n"
        "    if (pf_ready && pf_valid)\n"
        "      p_line_q <= pf_line;\n",
        f);
}

void hd_l1d_put_queue(FILE *f, const struct hd_config *c) {
  const struct hd_fields who = hd_fields_of(c, "target", "d_", "_q"),
                         mreq = hd_fields_of(c, "mreq", "mreq_", "");
  fprintf(f,
          "\n"
          "  // --- miss queue, and what of it is at the memory port\n"
          "\n"
          "  wire mq_push = miss || store%s;\n"
          "  wire mq_pop  = |mq_count_q && (!mo_valid_q || mreq_ready);\n"
          "\n"
          "  wire [MQ-1:0] mq_head_at = MQ_0 << mq_head_q;\n"
          "  wire [MQ-1:0] mq_tail_at = MQ_0 << mq_tail_q;\n"
          "\n"
          "  // a fill's request names its MSHR, any other its instruction\n"
          "  wire [MSHR_W-1:0] mq_id = {MSHR_W{miss}} & number_of_mshr(free_at);\n"
          "  wire [WID_W+SLOT_W+LANE_W:0] mq_who = {WID_W+SLOT_W+LANE_W+1{!miss}} & %s;\n"
          "\n"
          "  assign mq_we    = mq_push;\n"
          "  assign mq_waddr = mq_tail_q;\n"
          "  assign mq_wdata = {d_write_q, %s, d_line_q, mq_id, mq_who%s};\n"
          "  assign mq_re    = mq_pop;\n"
          "  assign mq_raddr = mq_head_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_tail_q <= {MQ_W{1'b0}};\n"
          "    else if (mq_push)\n"
          "      mq_tail_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_head_q <= {MQ_W{1'b0}};\n"
          "    else if (mq_pop)\n"
          "      mq_head_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_count_q <= {MQN_W{1'b0}};\n"
          "    else if (mq_push && !mq_pop)\n"
          "      mq_count_q <= mq_count_q + 1'b1;\n"
          "    else if (mq_pop && !mq_push)\n"
          "      mq_count_q <= mq_count_q - 1'b1;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mq_store_q <= {MQ{1'b0}};\n"
          "    else if (mq_push)\n"
          "      mq_store_q <= mq_store_q & ~mq_tail_at | mq_tail_at & {MQ{d_write_q}};\n"
          "\n"
          "  // with a store, its bytes\n"
          "  assign sdata_re    = mq_pop && |(mq_store_q & mq_head_at);\n"
          "  assign sdata_raddr = sd_head_q;\n"
          "  assign smask_re    = sdata_re;\n"
          "  assign smask_raddr = sd_head_q;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      sd_head_q <= {SD_W{1'b0}};\n"
          "    else if (sdata_re)\n"
          "      sd_head_q <= %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      mo_valid_q <= 1'b0;\n"
          "    else if (!mo_valid_q || mreq_ready)\n"
          "      mo_valid_q <= mq_pop;\n"
          "\n"
          "  assign mreq_valid = mo_valid_q;\n"
          "  assign %s = mq_rdata;\n"
          "  assign mreq_wdata = sdata_rdata;\n"
          "  assign mreq_wmask = smask_rdata;\n",
          c->d.BYPS ? " || bypass" : "", who.text, c->d.BYPS ? "bypass" : "1'b0",
          !c->d.PE_W  ? ""
          : c->d.PREF ? ", d_pe_q & {PE_W{!d_pf_q}}"
                      : ", d_pe_q",
          hd_l1d_next("mq_tail_q", "MQ", "MQ_W", c->d.MQ).text,
          hd_l1d_next("mq_head_q", "MQ", "MQ_W", c->d.MQ).text,
          hd_l1d_next("sd_head_q", "SD", "SD_W", c->d.SD).text, mreq.text);
}

void hd_l1d_put_fills(FILE *f, const struct hd_config *c) {
  const struct hd_fields f_ = hd_fields_of(c, "mrsp", "f_", "_q"),
                         mrsp = hd_fields_of(c, "mrsp", "mrsp_", "");
  fprintf(
      f,
      "\n"
      "  // --- f: answers of the memory\n"
      "\n"
      "  wire f_take = mrsp_valid && mrsp_ready;\n"
      "\n"
      "  assign mrsp_ready = !f_valid_q && !(resp_v_q && r_fill_q); // resp_data still shows f's line\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      f_valid_q <= 1'b0;\n"
      "    else if (f_take)\n"
      "      f_valid_q <= 1'b1;\n"
      "    else if (f_over)\n"
      "      f_valid_q <= 1'b0;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (rst)\n"
      "      f_commit_q <= 1'b0;\n"
      "    else\n"
      "      f_commit_q <= f_take && mrsp_kind == 2'd0;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (f_take)\n"
      "      %s <=\n"
      "        %s;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (f_take && !mrsp_kind[1])\n"
      "      f_data_q <= mrsp_data;\n"
      "\n"
      "  // where a fill goes, looked up as it comes\n"
      "  wire [MSHRS-1:0] mrsp_at = MSHR_0 << mrsp_id;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (f_take && mrsp_kind == 2'd0) begin\n"
      "      f_set_q <= pick_set(mrsp_at, mshr_set);\n"
      "%s"
      "    end\n"
      "\n"
      "  // a fill: in its first cycle the line goes into the cache, then its loads are answered one by one\n"
      "  wire [MERGE_W-1:0] f_next = f_pos_q + 1'b1;\n"
      "  wire [MERGE_W-1:0] f_read = fill_now ? {MERGE_W{1'b0}} : f_next;\n"
      "  wire               f_last = f_kind_q != 2'd0 || f_next == f_count_q;\n"
      "  wire [MERGE_W-1:0] f_loads = pick_count(f_at, mshr_count_q);\n"
      "\n"
      "  assign f_gives = f_valid_q && !f_commit_q && resp_free;\n"
      "  assign f_over  = f_gives && f_last%s;\n"
      "\n"
      "  always @(posedge clk)\n"
      "    if (fill_now) begin\n"
      "      f_pos_q   <= {MERGE_W{1'b0}};\n"
      "      f_count_q <= f_loads;\n"
      "    end else if (f_gives && f_kind_q == 2'd0)\n"
      "      f_pos_q <= f_next;\n"
      "\n"
      "  assign merged_re    = fill_now || f_gives && !f_last;\n"
      "  assign merged_raddr = f_id_q * MERGE + %s;\n",
      f_.text, mrsp.text, c->d.ON_MISS ? "      f_way_q <= pick_way(mrsp_at, mshr_way_q);\n" : "",
      c->d.PREF ? " || fill_now && !(|f_loads)" : "",
      hd_l1d_widen("f_read", "MERGE_W", c->d.MERGE_W, "MERGED_ADDR_W", hd_clog2(c->d.MSHRS * c->d.MERGE))
          .text);
}

void hd_l1d_put_response(FILE *f, const struct hd_config *c) {
  const struct hd_fields d = hd_fields_of(c, "target", "d_", "_q"),
                         f_ = hd_fields_of(c, "target", "f_", "_q"), r = hd_fields_of(c, "resp", "r_", "_q"),
                         resp = hd_fields_of(c, "resp", "resp_", "");
  fprintf(f,
          "\n"
          "  // --- response register; a hit's line is at the data macro's output, any other's in f\n"
          "\n"
          "  wire respond = load_hit || f_gives;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      resp_v_q <= 1'b0;\n"
          "    else if (resp_free)\n"
          "      resp_v_q <= respond;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (respond) begin\n"
          "      %s <=\n"
          "        !f_valid_q ? {1'b0, %s} :\n"
          "        f_kind_q == 2'd0 ? {1'b0, merged_rdata} :\n"
          "        {f_kind_q[1], %s};\n"
          "      r_fill_q <= f_valid_q && !f_kind_q[1];\n"
          "    end\n"
          "\n"
          "  assign resp_valid = resp_v_q;\n"
          "  assign %s = %s;\n"
          "  assign resp_data = r_fill_q ? f_data_q : data_rdata;\n"
          "\n"
          "  wire [WAY_W-1:0] hit_way = number_of_way(d_hit_q);\n"
          "\n"
          "  assign data_en    = load_hit || fill_stays;\n"
          "  assign data_we    = fill_now;\n"
          "  assign data_addr  = fill_now ? f_set_q * WAYS + %s\n"
          "                               : d_set_q * WAYS + %s;\n"
          "  assign data_wdata = f_data_q;\n",
          r.text, d.text, f_.text, resp.text, r.text,
          hd_l1d_widen(c->d.ON_MISS ? "f_way_q" : "victim_way", "WAY_W", c->d.WAY_W, "DATA_ADDR_W",
                       hd_clog2(c->d.SETS * c->d.WAYS))
              .text,
          hd_l1d_widen("hit_way", "WAY_W", c->d.WAY_W, "DATA_ADDR_W", hd_clog2(c->d.SETS * c->d.WAYS)).text);
}

void hd_l1d_put_verdict(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // --- what became of a load%s\n"
          "\n"
          "  wire tell = done && !d_write_q%s%s;\n"
          "\n"
          "  assign verdict_valid = v_valid_q;\n"
          "  assign %s = %s;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      v_valid_q <= 1'b0;\n"
          "    else\n"
          "      v_valid_q <= tell;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (tell) begin\n"
          "%s%s%s%s%s%s"
          "    end\n",
          c->d.SLD ? "" : ", by its first request", c->d.PREF ? " && !d_pf_q" : "",
          c->d.SLD ? "" : " && !(|d_num_q)", hd_fields_of(c, "verdict", "verdict_", "").text,
          hd_fields_of(c, "verdict", "v_", "_q").text, c->d.V_HIT ? "      v_hit_q  <= hit;\n" : "",
          c->d.GID_W ? "      v_gid_q  <= d_gid_q;\n" : "", c->d.STRIDE ? "      v_wid_q  <= d_wid_q;\n" : "",
          c->d.REQ_PC_W ? "      v_pc_q   <= d_pc_q;\n" : "",
          c->d.PREF ? "      v_line_q <= d_line_q;\n" : "", c->d.LOW_W ? "      v_low_q  <= d_low_q;\n" : "");
}
