/* Reads a netlist of Yosys into the tables of gates.h.
 *
 * Invariant: gates are sorted by level, so that one walk over them evaluates all. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "synth/liberty.h"
#include "synth/power/gates.h"

struct reading {
  struct hd_gates *g;
  struct hd_why *why;
  enum hd_rc rc;
  int room_gates, room_flops;
};

/* The net of a bit in Yosys's JSON: a number from 2 up, or "0", "1", "x". An undefined bit is 0. */
static int net_of(struct hd_gates *g, const json_t *bit) {
  if (!json_is_integer(bit)) {
    const char *text = json_string_value(bit);
    return text && *text == '1' ? HD_NET_1 : HD_NET_0;
  }
  const int net = (int)json_integer_value(bit);
  g->nets = net >= g->nets ? net + 1 : g->nets;
  return net;
}

static int only_net(struct hd_gates *g, json_t *connections, const char *pin) {
  json_t *bits = json_object_get(connections, pin);
  return json_array_size(bits) == 1 ? net_of(g, json_array_get(bits, 0)) : HD_NET_0;
}

static void add_bits(struct hd_gates *g, struct hd_named *bus, const char *name, json_t *bits) {
  const int n = (int)json_array_size(bits);
  bus->at = hd_resized(bus->at, (size_t)bus->n + 1, sizeof *bus->at);
  struct hd_bits *b = &bus->at[bus->n++];
  *b = (struct hd_bits){
      .name = hd_format("%s", name), .n = n, .net = hd_resized(NULL, (size_t)n, sizeof *b->net)};
  for (int i = 0; i < n; i++)
    b->net[i] = net_of(g, json_array_get(bits, (size_t)i));
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct hd_bits *)a)->name, ((const struct hd_bits *)b)->name);
}

static void sort(struct hd_named *bus) {
  if (bus->n)
    qsort(bus->at, (size_t)bus->n, sizeof *bus->at, by_name);
}

static void add_flop(struct reading *r, const char *name, int cell, json_t *connections) {
  struct hd_gates *g = r->g;
  const struct hd_lib_cell *is = &g->lib->cell[cell];
  if (!is->plain) {
    r->rc = hd_because(r->why, HD_CHECK,
                       "%s is a %s, which is no plain flip-flop; allowed is one without set, clear, enable",
                       name, is->name);
    return;
  }
  if (g->flops == r->room_flops)
    g->flop = hd_resized(g->flop, (size_t)(r->room_flops = 2 * r->room_flops + 64), sizeof *g->flop);
  g->flop[g->flops++] = (struct hd_flop){cell, only_net(g, connections, is->data),
                                         only_net(g, connections, hd_lib_output(is)->name),
                                         only_net(g, connections, is->clock), -1};
}

static void add_clockgate(struct hd_gates *g, int cell, json_t *connections) {
  const struct hd_lib_cell *is = &g->lib->cell[cell];
  g->clockgate = hd_resized(g->clockgate, (size_t)g->clockgates + 1, sizeof *g->clockgate);
  g->clockgate[g->clockgates++] =
      (struct hd_clockgate){.cell = cell,
                            .clock = only_net(g, connections, is->clock),
                            .enable = only_net(g, connections, is->data),
                            .out = only_net(g, connections, hd_lib_output(is)->name)};
}

static void add_gate(struct reading *r, const char *name, int cell, json_t *connections) {
  struct hd_gates *g = r->g;
  const struct hd_lib_cell *is = &g->lib->cell[cell];
  const struct hd_lib_pin *out = hd_lib_output(is);
  struct hd_netgate gate = {.cell = cell};
  if (!out || !hd_lib_truth(is, out, HD_GATE_INPUTS, &gate.truth)) {
    r->rc = hd_because(
        r->why, HD_CHECK,
        "%s is a %s, whose function can't be simulated; allowed is one output, a function of at most "
        "%d inputs",
        name, is->name, (int)HD_GATE_INPUTS);
    return;
  }
  for (int i = 0; i < is->pins; i++)
    if (!is->pin[i].output)
      gate.in[gate.inputs++] = only_net(g, connections, is->pin[i].name);
  gate.out = only_net(g, connections, out->name);
  if (gate.out <= HD_NET_1)
    return; /* not connected */
  if (g->gates == r->room_gates)
    g->gate = hd_resized(g->gate, (size_t)(r->room_gates = 2 * r->room_gates + 256), sizeof *g->gate);
  g->gate[g->gates++] = gate;
}

static void add_cells(struct reading *r, json_t *cells) {
  const char *name, *pin;
  json_t *cell, *bits;
  json_object_foreach(cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    json_t *connections = json_object_get(cell, "connections");
    const struct hd_lib_cell *is = hd_lib_find(r->g->lib, type);
    if (r->rc != HD_OK)
      return;
    if (is && is->flipflop)
      add_flop(r, name, (int)(is - r->g->lib->cell), connections);
    else if (is && is->gate)
      add_clockgate(r->g, (int)(is - r->g->lib->cell), connections);
    else if (is)
      add_gate(r, name, (int)(is - r->g->lib->cell), connections);
    else if (!strncmp(type, "hd_ram_", 7)) {
      json_object_foreach(connections, pin, bits) {
        if (!strcmp(pin, "rdata"))
          add_bits(r->g, &r->g->rdata, name, bits);
      }
    } else
      r->rc = hd_because(r->why, HD_CHECK, "%s of type %s is neither a cell nor a RAM", name, type);
  }
}

/* --- tables that follow from the netlist ------------------------------------------------------------------ */

static void drive(struct reading *r, int net, enum hd_driver driver, int by) {
  if (net <= HD_NET_1)
    return;
  if (r->g->driver[net] && r->rc == HD_OK)
    r->rc = hd_because(r->why, HD_CHECK, "net %d of the netlist has two drivers", net);
  r->g->driver[net] = (uint8_t)driver;
  r->g->by[net] = by;
}

static void find_drivers(struct reading *r) {
  struct hd_gates *g = r->g;
  g->driver = hd_zeroed((size_t)g->nets, sizeof *g->driver);
  g->by = hd_zeroed((size_t)g->nets, sizeof *g->by);
  for (int i = 0; i < g->gates; i++)
    drive(r, g->gate[i].out, HD_BY_CELL, i);
  for (int i = 0; i < g->flops; i++)
    drive(r, g->flop[i].q, HD_BY_FLIPFLOP, i);
  for (int i = 0; i < g->input.n; i++)
    for (int b = 0; b < g->input.at[i].n; b++)
      drive(r, g->input.at[i].net[b], HD_BY_INPUT, i);
  for (int i = 0; i < g->rdata.n; i++)
    for (int b = 0; b < g->rdata.at[i].n; b++)
      drive(r, g->rdata.at[i].net[b], HD_BY_MACRO, i);
}

/* Finds the gating cell that gives each flip-flop its clock. */
static void find_clocks(struct reading *r) {
  struct hd_gates *g = r->g;
  int *of = hd_zeroed((size_t)g->nets, sizeof *of); /* the gating cell of each clock net, from 1; 0: none */
  for (int i = 0; i < g->clockgates; i++) {
    of[g->clockgate[i].out] = i + 1;
    if (g->driver[g->clockgate[i].clock] != HD_BY_INPUT && r->rc == HD_OK)
      r->rc = hd_because(r->why, HD_CHECK, "the clock of a gating cell of the netlist is no input");
  }
  for (int i = 0; i < g->flops; i++) {
    struct hd_flop *f = &g->flop[i];
    f->gate = of[f->clock] - 1;
    if (f->gate >= 0)
      g->clockgate[f->gate].sinks++;
    else if (g->driver[f->clock] != HD_BY_INPUT && r->rc == HD_OK)
      r->rc = hd_because(r->why, HD_CHECK,
                         "the clock of a flip-flop of the netlist is neither an input nor a gating cell's");
  }
  free(of);
}

/* Finds the levels: takes away gates whose inputs are known until none is left. */
static void find_levels(struct reading *r) {
  struct hd_gates *g = r->g;
  int *level = hd_zeroed((size_t)g->nets, sizeof *level), left = g->gates, before = -1;
  bool *done = hd_zeroed((size_t)g->gates + 1, sizeof *done),
       *known = hd_zeroed((size_t)g->nets, sizeof *known);
  for (int net = 0; net < g->nets; net++)
    known[net] = g->driver[net] != HD_BY_CELL;
  while (left && left != before) {
    before = left;
    for (int i = 0; i < g->gates; i++) {
      struct hd_netgate *gate = &g->gate[i];
      bool ready = !done[i];
      for (int k = 0; ready && k < gate->inputs; k++)
        ready = known[gate->in[k]];
      if (!ready)
        continue;
      for (int k = 0; k < gate->inputs; k++)
        gate->level = level[gate->in[k]] > gate->level ? level[gate->in[k]] : gate->level;
      level[gate->out] = gate->level + 1;
      known[gate->out] = done[i] = true;
      g->levels = gate->level + 1 > g->levels ? gate->level + 1 : g->levels;
      left--;
    }
  }
  if (left && r->rc == HD_OK)
    r->rc = hd_because(r->why, HD_CHECK, "%d cells of the netlist are in a combinational loop", left);
  free(level);
  free(done);
  free(known);
}

static int by_level(const void *a, const void *b) {
  return ((const struct hd_netgate *)a)->level - ((const struct hd_netgate *)b)->level;
}

/* Calls `tell` for each pin that a net drives: inputs of gates, then D of flip-flops and their enables, as
 * ~index. */
static void each_reader(const struct hd_gates *g, void (*tell)(void *ctx, int net, int reader), void *ctx) {
  for (int i = 0; i < g->gates; i++)
    for (int k = 0; k < g->gate[i].inputs; k++)
      tell(ctx, g->gate[i].in[k], i);
  for (int i = 0; i < g->flops; i++)
    tell(ctx, g->flop[i].d, ~i);
  for (int i = 0; i < g->flops; i++)
    if (g->flop[i].gate >= 0)
      tell(ctx, g->clockgate[g->flop[i].gate].enable, ~i);
}

static void count_reader(void *ctx, int net, int reader) {
  (void)reader;
  ((int *)ctx)[net + 1]++;
}

struct filling {
  const struct hd_gates *g;
  int *next;
};
static void put_reader(void *ctx, int net, int reader) {
  const struct filling *f = ctx;
  f->g->fan[f->next[net]++] = reader;
}

static void tie(struct reading *r) {
  struct hd_gates *g = r->g;
  const size_t nets = (size_t)g->nets;
  g->fan_from = hd_zeroed(nets + 1, sizeof *g->fan_from);
  each_reader(g, count_reader, g->fan_from);
  for (size_t i = 0; i < nets; i++)
    g->fan_from[i + 1] += g->fan_from[i];
  g->fan = hd_resized(NULL, (size_t)g->fan_from[nets], sizeof *g->fan);
  struct filling f = {g, hd_resized(NULL, nets, sizeof *f.next)};
  memcpy(f.next, g->fan_from, nets * sizeof *f.next);
  each_reader(g, put_reader, &f);
  free(f.next);

  g->due = hd_zeroed((size_t)g->levels + 1, sizeof *g->due);
  g->n_due = hd_zeroed((size_t)g->levels + 1, sizeof *g->n_due);
  g->queued = hd_zeroed((size_t)g->gates + 1, 1);
  g->waiting = hd_zeroed((size_t)g->flops + 1, 1);
  g->look = hd_resized(NULL, (size_t)g->flops, sizeof *g->look);
  g->flip = hd_resized(NULL, (size_t)g->flops, sizeof *g->flip);
  g->value = hd_zeroed(nets, 1);
  g->toggles = hd_zeroed(nets, sizeof *g->toggles);
  g->value[HD_NET_1] = 1;
  for (int level = 0, from = 0; level < g->levels; level++) {
    int to = from;
    while (to < g->gates && g->gate[to].level == level)
      to++;
    g->due[level] = hd_resized(NULL, (size_t)(to - from), sizeof **g->due);
    from = to;
  }
}

/* Sums the capacitance of the pins on each net: for gates and flip-flops from the library, for RAM macros as
 * in macrolib.c. */
static void weigh(struct reading *r, json_t *cells) {
  struct hd_gates *g = r->g;
  g->load = hd_zeroed((size_t)g->nets, sizeof *g->load);
  for (int i = 0; i < g->gates; i++) {
    const struct hd_lib_cell *is = &g->lib->cell[g->gate[i].cell];
    for (int p = 0, k = 0; p < is->pins; p++)
      if (!is->pin[p].output)
        g->load[g->gate[i].in[k++]] += is->pin[p].cap * g->lib->cap_ff;
  }
  for (int i = 0; i < g->flops; i++) {
    const struct hd_lib_cell *is = &g->lib->cell[g->flop[i].cell];
    g->load[g->flop[i].d] += hd_lib_pin(is, is->data)->cap * g->lib->cap_ff;
  }
  for (int i = 0; i < g->clockgates; i++) {
    const struct hd_lib_cell *is = &g->lib->cell[g->clockgate[i].cell];
    g->load[g->clockgate[i].enable] += hd_lib_pin(is, is->data)->cap * g->lib->cap_ff;
  }
  const char *name, *pin;
  json_t *cell, *bits;
  json_object_foreach(cells, name, cell) {
    if (strncmp(json_string_value(json_object_get(cell, "type")), "hd_ram_", 7) != 0)
      continue;
    json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
      if (!strcmp(pin, "rdata") || !strcmp(pin, "clk"))
        continue;
      for (size_t i = 0; i < json_array_size(bits); i++)
        g->load[net_of(g, json_array_get(bits, i))] += HD_MACRO_PIN_FF;
    }
  }
}

static void add_names(struct reading *r, json_t *module) {
  struct hd_gates *g = r->g;
  const char *name;
  json_t *item;
  json_object_foreach(json_object_get(module, "ports"), name, item) {
    const char *direction = json_string_value(json_object_get(item, "direction"));
    add_bits(g, direction && !strcmp(direction, "input") ? &g->input : &g->output, name,
             json_object_get(item, "bits"));
  }
  json_object_foreach(json_object_get(module, "netnames"), name, item) {
    if (!json_integer_value(json_object_get(item, "hide_name")))
      add_bits(g, &g->name, name, json_object_get(item, "bits"));
  }
  sort(&g->input);
  sort(&g->output);
  sort(&g->name);
  sort(&g->rdata);
}

enum hd_rc hd_gates_read(const char *path, const char *top, const struct hd_lib *lib, struct hd_gates *g,
                         struct hd_why *why) {
  *g = (struct hd_gates){.lib = lib, .nets = 2};
  struct reading r = {.g = g, .why = why};
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  json_t *module = json_object_get(json_object_get(root, "modules"), top);
  json_t *cells = json_object_get(module, "cells");
  if (!cells) {
    json_decref(root);
    return hd_because(why, HD_TOOL, "%s is no netlist of %s", path, top);
  }
  add_cells(&r, cells);
  if (r.rc == HD_OK) {
    add_names(&r, module);
    find_drivers(&r);
    find_clocks(&r);
    find_levels(&r);
  }
  if (r.rc == HD_OK) {
    if (g->gates)
      qsort(g->gate, (size_t)g->gates, sizeof *g->gate, by_level);
    for (int i = 0; i < g->gates; i++)
      g->by[g->gate[i].out] = i;
    tie(&r);
    weigh(&r, cells);
  }
  json_decref(root);
  return r.rc;
}

static void free_bus(struct hd_named *bus) {
  for (int i = 0; i < bus->n; i++) {
    free(bus->at[i].name);
    free(bus->at[i].net);
  }
  free(bus->at);
}

void hd_gates_free(struct hd_gates *g) {
  free_bus(&g->input);
  free_bus(&g->output);
  free_bus(&g->name);
  free_bus(&g->rdata);
  for (int level = 0; g->due && level < g->levels; level++)
    free(g->due[level]);
  free(g->gate);
  free(g->flop);
  free(g->clockgate);
  free(g->load);
  free(g->driver);
  free(g->by);
  free(g->value);
  free(g->toggles);
  free(g->fan);
  free(g->fan_from);
  free(g->due);
  free(g->n_due);
  free(g->queued);
  free(g->waiting);
  free(g->look);
  free(g->flip);
  *g = (struct hd_gates){0};
}
