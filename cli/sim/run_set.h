/* Several configurations x workloads: `heddle sim` with more than one run.
 *
 * run_set.c makes the list of runs and goes through the stages. run_set_cost.c predicts how long each run
 * takes. run_set_pool.c runs the runs without a result in child processes. run_set_table.c prints the
 * results. A store (cli/store/store.h) keeps them between invocations.
 *
 * Invariant: a run's result is the answer of the single run with the same configuration and workload,
 * whoever computed it and when. A run that fails is reported and disturbs no other run.
 */
#ifndef HEDDLE_CLI_RUN_SET_H
#define HEDDLE_CLI_RUN_SET_H

#include "cli/cli.h"
#include "cli/store/store.h"

struct hd_run {
  const heddle_machine *machine; /* loaded once for all its runs */
  const char *name;              /* name of the machine */
  size_t number;                 /* number of its workload in the set */
  const char *workload;
  json_t *key;              /* all that its result depends on; NULL: no store keeps it */
  struct hd_hash_text hash; /* hash of the key */
  json_t *result; /* workload, exit_code, error, cpu_seconds, peak_rss_kib, and, if good, the figures of the
                   * single run; NULL: not run yet */
  double cost;    /* predicted processor seconds; 0: not predicted, or the run is done */
  unsigned lost;  /* number of times that its process was killed or crashed */
};

struct hd_run_set {
  const struct hd_args *args;
  const char *verb; /* the verb of the messages */
  heddle_machine **machine;
  char **name;     /* names in tables and messages, to be freed; NULL: the configuration's */
  char **workload; /* each to be freed */
  struct hd_run *run;
  size_t machines, workloads, runs; /* in a table run i is workload i % workloads on machine i / workloads */
  struct hd_store *store;           /* NULL: no store */
  /* Keeps the result of a finished run. NULL: a good result goes into the store, if there is one. */
  enum hd_rc (*keep)(const struct hd_run_set *m, const struct hd_run *run, struct hd_why *why);
  unsigned retries; /* number of times that a lost run is started again */
  size_t there;     /* runs whose results were in the store */
};

/* Returns true if args ask for one run and only its report: one configuration and one workload (neither is
 * an @FILE; the workload is no suite or paper), and no CSV or store. */
bool hd_run_set_single(const struct hd_args *args);
/* Loads the machines and workloads of its args, and makes all their runs. Reports problems before any run. */
enum hd_rc hd_run_set_load(struct hd_run_set *m, struct hd_why *why);
enum hd_rc hd_run_set(const struct hd_args *args, struct hd_why *why);

/* For a set that is not all workloads on all machines. Takes over the machine and its name in tables. */
void hd_run_set_machine(struct hd_run_set *m, heddle_machine *machine, char *name);
/* Adds a run of a machine and a workload, by their numbers; returns its own number. */
size_t hd_run_set_add(struct hd_run_set *m, size_t machine, size_t workload);
/* Adds to the workloads a name, a paper, a suite, or the lines of @FILE. Returns HD_INPUT if there is no
 * such workload, or if the set has it already. The message begins with `option`. */
enum hd_rc hd_run_set_workload(struct hd_run_set *m, const char *option, const char *spec,
                               struct hd_why *why);
/* Returns true if a result is within args->cycles. A result beyond does not count, since the run would fail
 * today. */
bool hd_run_set_within(const struct hd_run_set *m, const json_t *result);
/* Makes the keys of the runs, and takes their results from m->store. NULL is a store without results. */
void hd_run_set_find(struct hd_run_set *m);
/* Opens the store of args, if given (with args->plan only for reading), and does the same. */
enum hd_rc hd_run_set_take(struct hd_run_set *m, struct hd_why *why);
/* Makes the missing results of a set: hd_run_set_pool, or the function of another place. */
typedef enum hd_rc (*hd_run_set_place)(struct hd_run_set *m, struct hd_why *why);
/* The same, then `place` runs the others. Returns the worst code of all runs. */
enum hd_rc hd_run_set_go(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why);
/* Prints the table, and writes CSV and JSON as args say. */
enum hd_rc hd_run_set_answer(struct hd_run_set *m, hd_run_set_place place, struct hd_why *why);
void hd_run_set_free(struct hd_run_set *m);

/* Runs the runs without a result, args->jobs at a time. Returns HD_INPUT if a result could not be kept. The
 * failure of a run is in its result. */
enum hd_rc hd_run_set_pool(struct hd_run_set *m, struct hd_why *why);

/* Makes the keys of all runs that have none. */
void hd_run_set_keys(struct hd_run_set *m);
/* Predicts the cost of the runs without a result: from the store if it has the workload, else from the
 * instructions of the first CTAs of its launches. */
void hd_run_set_costs(struct hd_run_set *m);
/* Returns the numbers of the runs without a result, the costliest first, to be freed; *n gets how many. */
size_t *hd_run_set_open(const struct hd_run_set *m, size_t *n);

/* Return the exit code of a finished run, and its error message. */
enum hd_rc hd_run_rc(const struct hd_run *run);
const char *hd_run_error(const struct hd_run *run);

/* Print the table: for people, as JSON (docs/json.md), and that JSON as CSV. */
void hd_table_print(const struct hd_run_set *m, FILE *f);
json_t *hd_table_json(const struct hd_run_set *m);
void hd_table_csv(const json_t *table, FILE *f);

#endif
