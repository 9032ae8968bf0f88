/* Counts how often each bit of the RTL's registers and ports changes from one cycle to the next.
 *
 * Invariant: values are read once a cycle, after all ports have settled and before the edge. So the counts
 * are of settled values, and exact. */
#ifndef HEDDLE_SYNTH_POWER_TOGGLES_H
#define HEDDLE_SYNTH_POWER_TOGGLES_H

#include <stdio.h>

#include "verif/harness/table.h"

struct hd_toggled {
  const char *path; /* the instances above it, "u_l1d.", or "" */
  const struct hd_row *row;
  struct hd_dut_var var;
  bool moved;   /* it changed in the cycle that was counted last */
  uint8_t *was; /* its value in the last cycle */
  uint64_t *toggles, *high,
      *since; /* of each bit: the changes; the cycles at 1 before the last change; the cycle of that change */
};
struct hd_toggles {
  struct hd_toggled *at;
  int n;
  uint64_t cycles; /* cycles counted */
};

void hd_toggles_add(struct hd_toggles *t, const char *path, const struct hd_row *row,
                    const struct hd_dut_var *var);
/* Starts counting from this cycle: the first cycle, or one after a reset. */
void hd_toggles_start(struct hd_toggles *t);
void hd_toggles_count(struct hd_toggles *t);
void hd_toggles_free(struct hd_toggles *t);

/* The changes of all bits of the entries [from, to). */
uint64_t hd_toggles_of(const struct hd_toggles *t, int from, int to);

/* Writes all counts as backward SAIF 2.0: an INSTANCE for each module; T0, T1 and TC of each bit. A cycle
 * takes period_ps. */
void hd_toggles_saif(const struct hd_toggles *t, const char *top, const char *version, double period_ps,
                     FILE *f);

#endif
