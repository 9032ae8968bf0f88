/* What a report takes from files that other runs have written. */
#ifndef HEDDLE_CLI_REPORT_GIVEN_H
#define HEDDLE_CLI_REPORT_GIVEN_H

#include "cli/cli.h"

/* Adds to `data` what the files of --papers, --campaign, --proofs and --power have, as `papers`, `campaign`, `proofs` and `power`
 * (docs/json.md); null where no file is named. HD_INPUT, with a sentence: a file that cannot be read, or is something else. */
enum hd_rc hd_report_given(const struct hd_args *args, json_t *data, struct hd_why *why);

#endif
