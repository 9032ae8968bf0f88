/* One run of heddle sim: a GPU on one workload, cycle for cycle, and what its memory did. */
#include "cli/sim.h"
#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

static void progress(void *user, uint64_t cycles, uint64_t instructions) {
  hd_progress("%s: %.1f million cycles, %.1f million instructions", (const char *)user, 1e-6 * (double)cycles,
              1e-6 * (double)instructions);
}

enum hd_rc hd_cli_simulate(const struct hd_args *args, const struct hd_config *c,
                           const struct hd_design *design, FILE *report, json_t **json, struct hd_why *why) {
  char err[sizeof why->text];
  struct wl_source *source = wl_open(args->workload, err, sizeof err);
  if (!source)
    return hd_because(why, HD_INPUT, "--workload: %s", err);
  struct hd_sim_result result;
  const struct hd_sim_job job = {.design = design,
                                 .source = source,
                                 .max_cycles = args->cycles,
                                 .no_skip = args->no_skip,
                                 .progress = progress,
                                 .user = (void *)args->workload};
  struct hd_l2_energy energy;
  enum hd_rc rc = hd_sim_run(&job, &result, why);
  hd_progress_end();
  if (rc == HD_OK && c->d.L2)
    rc = hd_sim_energy(design, &result, &energy, why);
  if (rc == HD_OK) {
    hd_sim_print(c, args->workload, &result, c->d.L2 ? &energy : NULL, report);
    *json = hd_sim_json(c, args->workload, &result, c->d.L2 ? &energy : NULL);
  }
  source->ops->close(source);
  return rc;
}
