/* Writes the test bench of a top. It replays the inputs and compares the outputs, cycle by cycle; see
 * files.h.
 *
 * Invariant: of the inside of the top, the bench uses only the state without a reset value. It sets that
 * state to the values of the golden model (rtl_gen/rtl.h). Otherwise unknown values would spread further in a
 * simulator than in hardware (x & !x), and outputs could not be compared. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/version.h"
#include "rtl_gen/emit/files.h"

/* Writes "[high:low]" for n bits from `low` up, or "[low]" for one bit. */
static void put_bits(FILE *f, const char *of, unsigned low, unsigned n) {
  if (n == 1)
    fprintf(f, "%s[%u]", of, low);
  else
    fprintf(f, "%s[%u:%u]", of, low + n - 1, low);
}

static bool is_of(const struct hd_row *row, bool input) {
  return hd_is_port(row->cls) && (row->cls == HD_IN) == input;
}

static unsigned bits_of(const struct hd_decl *d, bool input) {
  unsigned n = 0;
  for (size_t i = 0; i < d->n_rows; i++)
    n += is_of(&d->rows[i], input) ? d->rows[i].count * d->rows[i].width : 0;
  return n;
}

static void put_instance(FILE *f, const struct hd_decl *d) {
  unsigned low[2] = {0, 0};
  fprintf(f, "  %s dut (\n    .clk(clk),\n    .rst(rst)", d->module);
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *row = &d->rows[i];
    if (!hd_is_port(row->cls))
      continue;
    unsigned *const at = &low[is_of(row, true)];
    fprintf(f, ",\n    .%s(", row->var);
    put_bits(f, is_of(row, true) ? "in" : "out", *at, row->count * row->width);
    fputs(")", f);
    *at += row->count * row->width;
  }
  fputs("\n  );\n", f);
}

/* Writes the task that compares all outputs of a cycle. */
static void put_compare(FILE *f, const struct hd_decl *d) {
  unsigned low = 0, outputs = 0;
  fputs("  task compare;\n    begin\n", f);
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *row = &d->rows[i];
    if (!is_of(row, false))
      continue;
    const unsigned n = row->count * row->width;
    fputs("      if (", f);
    put_bits(f, "out", low, n);
    fputs(" !== ", f);
    put_bits(f, "want", low, n);
    fprintf(f, ")\n        $display(\"cycle %%0d: %s is %%h, expected %%h\", cycle, ", row->var);
    put_bits(f, "out", low, n);
    fputs(", ", f);
    put_bits(f, "want", low, n);
    fputs(");\n", f);
    low += n;
    outputs++;
  }
  fprintf(f, "      if (out !== want) wrong = wrong + 1;\n      values = values + %u;\n    end\n  endtask\n",
          outputs);
}

/* Writes start values for all registers and memories without a reset value, in a module and below it. */
static void put_power_up(FILE *f, const struct hd_decl *d, const char *path, unsigned *widest) {
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *row = &d->rows[i];
    const unsigned n = row->count * row->width;
    if ((row->cls != HD_REG && row->cls != HD_CAM) || row->reset != NORESET)
      continue;
    char *inside = row->latched ? hd_format("u_%s.q", row->name) : hd_format("%s", row->var);
    fprintf(f, "      draw(%u);\n      %s.%s = noise[%u:0];\n", n, path, inside, n - 1);
    free(inside);
    *widest = n > *widest ? n : *widest;
  }
  for (const struct hd_mem *m = d->mems; m < d->mems + d->n_mems; m++)
    for (unsigned bank = 0; bank < m->banks; bank++) {
      char *inst =
          m->banks > 1 ? hd_format("%s.u_%s_%u", path, m->name, bank) : hd_format("%s.u_%s", path, m->name);
      fprintf(f,
              "      for (row = 0; row < %u; row = row + 1) begin\n"
              "        draw(%u);\n"
              "        %s.mem[row] = noise[%u:0];\n"
              "      end\n"
              "      %s.rdata = noise[%u:0];\n",
              m->depth, m->width, inst, m->width - 1, inst, m->width - 1);
      *widest = m->width > *widest ? m->width : *widest;
      free(inst);
    }
  for (size_t i = 0; i < d->n_insts; i++) {
    char *inner = hd_format("%s.%s", path, d->insts[i].name);
    put_power_up(f, d->insts[i].decl, inner, widest);
    free(inner);
  }
}

/* Writes the task that sets the start values, and the generator of its numbers. Returns false if no state
 * needs them. */
static bool put_powering(FILE *f, const struct hd_decl *d) {
  char *text;
  size_t size;
  unsigned widest = 0;
  FILE *inside = hd_memory_open(&text, &size);
  put_power_up(inside, d, "dut", &widest);
  hd_memory_close(inside);
  if (widest)
    fprintf(f,
            "\n"
            "  // What has no reset value gets the values that it had in the golden model.\n"
            "  localparam NOISE_W = %u;\n"
            "  reg [NOISE_W-1:0] noise;\n"
            "  reg [31:0] number;\n"
            "  integer row, low;\n"
            "  task draw;\n"
            "    input integer bits;\n"
            "    for (low = 0; low < bits; low = low + 32) begin\n"
            "      number = number * 32'd%" PRIu32 " + 32'd%" PRIu32 ";\n"
            "      noise[low +: 32] = number;\n"
            "    end\n"
            "  endtask\n"
            "  task power_up;\n"
            "    begin\n"
            "      number = 32'd0;\n%s"
            "    end\n"
            "  endtask\n",
            (widest + 31) / 32 * 32, HD_BENCH_TIMES, HD_BENCH_PLUS, text);
  free(text);
  return widest > 0;
}

char *hd_files_bench(const struct hd_set *set) {
  const char *const top = set->top->module;
  char *text;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f,
          "// Test bench of %s, configuration %s: replays its inputs and compares its outputs with what the "
          "golden model says.\n"
          "// Run it where its two .hex files are:\n"
          "//   $ iverilog -g2005 -s tb_%s -o tb_%s.vvp -c %s.f tb_%s.v && vvp tb_%s.vvp\n"
          "//   $ verilator --binary --top-module tb_%s -F %s.f tb_%s.v && obj_dir/Vtb_%s\n"
          "// Generated by heddle " HD_VERSION ": do not edit.\n"
          "module tb_%s;\n"
          "  localparam CYCLES = %u;\n"
          "  localparam IN_W = %u; // bits of the inputs but clk and rst\n"
          "  localparam OUT_W = %u; // bits of the outputs\n"
          "  localparam RESET = %d; // cycles\n"
          "  localparam WRONG = 8; // cycles that differ before it ends\n"
          "\n"
          "  reg [IN_W-1:0] stimulus [0:CYCLES-1];\n"
          "  reg [OUT_W-1:0] expected [0:CYCLES-1];\n"
          "  reg clk, rst;\n"
          "  reg [IN_W-1:0] in;\n"
          "  reg [OUT_W-1:0] want;\n"
          "  wire [OUT_W-1:0] out;\n"
          "  integer cycle;\n"
          "  integer values = 0, wrong = 0; // set here: Verilator 5.006 would take a 0 that the process "
          "below sets for constant\n"
          "\n",
          top, set->design->c->name, top, top, top, top, top, top, top, top, top, top, set->bench->cycles,
          bits_of(set->top, true), bits_of(set->top, false), (int)HD_BENCH_RESET);
  put_instance(f, set->top);
  fputs("\n", f);
  put_compare(f, set->top);
  const bool powers = put_powering(f, set->top);
  fprintf(f,
          "\n"
          "  initial begin\n"
          "    $readmemh(\"tb_%s_in.hex\", stimulus);\n"
          "    $readmemh(\"tb_%s_out.hex\", expected);\n"
          "    in = {IN_W{1'b0}};\n"
          "    clk = 1'b0;\n"
          "    rst = 1'b1;\n"
          "    for (cycle = 0; cycle < 2 * RESET; cycle = cycle + 1) begin\n"
          "      #5 clk = 1'b1;\n"
          "      #5 clk = 1'b0;\n%s"
          "    end\n"
          "    rst = 1'b0;\n"
          "    for (cycle = 0; cycle < CYCLES && wrong < WRONG; cycle = cycle + 1) begin\n"
          "      in = stimulus[cycle];\n"
          "      want = expected[cycle];\n"
          "      #4 compare;\n"
          "      #1 clk = 1'b1;\n"
          "      #5 clk = 1'b0;\n"
          "    end\n"
          "    if (wrong == 0 && values > 0) begin\n"
          "      $display(\"PASS: tb_%s: %%0d values in %%0d cycles compared, all equal\", values, cycle);\n"
          "      $finish;\n"
          "    end else begin\n"
          "      $display(\"FAIL: tb_%s: %%0d values in %%0d cycles compared, %%0d cycles differ\", values, "
          "cycle, wrong);\n"
          "`ifdef __ICARUS__\n"
          "      $finish_and_return(1);\n"
          "`else\n"
          "      $stop;\n"
          "`endif\n"
          "    end\n"
          "  end\n"
          "endmodule\n",
          top, top, powers ? "      if (cycle == RESET - 1) power_up;\n" : "", top, top);
  hd_memory_close(f);
  return text;
}
