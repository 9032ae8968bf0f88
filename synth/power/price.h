/* The energy of a netlist's toggles, by the liberty file that it was mapped to.
 *
 *   switching   0.5 C V^2 for each toggle of a net; C is of the pins on it. Wires are not known, and left out
 *   internal    the library's energy inside the cell, for each toggle of its output; for a flip-flop, of its D too
 *   clock       inside each flip-flop and gating cell and at its clock pin, two transitions in every cycle that it has a clock
 *   tree        a tree of the library's smallest buffer (HD_TREE_FAN sinks each) that drives those pins, in every cycle
 *   leakage     of each cell, from the library
 *
 * A net between two modules is counted where it is read, so outputs have no load outside the module. */
#ifndef HEDDLE_SYNTH_POWER_PRICE_H
#define HEDDLE_SYNTH_POWER_PRICE_H

#include "synth/power/gates.h"

enum { HD_TREE_FAN = 16, HD_POWER_KINDS = 96 };

/* Energies in fJ over a number of cycles, leakage in nW. */
struct hd_logic_energy {
  double switching, internal, clock, tree;
  double leak_nw, tree_leak_nw;
  long tree_buffers;
};
struct hd_kind_energy {
  /* "NAND2", without its drive strength; "inputs", "memory outputs": nets that no cell drives */
  char name[32];
  long cells;
  double switching, internal, clock, leak_nw;
};
struct hd_kinds {
  struct hd_kind_energy at[HD_POWER_KINDS];
  int n;
};

/* Returns HD_INPUT if the library gives no voltage or no unit of leakage: then there is no price. */
enum hd_rc hd_price_need(const struct hd_lib *lib, struct hd_why *why);

/* The energy in fJ of one toggle of each net, switching and internal; to be freed. */
double *hd_net_weights(const struct hd_gates *g);

/* Prices g->toggles times `scale`, over `cycles` cycles. Adds the energies to `kinds`. */
struct hd_logic_energy hd_logic_price(const struct hd_gates *g, double scale, uint64_t cycles,
                                      struct hd_kinds *kinds);

/* The share of cycles in which a flip-flop has a clock, as a mean over all flip-flops. */
double hd_clocked(const struct hd_gates *g);

/* The energy in fJ a cycle, and the leakage, of a clock tree above `sinks` clock pins. */
void hd_tree_price(const struct hd_lib *lib, long sinks, struct hd_logic_energy *e, double *fj_a_cycle);

#endif
