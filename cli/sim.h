/* How the result of a run is told: to people, and as JSON (docs/json.md). */
#ifndef HEDDLE_CLI_SIM_H
#define HEDDLE_CLI_SIM_H

#include <jansson.h>

#include "cmodel/sim.h"

void hd_sim_print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r, FILE *f);
json_t *hd_sim_json(const struct hd_config *c, const char *workload, const struct hd_sim_result *r);

#endif
