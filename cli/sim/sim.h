/* One run, and the printing of its result: for people, and as JSON (docs/json.md). */
#ifndef HEDDLE_CLI_SIM_H
#define HEDDLE_CLI_SIM_H

#include <jansson.h>

#include "cli/cli.h"
#include "cmodel/gpu/sim.h"

/* Energy of the memories of all L2 slices in a run, in nJ: accesses; leakage while powered; waking lines;
 * the total of LoSCache's own memories and tables; and the sum of all. */
struct hd_l2_energy {
  double access_nj, leak_nj, wake_nj, added_nj, total_nj;
  double wake_low_nj; /* part of wake_nj: the charge of the cells only */
  /* The energy if an oracle powered off each line right after its last use. Only a run that powers off no
   * line can give it (`ideal`): the oracle's run has the same accesses as that run, while a run with gating
   * fetches lines again that slept too early. */
  bool ideal;
  double ideal_nj;
};
enum hd_rc hd_sim_energy(const struct hd_design *design, const struct hd_sim_result *r,
                         struct hd_l2_energy *energy, struct hd_why *why);

/* Runs args->workload in this process. */
hd_work hd_cli_simulate;

/* Gives only the figures of the run with args->workload, ->cycles and ->no_skip. */
enum hd_rc hd_cli_run(const heddle_machine *machine, const struct hd_args *args, struct hd_sim_result *result,
                      struct hd_why *why);

/* `energy`: NULL if there is none. */
void hd_sim_print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r,
                  const struct hd_l2_energy *energy, FILE *f);
json_t *hd_sim_json(const heddle_run *run, const char *workload, const struct hd_l2_energy *energy);

/* Prints the lines of the mechanisms at one place. */
enum hd_figures_place { HD_FIGURES_L1D, HD_FIGURES_L2 };
void hd_sim_print_figures(const struct hd_config *c, const struct hd_sim_result *r,
                          enum hd_figures_place place, FILE *f);

#endif
