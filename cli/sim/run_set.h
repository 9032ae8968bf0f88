/* Several configurations x workloads: what `heddle sim` does when it is asked for more than one run.
 *
 * run_set.c makes the list of runs and goes through the stages; run_set_pool.c runs what is to be run, in children;
 * run_set_results.c keeps results between invocations; run_set_table.c prints them.
 *
 * Invariant: a run's result is the answer of the single run with the same configuration and workload, whoever
 * computed it and when; a run that fails is told of and disturbs no other.
 */
#ifndef HEDDLE_CLI_RUN_SET_H
#define HEDDLE_CLI_RUN_SET_H

#include "cli/cli.h"

struct hd_run {
  const heddle_machine *machine; /* loaded once for all its runs */
  size_t number;                 /* of its workload in the set */
  const char *workload;
  json_t *key; /* all that its result depends on */
  json_t
      *result; /* workload, exit_code, error, cpu_seconds, peak_rss_kib, and if good the single run's figures;
                     NULL: not run yet */
};

struct hd_run_set {
  const struct hd_args *args;
  heddle_machine **machine;
  char **workload; /* each to be freed */
  struct hd_run *run;
  size_t machines, workloads, runs; /* run i is workload i % workloads on machine i / workloads */
  int lock;                         /* of the directory of results; -1: none is kept */
};

/* Whether args ask for one run and its report alone: one configuration, one workload, none of them a list or a
 * suite, no table and no results wanted. */
bool hd_run_set_single(const struct hd_args *args);
enum hd_rc hd_run_set(const struct hd_args *args, struct hd_why *why);

/* For who asks for runs without a table. His machines and workloads become the set's; he adds the runs, and gets each one's
 * number. */
size_t hd_run_set_add(struct hd_run_set *m, size_t machine, size_t workload);
/* Takes the results that are kept, if args say where, and runs the others. The answer is the worst run's. */
enum hd_rc hd_run_set_go(struct hd_run_set *m, struct hd_why *why);
void hd_run_set_free(struct hd_run_set *m);

/* Runs what has no result yet, args->jobs at a time. HD_INPUT: a result could not be kept; the run's own failure is
 * in its result. */
enum hd_rc hd_run_set_pool(struct hd_run_set *m, struct hd_why *why);

/* Makes the keys. */
void hd_results_keys(struct hd_run_set *m);
/* Opens args->results, made if need be, and locks it: one program at a time writes there. Fills the runs that are
 * there already; *found gets their number. */
enum hd_rc hd_results_open(struct hd_run_set *m, size_t *found, struct hd_why *why);
/* Keeps a good result. HD_INPUT: it cannot be written. */
enum hd_rc hd_results_keep(const struct hd_run_set *m, const struct hd_run *run, struct hd_why *why);

/* The exit code of a run that is done, and what it says why. */
enum hd_rc hd_run_rc(const struct hd_run *run);
const char *hd_run_error(const struct hd_run *run);

/* The table: for people, as JSON (docs/json.md), and that as CSV. */
void hd_table_print(const struct hd_run_set *m, FILE *f);
json_t *hd_table_json(const struct hd_run_set *m);
void hd_table_csv(const json_t *table, FILE *f);

#endif
