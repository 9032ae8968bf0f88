/* The answer of `heddle power`: logic by module and by kind of cell, memories by their accesses, one sum.
 *
 * Every row says by what: gates (toggles of a simulated netlist, priced by the liberty file), cacti or model (area/memory.h).
 */
#ifndef HEDDLE_SYNTH_POWER_REPORT_H
#define HEDDLE_SYNTH_POWER_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "area/memory.h"
#include "synth/power/watch.h"

/* mW, at the clock of the module. */
struct hd_power_logic {
  const char *name, *module; /* instance; "" is the top itself */
  long cells, flipflops, tree_buffers, clock_gates,
      gated;                /* gated: flip-flops that have their clock from these */
  double clocked;           /* the share of cycles in which a flip-flop has a clock, mean; 1 without gates */
  double register_activity; /* toggles of a register's or port's bit in a cycle, mean */
  double switching, internal, clock, tree, leak, total;
  double error; /* standard error of switching + internal, a part of 1 */
  uint64_t compared, gate_cycles;
};
struct hd_power_store {
  const struct hd_power_memory *of;
  struct hd_mem_price price; /* of a bank */
  double dynamic, leak, total;
};
struct hd_power_report {
  const char *config, *stimulus, *top;
  char lib[64];
  double volts, clock_mhz, node_nm;
  uint64_t cycles, loads, from;
  unsigned sample;
  struct hd_power_logic *logic;
  int logics;
  struct hd_power_store *memory;
  int memories;
  struct hd_kinds kinds; /* of all logic; in mW when the report is made */
  double logic_mw, memory_mw, total_mw;
};

/* From a watch whose run is over. HD_INPUT: nothing was counted, too little was sampled, or the library has no voltage.
 * HD_CHECK: gates ran, and nothing of them was compared. hd_power_report_free in any case.
 * The watch must outlive it. */
enum hd_rc hd_power_report_make(const struct hd_power_watch *w, double clock_mhz,
                                const struct hd_pricer *pricer, struct hd_power_report *r,
                                struct hd_why *why);
void hd_power_report_free(struct hd_power_report *r);
void hd_power_print(const struct hd_power_report *r, FILE *out);
json_t *hd_power_json(const struct hd_power_report *r); /* a new reference */

/* pJ of mW over the run's cycles, a load (0: there was none) or a cycle. */
double hd_pj_a_load(const struct hd_power_report *r, double mw);
double hd_pj_a_cycle(const struct hd_power_report *r, double mw);

#endif
