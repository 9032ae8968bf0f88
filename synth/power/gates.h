/* Simulates a netlist of library cells cycle by cycle, and counts the toggles of every net.
 *
 * There is no delay: within a cycle each net settles once. So a net toggles at most once a cycle, and
 * glitches are not counted. Only cells whose inputs changed are evaluated. RAM macros are not simulated: the
 * caller sets their outputs, as it sets the module's inputs.
 *
 * Invariant: between hd_gates_settle and hd_gates_edge every net has the value of its cell's function. */
#ifndef HEDDLE_SYNTH_POWER_GATES_H
#define HEDDLE_SYNTH_POWER_GATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "synth/liberty.h"

enum { HD_GATE_INPUTS = 6, HD_NET_0 = 0, HD_NET_1 = 1 }; /* the first two nets are constant */

/* What drives a net. */
enum hd_driver { HD_BY_NONE, HD_BY_CELL, HD_BY_FLIPFLOP, HD_BY_INPUT, HD_BY_MACRO };

struct hd_netgate {
  int cell;                            /* index into the library */
  int inputs, in[HD_GATE_INPUTS], out; /* nets, in the order of the library's input pins */
  int level;                           /* higher than all cells that drive it */
  /* bit i: the output if the inputs make the number i; input 0 is the lowest bit */
  uint64_t truth;
};
struct hd_flop {
  int cell, d, q; /* nets */
  int clock;      /* a net; with `gate`: the index of its clock-gating cell, -1: none */
  int gate;
};
/* A clock-gating cell. It gives a clock edge at the end of each cycle in which its enable is 1. */
struct hd_clockgate {
  int cell, clock, enable, out; /* nets */
  long sinks;                   /* flip-flops */
  uint64_t on;                  /* of hd_gates.cycles, those at whose end it gives an edge */
};
/* Bits of the netlist that have a name: a port, a register, the output of a macro. */
struct hd_bits {
  char *name; /* as in Yosys: "deq_line", "u_tags.count_q" */
  int n, *net;
};
struct hd_named {
  struct hd_bits *at;
  int n;
};

struct hd_gates {
  const struct hd_lib *lib;
  int nets;
  struct hd_netgate *gate;
  int gates, levels;
  struct hd_flop *flop;
  int flops;
  struct hd_clockgate *clockgate;
  int clockgates;
  /* name: every public net; rdata: by the name of the macro's cell */
  struct hd_named input, output, name, rdata;
  double *load;    /* of each net: the capacitance of the pins on it, fF */
  uint8_t *driver; /* enum hd_driver of each net */
  int *by;         /* index of the gate or flip-flop that drives each net */

  uint8_t *value;
  uint64_t *toggles, cycles; /* of each net; since the netlist was read */

  /* the work to do */
  int *fan, *fan_from;       /* gates (>= 0) and flip-flops (~index) that read each net */
  int **due, *n_due;         /* gates whose inputs changed, by level */
  uint8_t *queued, *waiting; /* the gate is in `due`; the flip-flop is in `look` */
  int *look, n_look;         /* flip-flops whose D changed */
  int *flip, n_flip;         /* flip-flops whose Q will change */
};

/* Reads the netlist that a run of hd_yosys left in `path` (netlist.json). The library must outlive it.
 * Returns HD_CHECK for a cell without a function in the library, a clock that is neither an input nor a
 * gating cell's, a function of more than HD_GATE_INPUTS inputs, or a loop; HD_TOOL if the file can't be read.
 * Call hd_gates_free in any case. */
enum hd_rc hd_gates_read(const char *path, const char *top, const struct hd_lib *lib, struct hd_gates *g,
                         struct hd_why *why);
void hd_gates_free(struct hd_gates *g);

/* The bits of that name. Returns NULL if there are none. */
const struct hd_bits *hd_bits_find(const struct hd_named *bus, const char *name);

/* Before the first cycle, and at the begin of a window: put registers (of `name`), inputs and rdata, which
 * counts no toggles; then evaluate everything. */
void hd_gates_put(struct hd_gates *g, int net, bool value);
void hd_gates_start(struct hd_gates *g);
/* A cycle: set inputs and rdata, then let all nets settle, then give the clock edge. */
void hd_gates_set(struct hd_gates *g, int net, bool value);
void hd_gates_settle(struct hd_gates *g);
void hd_gates_edge(struct hd_gates *g);

#endif
