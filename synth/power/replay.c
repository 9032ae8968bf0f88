/* A run of gates as Verilog; see replay.h. */
#include "synth/power/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/run.h"

static enum hd_rc refused(const struct hd_why *what, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "--replay: %s", what->text);
}

/* All files are opened before the run, so that none is refused after it. */
enum hd_rc hd_replay_open(struct hd_replay *r, const char *dir, struct hd_why *why) {
  *r = (struct hd_replay){.dir = hd_format("%s", dir)};
  if (!hd_make_dirs(dir))
    return hd_because(why, HD_INPUT, "--replay: cannot make the directory %s: %s", dir, strerror(errno));
  const struct {
    const char *name;
    FILE **file;
  } all[] = {{"gates.v", &r->gates},
             {"replay.v", &r->bench},
             {"stimulus.txt", &r->stimulus},
             {"outputs.txt", &r->outputs},
             {"toggles.txt", &r->toggles}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct hd_why what;
    *all[i].file = hd_files_open(&r->files, dir, all[i].name, &what);
    if (!*all[i].file)
      return refused(&what, why);
  }
  return HD_OK;
}

/* Calls back for each bit of ports of one direction, in the order of the testbench's vector, without the clock. */
static int each_bit(const struct hd_gates *g, bool inputs, void (*tell)(void *ctx, int at, int net),
                    void *ctx) {
  int n = 0;
  const struct hd_named *of[] = {inputs ? &g->input : &g->output, inputs ? &g->rdata : NULL};
  for (int k = 0; k < 2 && of[k]; k++)
    for (int i = 0; i < of[k]->n; i++)
      for (int b = 0; strcmp(of[k]->at[i].name, "clk") != 0 && b < of[k]->at[i].n; b++, n++)
        if (tell)
          tell(ctx, n, of[k]->at[i].net[b]);
  return n;
}

struct row {
  const struct hd_gates *g;
  char *text;
  int n;
};
static void put_bit(void *ctx, int at, int net) {
  struct row *row = ctx;
  row->text[row->n - 1 - at] = row->g->value[net] ? '1' : '0';
}

static void put_row(const struct hd_gates *g, bool inputs, FILE *f) {
  struct row row = {g, NULL, each_bit(g, inputs, NULL, NULL)};
  row.text = hd_zeroed((size_t)row.n + 1, 1);
  each_bit(g, inputs, put_bit, &row);
  fprintf(f, "%s\n", row.text);
  free(row.text);
}

void hd_replay_cycle(struct hd_replay *r, const struct hd_gates *g) {
  if (!r->first) {
    r->first = hd_resized(NULL, (size_t)g->nets, 1);
    memcpy(r->first, g->value, (size_t)g->nets);
  }
  put_row(g, true, r->stimulus);
  put_row(g, false, r->outputs);
  r->cycles++;
}

static void put_input(void *ctx, int at, int net) {
  if (net > HD_NET_1)
    fprintf(ctx, "  assign n%d = in[%d];\n", net, at);
}

static void put_output(void *ctx, int at, int net) {
  fprintf(ctx, "  assign out[%d] = n%d;\n", at, net);
}

static void put_gates(const struct hd_replay *r, const struct hd_gates *g, FILE *f) {
  fprintf(
      f,
      "module hd_flipflop #(parameter INIT = 1'b0) (input clk, input d, output reg q);\n  initial q = INIT;\n"
      "  always @(posedge clk) q <= d;\nendmodule\n"
      "module gates (input clk, input [%d:0] in, output [%d:0] out);\n  wire n0 = 1'b0, n1 = 1'b1;\n",
      each_bit(g, true, NULL, NULL) - 1, each_bit(g, false, NULL, NULL) - 1);
  for (int net = HD_NET_1 + 1; net < g->nets; net++)
    if (g->driver[net])
      fprintf(f, "  wire n%d;\n", net);
  each_bit(g, true, put_input, f);
  each_bit(g, false, put_output, f);
  for (int i = 0; i < g->gates; i++) {
    const struct hd_lib_cell *is = &g->lib->cell[g->gate[i].cell];
    fprintf(f, "  %s g%d (", is->name, i);
    for (int p = 0, k = 0; p < is->pins; p++)
      if (!is->pin[p].output)
        fprintf(f, ".%s(n%d), ", is->pin[p].name, g->gate[i].in[k++]);
    fprintf(f, ".%s(n%d));\n", hd_lib_output(is)->name, g->gate[i].out);
  }
  for (int i = 0; i < g->flops; i++)
    fprintf(f, "  hd_flipflop #(1'b%d) f%d (.clk(clk), .d(n%d), .q(n%d));\n", r->first[g->flop[i].q], i,
            g->flop[i].d, g->flop[i].q);
  fprintf(f, "endmodule\n");
}

/* Inputs change as the flip-flops do: each net settles once a cycle. */
static void put_bench(const struct hd_replay *r, const struct hd_gates *g, FILE *f) {
  const int ins = each_bit(g, true, NULL, NULL), outs = each_bit(g, false, NULL, NULL);
  fprintf(
      f,
      "module replay;\n  reg clk = 0;\n  reg [%d:0] in;\n  wire [%d:0] out;\n  gates g (clk, in, out);\n"
      "  reg [%d:0] stimulus [0:%" PRIu64 "];\n  reg [%d:0] outputs [0:%" PRIu64 "];\n  integer c, wrong;\n"
      "  initial begin\n    $readmemb(\"stimulus.txt\", stimulus);\n    $readmemb(\"outputs.txt\", "
      "outputs);\n"
      "    wrong = 0;\n    in = stimulus[0];\n    #10;\n    $dumpfile(\"nets.vcd\");\n    $dumpvars(1, g);\n"
      "    for (c = 0; c < %" PRIu64 "; c = c + 1) begin\n      if (out !== outputs[c]) wrong = wrong + 1;\n"
      "      clk = 0;\n      #10;\n      if (c + 1 < %" PRIu64
      ") begin clk = 1; in <= stimulus[c + 1]; end\n      #10;\n    end\n"
      "    $display(\"%%0d cycles, %%0d with outputs that differ\", c, wrong);\n    $finish;\n  "
      "end\nendmodule\n",
      ins - 1, outs - 1, ins - 1, r->cycles - 1, outs - 1, r->cycles - 1, r->cycles, r->cycles);
}

static void put_toggles(const struct hd_gates *g, FILE *f) {
  const struct hd_bits *clk = hd_bits_find(&g->input, "clk");
  for (int net = HD_NET_1 + 1; net < g->nets; net++)
    if (g->driver[net] && !(clk && clk->net[0] == net))
      fprintf(f, "%d %" PRIu64 "\n", net, g->toggles[net]);
}

enum hd_rc hd_replay_end(struct hd_replay *r, const struct hd_gates *g, struct hd_why *why) {
  if (!r->cycles)
    return hd_because(why, HD_INPUT, "--replay: nothing was run");
  put_gates(r, g, r->gates);
  put_bench(r, g, r->bench);
  put_toggles(g, r->toggles);
  struct hd_why what;
  const enum hd_rc rc = hd_files_place(&r->files, &what);
  hd_files_free(&r->files); /* their temporary names are not ours any more */
  return rc == HD_OK ? HD_OK : refused(&what, why);
}

void hd_replay_close(struct hd_replay *r) {
  hd_files_drop(&r->files);
  hd_files_free(&r->files);
  free(r->first);
  free(r->dir);
  *r = (struct hd_replay){0};
}
