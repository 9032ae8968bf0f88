/* The baseline's single request register, as Verilog. Spec: docs/mechanisms/mrpb.md, "The baseline". */
#include "rtl_gen/emit/emit.h"

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  (void)decl;
  const struct hd_config *c = design->c;
  const struct hd_fields r = hd_fields_of(c, "req", "r_", "_q"), enq = hd_fields_of(c, "req", "enq_", ""),
                         deq = hd_fields_of(c, "req", "deq_", "");
  fprintf(f,
          "\n"
          "  assign enq_ready = !valid_q || deq_ready;\n"
          "  assign deq_valid = valid_q;\n"
          "  assign %s =\n"
          "         %s;\n"
          "  assign deq_wdata = wdata_q;\n"
          "  assign deq_wmask = wmask_q;\n"
          "\n"
          "  wire take = enq_valid && enq_ready;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (rst)\n"
          "      valid_q <= 1'b0;\n"
          "    else if (enq_ready)\n"
          "      valid_q <= enq_valid;\n"
          "\n"
          "  always @(posedge clk)\n"
          "    if (take)\n"
          "      %s <=\n"
          "        %s;\n"
          "\n"
          "  // a load brings no bytes\n"
          "  always @(posedge clk)\n"
          "    if (take && enq_write) begin\n"
          "      wdata_q <= enq_wdata;\n"
          "      wmask_q <= enq_wmask;\n"
          "    end\n",
          deq.text, r.text, r.text, enq.text);
}

const struct hd_behaviour request_slot_rtl = {"request_slot", put, (const char *const[]){NULL}};
