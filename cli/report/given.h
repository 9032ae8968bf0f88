/* The data that a report takes from files of other runs. */
#ifndef HEDDLE_CLI_REPORT_GIVEN_H
#define HEDDLE_CLI_REPORT_GIVEN_H

#include "cli/cli.h"

/* Adds the contents of the files of --papers, --campaign, --proofs and --power to `data`, as `papers`,
 * `campaign`, `proofs` and `power` (docs/json.md); null if no file is named. Returns HD_INPUT with a
 * message if a file cannot be read or is of another kind. */
enum hd_rc hd_report_given(const struct hd_args *args, json_t *data, struct hd_why *why);

#endif
