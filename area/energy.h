/* What memories use in a run: energy of accesses, of rows that wake, and leakage.
 *
 * By the embedded model and flip-flop figures of area/memory.h alone, so that a run says the same on every machine,
 * whether it has CACTI or not.
 */
#ifndef HD_AREA_ENERGY_H
#define HD_AREA_ENERGY_H

#include "area/memory.h"

struct hd_energy_use {
  const char *name;
  struct hd_memory mem;
  double copies;        /* of it, in all */
  double reads, writes; /* of single macros, in all: what is read in several at once counts for each */
  double wakes; /* rows that were powered on; one costs what a write of it does at most (docs/pricing.md) */
};
struct hd_energy {
  double access_nj, wake_nj;
  double wake_low_nj; /* the charge of the rows' cells alone */
  double leak_nj;     /* if all rows are powered all the time */
};

/* Of each use, over so many seconds at the node (nm). HD_INPUT for a memory or a node out of range. */
enum hd_rc hd_energy_of(const struct hd_energy_use *use, int n, double seconds, double node_nm,
                        struct hd_energy *energy, struct hd_why *why);

#endif
