/* Writes the files that a Yosys run reads: its script, the library, the RTL, black boxes for the RAMs; see
 * flow.h. Also tells if an earlier run has read the same.
 *
 * Invariant: everything that determines the netlist lies in the run's own directory. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/flow.h"

/* The RAM wrappers as black boxes. They replace the RTL's own wrappers, whose arrays would become flip-flops.
 * Every run reads the plain ones; it reads the others only if the design has them. Reading one changes the
 * names that ABC's order follows, and so the price of all designs without it. */
static const char wrappers[] =
    "(* blackbox *) module hd_ram_1rw #(parameter DEPTH = 2, parameter WIDTH = 1)\n"
    "  (input clk, input en, input we, input [((DEPTH > 2) ? $clog2(DEPTH) : 1) - 1:0] addr,\n"
    "   input [WIDTH-1:0] wdata, output [WIDTH-1:0] rdata);\nendmodule\n"
    "(* blackbox *) module hd_ram_1r1w #(parameter DEPTH = 2, parameter WIDTH = 1)\n"
    "  (input clk, input we, input [((DEPTH > 2) ? $clog2(DEPTH) : 1) - 1:0] waddr, input [WIDTH-1:0] "
    "wdata,\n"
    "   input re, input [((DEPTH > 2) ? $clog2(DEPTH) : 1) - 1:0] raddr, output [WIDTH-1:0] "
    "rdata);\nendmodule\n";
#define MASKED_BOX(kind, more)                                                                               \
  "(* blackbox *) module hd_ram_" kind                                                                       \
  " #(parameter DEPTH = 2, parameter WIDTH = 1, parameter MASK_W = 1)\n"                                     \
  "  (input clk, input we, input [WIDTH-1:0] wdata, input [MASK_W-1:0] wmask, output [WIDTH-1:0] rdata,\n"   \
  "   " more ");\nendmodule\n"
#define MASKED_ADDR "[((DEPTH > 2) ? $clog2(DEPTH) : 1) - 1:0]"
static const char *const masked_boxes[HD_PORT_KINDS] = {
    [HD_1RW_M] = MASKED_BOX("1rw_m", "input en, input " MASKED_ADDR " addr"),
    [HD_1R1W_M] = MASKED_BOX("1r1w_m", "input re, input " MASKED_ADDR " waddr, input " MASKED_ADDR " raddr"),
    [HD_1RW_M_SLEEP] =
        MASKED_BOX("1rw_m_sleep", "input en, input " MASKED_ADDR " addr, input [DEPTH-1:0] sleep"),
};

/* A memory's clock-gating cell is the library's, whatever the RTL has inside. */
static const char gate_box[] =
    "(* blackbox *) module hd_icg (input clk, input en, output gclk);\nendmodule\n";

/* Verilog for Yosys's techmap, to be freed: it makes latches of memories and their clock-gating cells cells
 * of the library. */
static char *latch_map(const struct hd_lib *lib) {
  const struct hd_lib_cell *latch = hd_lib_find(lib, lib->latch), *gate = hd_lib_find(lib, lib->gate);
  return hd_format("module \\$_DLATCH_P_ (input E, input D, output Q);\n"
                   "  %s _TECHMAP_REPLACE_ (.%s(E), .%s(D), .%s(Q));\nendmodule\n"
                   "module hd_icg (input clk, input en, output gclk);\n"
                   "  %s _TECHMAP_REPLACE_ (.%s(clk), .%s(en), .%s(gclk));\nendmodule\n",
                   latch->name, latch->clock, latch->data, hd_lib_output(latch)->name, gate->name,
                   gate->clock, gate->data, hd_lib_output(gate)->name);
}

/* Of the ABC scripts that were tried (docs/pricing.md), the one with the best clock on average. */
static const char abc_script[] = "strash\ndch\nif -g\nstrash\ndch\nmap -B 0.9\ntopo\nbuffer -c -N 10\ntopo\n"
                                 "upsize\ndnsize\nupsize\ndnsize\nstime -p\n";

/* --- files of the run ----------------------------------------------------------------------------------- */

static int is_verilog(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && !strcmp(dot, ".v");
}

/* Makes a file of the run's own (a hard link or a copy), no symbolic link: a Yosys in WebAssembly does not
 * follow one. */
static bool put_copy(const struct hd_flow *flow, const char *name, const char *of) {
  char *path = hd_flow_file(flow, name);
  unlink(path);
  bool good = link(of, path) == 0;
  char *text = good ? NULL : hd_slurp(of); /* `of` is on another file system */
  if (text)
    good = hd_flow_write(flow, name, text);
  free(text);
  free(path);
  return good;
}

/* Makes rtl/ as it is now. It removes old files first: Yosys could read one for a module that no longer
 * exists. */
bool hd_flow_rtl(const struct hd_flow *flow) {
  char *dir = hd_flow_file(flow, "rtl");
  struct dirent **old, **now;
  unlink(dir);
  const int olds = hd_make_dirs(dir) ? scandir(dir, &old, is_verilog, alphasort) : -1;
  for (int i = 0; i < olds; i++) {
    char *path = hd_format("%s/%s", dir, old[i]->d_name);
    unlink(path);
    free(path);
    free(old[i]);
  }
  const int nows = olds < 0 ? -1 : scandir(flow->rtl_dir, &now, is_verilog, alphasort);
  bool good = nows >= 0;
  for (int i = 0; i < nows; i++) {
    char *name = hd_format("rtl/%s", now[i]->d_name), *of = hd_format("%s/%s", flow->rtl_dir, now[i]->d_name);
    good = put_copy(flow, name, of) && good;
    free(of);
    free(name);
    free(now[i]);
  }
  if (olds >= 0)
    free(old);
  if (nows >= 0)
    free(now);
  free(dir);
  return good;
}

/* The directory's path, or another name of it without spaces, to be freed. */
static char *place(const struct hd_flow *flow) {
  char *full = realpath(flow->dir, NULL);
  if (full && !full[strcspn(full, " \t\"'\\;#")])
    return full;
  free(full);
  return hd_format("/proc/self/cwd");
}

/* Writes one file for each black box to boxes/, where Yosys looks for them. */
static bool write_boxes(const struct hd_flow *flow) {
  char *boxes = hd_flow_file(flow, "boxes");
  bool good = hd_make_dirs(boxes);
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
    if (masked_boxes[p]) {
      char *name = hd_format("boxes/hd_ram_%s.v", hd_ports_name(p));
      good = good && hd_flow_write(flow, name, masked_boxes[p]);
      free(name);
    }
  free(boxes);
  return good && hd_flow_write(flow, "boxes/hd_icg.v", gate_box);
}

/* The commands that load flow->top. Instances that do not count are turned inside out: their inputs become
 * outputs of the module, their outputs become inputs. No clock leaves the module. */
char *hd_flow_read(const struct hd_flow *flow) {
  const char *of = flow->of ? flow->of : flow->top;
  char *whole =
      hd_format("read_verilog rtl/%s.v\nhierarchy -libdir boxes -libdir rtl -check -top %s\n", of, of);
  if (!flow->of)
    return whole;
  char *left = hd_format("%sexpose -evert -sep _%s\ndelete -port %s/o:*_clk\nrename %s %s\n", whole,
                         flow->others, of, of, flow->top);
  free(whole);
  return left;
}

bool hd_flow_inputs(const struct hd_flow *flow) {
  const struct hd_lib *lib = flow->lib;
  char *constraints =
      hd_format("set_driving_cell %s\nset_load %.3f\n", lib->driver, 4 * lib->driver_load * lib->cap_ff);
  /* Yosys looks for modules by name, and the wrappers are loaded already. So it does not read files that
   * nothing instantiates, and these could not change the names that ABC's order follows. Yosys gives ABC
   * absolute names without quotes, so they must not contain a space. */
  const char *top = flow->top;
  char *read = hd_flow_read(flow), *at = place(flow);
  char *logic = hd_format("read_verilog wrappers.v\n"
                          "read_liberty -lib -ignore_miss_func cells.lib\n"
                          "%s%s"
                          "synth -top %s -flatten\n"
                          /* at this point, because later it can't see loops through library cells */
                          "tee -o check.txt check\n",
                          read, flow->names ? "setattr -set keep 1 w:*_q\n" : "", top);
  char *cells = hd_format("%s"
                          "dfflibmap -liberty cells.lib\n"
                          "abc -liberty %s/cells.lib -constr %s/abc.constr -script %s/abc.script\n"
                          "opt_clean -purge\n"
                          "rename -wire -suffix _reg\n" /* so that timing paths have the RTL's names */
                          "tee -o stat.txt stat -liberty cells.lib\n"
                          "write_json netlist.json\n",
                          flow->latches ? "techmap -map latches.v\n" : "", at, at, at);
  char *script = flow->gate
                     ? hd_format("%stechmap -map gating.v\nsimplemap\nopt\nwrite_json enables.json\n", logic)
                     : hd_format("%s%s", logic, cells);
  char *second = flow->gate ? hd_format("# groups of %u\nread_json gated.json\n%s", flow->gate, cells) : NULL;
  char *map = second ? hd_gating_map() : NULL, *latches = flow->latches ? latch_map(lib) : NULL;
  const bool good =
      put_copy(flow, "cells.lib", flow->lib_path) && hd_flow_rtl(flow) && write_boxes(flow) &&
      hd_flow_write(flow, "wrappers.v", wrappers) && hd_flow_write(flow, "abc.script", abc_script) &&
      hd_flow_write(flow, "abc.constr", constraints) && hd_flow_write(flow, "synth.ys", script) &&
      (!second || (hd_flow_write(flow, "map.ys", second) && hd_flow_write(flow, "gating.v", map))) &&
      (!latches || hd_flow_write(flow, "latches.v", latches));
  free(latches);
  free(map);
  free(second);
  free(cells);
  free(logic);
  free(script);
  free(at);
  free(read);
  free(constraints);
  return good;
}

/* A hash of everything that determines the netlist. The RTL is not included: its hash is in the directory's
 * name. */
static uint64_t inputs_hash(const struct hd_flow *flow) {
  static const char *const files[] = {"synth.ys",   "cells.lib", "abc.script", "abc.constr",
                                      "wrappers.v", "map.ys",    "gating.v",   "latches.v"};
  char version[128];
  hd_program_check(HD_YOSYS, version, sizeof version);
  uint64_t h = hd_hash_text(HD_HASH_START, version);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char *path = hd_flow_file(flow, files[i]), *text = hd_slurp(path);
    h = hd_hash_text(h, text ? text : "");
    free(text);
    free(path);
  }
  return h;
}

bool hd_yosys_kept(const struct hd_flow *flow) {
  if (!hd_make_dirs(flow->dir) || !hd_flow_inputs(flow))
    return false;
  char *path = hd_flow_file(flow, "netlist.of"), *text = hd_slurp(path),
       *netlist = hd_flow_file(flow, "netlist.json");
  const bool kept = text && strtoull(text, NULL, 16) == inputs_hash(flow) && !access(netlist, R_OK);
  if (!kept)
    unlink(path);
  free(netlist);
  free(text);
  free(path);
  return kept;
}

void hd_yosys_keep(const struct hd_flow *flow) {
  char *text = hd_format("%016llx\n", (unsigned long long)inputs_hash(flow));
  hd_flow_write(flow, "netlist.of", text);
  free(text);
}
