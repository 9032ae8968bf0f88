/* The L1D's results for the requests of each load instruction of a run: --loads (docs/cli.md).
 *
 * Invariant: the sum of a column over all rows is the run's l1d.* count of that kind.
 */
#ifndef HEDDLE_CLI_LOADS_H
#define HEDDLE_CLI_LOADS_H

#include "cli/cli.h"

struct hd_load_row; /* one load instruction */

struct hd_by_load {
  struct hd_out out;
  struct hd_load_row *load; /* in the order of their first requests */
  size_t n;
  bool no_memory;
};

/* Opens the file of args->loads, if given. */
enum hd_rc hd_loads_open(const struct hd_args *args, struct hd_by_load *l, struct hd_why *why);
/* For heddle_run_on_access: counts the access. `user` is the struct hd_by_load. */
void hd_loads_access(void *user, const heddle_access *access);
/* Writes the rows. The file appears if rc is HD_OK. Returns rc, unless writing fails. */
enum hd_rc hd_loads_close(struct hd_by_load *l, enum hd_rc rc, struct hd_why *why);

#endif
