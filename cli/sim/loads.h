/* What the L1D did with the requests of each load instruction of a run: --loads (docs/cli.md).
 *
 * Invariant: a column's sum over all rows is what the run's l1d.* of that kind counts.
 */
#ifndef HEDDLE_CLI_LOADS_H
#define HEDDLE_CLI_LOADS_H

#include "cli/cli.h"

struct hd_load_row; /* a row */

struct hd_by_load {
  struct hd_out out;
  struct hd_load_row *load; /* in the order of their first requests */
  size_t n;
  bool no_memory;
};

/* The file of args->loads, if it is given. */
enum hd_rc hd_loads_open(const struct hd_args *args, struct hd_by_load *l, struct hd_why *why);
/* For heddle_run_on_access: counts it; `user` is the loads. */
void hd_loads_access(void *user, const heddle_access *access);
/* Writes the rows. The file appears if rc is HD_OK. Passes rc through, unless writing fails. */
enum hd_rc hd_loads_close(struct hd_by_load *l, enum hd_rc rc, struct hd_why *why);

#endif
