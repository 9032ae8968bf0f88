/* Clock gating: between synthesis and mapping, flip-flops with the same enable get their clock from a gating
 * cell; see flow.h.
 *
 * Invariant: the gating cell samples the enable before the edge. So a gated flip-flop takes its D in the same
 * cycles as a flip-flop that keeps its value by a multiplexer. */
#include <stdlib.h>
#include <string.h>

#include "synth/flow.h"

/* The most flip-flops that a gating cell drives: more would need a tree of their own below it. */
enum { MOST = 64 };

/* Makes a synchronous reset part of the enable and the data. $_SDFFE_ (the reset goes first) loads its reset
 * value if R or E is active, $_SDFFCE_ if E is. */
char *hd_gating_map(void) {
  char *all = hd_format("module \\$_DFFE_PN_ (input D, input C, input E, output Q);\n"
                        "  \\$_DFFE_PP_ ff (.D(D), .C(C), .E(~E), .Q(Q));\nendmodule\n");
  for (int i = 0; i < 16; i++) {
    const bool first = !(i & 8), low_r = i & 4, one = i & 2, low_e = i & 1;
    char *more =
        hd_format("%smodule \\$_SDFF%s_P%c%c%c_ (input D, input C, input R, input E, output Q);\n"
                  "  wire r = %sR, e = %sE;\n"
                  "  \\$_DFFE_PP_ ff (.D(%s), .C(C), .E(%s), .Q(Q));\nendmodule\n",
                  all, first ? "E" : "CE", low_r ? 'N' : 'P', one ? '1' : '0', low_e ? 'N' : 'P',
                  low_r ? "~" : "", low_e ? "~" : "", one ? "D | r" : "D & ~r", first ? "e | r" : "e");
    free(all);
    all = more;
  }
  return all;
}

struct gating {
  const struct hd_lib_cell *cell;
  json_t *cells, *groups; /* groups: names of flip-flops, by "clock enable" */
  json_int_t nets;        /* the first free net */
  int gates;
  long gated;
};

static json_t *pin_of(json_t *cell, const char *pin) {
  return json_object_get(json_object_get(cell, "connections"), pin);
}

static void add_flipflop(struct gating *g, const char *name, json_t *cell) {
  json_t *e = json_array_get(pin_of(cell, "E"), 0), *c = json_array_get(pin_of(cell, "C"), 0);
  if (!json_is_integer(e) || !json_is_integer(c))
    return;
  char *key = hd_format("%lld %lld", (long long)json_integer_value(c), (long long)json_integer_value(e));
  json_t *group = json_object_get(g->groups, key);
  if (!group)
    json_object_set_new(g->groups, key, group = json_array());
  json_array_append_new(group, json_string(name));
  free(key);
}

/* Gates the clock of flip-flops `from` to `to` of the group. */
static void gate(struct gating *g, json_t *group, size_t from, size_t to) {
  json_t *first = json_object_get(g->cells, json_string_value(json_array_get(group, from))),
         *net = json_pack("[I]", g->nets++);
  const char *out = hd_lib_output(g->cell)->name;
  char *name = hd_format(HD_GATE_NAME "%d", g->gates++);
  json_object_set_new(g->cells, name,
                      json_pack("{s:i, s:s, s:{}, s:{}, s:{s:s, s:s, s:s}, s:{s:O, s:O, s:O}}", "hide_name",
                                0, "type", g->cell->name, "parameters", "attributes", "port_directions",
                                g->cell->clock, "input", g->cell->data, "input", out, "output", "connections",
                                g->cell->clock, pin_of(first, "C"), g->cell->data, pin_of(first, "E"), out,
                                net));
  for (size_t i = from; i < to; i++) {
    json_t *flop = json_object_get(g->cells, json_string_value(json_array_get(group, i))),
           *pins = json_object_get(flop, "connections");
    json_object_set_new(flop, "type", json_string("$_DFF_P_"));
    json_object_set(pins, "C", net);
    json_object_del(pins, "E");
    json_object_del(json_object_get(flop, "port_directions"), "E");
  }
  g->gated += (long)(to - from);
  json_decref(net);
  free(name);
}

static void gate_groups(struct gating *g, size_t least) {
  const char *key;
  json_t *group;
  json_object_foreach(g->groups, key, group) {
    const size_t n = json_array_size(group), parts = (n + MOST - 1) / MOST;
    for (size_t i = 0; n >= least && i < parts; i++)
      gate(g, group, i * n / parts, (i + 1) * n / parts);
  }
}

enum hd_rc hd_gating_insert(const struct hd_flow *flow, long *gated, struct hd_why *why) {
  char *from = hd_flow_file(flow, "enables.json"), *to = hd_flow_file(flow, "gated.json");
  json_error_t error;
  json_t *root = json_load_file(from, 0, &error),
         *module = json_object_get(json_object_get(root, "modules"), flow->top), *cell;
  struct gating g = {.cell = hd_lib_find(flow->lib, flow->lib->gate),
                     .cells = json_object_get(module, "cells"),
                     .groups = json_object(),
                     .nets = hd_free_net(module)};
  const char *name;
  json_object_foreach(g.cells, name, cell) {
    if (!strcmp(json_string_value(json_object_get(cell, "type")), "$_DFFE_PP_"))
      add_flipflop(&g, name, cell);
  }
  gate_groups(&g, flow->gate);
  enum hd_rc rc = HD_OK;
  if (!g.cells)
    rc = hd_because(why, HD_TOOL, "yosys wrote no netlist of %s to %s", flow->top, from);
  else if (json_dump_file(root, to, JSON_COMPACT))
    rc = hd_because(why, HD_TOOL, "cannot write %s", to);
  *gated = g.gated;
  json_decref(g.groups);
  json_decref(root);
  free(from);
  free(to);
  return rc;
}
