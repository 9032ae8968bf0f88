/* A netlist of library cells, simulated cycle by cycle with the toggles of every net counted.
 *
 * Zero delay: within a cycle each net settles once, so a net toggles at most once a cycle, and glitches are not
 * counted. Work is done for cells alone whose inputs changed. RAM macros are not simulated: what they give is set from
 * outside, as the module's inputs are.
 *
 * Invariant: between hd_gates_settle and hd_gates_edge every net has the value of its cell's function.
 */
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
  int level;                           /* above all cells that drive it */
  uint64_t truth;                      /* bit i: the output where the inputs make i, input 0 the lowest bit */
};
struct hd_flop {
  int cell, d, q; /* nets */
  int clock;      /* a net; with `gate`: index of its clock-gating cell, -1: none */
  int gate;
};
/* A cell that gives its clock in the cycles at whose end its enable is 1. */
struct hd_clockgate {
  int cell, clock, enable, out; /* nets */
  long sinks;                   /* flip-flops */
  uint64_t on;                  /* cycles, of hd_gates.cycles, at whose end it gives an edge */
};
/* Bits of the netlist that have a name: a port, a register, what a macro gives. */
struct hd_bits {
  char *name; /* as Yosys has it: "deq_line", "u_tags.count_q" */
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
  struct hd_named input, output, name, rdata; /* name: every public net; rdata: by the macro's cell */
  double *load;                               /* of each net: capacitance of the pins on it, fF */
  int macro_pins;                             /* inputs of RAM macros, each as the smallest buffer's */
  uint8_t *driver;                            /* enum hd_driver of each net */
  int *by;                                    /* index of the gate or flip-flop that drives it */

  uint8_t *value;
  uint64_t *toggles, cycles; /* of each net; since the netlist was read */

  /* what is to be done */
  int *fan, *fan_from;       /* gates (>= 0) and flip-flops (~index) that read each net */
  int **due, *n_due;         /* gates whose inputs changed, by level */
  uint8_t *queued, *waiting; /* gates in due; flip-flops in look */
  int *look, n_look;         /* flip-flops whose D changed */
  int *flip, n_flip;         /* flip-flops whose Q is to change */
};

/* The netlist that a run of hd_yosys left in `path` (netlist.json). The library must outlive it. HD_CHECK: a cell the library
 * has no function of, a clock that is neither an input nor a gating cell's, a function of more than HD_GATE_INPUTS inputs, a loop;
 * HD_TOOL: it can't be read. hd_gates_free in any case. */
enum hd_rc hd_gates_read(const char *path, const char *top, const struct hd_lib *lib, struct hd_gates *g,
                         struct hd_why *why);
void hd_gates_free(struct hd_gates *g);

/* Bits of that name; NULL: there are none. */
const struct hd_bits *hd_bits_find(const struct hd_named *bus, const char *name);

/* Before the first cycle, and where a window begins: registers (of `name`), inputs and rdata are put, uncounted, then
 * everything is evaluated. */
void hd_gates_put(struct hd_gates *g, int net, bool value);
void hd_gates_start(struct hd_gates *g);
/* A cycle: inputs and rdata are set; then all settles; then the clock edge. */
void hd_gates_set(struct hd_gates *g, int net, bool value);
void hd_gates_settle(struct hd_gates *g);
void hd_gates_edge(struct hd_gates *g);

#endif
