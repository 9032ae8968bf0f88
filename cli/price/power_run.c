/* heddle power --run: the energy of a GPU in results that `heddle sim --json` wrote. */
#include "area/gpu_energy.h"
#include "base/version.h"
#include "cli/price/price.h"

static enum hd_rc price_run(const json_t *run, FILE *report, json_t *all, struct hd_why *why) {
  struct hd_gpu_energy e;
  const enum hd_rc rc = hd_gpu_energy_of(run, &e, why);
  if (rc != HD_OK)
    return rc;
  hd_gpu_energy_print(&e, report);
  json_array_append_new(all, hd_gpu_energy_json(&e));
  return HD_OK;
}

enum hd_rc hd_cli_power_run(const struct hd_args *args, struct hd_why *why) {
  json_error_t error;
  json_t *file = json_load_file(args->of, 0, &error), *runs = json_object_get(file, "runs");
  if (!file)
    return hd_because(why, HD_INPUT, "--run: %s, line %d: %s; allowed is what heddle sim --json wrote",
                      args->of, error.line, error.text);
  struct hd_answer answer;
  enum hd_rc rc = hd_answer_open(args, &answer, why);
  json_t *all = json_array();
  for (size_t i = 0; rc == HD_OK && i < json_array_size(runs); i++)
    rc = price_run(json_array_get(runs, i), answer.report, all, why);
  if (rc == HD_OK && !runs)
    rc = price_run(file, answer.report, all, why);
  if (rc == HD_OK && !json_array_size(all))
    rc = hd_because(why, HD_INPUT, "--run: %s: found no runs in it", args->of);
  json_decref(file);
  return hd_answer_close(
      &answer, json_pack("{s:s, s:o, s:o}", "version", HD_VERSION, "made", hd_cli_now(), "runs", all), rc,
      why);
}
