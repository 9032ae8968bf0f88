/* What toggles of a netlist cost, by the liberty file it was mapped to.
 *
 *   switching   0.5 C V^2 for each toggle of a net: C is of the pins on it; wires are not known, and left out
 *   internal    the library's energy inside the cell, for each toggle of its output; of a flip-flop, of its D too
 *   clock       inside each flip-flop and gating cell and at its clock pin, two transitions in every cycle that it has a clock
 *   tree        a tree of the library's smallest buffer (HD_TREE_FAN sinks each) that drives those pins, in every cycle
 *   leakage     of each cell, as the library says
 *
 * A net between two modules is counted where it is read: outputs have no load beyond the module.
 */
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
  char name[32]; /* "NAND2", without its drive; "inputs", "memory outputs": nets that no cell drives */
  long cells;
  double switching, internal, clock, leak_nw;
};
struct hd_kinds {
  struct hd_kind_energy at[HD_POWER_KINDS];
  int n;
};

/* HD_INPUT: the library does not say its voltage or its unit of leakage, so there is no price. */
enum hd_rc hd_price_need(const struct hd_lib *lib, struct hd_why *why);

/* fJ that one toggle of each net costs, switching and internal; to be freed. */
double *hd_net_weights(const struct hd_gates *g);

/* Of g->toggles times `scale`, in `cycles` cycles. Added to the kinds. */
struct hd_logic_energy hd_logic_price(const struct hd_gates *g, double scale, uint64_t cycles,
                                      struct hd_kinds *kinds);

/* The share of cycles in which a flip-flop has a clock, mean over all of them. */
double hd_clocked(const struct hd_gates *g);

/* fJ a cycle, and leakage, of a tree above so many clock pins. */
void hd_tree_price(const struct hd_lib *lib, long sinks, struct hd_logic_energy *e, double *fj_a_cycle);

#endif
