/* The energies of a netlist; see price.h. */
#include "synth/power/price.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum hd_rc hd_price_need(const struct hd_lib *lib, struct hd_why *why) {
  if (lib->volts <= 0)
    return hd_because(why, HD_INPUT, "library %s: found no nom_voltage; without it there is no energy",
                      lib->name);
  if (lib->leak_nw <= 0)
    return hd_because(why, HD_INPUT,
                      "library %s: found no leakage_power_unit; without it there is no leakage", lib->name);
  return HD_OK;
}

static double swing_fj(const struct hd_lib *lib, double ff) {
  return 0.5 * ff * lib->volts * lib->volts;
}

static double inside_fj(const struct hd_gates *g, int cell, double load) {
  return hd_lib_energy(g->lib, hd_lib_output(&g->lib->cell[cell]), load);
}

static double data_fj(const struct hd_gates *g, const struct hd_flop *f) {
  const struct hd_lib_cell *is = &g->lib->cell[f->cell];
  return hd_lib_energy(g->lib, hd_lib_pin(is, is->data), 0);
}

/* The energy of a flip-flop or a gating cell in one cycle with a clock: inside and at its clock pin. */
static double clock_fj(const struct hd_gates *g, int cell) {
  const struct hd_lib_cell *is = &g->lib->cell[cell];
  const struct hd_lib_pin *pin = hd_lib_pin(is, is->clock);
  return 2 * hd_lib_energy(g->lib, pin, 0) + 2 * swing_fj(g->lib, pin->cap * g->lib->cap_ff);
}

/* The share of cycles in which a flip-flop, or the output of a gating cell, has a clock. */
static double duty(const struct hd_gates *g, int gate) {
  return gate < 0 ? 1 : g->cycles ? (double)g->clockgate[gate].on / (double)g->cycles : 0;
}

double hd_clocked(const struct hd_gates *g) {
  double sum = 0;
  for (int i = 0; i < g->flops; i++)
    sum += duty(g, g->flop[i].gate);
  return g->flops ? sum / g->flops : 1;
}

/* The kind of a cell: "NAND2_X1" and "NAND2X1" are NAND2. */
static void kind_name(const char *cell, char *name, size_t room) {
  size_t n = strlen(cell), digits = n;
  while (digits > 1 && isdigit((unsigned char)cell[digits - 1]))
    digits--;
  if (digits < n && (cell[digits - 1] == 'X' || cell[digits - 1] == 'x'))
    n = digits - 1;
  while (n > 1 && cell[n - 1] == '_')
    n--;
  snprintf(name, room, "%.*s", (int)n, cell);
}

static struct hd_kind_energy *kind_of(struct hd_kinds *kinds, const char *name) {
  for (int i = 0; i < kinds->n; i++)
    if (!strcmp(kinds->at[i].name, name))
      return &kinds->at[i];
  if (kinds->n == HD_POWER_KINDS) /* the last kind takes all others */
    return &kinds->at[kinds->n - 1];
  struct hd_kind_energy *k = &kinds->at[kinds->n++];
  *k = (struct hd_kind_energy){.cells = 0};
  snprintf(k->name, sizeof k->name, "%s", kinds->n == HD_POWER_KINDS ? "others" : name);
  return k;
}

static struct hd_kind_energy *kind_of_cell(struct hd_kinds *kinds, const struct hd_gates *g, int cell) {
  char name[32];
  kind_name(g->lib->cell[cell].name, name, sizeof name);
  return kind_of(kinds, name);
}

static struct hd_kind_energy *driver_of(struct hd_kinds *kinds, const struct hd_gates *g, int net) {
  switch (g->driver[net]) {
  case HD_BY_CELL:
    return kind_of_cell(kinds, g, g->gate[g->by[net]].cell);
  case HD_BY_FLIPFLOP:
    return kind_of_cell(kinds, g, g->flop[g->by[net]].cell);
  case HD_BY_MACRO:
    return kind_of(kinds, "memory outputs");
  default:
    return kind_of(kinds, "inputs");
  }
}

/* The energy inside the cell that drives the net. */
static double driver_fj(const struct hd_gates *g, int net) {
  if (g->driver[net] == HD_BY_CELL)
    return inside_fj(g, g->gate[g->by[net]].cell, g->load[net]);
  return g->driver[net] == HD_BY_FLIPFLOP ? inside_fj(g, g->flop[g->by[net]].cell, g->load[net]) : 0;
}

double *hd_net_weights(const struct hd_gates *g) {
  double *weight = hd_zeroed((size_t)g->nets, sizeof *weight);
  for (int net = HD_NET_1 + 1; net < g->nets; net++)
    weight[net] = swing_fj(g->lib, g->load[net]) + driver_fj(g, net);
  for (int i = 0; i < g->flops; i++)
    weight[g->flop[i].d] += data_fj(g, &g->flop[i]);
  return weight;
}

void hd_tree_price(const struct hd_lib *lib, long sinks, struct hd_logic_energy *e, double *fj_a_cycle) {
  const struct hd_lib_cell *buffer = hd_lib_find(lib, lib->driver);
  const struct hd_lib_pin *out = hd_lib_pin(buffer, lib->driver_pin);
  const double input_ff = lib->driver_load * lib->cap_ff;
  *fj_a_cycle = 0;
  for (long below = sinks, level = 0; below > 1; level++) {
    const long buffers = (below + HD_TREE_FAN - 1) / HD_TREE_FAN;
    /* the pins below the lowest level are the flip-flops' own clock pins, which are counted there */
    *fj_a_cycle +=
        2 * (double)buffers * (hd_lib_energy(lib, out, HD_TREE_FAN * input_ff) + swing_fj(lib, input_ff));
    e->tree_buffers += buffers;
    e->tree_leak_nw += (double)buffers * buffer->leak * lib->leak_nw;
    below = buffers;
  }
}

struct hd_logic_energy hd_logic_price(const struct hd_gates *g, double scale, uint64_t cycles,
                                      struct hd_kinds *kinds) {
  struct hd_logic_energy e = {0};
  for (int i = 0; i < g->gates; i++) {
    const double leak = g->lib->cell[g->gate[i].cell].leak * g->lib->leak_nw;
    struct hd_kind_energy *k = kind_of_cell(kinds, g, g->gate[i].cell);
    k->cells++;
    k->leak_nw += leak;
    e.leak_nw += leak;
  }
  for (int i = 0; i < g->flops; i++) {
    const double leak = g->lib->cell[g->flop[i].cell].leak * g->lib->leak_nw;
    const double data = scale * (double)g->toggles[g->flop[i].d] * data_fj(g, &g->flop[i]);
    const double clock = (double)cycles * duty(g, g->flop[i].gate) * clock_fj(g, g->flop[i].cell);
    struct hd_kind_energy *k = kind_of_cell(kinds, g, g->flop[i].cell);
    k->cells++;
    k->leak_nw += leak;
    k->internal += data;
    k->clock += clock;
    e.leak_nw += leak;
    e.internal += data;
    e.clock += clock;
  }
  for (int net = HD_NET_1 + 1; net < g->nets; net++) {
    if (!g->toggles[net])
      continue;
    const double times = scale * (double)g->toggles[net], switching = times * swing_fj(g->lib, g->load[net]),
                 internal = times * driver_fj(g, net);
    struct hd_kind_energy *k = driver_of(kinds, g, net);
    k->switching += switching;
    k->internal += internal;
    e.switching += switching;
    e.internal += internal;
  }
  double tree;
  long sinks = g->flops + g->rdata.n + g->clockgates;
  for (int i = 0; i < g->clockgates; i++) {
    const struct hd_clockgate *c = &g->clockgate[i];
    const double leak = g->lib->cell[c->cell].leak * g->lib->leak_nw,
                 clock = (double)cycles * (clock_fj(g, c->cell) + 2 * duty(g, i) * inside_fj(g, c->cell, 0));
    struct hd_kind_energy *k = kind_of_cell(kinds, g, c->cell);
    k->cells++;
    k->leak_nw += leak;
    k->clock += clock;
    e.leak_nw += leak;
    e.clock += clock;
    hd_tree_price(g->lib, c->sinks, &e, &tree);
    e.tree += tree * duty(g, i) * (double)cycles;
    sinks -= c->sinks;
  }
  hd_tree_price(g->lib, sinks, &e, &tree);
  e.tree += tree * (double)cycles;
  return e;
}
