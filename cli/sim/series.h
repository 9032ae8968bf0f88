/* The figures of a run over time: --series (docs/cli.md).
 *
 * Invariant: a column's sum over all rows is the figure of the whole run.
 */
#ifndef HEDDLE_CLI_SERIES_H
#define HEDDLE_CLI_SERIES_H

#include "cli/cli.h"

struct hd_series {
  struct hd_out out;
  bool json; /* as an array of rows; else as CSV */
  size_t rows;
  uint64_t *before; /* each figure at the end of the last row; NULL: no row yet */
  bool no_memory;
};

/* Opens the file of args->series, if given. */
enum hd_rc hd_series_open(const struct hd_args *args, struct hd_series *s, struct hd_why *why);
/* For heddle_run_on_interval: writes a row. `user` is the struct hd_series. */
void hd_series_row(void *user, const heddle_run *run);
/* The file appears if rc is HD_OK. Returns rc, unless writing fails. */
enum hd_rc hd_series_close(struct hd_series *s, enum hd_rc rc, struct hd_why *why);

#endif
