/* From RTL to cells: one Yosys run; see flow.h.
 *
 * Invariant: the netlist holds library cells and RAM macros and nothing else. Anything else (a latch, a cell
 * that is in no library, a net without a driver) is reported as an error, and never counts silently in the
 * area. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "synth/flow.h"

/* The first line of the log with this word, for the user. */
static void quote_line(const char *log, const char *word, char *line, size_t room) {
  const char *at = log ? strstr(log, word) : NULL;
  snprintf(line, room, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
}

enum hd_rc hd_flow_yosys(const struct hd_flow *flow, const char *script, const char *log_name,
                         struct hd_why *why) {
  char *log = hd_flow_file(flow, log_name);
  const int status = hd_program_run(HD_YOSYS, (const char *const[]){"-Q", "-T", script, NULL}, flow->dir, log,
                                    hd_flow_limit(flow));
  enum hd_rc rc = HD_OK;
  if (status == HD_RUN_NOT_STARTED) {
    rc = hd_because(why, HD_TOOL, "yosys could not be started");
  } else if (status == HD_RUN_TIMEOUT) {
    rc = hd_because(why, HD_TOOL, "yosys did not end on %s in %d s; log: %s", flow->top, hd_flow_limit(flow),
                    log);
  } else if (status == HD_RUN_SIGNAL) {
    rc = hd_because(why, HD_TOOL, "yosys crashed on %s; log: %s", flow->top, log);
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

/* --- reading the result --------------------------------------------------------------------------------- */

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
  net->macro = hd_resized(net->macro, (size_t)net->macros + 1, sizeof *net->macro);
  net->macro[net->macros] = (struct hd_macro){.ports = ports, .depth = depth, .width = width, .mask = mask};
  return &net->macro[net->macros++];
}

/* Adds the bits of a port that are constants (0, 1, x). `before` and the port's name are OpenSTA's name of
 * it. */
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

/* The kind of the wrapper with this name. Returns HD_PORT_KINDS if it is no wrapper. */
static enum hd_ports wrapper_kind(const char *type) {
  static const char before[] = "hd_ram_";
  if (strncmp(type, before, strlen(before)))
    return HD_PORT_KINDS;
  enum hd_ports p = 0;
  while (p < HD_PORT_KINDS && strcmp(type + strlen(before), hd_ports_name(p)))
    p++;
  return p;
}

/* True for a clock-gating cell that hd_gating_insert made. */
static bool is_of_group(const char *name) {
  return !strncmp(name, HD_GATE_NAME, strlen(HD_GATE_NAME));
}

/* Renames the clock-gating cells of latches' rows like the others, so that timing finds their enables. */
static void name_rows(const struct hd_flow *flow, json_t *cells) {
  const char *name;
  json_t *cell;
  void *next;
  int n = 0;
  json_object_foreach_safe(cells, next, name, cell) {
    const struct hd_lib_cell *lib = hd_lib_find(flow->lib, json_string_value(json_object_get(cell, "type")));
    if (!lib || !lib->gate || is_of_group(name) || !strncmp(name, HD_ROW_NAME, strlen(HD_ROW_NAME)))
      continue;
    char *row = hd_format(HD_ROW_NAME "%d", n++);
    json_object_set(cells, row, cell);
    json_object_del(cells, name);
    free(row);
  }
}

/* Counts one cell. The type of a RAM wrapper gets its size, so that a liberty cell can stand for it. */
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
  const bool gate = (flow->gate || flow->latches) && lib && lib->gate,
             latch = flow->latches && lib && !strcmp(lib->name, flow->lib->latch);
  if (gate) {
    (*(is_of_group(name) ? &net->gates : &net->rows))++;
  } else if (latch) {
    net->latches++;
  } else if (strstr(type, "LATCH") || (lib && lib->latch))
    return hd_because(why, HD_CHECK, "%s: latch %s; the RTL leaves a register unassigned in some branch",
                      flow->top, name);
  if (!lib)
    return hd_because(why, HD_CHECK, "%s: cell %s of type %s is neither in the library nor a RAM wrapper",
                      flow->top, name, type);
  net->cells++;
  net->flipflops += lib->flipflop;
  if (lib->flipflop || gate || latch)
    add_tied_pins(net, name, cell);
  net->area_um2 += lib->area;
  net->leak_nw += lib->leak * flow->lib->leak_nw;
  return HD_OK;
}

static enum hd_rc read_netlist(const struct hd_flow *flow, struct hd_netlist *net, struct hd_why *why) {
  char *path = hd_flow_file(flow, "netlist.json");
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  json_t *module = json_object_get(json_object_get(root, "modules"), flow->top);
  json_t *cells = json_object_get(module, "cells");
  enum hd_rc rc = HD_OK;
  if (!cells)
    rc = hd_because(why, HD_TOOL, "yosys wrote no netlist of %s to %s", flow->top, path);
  const char *name;
  json_t *cell;
  if (flow->latches)
    name_rows(flow, cells);
  json_object_foreach(cells, name, cell) {
    if (rc == HD_OK)
      rc = count_cell(flow, name, cell, net, why);
  }
  add_tied_outputs(net, json_object_get(module, "ports"));
  if (rc == HD_OK && (net->macros || net->rows) && json_dump_file(root, path, JSON_COMPACT))
    rc = hd_because(why, HD_TOOL, "cannot write %s", path);
  json_decref(root);
  free(path);
  return rc;
}

/* Reads the warnings of `check`: loops, and nets without a driver or with several. */
static enum hd_rc read_check(const struct hd_flow *flow, struct hd_why *why) {
  char *path = hd_flow_file(flow, "check.txt"), *text = hd_slurp(path), line[300];
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

/* Lists the arrays that became flip-flops. A table may be declared so, but the user should see it. Yosys
 * reports each array in one of two ways, and again for every size that a module is used in. */
static void read_arrays(const struct hd_flow *flow, struct hd_netlist *net) {
  char *path = hd_flow_file(flow, "synth.log"), *log = hd_slurp(path);
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

/* Writes the netlist as Verilog for OpenSTA, from the JSON whose RAM cells were renamed. */
static enum hd_rc write_verilog(const struct hd_flow *flow, struct hd_why *why) {
  if (!hd_flow_write(flow, "verilog.ys", "read_json netlist.json\nwrite_verilog -noattr -noexpr netlist.v\n"))
    return hd_because(why, HD_TOOL, "cannot write to %s", flow->dir);
  return hd_flow_yosys(flow, "verilog.ys", "verilog.log", why);
}

enum hd_rc hd_yosys(const struct hd_flow *flow, struct hd_netlist *net, struct hd_why *why) {
  memset(net, 0, sizeof *net);
  const enum hd_rc there = hd_program_need(HD_YOSYS, why);
  if (there != HD_OK)
    return there;
  if (!hd_make_dirs(flow->dir) || !hd_flow_inputs(flow))
    return hd_because(why, HD_TOOL, "cannot write to %s", flow->dir);
  enum hd_rc rc = hd_flow_yosys(flow, "synth.ys", "synth.log", why);
  if (rc == HD_OK && flow->gate)
    rc = hd_gating_insert(flow, &net->gated, why);
  if (rc == HD_OK && flow->gate)
    rc = hd_flow_yosys(flow, "map.ys", "map.log", why);
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
