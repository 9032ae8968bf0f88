/* The result of `heddle power`: logic by module and by kind of cell, memories by their accesses, and one sum.
 *
 * Every row names its source: gates (toggles of a simulated netlist, priced by the liberty file), cacti or
 * model (area/memory.h). */
#ifndef HEDDLE_SYNTH_POWER_REPORT_H
#define HEDDLE_SYNTH_POWER_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "area/memory.h"
#include "synth/power/watch.h"

/* Powers in mW, at the clock of the module. */
struct hd_power_logic {
  const char *name, *module; /* instance; "" is the top itself */
  long cells, flipflops, tree_buffers, clock_gates,
      gated;                /* gated: flip-flops that get their clock from these */
  double clocked;           /* the mean share of cycles in which a flip-flop has a clock; 1 without gates */
  double register_activity; /* mean toggles of a bit of a register or port in a cycle */
  double switching, internal, clock, tree, leak, total;
  double error; /* standard error of switching + internal, as a part of 1 */
  uint64_t compared, gate_cycles;
};
struct hd_power_store {
  const struct hd_power_memory *of;
  struct hd_mem_price price; /* of one bank */
  double dynamic, leak, total;
};
struct hd_power_report {
  const char *stimulus, *top;
  char lib[64];
  double volts, clock_mhz, node_nm;
  uint64_t cycles, loads, from;
  unsigned sample;
  struct hd_power_logic *logic;
  int logics;
  struct hd_power_store *memory;
  int memories;
  struct hd_kinds kinds; /* of all logic; in mW once the report is made */
  double logic_mw, memory_mw, total_mw;
};

/* Makes the report of a watch whose run is over. Returns HD_INPUT if nothing was counted, too little was
 * sampled, or the library has no voltage; HD_CHECK if gates ran but nothing was compared. Call
 * hd_power_report_free in any case. The watch must outlive the report. */
enum hd_rc hd_power_report_make(const struct hd_power_watch *w, double clock_mhz,
                                const struct hd_pricer *pricer, struct hd_power_report *r,
                                struct hd_why *why);
void hd_power_report_free(struct hd_power_report *r);
void hd_power_print(const struct hd_power_report *r, FILE *out);
json_t *hd_power_json(const struct hd_power_report *r); /* a new reference */

/* Converts mW over the run's cycles to pJ a load (0 if there was none) and to pJ a cycle. */
double hd_pj_a_load(const struct hd_power_report *r, double mw);
double hd_pj_a_cycle(const struct hd_power_report *r, double mw);

#endif
