/* One run, and how its result is printed: for people, and as JSON (docs/json.md). */
#ifndef HEDDLE_CLI_SIM_H
#define HEDDLE_CLI_SIM_H

#include <jansson.h>

#include "cli/cli.h"
#include "cmodel/gpu/sim.h"

/* Of the memories of all L2 slices in a run, in nJ: accesses; leakage of what is powered; waking lines; what
 * LoSCache's own memories and tables need in all; and the sum. */
struct hd_l2_energy {
  double access_nj, leak_nj, wake_nj, added_nj, total_nj;
  double wake_low_nj; /* of wake_nj: the charge of the cells alone */
  /* What the slices would need if an oracle powered off each line right after its last use. Only a run that powers off
   * none can say (`ideal`): the oracle's run is that one, with the same accesses, where a gated run has fetched again what
   * slept too early. */
  bool ideal;
  double ideal_nj;
};
enum hd_rc hd_sim_energy(const struct hd_design *design, const struct hd_sim_result *r,
                         struct hd_l2_energy *energy, struct hd_why *why);

/* A run in this process: that of args->workload. */
hd_work hd_cli_simulate;

/* The figures alone of the run that args->workload, ->cycles and ->no_skip ask for. */
enum hd_rc hd_cli_run(const heddle_machine *machine, const struct hd_args *args, struct hd_sim_result *result,
                      struct hd_why *why);

/* `energy`: NULL where there is none. */
void hd_sim_print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r,
                  const struct hd_l2_energy *energy, FILE *f);
json_t *hd_sim_json(const heddle_run *run, const char *workload, const struct hd_l2_energy *energy);

/* Of them, the lines of the mechanisms that stand at one place. */
enum hd_figures_place { HD_FIGURES_L1D, HD_FIGURES_L2 };
void hd_sim_print_figures(const struct hd_config *c, const struct hd_sim_result *r,
                          enum hd_figures_place place, FILE *f);

#endif
