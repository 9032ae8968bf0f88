/* Runs by samples, for tests. Results leave out the wall-clock time, so that two results can be compared whole. */
#ifndef HEDDLE_TESTS_UNIT_SAMPLING_TRY_H
#define HEDDLE_TESTS_UNIT_SAMPLING_TRY_H

#include "tests/unit/loaded.h"

#include <math.h>
#include <string.h>

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

/* Runs to the end of the workload, or to the limit of cycles if there is one. */
static struct hd_sim_result run(struct hd_config c, const char *spec, struct hd_sim_job job) {
  char err[256];
  struct hd_why why;
  struct hd_sim_result r;
  memset(&r, 0, sizeof r); /* the comparison includes the bytes between fields */
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  job.design = design;
  job.source = wl_open(spec, err, sizeof err);
  assert_non_null(job.source);
  if (hd_sim_run(&job, &r, &why) != HD_OK && (r.end != HD_SIM_LIMIT || !job.max_cycles))
    fail_msg("%s: %s", spec, why.text);
  job.source->ops->close(job.source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
}

/* Fails unless the error of the sampled run is inside its interval and the interval is narrower than `limit`. Returns the result of
 * the sampled run. */
static struct hd_sim_result assert_within(unsigned sms, const char *spec, double limit,
                                          struct hd_sampling_options o) {
  struct hd_config c = loaded("gpu/fermi");
  c.gpu.sms = sms;
  const struct hd_sim_result whole = run(c, spec, (struct hd_sim_job){0});
  const struct hd_sim_result r = run(c, spec, (struct hd_sim_job){.sampling = o});
  const double error = fabs(r.ipc / whole.ipc - 1);
  if (!(error <= r.sampling.margin) || !(r.sampling.margin < limit))
    fail_msg("%s: IPC %f, of samples %f, margin %f", spec, whole.ipc, r.ipc, r.sampling.margin);
  assert_true(4 * r.sampling.cycles_simulated < whole.sm.cycles);
  return r;
}

#endif
