/* The inputs of heddle sweep and heddle explore: they give runs, or reported problems. Nothing is run. */
#include "cli/explore/explore.h"
#include "cli/sweep/sweep.h"
#include "tests/fuzz/inputs.h"

#include <string.h>

bool fuzz_sweep(const uint8_t *bytes, size_t n) {
  const struct hd_args args = {0};
  struct hd_run_set set = {.args = &args, .verb = "sweep"};
  struct hd_why why = {0};
  enum hd_rc rc = hd_sweep_read(fuzz_file(bytes, n), &set, &why);
  rc = rc != HD_OK && fuzz_planted("another error") ? HD_TOOL : rc;
  set.runs -= rc == HD_OK && fuzz_planted("a run less");
  fuzz_need(rc == HD_OK || rc == HD_INPUT, "neither good nor bad input");
  if (rc != HD_OK)
    fuzz_line(why.text);
  fuzz_need(rc != HD_OK || (set.machines && set.runs == set.machines * set.workloads), "runs are missing");
  hd_run_set_free(&set);
  return rc == HD_OK;
}

bool fuzz_explore(const uint8_t *bytes, size_t n) {
  const struct hd_args args = {0};
  struct hd_explore e = {.args = &args};
  struct hd_why why = {0};
  enum hd_rc rc = hd_explore_read(fuzz_file(bytes, n), &e, &why);
  if (rc == HD_OK)
    rc = hd_explore_start(&e, &why);
  rc = rc != HD_OK && fuzz_planted("another error") ? HD_TOOL : rc;
  fuzz_need(rc == HD_OK || rc == HD_INPUT, "neither good nor bad input");
  if (rc != HD_OK)
    fuzz_line(why.text);
  hd_explore_free(&e);
  return rc == HD_OK;
}
