/* The energy of memories in a run: accesses, rows that wake, and leakage.
 *
 * It uses only the embedded model and the flip-flop figures of area/memory.h. So a run gives the same energy
 * on every machine, with CACTI or without. */
#ifndef HEDDLE_AREA_ENERGY_H
#define HEDDLE_AREA_ENERGY_H

#include "area/memory.h"

struct hd_energy_use {
  const char *name;
  struct hd_memory mem;
  double copies;        /* of the memory, in all */
  double reads, writes; /* of single macros, in all: a read of several macros at once counts for each */
  /* rows that were powered on; one costs at most as much as a write of the row (docs/pricing.md) */
  double wakes;
};
struct hd_energy {
  double access_nj, wake_nj;
  double wake_low_nj; /* the charge of the rows' cells alone */
  double leak_nj;     /* if all rows have power all the time */
};

/* Sums the energy of all uses over `seconds` at the node (nm). Returns HD_INPUT if a memory or the node is
 * out of range. */
enum hd_rc hd_energy_of(const struct hd_energy_use *use, int n, double seconds, double node_nm,
                        struct hd_energy *energy, struct hd_why *why);

#endif
