/* One run of heddle sim: a GPU on one workload, cycle for cycle, and what its memory did. */
#include "cli/sim/sim.h"
#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

/* How many launches there will be is not known: the time left is the launch's. */
void hd_cli_sim_progress(void *user, const struct hd_sim_progress *at) {
  const struct hd_pace pace = {at->ended, at->ctas, (double)at->cycles, "cycles"};
  hd_progress(pace, "%s: launch %llu, %u of %u CTAs, %.1f M cycles", (const char *)user,
              (unsigned long long)at->launches, at->ended, at->ctas, 1e-6 * (double)at->cycles);
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
                                 .progress = hd_cli_sim_progress,
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
