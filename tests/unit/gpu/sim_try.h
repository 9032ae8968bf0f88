/* Runs the whole performance model on a source. The machine must be legal. The figures leave out the wall-clock time, so that two
 * runs can be compared whole. */
#ifndef HEDDLE_TESTS_UNIT_SIM_TRY_H
#define HEDDLE_TESTS_UNIT_SIM_TRY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/gpu/sim_machines.h"

#include "cmodel/gpu/sim.h"

static enum hd_rc try_source(struct hd_config c, struct wl_source *source, struct hd_sim_job job,
                             struct hd_sim_result *r) {
  struct hd_why why;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  job.design = design;
  job.source = source;
  const enum hd_rc rc = hd_sim_run(&job, r, &why);
  hd_design_free(design);
  r->seconds = 0;
  return rc;
}

#endif
