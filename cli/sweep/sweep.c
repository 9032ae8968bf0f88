/* heddle sweep: the verb; see sweep.h. */
#include "cli/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* Returns the store of FILE.yaml, in the same directory, to be freed. */
static char *store_of(const char *file) {
  const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
  return hd_format("%.*s.db", dot && (!slash || dot > slash + 1) ? (int)(dot - file) : (int)strlen(file),
                   file);
}

/* Prints the runs that are left, the costliest first. */
static enum hd_rc plan(struct hd_run_set *set, struct hd_why *why) {
  const enum hd_rc rc = hd_run_set_take(set, why);
  if (rc != HD_OK)
    return rc;
  hd_run_set_costs(set);
  size_t n;
  size_t *order = hd_run_set_open(set, &n);
  double all = 0;
  printf("%10s  %-24s %s\n", "CPU s", "workload", "machine");
  for (size_t i = 0; i < n; i++) {
    const struct hd_run *run = &set->run[order[i]];
    printf("%10.2f  %-24s %s\n", run->cost, run->workload, run->name);
    all += run->cost;
  }
  printf("%10.2f  in all, predicted: %zu of %zu runs, %zu machines, %zu workloads\n", all, n, set->runs,
         set->machines, set->workloads);
  free(order);
  return HD_OK;
}

/* Runs a shard of a spool, as a task of the array. */
static enum hd_rc run_shard(const struct hd_args *args, struct hd_why *why) {
  struct hd_run_set set = {
      .args = args, .verb = "sweep", .keep = hd_spool_keep, .retries = (unsigned)args->retries};
  enum hd_rc rc = hd_spool_read(args->what, args->shard, &set, why);
  if (rc == HD_OK)
    rc = hd_run_set_pool(&set, why);
  hd_run_set_free(&set);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (args->shard != UINT64_MAX)
    return run_shard(args, why);
  if (args->plan && (args->csv || args->json))
    return hd_because(why, HD_INPUT, "--plan: found with --%s; allowed alone", args->csv ? "csv" : "json");
  struct hd_args all = *args;
  char *store = args->store ? hd_format("%s", args->store) : store_of(args->what);
  all.store = store;
  hd_run_set_place place;
  struct hd_run_set set = {.args = &all, .verb = "sweep", .retries = (unsigned)args->retries};
  enum hd_rc rc = hd_sweep_place(&all, &place, why);
  if (rc == HD_OK)
    rc = hd_sweep_read(args->what, &set, why);
  if (rc == HD_OK)
    rc = args->plan ? plan(&set, why) : hd_run_set_answer(&set, place, why);
  hd_run_set_free(&set);
  free(store);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT("store", 0, HD_OPT_TEXT, false, store, "FILE",
           "keep each run's result there (SQLite), and don't run again what is there (FILE.db beside "
           "FILE.yaml)"),
    HD_OPT("on", 0, HD_OPT_TEXT, false, on, "PLACE",
           "where it runs: cores, of this machine; slurm, a job array (cores)"),
    HD_OPT(
        "spool", 0, HD_OPT_TEXT, false, spool, "DIR",
        "of --on slurm: a directory that the nodes see too, through which runs and results go; the store may "
        "then be on a disk of this machine (STORE.spool)"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N",
           "runs, or shards, at a time; 0: as many as there are cores, or as Slurm gives (0)"),
    HD_OPT("retries", 0, HD_OPT_COUNT, false, retries, "N",
           "start a run again so many times whose process or job was lost (3)"),
    HD_OPT("max-cycles", 0, HD_OPT_COUNT, false, cycles, "N",
           "stop a run there, which fails; 0: no limit (0)"),
    HD_OPT("plan", 0, HD_OPT_FLAG, false, plan, NULL, "say what would run, and how long it would take"),
    HD_OPT("csv", 0, HD_OPT_TEXT, false, csv, "FILE", "the runs as a table; '-': on stdout, instead"),
    HD_OPT("shard", 0, HD_OPT_COUNT, false, shard, "N",
           "what a job of Slurm does: run shard N of the directory FILE"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_sweep = {
    "sweep",
    "run every combination that a YAML file asks for, here or on Slurm, into a store",
    "FILE.yaml",
    "example: printf 'configs: [fermi_16k, mrpb]\\naxes: {l1d.ways: [2, 4]}\\nworkloads: [atax:tiny]\\n' > "
    "ways.yaml\n"
    "         heddle sweep ways.yaml --csv ways.csv\n"
    "         sqlite3 ways.db 'SELECT \"config.l1d.ways\", workload, ipc FROM runs'\n"
    "         heddle sweep ways.yaml --on slurm -j 64",
    opts,
    {.on = "cores", .retries = 3, .shard = UINT64_MAX},
    run};
