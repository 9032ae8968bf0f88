/* RTL to cells: one Yosys run; see flow.h.
 *
 * Invariant: the netlist holds library cells and RAM macros and nothing else. Whatever else comes out (a
 * latch, a cell without a home, a net nobody drives) is an answer of its own, never a quiet part of the area.
 */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/flow.h"

/* The RAM wrappers as black boxes: they replace the RTL's own, whose arrays would become flip-flops. The plain
 * ones are read whatever the design, the others where it has them: reading one moves the names that ABC's order
 * follows, and so the price of all that has none. */
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

/* Of the ABC scripts tried (docs/pricing.md) the one with the best clock on average. */
static const char abc_script[] = "strash\ndch\nif -g\nstrash\ndch\nmap -B 0.9\ntopo\nbuffer -c -N 10\ntopo\n"
                                 "upsize\ndnsize\nupsize\ndnsize\nstime -p\n";

/* --- files of the run ----------------------------------------------------------------------------------- */

static char *in_dir(const struct hd_flow *flow, const char *name) {
  return hd_format("%s/%s", flow->dir, name);
}

static int is_verilog(const struct dirent *e) {
  const char *dot = strrchr(e->d_name, '.');
  return dot && !strcmp(dot, ".v");
}

static bool write_text(const struct hd_flow *flow, const char *name, const char *text) {
  char *path = in_dir(flow, name);
  FILE *f = fopen(path, "w");
  free(path);
  return f && (fputs(text, f) >= 0) + !fclose(f) == 2;
}

/* A file of the run's own, not a symbolic link to elsewhere: a Yosys in WebAssembly follows none. */
static bool put_copy(const struct hd_flow *flow, const char *name, const char *of) {
  char *path = in_dir(flow, name);
  unlink(path);
  bool good = link(of, path) == 0;
  char *text = good ? NULL : hd_slurp(of); /* on another file system */
  if (text)
    good = write_text(flow, name, text);
  free(text);
  free(path);
  return good;
}

/* rtl/ as it is now: what an earlier run left there could be read for a module that is gone. */
static bool put_rtl(const struct hd_flow *flow) {
  char *dir = in_dir(flow, "rtl");
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

/* A name of the directory without a space in it, to be freed; NULL: memory is out. */
static char *place(const struct hd_flow *flow) {
  char *full = realpath(flow->dir, NULL);
  if (full && !full[strcspn(full, " \t\"'\\;#")])
    return full;
  free(full);
  return strdup("/proc/self/cwd");
}

/* One file each in boxes/, as Yosys looks for them. */
static bool write_boxes(const struct hd_flow *flow) {
  char *boxes = in_dir(flow, "boxes");
  bool good = hd_make_dirs(boxes);
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
    if (masked_boxes[p]) {
      char *name = hd_format("boxes/hd_ram_%s.v", hd_ports_name(p));
      good = good && write_text(flow, name, masked_boxes[p]);
      free(name);
    }
  free(boxes);
  return good;
}

/* The commands after which flow->top is there. Instances that do not count are turned inside out: what they took becomes
 * outputs of the module, what they gave its inputs. No clock leaves it. */
static char *read_commands(const struct hd_flow *flow) {
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

static bool write_inputs(const struct hd_flow *flow) {
  const struct hd_lib *lib = flow->lib;
  char *constraints =
      hd_format("set_driving_cell %s\nset_load %.3f\n", lib->driver, 4 * lib->driver_load * lib->cap_ff);
  /* Modules are looked for by name, the wrappers are there already: files that nothing instantiates are not
   * read, and could not change the names ABC's order follows. Yosys tells ABC absolute names, unquoted: no space may be in
   * them. */
  const char *top = flow->top;
  char *read = read_commands(flow), *at = place(flow);
  if (!at)
    abort();
  char *script = hd_format("read_verilog wrappers.v\n"
                           "read_liberty -lib -ignore_miss_func cells.lib\n"
                           "%s"
                           "synth -top %s -flatten\n"
                           "tee -o check.txt check\n" /* here: loops through library cells are not seen */
                           "dfflibmap -liberty cells.lib\n"
                           "abc -liberty %s/cells.lib -constr %s/abc.constr -script %s/abc.script\n"
                           "opt_clean -purge\n"
                           "rename -wire -suffix _reg\n" /* so that timing paths bear the RTL's names */
                           "tee -o stat.txt stat -liberty cells.lib\n"
                           "write_json netlist.json\n",
                           read, top, at, at, at);
  const bool good = put_copy(flow, "cells.lib", flow->lib_path) && put_rtl(flow) && write_boxes(flow) &&
                    write_text(flow, "wrappers.v", wrappers) && write_text(flow, "abc.script", abc_script) &&
                    write_text(flow, "abc.constr", constraints) && write_text(flow, "synth.ys", script);
  free(script);
  free(at);
  free(read);
  free(constraints);
  return good;
}

/* The first line of the log that holds the word, for the user. */
static void quote_line(const char *log, const char *word, char *line, size_t room) {
  const char *at = log ? strstr(log, word) : NULL;
  snprintf(line, room, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
}

static enum hd_rc run_yosys(const struct hd_flow *flow, const char *script, const char *log_name,
                            struct hd_why *why) {
  char *log = in_dir(flow, log_name);
  const int status = hd_program_run(HD_YOSYS, (const char *const[]){"-Q", "-T", script, NULL}, flow->dir, log,
                                    flow->timeout_s ? flow->timeout_s : 1800);
  enum hd_rc rc = HD_OK;
  if (status == HD_RUN_NOT_STARTED) {
    rc = hd_because(why, HD_TOOL, "yosys could not be started");
  } else if (status == HD_RUN_TIMEOUT || status == HD_RUN_SIGNAL) {
    rc = hd_because(why, HD_TOOL, "yosys %s on %s; log: %s",
                    status == HD_RUN_TIMEOUT ? "did not end" : "crashed", flow->top, log);
  } else if (status) {
    char line[400], *text = hd_slurp(log);
    quote_line(text, "ERROR:", line, sizeof line);
    free(text);
    rc = *line ? hd_because(why, HD_INPUT, "yosys refuses %s: %s (log: %s)", flow->top, line, log)
               : hd_because(why, HD_TOOL, "yosys ended with %d on %s and does not say why; log: %s", status,
                            flow->top, log);
  }
  free(log);
  return rc;
}

/* --- what came out -------------------------------------------------------------------------------------- */

/* A parameter in Yosys's JSON is a string of 0s and 1s. */
static int parameter(json_t *cell, const char *name) {
  const char *bits = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return bits ? (int)strtol(bits, NULL, 2) : -1;
}

static struct hd_macro *macro_of_size(struct hd_netlist *net, enum hd_ports ports, int depth, int width,
                                      int mask) {
  for (int i = 0; i < net->macros; i++)
    if (net->macro[i].ports == ports && net->macro[i].depth == depth && net->macro[i].width == width &&
        net->macro[i].mask == mask)
      return &net->macro[i];
  net->macro = realloc(net->macro, (size_t)(net->macros + 1) * sizeof *net->macro);
  if (!net->macro)
    abort();
  net->macro[net->macros] = (struct hd_macro){.ports = ports, .depth = depth, .width = width, .mask = mask};
  return &net->macro[net->macros++];
}

/* Bits of a port that are the constants 0, 1, x. `before` and the port are the name that OpenSTA gives it. */
static void add_tied(struct hd_netlist *net, const char *before, const char *port, json_t *bits, long first) {
  const size_t n = json_array_size(bits);
  for (size_t i = 0; i < n; i++) {
    if (!json_is_string(json_array_get(bits, i)))
      continue;
    char *all = n > 1
                    ? hd_format("%s%s%s[%ld]\n", net->tied ? net->tied : "\n", before, port, first + (long)i)
                    : hd_format("%s%s%s\n", net->tied ? net->tied : "\n", before, port);
    free(net->tied);
    net->tied = all;
  }
}

static void add_tied_pins(struct hd_netlist *net, const char *name, json_t *cell) {
  char *before = hd_format("%s/", name);
  const char *port;
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), port, bits) {
    add_tied(net, before, port, bits, 0);
  }
  free(before);
}

static void add_tied_outputs(struct hd_netlist *net, json_t *ports) {
  const char *name;
  json_t *port;
  json_object_foreach(ports, name, port) {
    if (!strcmp(json_string_value(json_object_get(port, "direction")), "output"))
      add_tied(net, "", name, json_object_get(port, "bits"),
               (long)json_integer_value(json_object_get(port, "offset")));
  }
}

/* The kind whose wrapper is called so; HD_PORT_KINDS: it is none. */
static enum hd_ports wrapper_kind(const char *type) {
  static const char before[] = "hd_ram_";
  if (strncmp(type, before, strlen(before)))
    return HD_PORT_KINDS;
  enum hd_ports p = 0;
  while (p < HD_PORT_KINDS && strcmp(type + strlen(before), hd_ports_name(p)))
    p++;
  return p;
}

/* Counts one cell; a RAM wrapper gets its size into its name, so that a liberty cell can stand for it. */
static enum hd_rc count_cell(const struct hd_flow *flow, const char *name, json_t *cell,
                             struct hd_netlist *net, struct hd_why *why) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  const enum hd_ports ports = wrapper_kind(type);
  if (ports < HD_PORT_KINDS) {
    const bool masked = hd_masked(ports);
    const int depth = parameter(cell, "DEPTH"), width = parameter(cell, "WIDTH"),
              mask = masked ? parameter(cell, "MASK_W") : 0;
    if (depth < 1 || width < 1 || mask < masked)
      return hd_because(why, HD_INPUT, "%s: RAM %s has no DEPTH and WIDTH%s", flow->top, name,
                        masked ? ", or no MASK_W" : "");
    struct hd_macro *m = macro_of_size(net, ports, depth, width, mask);
    char sized[64];
    m->count++;
    add_tied_pins(net, name, cell);
    net->macro_bits += (long)depth * width;
    hd_macro_name(m, sized, sizeof sized);
    json_object_set_new(cell, "type", json_string(sized));
    json_object_clear(json_object_get(cell, "parameters"));
    return HD_OK;
  }
  const struct hd_lib_cell *lib = hd_lib_find(flow->lib, type);
  if (strstr(type, "LATCH") || (lib && lib->latch))
    return hd_because(why, HD_CHECK, "%s: latch %s; the RTL leaves a register unassigned in some branch",
                      flow->top, name);
  if (!lib)
    return hd_because(why, HD_CHECK, "%s: cell %s of type %s is neither in the library nor a RAM wrapper",
                      flow->top, name, type);
  net->cells++;
  net->flipflops += lib->flipflop;
  if (lib->flipflop)
    add_tied_pins(net, name, cell);
  net->area_um2 += lib->area;
  net->leak_nw += lib->leak * flow->lib->leak_nw;
  return HD_OK;
}

static enum hd_rc read_netlist(const struct hd_flow *flow, struct hd_netlist *net, struct hd_why *why) {
  char *path = in_dir(flow, "netlist.json");
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  json_t *module = json_object_get(json_object_get(root, "modules"), flow->top);
  json_t *cells = json_object_get(module, "cells");
  enum hd_rc rc = HD_OK;
  if (!cells)
    rc = hd_because(why, HD_TOOL, "yosys wrote no netlist of %s to %s", flow->top, path);
  const char *name;
  json_t *cell;
  json_object_foreach(cells, name, cell) {
    if (rc == HD_OK)
      rc = count_cell(flow, name, cell, net, why);
  }
  add_tied_outputs(net, json_object_get(module, "ports"));
  if (rc == HD_OK && net->macros && json_dump_file(root, path, JSON_COMPACT))
    rc = hd_because(why, HD_TOOL, "cannot write %s", path);
  json_decref(root);
  free(path);
  return rc;
}

/* `check` warns of loops, of nets without or with several drivers. */
static enum hd_rc read_check(const struct hd_flow *flow, struct hd_why *why) {
  char *path = in_dir(flow, "check.txt"), *text = hd_slurp(path), line[300];
  enum hd_rc rc = HD_OK;
  if (!text) {
    rc = hd_because(why, HD_TOOL, "yosys left no %s", path);
  } else if (strstr(text, "Warning:")) {
    quote_line(text, "Warning:", line, sizeof line);
    rc = hd_because(why, HD_CHECK, "%s: yosys check: %s (all: %s)", flow->top, line, path);
  }
  free(text);
  free(path);
  return rc;
}

/* Arrays that became flip-flops: tables declared so may, but the reader is to see them. Yosys says it of each
 * in one of two ways, and again for every size a module is used in. */
static void read_arrays(const struct hd_flow *flow, struct hd_netlist *net) {
  char *path = in_dir(flow, "synth.log"), *log = hd_slurp(path);
  static const char *const said[] = {"Mapping memory \\", "Replacing memory \\"};
  size_t used = (size_t)sprintf(net->array_names, " ");
  for (int i = 0; i < 2; i++)
    for (const char *at = log; at && (at = strstr(at, said[i])); at++) {
      const char *name = at + strlen(said[i]);
      char word[128];
      snprintf(word, sizeof word, " %.*s ", (int)strcspn(name, " \n"), name);
      if (strstr(net->array_names, word) || used + strlen(word) >= sizeof net->array_names)
        continue;
      net->arrays++;
      used += (size_t)sprintf(net->array_names + used, "%s", word + 1);
    }
  free(log);
  free(path);
}

/* The netlist as Verilog for OpenSTA, from the JSON whose RAM cells were renamed. */
static enum hd_rc write_verilog(const struct hd_flow *flow, struct hd_why *why) {
  if (!write_text(flow, "verilog.ys", "read_json netlist.json\nwrite_verilog -noattr -noexpr netlist.v\n"))
    return hd_because(why, HD_TOOL, "cannot write to %s", flow->dir);
  return run_yosys(flow, "verilog.ys", "verilog.log", why);
}

enum hd_rc hd_yosys(const struct hd_flow *flow, struct hd_netlist *net, struct hd_why *why) {
  memset(net, 0, sizeof *net);
  const enum hd_rc there = hd_program_need(HD_YOSYS, why);
  if (there != HD_OK)
    return there;
  if (!hd_make_dirs(flow->dir) || !write_inputs(flow))
    return hd_because(why, HD_TOOL, "cannot write to %s", flow->dir);
  enum hd_rc rc = run_yosys(flow, "synth.ys", "synth.log", why);
  if (rc == HD_OK)
    rc = read_netlist(flow, net, why);
  if (rc == HD_OK)
    rc = read_check(flow, why);
  if (rc != HD_OK)
    return rc;
  read_arrays(flow, net);
  return write_verilog(flow, why);
}

void hd_netlist_free(struct hd_netlist *net) {
  free(net->macro);
  free(net->tied);
  memset(net, 0, sizeof *net);
}
