/* One run of heddle sim: a GPU on one workload, cycle by cycle. */
#include "cli/sim/loads.h"
#include "cli/sim/series.h"
#include "cli/sim/sim.h"
#include "cli/sim/timeline.h"

#include "base/heap.h"

enum {
  PROGRESS_MS = 100,
  HEAP = 64 << 20 /* bytes: the small blocks of the largest machine, gpu/h100, and half as much again */
};

/* Progress. The number of launches is unknown, so the time left is that of the launch. `user` is the
 * workload. */
static int tell(void *user, const heddle_progress *at) {
  const struct hd_pace pace = {at->ctas_ended, at->ctas, (double)at->cycles, "cycles"};
  hd_progress(pace, "%s: launch %llu, %u of %u CTAs, %.1f M cycles", (const char *)user,
              (unsigned long long)at->launches, at->ctas_ended, at->ctas, 1e-6 * (double)at->cycles);
  return 0;
}

static enum hd_rc rc_of(heddle_status status) {
  return status == HEDDLE_OK             ? HD_OK
         : status == HEDDLE_ERR_WORKLOAD ? HD_INPUT
         : status == HEDDLE_ERR_MEMORY   ? HD_TOOL
                                         : HD_CHECK;
}

/* The files that are written during the run. */
struct over_time {
  struct hd_series series;
  struct hd_timeline timeline;
  struct hd_by_load loads;
};

/* Runs what args ask for. The caller closes *run. `over` may be NULL. */
static enum hd_rc run(const heddle_machine *machine, const struct hd_args *args, struct over_time *over,
                      heddle_run **run, struct hd_why *why) {
  hd_heap_expect(HEAP);
  heddle_status status = heddle_run_open(machine, args->workload, args->no_skip ? HEDDLE_NO_SKIP : 0, run);
  if (status)
    return hd_because(why, rc_of(status), "--workload: %s", heddle_run_message(*run));
  heddle_run_limit(*run, args->cycles);
  heddle_run_threads(*run, (unsigned)hd_cli_jobs(args));
  if (args->sample && hd_run_sample(*run, args->sample, args->segment, args->seed))
    return hd_because(why, HD_INPUT, "--sample: %s", heddle_run_message(*run));
  heddle_run_on_progress(*run, tell, (void *)args->workload, PROGRESS_MS);
  if (over && over->series.out.f)
    heddle_run_on_interval(*run, hd_series_row, &over->series, args->interval);
  if (over && over->timeline.out.f) {
    hd_timeline_begin(&over->timeline, &machine->c);
    heddle_run_on_span(*run, hd_timeline_span, &over->timeline);
  }
  if (over && over->loads.out.f)
    heddle_run_on_access(*run, hd_loads_access, &over->loads);
  status = heddle_run_go(*run);
  hd_progress_end();
  return status ? hd_because(why, rc_of(status), "%s", heddle_run_message(*run)) : HD_OK;
}

enum hd_rc hd_cli_run(const heddle_machine *machine, const struct hd_args *args, struct hd_sim_result *result,
                      struct hd_why *why) {
  heddle_run *r;
  const enum hd_rc rc = run(machine, args, NULL, &r, why);
  if (rc == HD_OK)
    *result = r->result;
  heddle_run_close(r);
  return rc;
}

enum hd_rc hd_cli_simulate(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                           json_t **json, struct hd_why *why) {
  const struct hd_config *c = &machine->c;
  struct hd_l2_energy energy;
  struct over_time over = {0};
  heddle_run *r = NULL;
  enum hd_rc rc = hd_series_open(args, &over.series, why);
  if (rc == HD_OK)
    rc = hd_timeline_open(args, &over.timeline, why);
  if (rc == HD_OK)
    rc = hd_loads_open(args, &over.loads, why);
  if (rc == HD_OK)
    rc = run(machine, args, &over, &r, why);
  rc = hd_loads_close(&over.loads, rc, why);
  rc = hd_timeline_close(&over.timeline, rc, why);
  rc = hd_series_close(&over.series, rc, why);
  const bool has_energy = c->d.L2 && !args->sample; /* energy needs all cycles */
  if (rc == HD_OK && has_energy)
    rc = hd_sim_energy(machine->design, &r->result, &energy, why);
  if (rc == HD_OK) {
    hd_sim_print(c, args->workload, &r->result, has_energy ? &energy : NULL, report);
    *json = hd_sim_json(r, args->workload, has_energy ? &energy : NULL);
  }
  heddle_run_close(r);
  return rc;
}
