/* The place where the runs of a set happen (--on); see sweep.h. */
#include "base/programs.h"
#include "cli/sweep/sweep.h"

#include <string.h>
#include <unistd.h>

enum hd_rc hd_sweep_place(const struct hd_args *args, hd_run_set_place *place, struct hd_why *why) {
  const bool slurm = !strcmp(args->on, "slurm");
  if (!slurm && strcmp(args->on, "cores") != 0)
    return hd_because(why, HD_INPUT, "--on: found %s; allowed cores, slurm; write one of these", args->on);
  if (args->retries > 1000)
    return hd_because(why, HD_INPUT, "--retries: found %llu; allowed 0 to 1000",
                      (unsigned long long)args->retries);
  if (args->spool && !slurm)
    return hd_because(why, HD_INPUT, "--spool: found without --on slurm; allowed with it");
  *place = slurm ? hd_sweep_slurm : hd_run_set_pool;
  const bool has_store = !access(args->store ? args->store : "", F_OK); /* else all runs are left */
  return slurm && !has_store && !args->plan ? hd_program_need(HD_SBATCH, why) : HD_OK;
}
